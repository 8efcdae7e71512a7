"""The buttons that change, copy, try out or download the set-up of a study."""

from collections.abc import Callable
from functools import wraps
from typing import TYPE_CHECKING

from django.contrib import messages
from django.http import FileResponse, HttpRequest, HttpResponseBase
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_POST, require_safe

from judging.core import access
from judging.core.clock import now
from judging.core.faults import StudyRefusedError
from judging.core.pages.guard import console_page, find_study, refuse
from judging.core.pages.turns import one_at_a_time
from judging.core.services.errors import RefusedError
from judging.core.services.events import record_export
from judging.core.services.jobs import request as request_job
from judging.models import JobKind, Setup, Study
from judging.setup.making import copy_study, free_slug, get_or_create_setup, setup_of
from judging.setup.services.setups import request_check
from judging.setup.study_files.study_folder import zip_study

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

StudyView = Callable[[HttpRequest, Study], HttpResponseBase]


def _for_managers(denial: "StrOrPromise") -> Callable[[StudyView], Callable[..., HttpResponseBase]]:
    """Restrict a view to managers of the study, and show the message `denial` to other members.

    If the view raises RefusedError or StudyRefusedError, the study's page shows the message of the error.
    """

    def decorate(view: StudyView) -> Callable[..., HttpResponseBase]:
        @console_page
        @wraps(view)
        def guarded(request: HttpRequest, slug: str) -> HttpResponseBase:
            study = find_study(request, slug)
            if not access.may_manage(request.user, study):
                return refuse(request, str(denial))
            try:
                return view(request, study)
            except (RefusedError, StudyRefusedError) as refusal:
                messages.error(request, str(refusal))
                return redirect("console:study", slug=study.slug)

        return guarded

    return decorate


@require_POST
@_for_managers(
    gettext_lazy(
        "You can see this study, but you cannot change its set-up. Ask an owner of the study for access."
    )
)
def change(request: HttpRequest, study: Study) -> HttpResponseBase:
    """Show the set-up of a study or, once the study has been opened, the draft of changes to the study."""
    if setup_of(study):
        return redirect("console:setup_overview", slug=study.slug)
    setup = get_or_create_setup(study=study, now=now())
    message = _("This is the set-up of the study. You can no longer change what workers have already seen.")
    return show_new_setup(request, setup, message)


@require_POST
@_for_managers(
    gettext_lazy("You can see this study, but you cannot copy it. Ask an owner of the study for access.")
)
def copy(request: HttpRequest, study: Study) -> HttpResponseBase:
    """Create a draft with the set-up of a study."""
    wanted = free_slug(f"{study.slug[:52]}-copy")
    setup = copy_study(study=study, slug=wanted, owner=access.account_of(request.user), now=now())
    message = _("This is a copy of {slug}, without its judgments.").format(slug=study.slug)
    return show_new_setup(request, setup, message)


@require_POST
@_for_managers(
    gettext_lazy("You can see this study, but you cannot try it out. Ask an owner of the study for access.")
)
def rehearse(request: HttpRequest, study: Study) -> HttpResponseBase:
    """Request a dry run, and show the page of its job.

    The dry run copies the study and simulates workers.
    """
    parameters = {"of": study.slug}
    if crowd := request.POST.get("crowd", "")[:20]:
        parameters["crowd"] = crowd
    job = request_job(
        kind=JobKind.REHEARSE, parameters=parameters, actor=access.account_of(request.user), now=now()
    )
    return redirect("console:import", pk=job.pk)


@require_safe
@_for_managers(
    gettext_lazy(
        "You can see this study, but you cannot download its set-up. Ask an owner of the study for access."
    )
)
def study_archive(request: HttpRequest, study: Study) -> HttpResponseBase:
    """Return a zip of the study file with the files that it names."""
    with one_at_a_time():
        archive = zip_study(study)
    record_export(study=study, what="study", form="zip", now=now(), actor=access.account_of(request.user))
    return FileResponse(
        archive, as_attachment=True, filename=f"{study.slug}.zip", content_type="application/zip"
    )


def show_new_setup(request: HttpRequest, setup: Setup, message: str) -> HttpResponseBase:
    """Request the first check of a set-up, and redirect to its overview."""
    request_check(setup=setup, now=now(), actor=access.account_of(request.user))
    messages.success(request, message)
    study = setup.study.changes_to or setup.study
    return redirect("console:setup_overview", slug=study.slug)
