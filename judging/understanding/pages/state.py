"""The state of the report that a page shows: whether it exists, how old it is, and which job computes it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext as _

from judging.core import access
from judging.core.clock import now
from judging.core.pages.guard import refuse
from judging.core.selectors.judgments import has_counted_judgments
from judging.models import Job, JobKind, JobState, Report, ReportKind, Study
from judging.understanding.selectors.reports import Changes, changes_since, last_job, last_jobs, report_key
from judging.understanding.services.reports import request_report
from judging.understanding.services.wanted import request_on_view


@dataclass(frozen=True)
class ReportState:
    """The stored `report`, or None if there is none yet, and the latest `job` that computes the report.

    `since` says how the judgments have changed since the report was computed. It is None if there is no
    report. `nothing_counts` is True if there is neither a report nor any judgment that counts.
    """

    report: Report | None
    since: Changes | None
    job: Job | None
    now: datetime
    may_compute: bool
    nothing_counts: bool = False

    @property
    def is_being_computed(self) -> bool:
        return self.job is not None and self.job.live

    @property
    def failure(self) -> str:
        """Return the error of the latest job, or "" if the job did not fail."""
        return self.job.error if self.job is not None and self.job.state == JobState.FAILED else ""


def report_state(
    request: HttpRequest,
    study: Study,
    report: Report | None,
    kind: ReportKind,
    parameters: Mapping[str, object],
) -> ReportState:
    """Return the state of a report and of its latest job, in at most four queries.

    If the report is outdated or missing, call `request_on_view` to request the reports that the study lacks.
    """
    moment = now()
    since = changes_since(report, study) if report else None
    nothing_counts = report is None and not has_counted_judgments(study)
    if (since.changed if since else not nothing_counts) and request.method == "GET":
        request_on_view(study, now=moment)
    return ReportState(
        report,
        since,
        last_job(study, report_key(kind, parameters)),
        moment,
        access.may_report(request.user, study),
        nothing_counts,
    )


def report_states(
    request: HttpRequest, study: Study, kind: ReportKind, parameters: Sequence[Mapping[str, object]]
) -> list[ReportState]:
    """Return the states of several reports of a kind, in five queries and one for each stored report."""
    keys = [report_key(kind, each) for each in parameters]
    stored = {report.key: report for report in study.reports.filter(key__in=keys).defer("content")}
    latest = last_jobs(study, keys)
    moment, may_compute = now(), access.may_report(request.user, study)
    nothing_counts = not has_counted_judgments(study)
    return [
        ReportState(
            report := stored.get(key),
            changes_since(report, study) if report else None,
            latest.get(key),
            moment,
            may_compute,
            report is None and nothing_counts,
        )
        for key in keys
    ]


def request_and_redirect(
    request: HttpRequest, study: Study, kind: ReportKind, parameters: Mapping[str, object]
) -> HttpResponseBase:
    """Request a report, and redirect to the page of the report.

    If the job that computes the report has not finished yet, redirect to the page of the job instead.
    """
    if not access.may_report(request.user, study):
        return refuse(
            request,
            _("You do not have permission to compute reports for this study. Ask an owner of the study."),
        )
    job = request_report(
        study=study,
        kind=kind,
        parameters=parameters,
        actor=access.account_of(request.user),
        now=now(),
    )
    job.refresh_from_db()
    if job.live:
        return redirect("console:job", slug=study.slug, pk=job.pk)
    if job.state == JobState.FAILED:
        text = _("Plumbline could not compute the report: {error}")
        messages.error(request, text.format(error=_(job.error)))
    else:
        messages.success(request, _("The report is ready."))
    # The page of a topic can also request the reports of documents. It then shows the new report.
    return redirect(request.get_full_path() if kind is ReportKind.DOCUMENTS else address_of(study, job))


def address_of(study: Study, job: Job) -> str:
    """Return the address of the page that shows the report of a job, or "" if the job computes no report."""
    if job.kind != JobKind.REPORT:
        return ""
    return report_address(study, ReportKind(job.parameters["report"]), job.parameters["parameters"])


def report_address(study: Study, kind: ReportKind, parameters: Mapping[str, Any]) -> str:
    """Return the address of the page that shows the report of this kind with these parameters."""
    if kind is ReportKind.FIGURE:
        address = reverse("console:figure", args=[study.slug, parameters["figure"]])
    elif "paper" in parameters:
        address = reverse("console:papers", args=[study.slug])
    else:
        names = {
            ReportKind.GRADES: "console:grades",
            ReportKind.SCORES: "console:results",
            ReportKind.SYSTEMS: "console:systems",
            ReportKind.PLAN: "console:plan",
            ReportKind.WHOLE: "console:figures",
            ReportKind.ARMS: "console:arms",
            ReportKind.JUDGES: "console:judges",
        }
        address = reverse(names.get(kind, "console:understanding"), args=[study.slug])
    query = {"measures": "\n".join(parameters.get("measures", ())), "grades": parameters.get("grades", "")}
    text = urlencode({name: value for name, value in query.items() if value})
    return f"{address}?{text}" if text else address
