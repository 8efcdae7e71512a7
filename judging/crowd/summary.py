"""Count the results of simulated workers for each kind of worker."""

from collections import Counter
from collections.abc import Mapping
from typing import Any

from django.db.models import Count, Q, QuerySet

from judging.core.selectors.arms import arm_keys
from judging.core.selectors.judgments import accepted_judgments
from judging.crowd.kinds import KINDS
from judging.models import Assignment, Event, EventKind, Participation, Study
from judging.protocol.checks import CHECKS, unit_checks
from judging.protocol.states import AssignmentState

Summary = Mapping[str, Counter[str]]
"""Maps the heading of each column to a dict from kind of worker to number."""


def summarise(study: Study) -> Summary:
    """Count the workers of each kind, their units by outcome, their failed checks, and their judgments.

    For a check at the end of a unit, count the units that failed it at least once. For any other check, count
    every failure.
    """
    assignments = Assignment.objects.filter(participation__study=study)
    events = Event.objects.filter(study=study)
    failed: dict[str, QuerySet[Any]] = {
        letter: events.filter(kind=check.event) for letter, check in CHECKS.items()
    }
    for check in unit_checks():
        failed[check.letter] = assignments.filter(failed_checks__has_key=check.letter)
    judgments = accepted_judgments(study).filter(assignment__participation__study=study)
    return {
        "workers": _by_kind(Participation.objects.filter(study=study), "behaviour"),
        "done": _by_kind(assignments.filter(state=AssignmentState.COMPLETED)),
        **{f"failed {letter}": _by_kind(rows) for letter, rows in failed.items()},
        "lapsed": _by_kind(events.filter(kind=EventKind.LAPSED)),
        "returned": _by_kind(events.filter(kind=EventKind.RETURNED)),
        "judgments": _by_kind(judgments, "assignment__participation__behaviour"),
    }


def failed_share(study: Study) -> float:
    """Return the share of units that failed a check, out of all units that workers tried to finish.

    Count the units of all arms.
    """
    finished = Assignment.objects.filter(participation__study__in=arm_keys(study)).filter(
        Q(state=AssignmentState.COMPLETED) | Q(failed_finishes__gt=0)
    )
    counts = finished.aggregate(all=Count("pk"), failed=Count("pk", filter=Q(failed_finishes__gt=0)))
    return counts["failed"] / counts["all"] if counts["all"] else 0.0


def table(summary: Summary) -> list[str]:
    """Return the lines of a text table: a heading, a line for each kind of worker, and the totals.

    Leave out kinds without workers.
    """
    kinds = [kind for kind in KINDS if summary["workers"][kind]]
    lines = [
        ["kind", *summary],
        *([kind, *(str(numbers[kind]) for numbers in summary.values())] for kind in kinds),
        ["all", *(str(sum(numbers[kind] for kind in kinds)) for numbers in summary.values())],
    ]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    return [
        "  ".join(
            cell.rjust(width) if column else cell.ljust(width)
            for column, (cell, width) in enumerate(zip(line, widths, strict=True))
        )
        for line in lines
    ]


def _by_kind(rows: QuerySet[Any], kind: str = "participation__behaviour") -> Counter[str]:
    return Counter(dict(rows.order_by().values_list(kind).annotate(number=Count("pk"))))
