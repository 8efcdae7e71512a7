"""Queries about the units that are planned for a topic."""

from collections import Counter
from collections.abc import Collection
from typing import NamedTuple

from django.db.models import Count, QuerySet

from judging.core.selectors.kinds import Kinds, counted_kinds
from judging.models import Assignment, PoolDocument, Question, Study, Topic, Unit, UnitDocument
from judging.protocol.states import UnitState


def unit_documents(assignment: Assignment) -> tuple[list[int], dict[str, int]]:
    """Return the keys of the pool documents in a unit, in order, and of the anchors of its topic by name."""
    others = UnitDocument.objects.filter(unit_id=assignment.unit_id).order_by("id")
    anchors = PoolDocument.objects.filter(topic_id=assignment.topic_id).exclude(anchor="").order_by()
    return list(others.values_list("pool_document_id", flat=True)), dict(anchors.values_list("anchor", "pk"))


def right_option(assignment: Assignment) -> int:
    """Return the index (counted from 0) of the right answer to the question about an assignment's topic."""
    option = Question.objects.values_list("right_option", flat=True).get(topic_id=assignment.topic_id)
    assert option is not None, "a study with an incomplete question cannot open"
    return option


class Planned(NamedTuple):
    """The number of planned units, and the number of required judgments in them, not counting anchors."""

    units: int
    judgments: int


def planned_units(study: Study, topics: Collection[Topic], kinds: Kinds = None) -> QuerySet[Unit]:
    """Return the units of these topics that the study counts, except retired units.

    If a unit was copied to be judged again, return only the copy.
    """
    units = Unit.objects.filter(topic__in=topics, kind__in=counted_kinds(study, kinds), copies__isnull=True)
    return units.exclude(state=UnitState.RETIRED)


def planned_judgments(study: Study, topics: Collection[Topic], kinds: Kinds = None) -> dict[int, int]:
    """Return a dict from the key of a pool document to the number of planned units that contain it.

    Leave out documents that are not in any planned unit.
    """
    documents = UnitDocument.objects.filter(unit__in=planned_units(study, topics, kinds)).order_by()
    return dict(documents.values_list("pool_document_id").annotate(units=Count("pk")))


def planned_by_topic(study: Study, topics: Collection[Topic], *, wanted: int) -> dict[int, Planned]:
    """Return a dict from topic key to `Planned` numbers, for each topic that has planned units.

    Count at most `wanted` judgments for each document. This takes two queries.
    """
    units = planned_units(study, topics).order_by()
    numbers = dict(units.values_list("topic_id").annotate(number=Count("pk")))
    rows = UnitDocument.objects.filter(unit__in=units, pool_document__anchor="").order_by()
    judgments: Counter[int] = Counter()
    per_document = rows.values_list("pool_document__topic_id", "pool_document_id")
    for topic, _, number in per_document.annotate(number=Count("pk")):
        judgments[topic] += min(number, wanted)
    return {topic: Planned(number, judgments[topic]) for topic, number in numbers.items()}
