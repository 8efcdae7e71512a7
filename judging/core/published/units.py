"""Every assignment of a study, whatever became of it: what was done, when, and how the checks went."""

from collections.abc import Iterator
from datetime import datetime
from decimal import Decimal
from typing import Annotated, Final, NamedTuple

from django.db.models import QuerySet

from judging.core.published.base import Column, Published
from judging.core.published.common import SIMULATED, TOPIC, UNIT, WORKER, failed_columns
from judging.core.selectors.attempts import failures_by_check
from judging.core.selectors.judgments import topics_sorted, unit_id
from judging.models import Assignment, Study
from judging.models.fields import values
from judging.protocol.states import AssignmentState


class UnitRow(NamedTuple):
    """A worker's attempt at a unit. An attempt that came in a file has neither a start nor counts."""

    topic_id: Annotated[str, TOPIC]
    unit_id: Annotated[str, UNIT]
    worker_id: Annotated[str, WORKER]
    state: Annotated[
        str,
        Column(
            "`question`, `judging`, `revising` (going on); `completed`; `comprehension_failed`,"
            " `checks_failed`, `lapsed`, `returned`, `cancelled`",
            options=tuple(values(AssignmentState)),
        ),
    ]
    started_at: Annotated[datetime | None, Column("when the topic was shown and the clock started")]
    ended_at: Annotated[
        datetime | None,
        Column(
            "when the attempt ended; empty while it goes on; of imported judgments without times, when they"
            " were imported"
        ),
    ]
    seconds: Annotated[float | None, Column("from the start to the end; empty while it goes on", "seconds")]
    back: Annotated[int | None, Column("uses of the back button before the first finish", "uses")]
    revisions: Annotated[
        int | None, Column("uses of back or the list of documents after a failed check", "uses")
    ]
    failed: Annotated[
        tuple[int | None, ...], failed_columns("finishes that failed check {check}", "finishes")
    ]
    failed_finishes: Annotated[int | None, Column("finishes that failed any of these", "finishes")]
    pay: Annotated[Decimal, Column("what the unit pays when completed", "the study's currency")]
    judgments_deleted: Annotated[
        bool, Column("completed and paid, but its judgments were deleted at the worker's wish")
    ]
    excluded: Annotated[bool, Column("whether a researcher excluded this attempt's judgments")]
    exclusion_reason: Annotated[str, Column("why, where it was")]
    copy_of: Annotated[str, Column("the unit that this one collects again, or empty")]
    simulated: Annotated[bool, SIMULATED]


class _Read(NamedTuple):
    """What is read of an attempt: the values of the columns of these names."""

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
    participation__simulated: bool


def unit_rows(study: Study) -> Iterator[UnitRow]:
    """One row per assignment, sorted by topic, unit and worker; one topic in memory at a time."""
    for topic in topics_sorted(study):
        rows = _read(Assignment.objects.filter(topic=topic).order_by())
        in_order = sorted(rows, key=lambda row: (row.unit__number, row.participation__pseudonym))
        yield from map(_unit_row, in_order)


def listed(assignments: QuerySet[Assignment]) -> list[UnitRow]:
    """These assignments in their order, in one query."""
    return [*map(_unit_row, _read(assignments))]


def _read(assignments: QuerySet[Assignment]) -> Iterator[_Read]:
    return map(_Read._make, assignments.values_list(*_Read._fields).iterator())


def _unit_row(row: _Read) -> UnitRow:
    topic = row.topic__number
    deleted = row.judgments_deleted_at is not None
    # A unit is excluded for the one completed attempt at it, not for those that came to nothing before.
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
        simulated=row.participation__simulated,
    )


UNITS: Final = Published(
    "units",
    "Every attempt at a unit: its end, times, uses of back, failed checks.",
    UnitRow,
    unit_rows,
    place=3,
    chosen=lambda study, keys: listed(Assignment.objects.filter(pk__in=keys).order_by("topic_id", "pk")),
)
