"""The “Set up a study” page: start from scratch, or from a study file or a bundle."""

from pathlib import Path
from shutil import rmtree
from tempfile import NamedTemporaryFile

from django.contrib import messages
from django.core.files.uploadedfile import UploadedFile
from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.text import slugify
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from judging.archive.bundles.importing import name_in_bundle
from judging.core import access
from judging.core.clock import now
from judging.core.faults import Faults, StudyRefusedError
from judging.core.pages.guard import console_refusal, refuse
from judging.core.pages.limits import takes_files, was_too_large
from judging.core.upload_limit import too_large
from judging.protocol.settings import SETTINGS, Purpose
from judging.setup.intake.arms import ARMS
from judging.setup.intake.toml_file import read_study_file
from judging.setup.making import (
    begin_setup,
    drafts_folder,
    free_slug,
    new_folder,
    setup_from_folder,
)
from judging.setup.pages.actions import show_new_setup
from judging.setup.services.setups import request_upload
from judging.setup.study_files.importing import FILE_NAME
from judging.setup.study_files.uploads import unpack


def _refusal(request: HttpRequest) -> HttpResponseBase | None:
    """Return the answer to visitors who cannot set up studies, and None for those who can."""
    if (answer := console_refusal(request)) or access.may_set_up(request.user):
        return answer
    return refuse(request, _("You cannot set up studies. Ask an administrator of this site for permission."))


@takes_files(_refusal)
@require_http_methods(["GET", "HEAD", "POST"])
def begin(request: HttpRequest) -> HttpResponseBase:
    """Show and handle two forms: one for a title, and one for a study file or a bundle."""
    if answer := _refusal(request):
        return answer
    if request.method != "POST":
        return _show(request)
    if was_too_large(request):
        return _show_errors(request, "file", _("Nothing was uploaded. {problem}").format(problem=too_large()))
    if request.POST.get("action") == "begin":
        return _from_scratch(request)
    upload = request.FILES.get("file")
    if upload is None:
        return _show_errors(
            request,
            "file",
            _("No file was sent. Choose a study.toml file, a zip of study.toml and its files, or a bundle."),
        )
    if (name := name_in_bundle(upload)) is not None:
        return _import_bundle(request, upload, name)
    try:
        return _from_file(request, upload)
    except StudyRefusedError as refusal:
        lines = refusal.translated_lines
        if Path(str(upload.name)).suffix.lower() not in (".toml", ".zip"):
            text = _("To upload documents, topics, runs or grades, use “Start from scratch” first.")
            lines = [*lines, text]
        return _show_errors(request, "file", *lines)


def _show_errors(request: HttpRequest, field: str, *lines: str) -> HttpResponseBase:
    """Show the page again with the errors of a field."""
    for line in lines:
        messages.error(request, line, extra_tags=field)
    return _show(request, status=400)


def _show(request: HttpRequest, *, status: int = 200) -> HttpResponseBase:
    context = {"typed": request.POST.get("title", "")}
    return render(request, "setup/begin.html", context, status=status)


def _from_scratch(request: HttpRequest) -> HttpResponseBase:
    title = request.POST.get("title", "").strip()
    longest = SETTINGS["title"].longest or 0
    if not title or "\0" in title or len(title) > longest:
        text = _("Enter a title of 1 to {number} characters. You can change it later.")
        return _show_errors(request, "title", text.format(number=longest))
    setup = begin_setup(title=title, owner=access.account_of(request.user), now=now())
    return show_new_setup(
        request, setup, _("The draft is ready. Workers cannot see it until you open the study.")
    )


def _import_bundle(request: HttpRequest, upload: "UploadedFile[bytes]", name: str) -> HttpResponseBase:
    """Store a bundle, and request its import."""
    with NamedTemporaryFile(dir=drafts_folder(), prefix=".bundle-", suffix=".zip", delete=False) as file:
        file.writelines(upload.chunks())
    slug = free_slug(slugify(name)[:50])
    return _request_import(request, Path(file.name), slug)


def _request_import(request: HttpRequest, path: Path, slug: str) -> HttpResponseBase:
    """Request the import of a study that needs no set-up, and show the page of the job."""
    job = request_upload(name=path.name, slug=slug, now=now(), actor=access.account_of(request.user))
    return redirect("console:import", pk=job.pk)


def _from_file(request: HttpRequest, upload: "UploadedFile[bytes]") -> HttpResponseBase:
    folder = new_folder()
    file_name = str(upload.name)
    try:
        if file_name.lower().endswith(".zip") and upload.file is not None:
            file_name = FILE_NAME
            unpack(upload.file, folder)
        else:
            with (folder / FILE_NAME).open("wb") as file:
                file.writelines(upload.chunks())
        top = read_study_file(folder / FILE_NAME, Faults())
        if top is not None and (top.text("purpose") == Purpose.ANALYSIS or ARMS in top):
            slug = free_slug(slugify(top.text("slug") or top.text("title"))[:50])
            return _request_import(request, folder.rename(new_folder()), slug)
        setup, description = setup_from_folder(
            folder=folder, owner=access.account_of(request.user), now=now()
        )
    except StudyRefusedError as refusal:
        raise refusal.without(f"{folder}/{FILE_NAME}", file_name).without(f"{folder}/") from None
    finally:
        rmtree(folder, ignore_errors=True)
    if description.slug and setup.study.slug != description.slug:
        text = _("There is already a study named {slug}, so your study is named {new_slug}.")
        messages.warning(request, text.format(slug=description.slug, new_slug=setup.study.slug))
    for path in description.absent:
        text = _("The file {path} is missing. Upload it on the “Files and pool” page.")
        messages.warning(request, text.format(path=path))
    return show_new_setup(request, setup, _("The study file was imported."))
