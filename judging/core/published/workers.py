"""The workers of a study by pseudonym: how far they came, and how the checks went. No platform id is read."""

from collections.abc import Iterator
from datetime import datetime
from decimal import Decimal
from typing import Annotated, Any, Final, NamedTuple

from django.db.models import Case, Count, OuterRef, Q, Subquery, Sum, When
from django.db.models.functions import Coalesce

from judging.core.published.base import Column, Published
from judging.core.published.common import SIMULATED, WORKER, failed_columns
from judging.core.selectors.attempts import failures
from judging.models import IMPORTED, Participation, PracticeAttempt, Study
from judging.protocol.checks import unit_checks
from judging.protocol.states import AssignmentState


class WorkerRow(NamedTuple):
    """One participation. Of a worker from a file it is unknown how the tasks before the judgments went."""

    worker_id: Annotated[str, WORKER]
    state: Annotated[
        str,
        Column("`consented`, `practising`, `ready`; ended: `screened_out`, `blocked`, `withdrawn`"),
    ]
    simulated: Annotated[bool, SIMULATED]
    simulated_kind: Annotated[str, Column("the kind of a simulated worker")]
    consented_at: Annotated[datetime, Column("when the worker agreed to take part")]
    consent_version: Annotated[str, Column("the version of the text agreed to")]
    practice_attempts: Annotated[int | None, Column("goes at the practice task", "attempts")]
    units: Annotated[int, Column("units given to the worker", "units")]
    units_completed: Annotated[int, Column("those of them that were completed", "units")]
    comprehension_failures: Annotated[
        int | None, Column("wrong answers to a comprehension question", "answers")
    ]
    back: Annotated[int | None, Column("uses of back, summed over the units", "uses")]
    revisions: Annotated[
        int | None, Column("uses of back or the list of documents after a failed check, summed", "uses")
    ]
    failed: Annotated[
        tuple[int | None, ...], failed_columns("finishes that failed check {check}, summed", "finishes")
    ]
    failed_finishes: Annotated[int | None, Column("finishes that failed any of these, summed", "finishes")]
    pay: Annotated[Decimal, Column("owed for the completed units", "the study's currency")]


_FIELDS = ("pseudonym", "state", "simulated", "simulated_kind", "consented_at", "consent_version")
_CENT = Decimal("0.01")
_COMPLETED = Q(assignments__state=AssignmentState.COMPLETED.value)
_WRONG = Q(assignments__state=AssignmentState.COMPREHENSION_FAILED.value)
_ATTEMPTS = (
    PracticeAttempt.objects.filter(participation=OuterRef("pk"))
    .order_by()
    .values("participation")
    .annotate(count=Count("pk"))
    .values("count")
)


def _unless_imported(number: Any) -> Case:
    return Case(When(consent_version=IMPORTED, then=None), default=Coalesce(number, 0))


def worker_rows(study: Study) -> Iterator[WorkerRow]:
    """One row per participation, sorted by pseudonym, from one query."""
    failed = {
        f"failed_{check.letter}": failures(check.letter, "assignments__failed_checks")
        for check in unit_checks()
    }
    counts = {
        "attempts": _unless_imported(Subquery(_ATTEMPTS)),
        "units": Count("assignments"),
        "completed": Count("assignments", filter=_COMPLETED),
        "wrong": _unless_imported(Count("assignments", filter=_WRONG)),
        "back": _unless_imported(Sum("assignments__back_uses")),
        "changes": _unless_imported(Sum("assignments__revisions")),
        **{name: _unless_imported(Sum(number)) for name, number in failed.items()},
        "finishes": _unless_imported(Sum("assignments__failed_finishes")),
        "owed": Coalesce(Sum("assignments__pay", filter=_COMPLETED), Decimal(0)),
    }
    workers = Participation.objects.filter(study=study).annotate(**counts).order_by()
    columns = workers.values_list(*_FIELDS, *counts)
    # Sorted here, by code point: databases sort texts by a collation of theirs.
    for row in sorted(columns.iterator(chunk_size=2000), key=lambda row: row[0]):
        *told, finishes, pay = row
        known = len(told) - len(failed)
        # SQLite gives a sum of decimals with more places than its parts have.
        yield WorkerRow._make([*told[:known], tuple(told[known:]), finishes, pay.quantize(_CENT)])


WORKERS: Final = Published(
    "workers",
    "Every worker by pseudonym: how far they came, and their checks.",
    WorkerRow,
    worker_rows,
    place=4,
)
