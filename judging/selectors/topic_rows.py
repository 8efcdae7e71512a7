"""Topics with the size of their pools, their anchors and the units done."""

from collections.abc import Sequence
from typing import NamedTuple

from django.db.models import Count

from judging.models import Assignment, PoolDocument, Topic
from judging.selectors.judgments import ACCEPTED, NOT_EXCLUDED


class TopicRow(NamedTuple):
    """A topic. `units` are those whose judgments count; an anchor not drawn yet is an empty text."""

    topic_id: str
    title: str
    description: str
    narrative: str
    retired: bool
    documents: int
    units: int
    h_id: str
    n_id: str


def topic_rows(chosen: Sequence[int]) -> list[TopicRow]:
    """These topics, by primary key, in ascending order; in four queries."""
    pool = PoolDocument.objects.filter(topic__in=chosen).order_by()
    documents = dict(pool.values_list("topic_id").annotate(count=Count("pk")))
    anchors = {
        (topic, anchor): document
        for topic, anchor, document in pool.exclude(anchor="").values_list(
            "topic_id", "anchor", "document__document_id"
        )
    }
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
