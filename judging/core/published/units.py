"""All attempts at units of a study, with their states, times and failed checks."""

from collections.abc import Iterator
from datetime import datetime
from decimal import Decimal
from typing import Annotated, Final, NamedTuple

from django.db.models import QuerySet

from judging.core.published.common import SIMULATED, TOPIC, UNIT, WORKER, failed_columns
from judging.core.published.table import Column, Published
from judging.core.selectors.attempts import failures_by_check
from judging.core.selectors.judgments import topics_sorted, unit_id
from judging.core.selectors.kinds import Kinds, by_counted
from judging.models import Assignment, Study
from judging.models.fields import values
from judging.protocol.judges import is_simulated
from judging.protocol.states import AssignmentState
from judging.protocol.words import gettext_noop as _


class UnitRow(NamedTuple):
    """A worker's attempt at a unit. The start and the counts of an imported attempt are None."""

    topic_id: Annotated[str, TOPIC]
    unit_id: Annotated[str, UNIT]
    worker_id: Annotated[str, WORKER]
    state: Annotated[
        str,
        Column(
            "in progress: `question`, `judging`, `revising`; ended: `completed`, `comprehension_failed`,"
            " `checks_failed`, `lapsed`, `returned`, `cancelled`, `reported`",
            options=tuple(values(AssignmentState)),
        ),
    ]
    started_at: Annotated[datetime | None, Column("when the topic was shown and the clock started")]
    ended_at: Annotated[
        datetime | None,
        Column(
            "when the attempt ended, or when judgments without times were imported; empty while it is in"
            " progress"
        ),
    ]
    seconds: Annotated[
        float | None,
        Column("the time from the start to the end; empty while the attempt is in progress", "seconds"),
    ]
    back: Annotated[int | None, Column("uses of the back button before the first finish", "uses")]
    revisions: Annotated[
        int | None, Column("uses of the back button or the list of documents after a failed check", "uses")
    ]
    failed: Annotated[
        tuple[int | None, ...], failed_columns("finishes at which check {check} failed", "finishes")
    ]
    failed_finishes: Annotated[int | None, Column("finishes at which any of these checks failed", "finishes")]
    pay: Annotated[Decimal, Column("the pay for completing the unit", "the study's currency")]
    judgments_deleted: Annotated[
        bool, Column("whether the worker had the judgments deleted after the attempt was completed")
    ]
    excluded: Annotated[bool, Column("whether a researcher excluded this attempt's judgments")]
    exclusion_reason: Annotated[str, Column("the reason for the exclusion, or empty")]
    copy_of: Annotated[str, Column("the unit that this one repeats, or empty")]
    simulated: Annotated[bool, SIMULATED]


class _Attempt(NamedTuple):
    """The columns that the table needs from an attempt."""

    topic__number: str
    unit__number: int
    participation__pseudonym: str
    state: str
    started_at: datetime | None
    ended_at: datetime | None
    back_uses: int | None
    revisions: int | None
    failed_checks: dict[str, int] | None
    failed_finishes: int | None
    pay: Decimal
    judgments_deleted_at: datetime | None
    unit__excluded_at: datetime | None
    unit__exclusion_reason: str
    unit__copy_of__number: int | None
    participation__kind: str


def unit_rows(study: Study, kinds: Kinds = None) -> Iterator[UnitRow]:
    """Yield a row for each attempt, sorted by topic, unit and worker.

    Only one topic is in memory at a time.
    """
    for topic in topics_sorted(study):
        rows = _read(Assignment.objects.filter(by_counted(study, kinds=kinds), topic=topic).order_by())
        in_order = sorted(rows, key=lambda row: (row.unit__number, row.participation__pseudonym))
        yield from map(_unit_row, in_order)


def listed(assignments: QuerySet[Assignment]) -> list[UnitRow]:
    """Return these attempts as rows in the same order. This takes one query."""
    return [*map(_unit_row, _read(assignments))]


def _read(assignments: QuerySet[Assignment]) -> Iterator[_Attempt]:
    return map(_Attempt._make, assignments.values_list(*_Attempt._fields).iterator())


def _unit_row(row: _Attempt) -> UnitRow:
    topic = row.topic__number
    deleted = row.judgments_deleted_at is not None
    # Excluding a unit excludes its completed attempt, but not earlier attempts.
    counted = row.state == AssignmentState.COMPLETED and not deleted
    excluded = counted and row.unit__excluded_at is not None
    started, ended, copied = row.started_at, row.ended_at, row.unit__copy_of__number
    return UnitRow(
        topic_id=topic,
        unit_id=unit_id(topic, row.unit__number),
        worker_id=row.participation__pseudonym,
        state=row.state,
        started_at=started,
        ended_at=ended,
        seconds=(ended - started).total_seconds() if ended and started else None,
        back=row.back_uses,
        revisions=row.revisions,
        failed=failures_by_check(row.failed_checks),
        failed_finishes=row.failed_finishes,
        pay=row.pay,
        judgments_deleted=deleted,
        excluded=excluded,
        exclusion_reason=row.unit__exclusion_reason if excluded else "",
        copy_of="" if copied is None else unit_id(topic, copied),
        simulated=is_simulated(row.participation__kind),
    )


UNITS: Final = Published(
    "units",
    _("All attempts at units, with their states, times, uses of the Back button and failed checks."),
    UnitRow,
    unit_rows,
    place=3,
    of_kinds=unit_rows,
    chosen=lambda study, keys: listed(Assignment.objects.filter(pk__in=keys).order_by("topic_id", "pk")),
)
