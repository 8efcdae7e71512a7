"""Asking for a dry run of a study, and taking a study home as a study file."""

from django.contrib import messages
from django.http import FileResponse, HttpRequest, HttpResponseBase
from django.shortcuts import redirect
from django.views.decorators.http import require_POST, require_safe

from judging.core import access
from judging.core.clock import now
from judging.core.pages.guard import console_page, find_study, refuse
from judging.core.services.errors import RefusedError
from judging.core.services.events import record_export
from judging.core.services.jobs import request as request_job
from judging.models import JobKind
from judging.setup.study_files.study_folder import zip_study


@require_POST
@console_page
def rehearse(request: HttpRequest, slug: str) -> HttpResponseBase:
    """One click: the job copies the study and lets the crowd come; its page tells how far it is."""
    study = find_study(request, slug)
    if not access.may_manage(request.user, study):
        return refuse(request, "You may see this study, but not try it out.")
    job = request_job(
        kind=JobKind.REHEARSE, parameters={"of": study.slug}, actor=access.account_of(request.user), now=now()
    )
    return redirect("console:import", pk=job.pk)


@require_safe
@console_page
def study_archive(request: HttpRequest, slug: str) -> HttpResponseBase:
    """The study as a zip of its study file and the files it names."""
    study = find_study(request, slug)
    if not access.may_manage(request.user, study):
        return refuse(request, "You may see this study, but not take its set-up home.")
    try:
        archive = zip_study(study)
    except RefusedError as refusal:
        messages.error(request, str(refusal))
        return redirect("console:study", slug=study.slug)
    record_export(study=study, what="study", form="zip", now=now(), actor=access.account_of(request.user))
    return FileResponse(
        archive, as_attachment=True, filename=f"{study.slug}.zip", content_type="application/zip"
    )
