"""Topics with the size of their pools, their anchors and the units done."""

from collections.abc import Sequence
from typing import Annotated, Final, NamedTuple

from django.db.models import Count, QuerySet

from judging.core.published.base import Column, Published
from judging.core.published.common import TOPIC, sizes_and_anchors
from judging.core.selectors.judgments import ACCEPTED, NOT_EXCLUDED
from judging.models import Assignment, PoolDocument, Topic


class TopicRow(NamedTuple):
    """A topic. `units` are those whose judgments count; an anchor not drawn yet is an empty text."""

    topic_id: Annotated[str, TOPIC]
    title: Annotated[str, Column("what workers read first of it")]
    description: Annotated[str, Column("what is looked for")]
    narrative: Annotated[str, Column("what is relevant, and what is not")]
    retired: Annotated[bool, Column("no units of it are given out any more")]
    documents: Annotated[int, Column("documents in the pool, the two anchors among them", "documents")]
    units: Annotated[int, Column("units whose judgments count", "units")]
    h_id: Annotated[str, Column("the anchor of grade H; empty where there is none yet")]
    n_id: Annotated[str, Column("the anchor of grade N; empty where there is none yet")]


def topic_rows(chosen: Sequence[int] | QuerySet[Topic, int]) -> list[TopicRow]:
    """These topics, by primary key, in ascending order; in four queries."""
    documents, anchors = sizes_and_anchors(PoolDocument.objects.filter(topic__in=chosen))
    done = Assignment.objects.filter(ACCEPTED, NOT_EXCLUDED, topic__in=chosen).order_by()
    units = dict(done.values_list("topic_id").annotate(count=Count("pk")))
    return [
        TopicRow(
            topic_id=topic.number,
            title=topic.title,
            description=topic.description,
            narrative=topic.narrative,
            retired=topic.retired_at is not None,
            documents=documents.get(topic.pk, 0),
            units=units.get(topic.pk, 0),
            h_id=anchors.get((topic.pk, "H"), ""),
            n_id=anchors.get((topic.pk, "N"), ""),
        )
        for topic in Topic.objects.filter(pk__in=chosen).order_by("pk")
    ]


TOPICS: Final = Published(
    "topics",
    "The topics with their pools and anchors.",
    TopicRow,
    lambda study: topic_rows(list(Topic.objects.filter(study=study).values_list("pk", flat=True))),
    place=0,
    chosen=lambda study, chosen: topic_rows(chosen),
)
"""For the API; not among the exports."""
