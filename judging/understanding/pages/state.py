"""What a page knows of its report: whether it is there, how old it is, and who is making it."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from django.contrib import messages
from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.http import urlencode

from judging.core import access
from judging.core.clock import now
from judging.core.pages.guard import refuse
from judging.core.selectors.judgments import anything_counts
from judging.models import Job, JobKind, JobState, Report, ReportKind, Study
from judging.understanding.selectors.reports import Since, last_job, report_key, since
from judging.understanding.services.reports import request_report


@dataclass(frozen=True)
class ReportState:
    """`report` None: never made, or not of these parameters. `job` is the last that was asked to make it.

    `nothing_counts`: there is no report, and no judgment to make it of.
    """

    report: Report | None
    since: Since | None
    job: Job | None
    now: datetime
    may_make: bool
    nothing_counts: bool = False

    @property
    def being_made(self) -> bool:
        return self.job is not None and self.job.live

    @property
    def failure(self) -> str:
        """Why the last attempt failed; "" where it did not, or there is none."""
        return self.job.error if self.job is not None and self.job.state == JobState.FAILED else ""


def state_of(
    request: HttpRequest,
    study: Study,
    report: Report | None,
    kind: ReportKind,
    parameters: Mapping[str, object],
) -> ReportState:
    """The state of a report and of the job that is asked for by these parameters, in four queries at most."""
    return ReportState(
        report,
        since(report, study) if report else None,
        last_job(study, report_key(kind, parameters)),
        now(),
        access.may_report(request.user, study),
        nothing_counts=report is None and not anything_counts(study),
    )


def ask(
    request: HttpRequest, study: Study, kind: ReportKind, parameters: Mapping[str, object]
) -> HttpResponseBase:
    """Ask for a report and lead to it, or, while it is being made, to the page of its job."""
    if not access.may_report(request.user, study):
        return refuse(request, "You may not have reports of this study made.")
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
        messages.error(request, f"The report was not made: {job.error}")
    else:
        messages.success(request, "The report was made.")
    # Documents are asked for at the page of a topic, too.
    return redirect(request.get_full_path() if kind is ReportKind.DOCUMENTS else address_of(study, job))


def address_of(study: Study, job: Job) -> str:
    """The page that shows what a report job makes; "" for other jobs."""
    if job.kind != JobKind.REPORT:
        return ""
    parameters, kind = job.parameters["parameters"], ReportKind(job.parameters["report"])
    if kind is ReportKind.FIGURE:
        address = reverse("console:figure", args=[study.slug, parameters["figure"]])
    else:
        names = {ReportKind.GRADES: "console:grades", ReportKind.SCORES: "console:scores"}
        address = reverse(names.get(kind, "console:understanding"), args=[study.slug])
    asked = {"measures": "\n".join(parameters.get("measures", ())), "grades": parameters.get("grades", "")}
    query = urlencode({name: value for name, value in asked.items() if value})
    return f"{address}?{query}" if query else address
