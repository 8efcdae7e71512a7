"""The workers of a study by pseudonym: how far they came, and how the checks went. No platform id is read."""

from collections.abc import Iterator
from datetime import datetime
from decimal import Decimal
from typing import Any, NamedTuple

from django.db.models import Case, Count, OuterRef, Q, Subquery, Sum, When
from django.db.models.functions import Coalesce

from judging.models import IMPORTED, Participation, PracticeAttempt, Study
from judging.protocol.states import AssignmentState


class WorkerRow(NamedTuple):
    """One participation. `units` counts the units it was given, `pay` is owed for the completed ones.

    Of a worker whose judgments came in a file, how the tasks before them went is unknown: None.
    """

    worker_id: str
    state: str
    simulated: bool
    simulated_kind: str
    consented_at: datetime
    consent_version: str
    practice_attempts: int | None
    units: int
    units_completed: int
    comprehension_failures: int | None
    back: int | None
    revisions: int | None
    failed_c: int | None
    failed_d: int | None
    failed_finishes: int | None
    pay: Decimal


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
    workers = Participation.objects.filter(study=study).annotate(
        attempts=_unless_imported(Subquery(_ATTEMPTS)),
        units=Count("assignments"),
        completed=Count("assignments", filter=_COMPLETED),
        wrong=_unless_imported(Count("assignments", filter=_WRONG)),
        back=_unless_imported(Sum("assignments__back_uses")),
        changes=_unless_imported(Sum("assignments__revisions")),
        c=_unless_imported(Sum("assignments__failed_c")),
        d=_unless_imported(Sum("assignments__failed_d")),
        finishes=_unless_imported(Sum("assignments__failed_finishes")),
        owed=Coalesce(Sum("assignments__pay", filter=_COMPLETED), Decimal(0)),
    )
    columns = workers.order_by().values_list(
        "pseudonym",
        "state",
        "simulated",
        "simulated_kind",
        "consented_at",
        "consent_version",
        "attempts",
        "units",
        "completed",
        "wrong",
        "back",
        "changes",
        "c",
        "d",
        "finishes",
        "owed",
    )
    # Sorted here, by code point: databases sort texts by a collation of theirs.
    for *row, pay in sorted(columns.iterator(chunk_size=2000), key=lambda row: row[0]):
        # SQLite gives a sum of decimals with more places than its parts have.
        yield WorkerRow(*row, pay.quantize(_CENT))
