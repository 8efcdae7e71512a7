"""What became of a simulated crowd, kind by kind, as the database has it."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, fields

from django.db.models import Count, Q, QuerySet

from judging.crowd.kinds import KINDS
from judging.models import Assignment, Event, EventKind, Participation, Study
from judging.protocol.states import AssignmentState
from judging.selectors.judgments import accepted_judgments


@dataclass(frozen=True)
class KindSummary:
    """One kind's workers, their units by outcome, their failed checks by letter, and their judgments.

    `failed_a` and `failed_b` count failures; `failed_c` and `failed_d` count units that met at least one.
    """

    kind: str
    workers: int
    done: int
    failed_a: int
    failed_b: int
    failed_c: int
    failed_d: int
    lapsed: int
    returned: int
    judgments: int

    def __add__(self, other: "KindSummary") -> "KindSummary":
        sums = (getattr(self, one.name) + getattr(other, one.name) for one in fields(self)[1:])
        return KindSummary("all", *sums)


def summarise(study: Study) -> list[KindSummary]:
    """A row for every kind that came, in the order of `KINDS`, and the row `all`."""
    participations = Participation.objects.filter(study=study)
    assignments = Assignment.objects.filter(participation__study=study)
    units = assignments.filter(state=AssignmentState.COMPLETED)
    workers = _by_kind(participations.values_list("simulated_kind"))
    done = _by_kind(units.values_list("participation__simulated_kind"))
    failed_c = _by_kind(assignments.filter(failed_c__gt=0).values_list("participation__simulated_kind"))
    failed_d = _by_kind(assignments.filter(failed_d__gt=0).values_list("participation__simulated_kind"))
    events = _events(study)
    judgments = _by_kind(
        accepted_judgments()
        .filter(assignment__participation__study=study)
        .values_list("assignment__participation__simulated_kind")
    )
    rows = [
        KindSummary(
            kind,
            workers[kind],
            done[kind],
            events[kind, EventKind.PRACTICE_FAILED],
            events[kind, EventKind.COMPREHENSION_FAILED],
            failed_c[kind],
            failed_d[kind],
            events[kind, EventKind.LAPSED],
            events[kind, EventKind.RETURNED],
            judgments[kind],
        )
        for kind in KINDS
        if workers[kind]
    ]
    return [*rows, sum(rows, start=KindSummary("all", *[0] * 9))]


def failed_share(study: Study) -> float:
    """The share of the units that reached a finish which met a failed check (c) or (d)."""
    finished = Assignment.objects.filter(participation__study=study).filter(
        Q(state=AssignmentState.COMPLETED) | Q(failed_finishes__gt=0)
    )
    counts = finished.aggregate(all=Count("pk"), failed=Count("pk", filter=Q(failed_finishes__gt=0)))
    return counts["failed"] / counts["all"] if counts["all"] else 0.0


def table(rows: Iterable[KindSummary]) -> list[str]:
    """The rows as lines of text under a head."""
    head = [one.name.replace("failed_", "failed ") for one in fields(KindSummary)]
    cells = [[str(getattr(row, one.name)) for one in fields(KindSummary)] for row in rows]
    widths = [max(len(line[column]) for line in [head, *cells]) for column in range(len(head))]
    return [
        "  ".join(
            cell.ljust(width) if column == 0 else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(line, widths, strict=True))
        )
        for line in [head, *cells]
    ]


def _by_kind(rows: QuerySet) -> Counter[str]:
    return Counter(dict(rows.order_by().annotate(number=Count("pk"))))


def _events(study: Study) -> Counter[tuple[str, str]]:
    rows = Event.objects.filter(study=study).order_by().values_list("participation__simulated_kind", "kind")
    return Counter({(kind, what): number for kind, what, number in rows.annotate(number=Count("pk"))})
