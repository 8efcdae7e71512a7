"""What became of a simulated crowd, kind by kind, as the database has it."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from django.db.models import Count, Model, Q, QuerySet

from judging.core.selectors.judgments import accepted_judgments
from judging.crowd.kinds import KINDS
from judging.models import Assignment, Event, EventKind, Participation, Study
from judging.protocol.checks import CHECKS, unit_checks
from judging.protocol.states import AssignmentState

M = TypeVar("M", bound=Model)


@dataclass(frozen=True)
class KindSummary:
    """One kind's workers, their units by outcome, their failed checks by letter, and their judgments.

    `failed` counts failures, but of the checks at the end of a unit the units that met at least one.
    """

    kind: str
    workers: int
    done: int
    failed: Mapping[str, int]
    lapsed: int
    returned: int
    judgments: int

    @property
    def cells(self) -> dict[str, str | int]:
        """Heading → cell, as the table has them."""
        failed = {f"failed {letter}": self.failed[letter] for letter in CHECKS}
        before: dict[str, str | int] = {"kind": self.kind, "workers": self.workers, "done": self.done}
        return before | failed | {name: getattr(self, name) for name in ("lapsed", "returned", "judgments")}


def summarise(study: Study) -> list[KindSummary]:
    """A row for every kind that came, in the order of `KINDS`, and the row `all`."""
    participations = Participation.objects.filter(study=study)
    assignments = Assignment.objects.filter(participation__study=study)
    units = assignments.filter(state=AssignmentState.COMPLETED)
    workers = _by_kind(participations.values_list("simulated_kind"))
    done = _by_kind(units.values_list("participation__simulated_kind"))
    events = _events(study)
    failed = {
        check.letter: Counter(
            {kind: number for (kind, event), number in events.items() if event == check.event}
        )
        for check in CHECKS.values()
    } | {
        check.letter: _by_kind(
            assignments.filter(failed_checks__has_key=check.letter).values_list(
                "participation__simulated_kind"
            )
        )
        for check in unit_checks()
    }
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
            {letter: counts[kind] for letter, counts in failed.items()},
            events[kind, EventKind.LAPSED],
            events[kind, EventKind.RETURNED],
            judgments[kind],
        )
        for kind in KINDS
        if workers[kind]
    ]
    return [*rows, _all(rows)]


def _all(rows: Sequence[KindSummary]) -> KindSummary:
    return KindSummary(
        "all",
        sum(row.workers for row in rows),
        sum(row.done for row in rows),
        {letter: sum(row.failed[letter] for row in rows) for letter in CHECKS},
        sum(row.lapsed for row in rows),
        sum(row.returned for row in rows),
        sum(row.judgments for row in rows),
    )


def failed_share(study: Study) -> float:
    """The share of the units that reached a finish which met a failed check."""
    finished = Assignment.objects.filter(participation__study=study).filter(
        Q(state=AssignmentState.COMPLETED) | Q(failed_finishes__gt=0)
    )
    counts = finished.aggregate(all=Count("pk"), failed=Count("pk", filter=Q(failed_finishes__gt=0)))
    return counts["failed"] / counts["all"] if counts["all"] else 0.0


def table(rows: Iterable[KindSummary]) -> list[str]:
    """The rows as lines of text under a head."""
    told = [row.cells for row in rows]
    head = [*told[0]]
    cells = [[str(cell) for cell in row.values()] for row in told]
    widths = [max(len(line[column]) for line in [head, *cells]) for column in range(len(head))]
    return [
        "  ".join(
            cell.ljust(width) if column == 0 else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(line, widths, strict=True))
        )
        for line in [head, *cells]
    ]


def _by_kind(rows: QuerySet[M, tuple[str]]) -> Counter[str]:
    return Counter(dict(rows.order_by().annotate(number=Count("pk"))))


def _events(study: Study) -> Counter[tuple[str, str]]:
    rows = Event.objects.filter(study=study).order_by().values_list("participation__simulated_kind", "kind")
    return Counter({(kind, what): number for kind, what, number in rows.annotate(number=Count("pk"))})
