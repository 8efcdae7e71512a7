"""The records of workers over their units, as `protocol.record` weighs them."""

from collections.abc import Collection
from typing import Final

from django.db.models import Count, Q

from judging.models import Assignment, Participation, WorkerFigures
from judging.protocol.record import Record, UnitOutcome, record_from
from judging.protocol.states import AssignmentState

FINISHED: Final = Q(state=AssignmentState.COMPLETED.value) | Q(failed_finishes__gt=0)
"""Selects the units that a worker tried to finish. Combine it with `failed_finishes` being known."""
_LEAST_OTHERS: Final = 5
"""A topic can be at fault only if this many other workers tried to finish a unit of it."""


def record_of(
    participation: Participation, *, ending: Assignment | None = None, without_topics: Collection[int] = ()
) -> Record:
    """Return the record of a worker. This takes two queries.

    Units of retired topics do not count, nor do those of the topics with the keys `without_topics`. `ending`
    is a unit that has changed but is not saved.
    """
    units = participation.assignments.filter(FINISHED, failed_finishes__isnull=False)
    units = units.filter(topic__retired_at__isnull=True).exclude(topic__in=without_topics)
    if ending is not None:
        units = units.exclude(pk=ending.pk)
    outcomes = [
        UnitOutcome(not failed, tau) for failed, tau in units.values_list("failed_finishes", "lowest_tau")
    ]
    if ending is not None and ending.topic_id not in without_topics and _is_finished(ending):
        outcomes.append(UnitOutcome(not ending.failed_finishes, ending.lowest_tau))
    figures = (
        WorkerFigures.objects.filter(participation=participation).values_list("agreement", "shared").first()
    )
    agreement, shared = figures or (None, 0)
    pairs = participation.study.anchor_pairs
    return record_from(outcomes, agreement=agreement, shared=shared, anchor_pairs=pairs)


def _is_finished(unit: Assignment) -> bool:
    return bool(unit.failed_finishes) or unit.state == AssignmentState.COMPLETED


def topics_at_fault(participation: Participation) -> set[int]:
    """Return the keys of the worker's topics at which most others of the kind failed their first attempt.

    Their anchors are probably to blame. This takes one query.
    """
    topics = participation.assignments.values("topic")
    others = Assignment.objects.filter(FINISHED, failed_finishes__isnull=False, topic__in=topics).order_by()
    others = others.filter(participation__kind=participation.kind)
    counts = (
        others.exclude(participation=participation)
        .values_list("topic")
        .annotate(tried=Count("pk"), failed=Count("pk", filter=Q(failed_finishes__gt=0)))
    )
    return {topic for topic, tried, failed in counts if tried >= _LEAST_OTHERS and 2 * failed > tried}
