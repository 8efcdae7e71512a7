"""Requests the reports of studies that are finished, and of studies that have many new judgments."""

from collections.abc import Iterator
from datetime import datetime
from typing import Final

from django.db.models import Exists, Max, OuterRef

from judging.core.selectors.adaptive import is_due
from judging.core.selectors.kinds import counted_in, units_of
from judging.limits import RECENT
from judging.models import Assignment, AuditEntry, ReportKind, Study, Unit
from judging.protocol.states import AssignmentState, StudyState, UnitState
from judging.understanding.selectors.reports import judgments_version
from judging.understanding.services.wanted import request_reports_of

LEAST_NEW_UNITS: Final = 10
STEPS: Final = 20
"""A running study gets new reports each time another twentieth of its units is done.

At least `LEAST_NEW_UNITS` further units must also be done.
"""
_LEFT: Final = (UnitState.OPEN.value, UnitState.RESERVED.value)


def request_due_reports(*, now: datetime) -> int:
    """Request the reports that are due, and return the number of requests.

    If a study was finished less than `RECENT` ago, all of its reports are due. While a study is running, only
    the reports that its overview shows can be due. They are due each time enough further units are done: a
    twentieth of the study's units, but at least `LEAST_NEW_UNITS`. A report is never due if it already exists
    for the current judgments, or if a job has already tried to compute it from these judgments.
    """
    finished = sum(request_reports_of(study, now=now) for study in _studies_finished_since(now - RECENT))
    running = (study for study in _running_studies() if _has_many_new_units(study))
    return finished + sum(request_reports_of(study, now=now, figures=False) for study in running)


def _running_studies() -> Iterator[Study]:
    """Yield the open studies that are not simulated."""
    yield from Study.objects.filter(simulated=False, state=StudyState.OPEN.value).order_by("pk")


def _has_many_new_units(study: Study) -> bool:
    seen = study.reports.filter(kind=ReportKind.GRADES.value).aggregate(units=Max("seen_units"))["units"] or 0
    units = units_of(study)
    step = max(LEAST_NEW_UNITS, units.exclude(state=UnitState.RETIRED.value).count() // STEPS)
    return judgments_version(study).seen_units - seen >= step


def _studies_finished_since(since: datetime) -> list[Study]:
    """Return the studies that have been completed or closed since this time.

    Leave out simulated studies, and adaptive studies that are waiting for a decision about further units.
    """
    kinds = counted_in(rehearsal=False)
    of_study = {
        "participation__study": OuterRef("pk"),
        "participation__kind__in": kinds,
        "state": AssignmentState.COMPLETED.value,
    }
    units = Unit.objects.filter(topic__study=OuterRef("pk"), kind__in=kinds)
    closed = AuditEntry.objects.filter(study=OuterRef("pk"), verb="closed", at__gte=since)
    real = Study.objects.filter(simulated=False)
    collected = real.filter(
        Exists(Assignment.objects.filter(**of_study, ended_at__gte=since)),
        Exists(units.filter(state=UnitState.DONE.value)),
        ~Exists(units.filter(state__in=_LEFT)),
        state__in=(StudyState.OPEN.value, StudyState.PAUSED.value),
    )
    ended = real.filter(Exists(closed), ~Exists(units.filter(state=UnitState.RESERVED.value)))
    complete = [study for study in collected.order_by("pk") if not is_due(study)]
    return [*complete, *ended.filter(state=StudyState.CLOSED.value).order_by("pk")]
