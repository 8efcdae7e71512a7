"""The overview of a set-up: its last check, and buttons to apply its changes, download it or delete it."""

from pathlib import Path
from tempfile import TemporaryDirectory

from django.contrib import messages
from django.http import FileResponse, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from judging.core import access
from judging.core.clock import now
from judging.core.pages.turns import one_at_a_time
from judging.core.selectors.pay_rate import pay_warnings
from judging.core.selectors.readiness import opening_faults, study_faults
from judging.core.services.errors import RefusedError
from judging.core.services.events import By
from judging.setup.intake.study_values import setup_values
from judging.setup.pages.common import SetupPage, render_page, setup_page
from judging.setup.services.setups import delete_draft, request_changes, request_check
from judging.setup.study_files.study_folder import write_setup_folder, zip_folder
from judging.setup.study_files.toml_writer import toml_text


@setup_page
def overview(request: HttpRequest, page: SetupPage) -> HttpResponseBase:
    """Show the overview, or handle one of its buttons: check, apply the changes, delete."""
    if request.method != "POST":
        is_draft = page.draft == page.study
        opening = []
        if is_draft:
            opening = (opening_faults if page.is_sound else study_faults)(page.study, now=now())
        return render_page(
            request, page, "overview", opening=opening, is_draft=is_draft, warnings=pay_warnings(page.draft)
        )
    action, by = request.POST.get("action"), By(now=now(), actor=access.account_of(request.user))
    try:
        if action == "delete" and "sure" in request.POST:
            return _delete(request, page, by)
        if action == "make":
            return redirect("console:import", pk=request_changes(setup=page.setup, **by).pk)
    except RefusedError as refusal:
        messages.error(request, str(refusal))
        return redirect("console:setup_overview", slug=page.study.slug)
    if action == "check":
        request_check(setup=page.setup, **by)
    elif action == "delete":
        messages.error(request, _("Nothing was deleted. Tick the box “I am sure”."), extra_tags="sure")
    else:
        messages.error(request, _("Nothing was changed. Use one of the buttons."))
    return redirect("console:setup_overview", slug=page.study.slug)


def _delete(request: HttpRequest, page: SetupPage, by: By) -> HttpResponseBase:
    delete_draft(setup=page.setup, **by)
    if page.draft == page.study:
        messages.success(request, _("The draft and its files were deleted."))
        return redirect("console:studies")
    messages.success(request, _("The changes were discarded. The study stays as it is."))
    return redirect("console:study", slug=page.study.slug)


@require_safe
@setup_page
def study_file(request: HttpRequest, page: SetupPage) -> HttpResponseBase:
    """Return the study file without the files that it names."""
    return HttpResponse(
        toml_text(setup_values(page.setup, page.study.slug)),
        content_type="application/toml; charset=utf-8",
        headers={"Content-Disposition": 'attachment; filename="study.toml"'},
    )


@require_safe
@setup_page
def archive(request: HttpRequest, page: SetupPage) -> HttpResponseBase:
    """Return a zip of the study file and all files of the set-up. Any site can import it."""
    with one_at_a_time(), TemporaryDirectory() as folder:
        write_setup_folder(page.setup, Path(folder), slug=page.study.slug)
        archived = zip_folder(Path(folder))
    return FileResponse(
        archived, as_attachment=True, filename=f"{page.study.slug}.zip", content_type="application/zip"
    )
