"""The workers of a study under their pseudonyms, without platform ids."""

from collections.abc import Iterator
from datetime import datetime
from decimal import Decimal
from typing import Annotated, Any, Final, NamedTuple

from django.db.models import Case, Count, OuterRef, Q, Subquery, Sum, When
from django.db.models.functions import Coalesce

from judging.core.published.common import SIMULATED, WORKER, failed_columns
from judging.core.published.table import Column, Published
from judging.core.selectors.attempts import failures
from judging.core.selectors.kinds import Kinds, workers_of
from judging.models import IMPORTED, PracticeAttempt, Study
from judging.protocol.checks import unit_checks
from judging.protocol.judges import is_simulated
from judging.protocol.states import AssignmentState
from judging.protocol.words import gettext_noop as _


class WorkerRow(NamedTuple):
    """A worker. An imported worker has no results for the practice task, the questions or the checks."""

    worker_id: Annotated[str, WORKER]
    state: Annotated[
        str,
        Column(
            "in progress: `consented`, `practising`, `ready`; ended: `screened_out`, `blocked`, `withdrawn`"
        ),
    ]
    simulated: Annotated[bool, SIMULATED]
    simulated_kind: Annotated[str, Column("the kind of a simulated worker, or empty")]
    consented_at: Annotated[datetime, Column("when the worker agreed to take part")]
    consent_version: Annotated[str, Column("the version of the consent text that the worker agreed to")]
    practice_attempts: Annotated[int | None, Column("attempts at the practice task", "attempts")]
    units: Annotated[int, Column("units assigned to the worker", "units")]
    units_completed: Annotated[int, Column("units that the worker completed", "units")]
    comprehension_failures: Annotated[
        int | None, Column("wrong answers to a comprehension question", "answers")
    ]
    back: Annotated[
        int | None, Column("uses of the back button before the first finish, summed over the units", "uses")
    ]
    revisions: Annotated[
        int | None,
        Column("uses of the back button or the list of documents after a failed check, summed", "uses"),
    ]
    failed: Annotated[
        tuple[int | None, ...], failed_columns("finishes at which check {check} failed, summed", "finishes")
    ]
    failed_finishes: Annotated[
        int | None, Column("finishes at which any of these checks failed, summed", "finishes")
    ]
    pay: Annotated[Decimal, Column("the pay for the completed units", "the study's currency")]


_FIELDS = ("pseudonym", "state", "kind", "behaviour", "consented_at", "consent_version")
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


def worker_rows(study: Study, kinds: Kinds = None) -> Iterator[WorkerRow]:
    """Yield a row for each worker, sorted by pseudonym. This takes one query."""
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
    workers = workers_of(study, kinds).annotate(**counts).order_by()
    columns = workers.values_list(*_FIELDS, *counts)
    # Sort by code point here, because databases have different collations.
    for row in sorted(columns.iterator(chunk_size=2000), key=lambda row: row[0]):
        pseudonym, state, kind, *more, finishes, pay = row
        values = [pseudonym, state, is_simulated(kind), *more]
        fixed = len(values) - len(failed)
        # In SQLite, a sum can have more decimals than the amounts.
        yield WorkerRow._make([*values[:fixed], tuple(values[fixed:]), finishes, pay.quantize(_CENT)])


WORKERS: Final = Published(
    "workers",
    _("All workers under their pseudonyms, with their progress and failed checks."),
    WorkerRow,
    worker_rows,
    place=4,
    of_kinds=worker_rows,
)
