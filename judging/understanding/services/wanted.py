"""Requests the reports that a study lacks, with the default measures of their pages."""

from collections.abc import Iterator
from datetime import datetime

from django.conf import settings
from django.db.models import Max

from judging.core.selectors.arms import arms_of
from judging.core.selectors.judgments import has_counted_judgments
from judging.limits import STATISTICS_FRESH
from judging.models import Job, JobKind, ReportKind, Study
from judging.understanding.reports.catalogue import FIGURES, lacking, measures_of, measures_of_figure
from judging.understanding.selectors.reports import (
    WITH_LABELS,
    Version,
    can_be_pilot,
    find_report,
    judgments_version,
    last_job,
    report_key,
    study_facts,
)
from judging.understanding.services.reports import request_report


def request_on_view(study: Study, *, now: datetime) -> int:
    """Request the reports that a study lacks, and return the number of these reports.

    Call this when somebody opens a page whose report is outdated or missing.

    Do nothing if reports were requested less than `STATISTICS_FRESH` ago. Also do nothing if the site has no
    worker processes. On such a site, a request computes the report at once, so the visitor would have to
    wait.
    """
    recent = Job.objects.filter(study=study, kind=JobKind.REPORT.value, created_at__gt=now - STATISTICS_FRESH)
    if not settings.REDIS_URL or recent.exists():
        return 0
    return request_reports_of(study, now=now)


def request_reports_of(study: Study, *, now: datetime, figures: bool = True) -> int:
    """Request the reports that a study lacks for its current judgments, and return the number of requests.

    Reports for which the study has no data are not requested.
    """
    requested = _request_comparison(study, now) if figures else 0
    versions = {kind: judgments_version(study, kind) for kind in (ReportKind.SCORES, ReportKind.JUDGES)}
    if not versions[ReportKind.SCORES].seen_units:
        return requested
    existing = {kind: _existing(study, version) for kind, version in versions.items()}
    for kind, parameters in wanted_reports(study, figures=figures):
        # Reports of documents have a key for each topic. The key without a topic belongs to their job, and to
        # the list of the documents of all topics.
        known = existing[ReportKind.JUDGES if kind in WITH_LABELS else ReportKind.SCORES]
        if report_key(kind, parameters) not in known:
            request_report(study=study, kind=kind, parameters=parameters, now=now)
            requested += 1
    return requested


def _existing(study: Study, version: Version) -> set[str]:
    """Return the keys of the reports of a version, and of those that were requested since it is there."""
    seen = {
        "seen_units": version.seen_units,
        "seen_sum": version.seen_sum,
        "seen_labels": version.seen_labels,
    }
    keys = set(study.reports.filter(**seen).values_list("key", flat=True))
    tried = Job.objects.filter(study=study, kind=JobKind.REPORT.value)
    changed = [version.seen_upto]
    if version.seen_labels:
        changed.append(study.label_sets.aggregate(last=Max("added_at"))["last"])
    if last := max(filter(None, changed), default=None):
        tried = tried.filter(created_at__gte=last)
    return keys | {parameters.get("key", "") for parameters in tried.values_list("parameters", flat=True)}


def _request_comparison(study: Study, now: datetime) -> int:
    """Request the comparison of arms if the front lacks it, and return the number of requests.

    There is nothing to compare unless two arms have judgments.
    """
    arms = arms_of(study)
    if study.front is not None or sum(has_counted_judgments(arm) for arm in arms) < 2:
        return 0
    report, version = find_report(study, ReportKind.ARMS, {}), judgments_version(study, ReportKind.ARMS)
    if report and (report.seen_units, report.seen_sum) == (version.seen_units, version.seen_sum):
        return 0
    last = last_job(study, report_key(ReportKind.ARMS, {}))
    if last and version.seen_upto and last.created_at >= version.seen_upto:
        return 0
    request_report(study=study, kind=ReportKind.ARMS, parameters={}, now=now)
    return 1


def wanted_reports(study: Study, *, figures: bool = True) -> Iterator[tuple[ReportKind, dict[str, object]]]:
    """Yield the reports for which a study has data, with the default measures of their pages.

    Each set of known grades has its own figures. Without `figures`, yield only the reports that the overview
    of a study shows.
    """
    facts = study_facts(study)
    yield ReportKind.DOCUMENTS, {}
    yield ReportKind.GRADES, {}
    if facts.runs:
        yield ReportKind.SCORES, {"measures": measures_of(study)}
    if not figures:
        return
    if facts.runs > 1:
        yield ReportKind.SYSTEMS, {}
    if facts.labels:
        yield ReportKind.JUDGES, {}
    if can_be_pilot(study):
        yield ReportKind.PLAN, {}
    for figure in FIGURES.values():
        if not lacking(figure.key, facts):
            chosen = measures_of_figure(study, figure)
            measures = {"measures": chosen} if chosen else {}
            yield ReportKind.FIGURE, {"figure": figure.key, **measures}
            if figure.of_grades:
                for grades in facts.grade_sets[1:]:
                    yield ReportKind.FIGURE, {"figure": figure.key, "grades": grades, **measures}
