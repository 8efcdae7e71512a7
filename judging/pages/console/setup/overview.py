"""A set-up as a whole: what its check says, making the study of it, and taking its study file home."""

from django.contrib import messages
from django.http import FileResponse, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect
from django.views.decorators.http import require_safe

from judging import access
from judging.exports.study_archive import zip_folder
from judging.intake.drafting import drop_draft, folder_of
from judging.pages.console.guard import refuse
from judging.pages.console.setup.common import Setup, setup_page, show
from judging.selectors.clock import now
from judging.services.drafts import request_check, request_study


@setup_page
def overview(request: HttpRequest, setup: Setup) -> HttpResponseBase:
    """The steps with their faults, the estimate, and the buttons that check, make and delete."""
    draft, action = setup.draft, request.POST.get("action")
    if request.method != "POST":
        return show(request, setup, "overview")
    if action == "delete" and "sure" in request.POST:
        drop_draft(draft=draft)
        messages.success(request, "The set-up and its files are deleted.")
        return redirect("console:setups")
    if action == "make" and setup.ready:
        return _make(request, setup)
    if action == "check":
        request_check(draft=draft, now=now(), actor=request.user)
    elif action == "make":
        messages.error(
            request, "Nothing was made: the set-up has faults, or was not checked since its last change."
        )
    elif action == "delete":
        messages.error(
            request, "Nothing was deleted: tick the box that says you are sure.", extra_tags="sure"
        )
    else:
        messages.error(request, "Nothing was done: use one of the buttons.")
    return redirect("console:setup", pk=draft.pk)


def _make(request: HttpRequest, setup: Setup) -> HttpResponseBase:
    draft = setup.draft
    if draft.study is not None and not access.may_manage(request.user, draft.study):
        return refuse(request, "You may see this study, but not change it.")
    job = request_study(draft=draft, now=now(), actor=request.user)
    return redirect("console:import", pk=job.pk)


@require_safe
@setup_page
def study_file(request: HttpRequest, setup: Setup) -> HttpResponseBase:
    """The study file alone."""
    return HttpResponse(
        setup.draft.text,
        content_type="application/toml; charset=utf-8",
        headers={"Content-Disposition": 'attachment; filename="study.toml"'},
    )


@require_safe
@setup_page
def archive(request: HttpRequest, setup: Setup) -> HttpResponseBase:
    """The study file with all files of the set-up, as a zip that can be imported anywhere."""
    return FileResponse(
        zip_folder(folder_of(setup.draft)),
        as_attachment=True,
        filename=f"study-{setup.draft.pk}.zip",
        content_type="application/zip",
    )
