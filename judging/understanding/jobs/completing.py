"""Requests the final reports of a study when its last unit is done, or when the study is closed."""

from collections.abc import Iterator
from datetime import datetime
from typing import Final

from django.db.models import Exists, OuterRef

from judging.limits import RECENT
from judging.models import Assignment, AuditEntry, Job, JobKind, ReportKind, Study, Unit
from judging.protocol.states import AssignmentState, StudyState, UnitState
from judging.understanding.reports.catalogue import FIGURES, MEASURES
from judging.understanding.selectors.reports import Facts, judgments_version, report_key, study_facts
from judging.understanding.services.reports import request_report

_LEFT: Final = (UnitState.OPEN.value, UnitState.RESERVED.value)


def request_final_reports(*, now: datetime) -> int:
    """Request the reports of every study that was finished within `RECENT`; return the number of requests.

    Skip reports that already exist for the current judgments. Also skip reports that a job has tried to
    compute since the last unit was completed.
    """
    return sum(request_reports_of(study, now=now) for study in _studies_finished_since(now - RECENT))


def request_reports_of(study: Study, *, now: datetime) -> int:
    """Request the reports that a study lacks for its current judgments; return the number of requests.

    Reports for which the study has no data are not requested.
    """
    version = judgments_version(study)
    if not version.seen_units:
        return 0
    reports = study.reports.filter(seen_units=version.seen_units, seen_sum=version.seen_sum)
    existing = set(reports.values_list("key", flat=True))
    tried = Job.objects.filter(study=study, kind=JobKind.REPORT.value)
    if version.seen_upto is not None:
        tried = tried.filter(created_at__gte=version.seen_upto)
    existing |= {parameters.get("key") for parameters in tried.values_list("parameters", flat=True)}
    requested = 0
    for kind, parameters in wanted_reports(study_facts(study)):
        # Reports of documents have a key for each topic. The key without a topic is that of their job.
        if report_key(kind, parameters) not in existing:
            request_report(study=study, kind=kind, parameters=parameters, now=now)
            requested += 1
    return requested


def wanted_reports(facts: Facts) -> Iterator[tuple[ReportKind, dict[str, object]]]:
    """Yield the reports for which a study has data, with the default measures of their pages."""
    yield ReportKind.DOCUMENTS, {}
    yield ReportKind.GRADES, {}
    if facts.runs:
        yield ReportKind.SCORES, {"measures": list(MEASURES)}
    for figure in FIGURES.values():
        if not figure.missing(facts):
            measures = {"measures": list(figure.measures)} if figure.measures else {}
            yield ReportKind.FIGURE, {"figure": figure.name, **measures}


def _studies_finished_since(since: datetime) -> list[Study]:
    """Return the studies that were completed or closed since this time. Leave out simulated studies."""
    of_study = {"participation__study": OuterRef("pk"), "state": AssignmentState.COMPLETED.value}
    units = Unit.objects.filter(topic__study=OuterRef("pk"))
    closed = AuditEntry.objects.filter(study=OuterRef("pk"), verb="closed", at__gte=since)
    real = Study.objects.filter(simulated=False)
    collected = real.filter(
        Exists(Assignment.objects.filter(**of_study, ended_at__gte=since)),
        Exists(units.filter(state=UnitState.DONE.value)),
        ~Exists(units.filter(state__in=_LEFT)),
        state__in=(StudyState.OPEN.value, StudyState.PAUSED.value),
    )
    ended = real.filter(Exists(closed), ~Exists(units.filter(state=UnitState.RESERVED.value)))
    return [*collected.order_by("pk"), *ended.filter(state=StudyState.CLOSED.value).order_by("pk")]
