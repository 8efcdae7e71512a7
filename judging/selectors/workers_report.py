"""The workers of a study by pseudonym: how far they came, and how the checks went. No platform id is read."""

from collections.abc import Iterator
from datetime import datetime
from decimal import Decimal
from typing import NamedTuple

from django.db.models import Count, OuterRef, Q, Subquery, Sum
from django.db.models.functions import Coalesce

from judging.models import Participation, PracticeAttempt, Study
from judging.protocol.states import AssignmentState


class WorkerRow(NamedTuple):
    """One participation. `units` counts the units it was given, `pay` is owed for the completed ones."""

    worker_id: str
    state: str
    simulated: bool
    simulated_kind: str
    consented_at: datetime
    consent_version: str
    practice_attempts: int
    units: int
    units_completed: int
    comprehension_failures: int
    back: int
    revisions: int
    failed_c: int
    failed_d: int
    failed_finishes: int
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


def worker_rows(study: Study) -> Iterator[WorkerRow]:
    """One row per participation, sorted by pseudonym, from one query."""
    workers = Participation.objects.filter(study=study).annotate(
        attempts=Coalesce(Subquery(_ATTEMPTS), 0),
        units=Count("assignments"),
        completed=Count("assignments", filter=_COMPLETED),
        wrong=Count("assignments", filter=_WRONG),
        back=Coalesce(Sum("assignments__back_uses"), 0),
        changes=Coalesce(Sum("assignments__revisions"), 0),
        c=Coalesce(Sum("assignments__failed_c"), 0),
        d=Coalesce(Sum("assignments__failed_d"), 0),
        finishes=Coalesce(Sum("assignments__failed_finishes"), 0),
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
