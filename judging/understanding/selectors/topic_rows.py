"""Reads topics with the size of their pools, their anchors and their completed units."""

from collections.abc import Sequence
from typing import Annotated, Final, NamedTuple

from django.db.models import Count, QuerySet

from judging.core.published.common import TOPIC, sizes_and_anchors
from judging.core.published.table import Column, Published
from judging.core.selectors.judgments import ACCEPTED, NOT_EXCLUDED
from judging.core.selectors.kinds import by_counted
from judging.models import Assignment, PoolDocument, Study, Topic


class TopicRow(NamedTuple):
    """A topic. The id of an anchor that is not chosen yet is ""."""

    topic_id: Annotated[str, TOPIC]
    title: Annotated[str, Column("the title, which workers read first")]
    description: Annotated[str, Column("what a searcher is looking for")]
    narrative: Annotated[str, Column("which documents are relevant and which are not")]
    retired: Annotated[bool, Column("whether the topic no longer gives out units")]
    documents: Annotated[int, Column("documents in the pool, including the anchors", "documents")]
    units: Annotated[int, Column("units whose judgments count", "units")]
    h_id: Annotated[str, Column("the anchor of grade H; with two pairs, both; empty if not chosen yet")]
    n_id: Annotated[str, Column("the anchor of grade N; with two pairs, both; empty if not chosen yet")]


def topic_rows(study: Study, chosen: Sequence[int] | QuerySet[Topic, int]) -> list[TopicRow]:
    """Return the topics of a study with these primary keys, in ascending order. This takes four queries."""
    documents, anchors = sizes_and_anchors(PoolDocument.objects.filter(topic__in=chosen))
    done = Assignment.objects.filter(by_counted(study), ACCEPTED, NOT_EXCLUDED, topic__in=chosen).order_by()
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
    lambda study: topic_rows(study, list(Topic.objects.filter(study=study).values_list("pk", flat=True))),
    place=0,
    chosen=topic_rows,
)
"""Only the API publishes these rows. They are not an export."""
