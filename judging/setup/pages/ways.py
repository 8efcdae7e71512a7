"""What the buttons under a study's *Set-up* do: change it, copy it, try it out, download its study file."""

from collections.abc import Callable
from functools import wraps

from django.contrib import messages
from django.http import FileResponse, HttpRequest, HttpResponseBase
from django.shortcuts import redirect
from django.views.decorators.http import require_POST, require_safe

from judging.core import access
from judging.core.clock import now
from judging.core.intake.faults import StudyRefusedError
from judging.core.pages.guard import console_page, find_study, refuse
from judging.core.services.errors import RefusedError
from judging.core.services.events import record_export
from judging.core.services.jobs import request as request_job
from judging.models import JobKind, Setup, Study
from judging.setup.making import copy_study, free_slug, setup_of, take_up
from judging.setup.services.setups import request_check
from judging.setup.study_files.study_folder import zip_study

Way = Callable[[HttpRequest, Study], HttpResponseBase]


def _for_managers(what: str) -> Callable[[Way], Callable[..., HttpResponseBase]]:
    """Let those who may manage a study do `what`; a refusal is told on the page of the study."""

    def decorate(way: Way) -> Callable[..., HttpResponseBase]:
        @console_page
        @wraps(way)
        def guarded(request: HttpRequest, slug: str) -> HttpResponseBase:
            study = find_study(request, slug)
            if not access.may_manage(request.user, study):
                return refuse(request, f"You may see this study, but not {what}.")
            try:
                return way(request, study)
            except (RefusedError, StudyRefusedError) as refusal:
                messages.error(request, str(refusal))
                return redirect("console:study", slug=study.slug)

        return guarded

    return decorate


@require_POST
@_for_managers("change its set-up")
def change(request: HttpRequest, study: Study) -> HttpResponseBase:
    """Open the set-up of a study; of one that has been opened, a draft of changes."""
    if setup_of(study):
        return redirect("console:setup_overview", slug=study.slug)
    setup = take_up(study=study, now=now())
    return opened(request, setup, "This is the study as it is stored. Change what can still change.")


@require_POST
@_for_managers("copy it")
def copy(request: HttpRequest, study: Study) -> HttpResponseBase:
    """Make a draft that is like a study, to make another one of it."""
    wanted = free_slug(f"{study.slug[:52]}-copy")
    setup = copy_study(study=study, slug=wanted, owner=access.account_of(request.user), now=now())
    return opened(request, setup, f"This is a copy of {study.slug}. No judgments were copied.")


@require_POST
@_for_managers("try it out")
def rehearse(request: HttpRequest, study: Study) -> HttpResponseBase:
    """One click: the job copies the study and lets the crowd come; its page tells how far it is."""
    job = request_job(
        kind=JobKind.REHEARSE, parameters={"of": study.slug}, actor=access.account_of(request.user), now=now()
    )
    return redirect("console:import", pk=job.pk)


@require_safe
@_for_managers("download its set-up")
def study_archive(request: HttpRequest, study: Study) -> HttpResponseBase:
    """The study as a zip of its study file and the files it names."""
    archive = zip_study(study)
    record_export(study=study, what="study", form="zip", now=now(), actor=access.account_of(request.user))
    return FileResponse(
        archive, as_attachment=True, filename=f"{study.slug}.zip", content_type="application/zip"
    )


def opened(request: HttpRequest, setup: Setup, said: str) -> HttpResponseBase:
    """Have a set-up checked for the first time, and show its overview."""
    request_check(setup=setup, now=now(), actor=access.account_of(request.user))
    messages.success(request, said)
    study = setup.study.changes_to or setup.study
    return redirect("console:setup_overview", slug=study.slug)
