"""The button that requests a decision about further units of an adaptive study."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST

from judging.core import access
from judging.core.clock import now
from judging.core.pages.guard import console_page, find_study, refuse
from judging.models import Job, JobState, Reason
from judging.understanding.services.allocating import request_decision


@require_POST
@console_page
def decide(request: HttpRequest, slug: str) -> HttpResponseBase:
    """Request the decision that is due, unless a job is already making it.

    If the job has finished, redirect to the page of the study, which shows the result. Otherwise, redirect to
    the page of the job.
    """
    study = find_study(request, slug)
    if not access.may_manage(request.user, study):
        return refuse(request, _("You cannot plan units of this study. Ask one of its owners."))
    job = request_decision(study=study, now=now(), actor=access.account_of(request.user))
    if job is None:
        messages.error(request, _("No decision about further units is due now."))
        return redirect("console:study", slug=study.slug)
    job.refresh_from_db()
    if job.live:
        return redirect("console:job", slug=study.slug, pk=job.pk)
    if job.state == JobState.DONE:
        messages.success(request, outcome_of(job))
    # The page of the study shows why a decision failed.
    return redirect("console:study", slug=study.slug)


def outcome_of(job: Job) -> str:
    """Return a sentence about the result of a finished job of the kind `allocate`."""
    reason, units = str(job.result["reason"]), int(str(job.result["units"]))
    if reason == Reason.SETTLED:
        return _("The ranking of the runs is settled, so no further units are planned.")
    if reason == Reason.NO_ROOM:
        return _("The study has as many units as it can have. The ranking of the runs is not settled.")
    if reason == Reason.UNSETTLED:
        return ngettext(
            "The ranking of the runs is not settled. {units} further unit is planned.",
            "The ranking of the runs is not settled. {units} further units are planned.",
            units,
        ).format(units=units)
    return _("Nothing was decided, because no decision was due.")
