"""Beginning to set a study up: from scratch, or from a study file or a bundle."""

from pathlib import Path
from shutil import rmtree
from tempfile import NamedTemporaryFile

from django.contrib import messages
from django.core.files.uploadedfile import UploadedFile
from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.text import slugify
from django.views.decorators.http import require_http_methods

from judging.archive.bundles.importing import name_in_bundle
from judging.core import access
from judging.core.clock import now
from judging.core.intake.faults import StudyRefusedError
from judging.core.intake.upload_limit import too_large
from judging.core.pages.guard import console_page, refuse
from judging.core.pages.limits import takes_files, was_too_large
from judging.protocol.settings import SETTINGS
from judging.setup.making import (
    begin_setup,
    drafts_folder,
    free_slug,
    new_folder,
    setup_from_folder,
)
from judging.setup.pages.ways import opened
from judging.setup.services.setups import request_bundle
from judging.setup.study_files.importing import FILE_NAME
from judging.setup.study_files.uploads import unpack


@takes_files
@require_http_methods(["GET", "HEAD", "POST"])
@console_page
def begin(request: HttpRequest) -> HttpResponseBase:
    """Two forms: a title to start from scratch, and a file, which may be a bundle."""
    if not access.may_set_up(request.user):
        return refuse(request, "You may not set up studies.")
    if request.method != "POST":
        return _show(request)
    if was_too_large(request):
        return _refused(request, "file", f"Nothing was uploaded. {too_large()}")
    if request.POST.get("action") == "begin":
        return _from_scratch(request)
    upload = request.FILES.get("file")
    if upload is None:
        return _refused(request, "file", "Choose a study.toml, a zip of it with its files, or a bundle.")
    if (name := name_in_bundle(upload)) is not None:
        return _import_bundle(request, upload, name)
    try:
        return _from_file(request, upload)
    except StudyRefusedError as refusal:
        return _refused(request, "file", *refusal.translated_lines)


def _refused(request: HttpRequest, field: str, *lines: str) -> HttpResponseBase:
    """Show the page again with what is wrong with a field."""
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
        what = f"Write a title of at most {longest} characters. You can change it later."
        return _refused(request, "title", what)
    setup = begin_setup(title=title, owner=access.account_of(request.user), now=now())
    return opened(request, setup, "The draft is ready. Workers cannot see it before you open the study.")


def _import_bundle(request: HttpRequest, upload: "UploadedFile[bytes]", name: str) -> HttpResponseBase:
    """Have the study of a bundle made: it is finished, so there is nothing to set up."""
    with NamedTemporaryFile(dir=drafts_folder(), prefix=".bundle-", suffix=".zip", delete=False) as file:
        file.writelines(upload.chunks())
    slug = free_slug(slugify(name)[:50])
    job = request_bundle(
        name=Path(file.name).name, slug=slug, now=now(), actor=access.account_of(request.user)
    )
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
        setup, description = setup_from_folder(
            folder=folder, owner=access.account_of(request.user), now=now()
        )
    except StudyRefusedError as refusal:
        raise refusal.without(f"{folder}/{FILE_NAME}", file_name).without(f"{folder}/") from None
    finally:
        rmtree(folder, ignore_errors=True)
    if description.slug and setup.study.slug != description.slug:
        messages.warning(
            request, f"There is a study named {description.slug} already. This one is {setup.study.slug}."
        )
    for path in description.absent:
        messages.warning(request, f"{path} was not uploaded. Upload it under Files and pool.")
    return opened(request, setup, "The study file was imported.")
