"""Every assignment of a study, whatever became of it: what was done, when, and how the checks went."""

from collections.abc import Iterator
from datetime import datetime
from decimal import Decimal
from typing import NamedTuple

from django.db.models import QuerySet

from judging.models import Assignment, Study
from judging.protocol.states import AssignmentState
from judging.selectors.judgments import topics_sorted, unit_id


class UnitRow(NamedTuple):
    """A worker's attempt at a unit. `seconds`: from the topic shown to the end; None while it is live.

    An attempt that came in a file has neither a start nor counts.
    """

    topic_id: str
    unit_id: str
    worker_id: str
    state: str
    started_at: datetime | None
    ended_at: datetime | None
    seconds: float | None
    back: int | None
    revisions: int | None
    failed_c: int | None
    failed_d: int | None
    failed_finishes: int | None
    pay: Decimal
    judgments_deleted: bool
    excluded: bool
    exclusion_reason: str
    copy_of: str
    simulated: bool


_FIELDS = (
    "topic__number",
    "unit__number",
    "participation__pseudonym",
    "state",
    "started_at",
    "ended_at",
    "back_uses",
    "revisions",
    "failed_c",
    "failed_d",
    "failed_finishes",
    "pay",
    "judgments_deleted_at",
    "unit__excluded_at",
    "unit__exclusion_reason",
    "unit__copy_of__number",
    "participation__simulated",
)


def unit_rows(study: Study) -> Iterator[UnitRow]:
    """One row per assignment, sorted by topic, unit and worker; one topic in memory at a time."""
    for topic in topics_sorted(study):
        found = Assignment.objects.filter(topic=topic).order_by().values(*_FIELDS)
        rows = sorted(
            found.iterator(), key=lambda row: (row["unit__number"], row["participation__pseudonym"])
        )
        yield from map(_unit_row, rows)


def listed(assignments: QuerySet[Assignment]) -> list[UnitRow]:
    """These assignments in their order, in one query."""
    return [_unit_row(row) for row in assignments.values(*_FIELDS).iterator()]


def _unit_row(row: dict) -> UnitRow:
    topic = row["topic__number"]
    deleted = row["judgments_deleted_at"] is not None
    # A unit is excluded for the one completed attempt at it, not for those that came to nothing before.
    counted = row["state"] == AssignmentState.COMPLETED and not deleted
    excluded = counted and row["unit__excluded_at"] is not None
    started, ended, copied = row["started_at"], row["ended_at"], row["unit__copy_of__number"]
    return UnitRow(
        topic_id=topic,
        unit_id=unit_id(topic, row["unit__number"]),
        worker_id=row["participation__pseudonym"],
        state=row["state"],
        started_at=started,
        ended_at=ended,
        seconds=(ended - started).total_seconds() if ended and started else None,
        back=row["back_uses"],
        revisions=row["revisions"],
        failed_c=row["failed_c"],
        failed_d=row["failed_d"],
        failed_finishes=row["failed_finishes"],
        pay=row["pay"],
        judgments_deleted=deleted,
        excluded=excluded,
        exclusion_reason=row["unit__exclusion_reason"] if excluded else "",
        copy_of="" if copied is None else unit_id(topic, copied),
        simulated=row["participation__simulated"],
    )
