"""The list of set-ups, and the ways to begin one: from nothing, from a study file or zip, from a study."""

from pathlib import Path
from shutil import rmtree
from tempfile import NamedTemporaryFile, mkdtemp

from django.conf import settings
from django.contrib import messages
from django.core.files.uploadedfile import UploadedFile
from django.db import transaction
from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.text import slugify
from django.views.decorators.http import require_http_methods, require_POST

from judging import access
from judging.exports.study_folder import write_study_folder
from judging.intake import StudyRefusedError
from judging.intake.bundles.importing import name_in_bundle
from judging.intake.drafting import begin_draft, draft_of_folder, values_of
from judging.intake.importing import FILE_NAME
from judging.intake.upload_limit import too_large
from judging.intake.uploads import unpack
from judging.limits import STUDIES_PER_PAGE
from judging.models import Draft, Study
from judging.pages.console.guard import console_page, find_study, refuse
from judging.pages.console.paging import page_of
from judging.pages.console.sorting import sorting_of
from judging.pages.limits import takes_files, was_too_large
from judging.selectors.clock import now
from judging.selectors.study_list import drafts_sorted
from judging.services.drafts import request_bundle, request_check
from judging.services.errors import RefusedError

SORTS = {"changed": "Changed", "owner": "By", "study": "Study"}


@takes_files
@require_http_methods(["GET", "HEAD", "POST"])
@console_page
def setups(request: HttpRequest) -> HttpResponseBase:
    """The set-ups of this person, and two forms: an empty one, and one from a file, which may be a bundle."""
    if not access.may_set_up(request.user):
        return refuse(request, "You may not set up studies.")
    if request.method != "POST":
        return _show(request)
    if was_too_large(request):
        return _refused(request, "file", f"Nothing was uploaded. {too_large()}")
    if request.POST.get("action") == "begin":
        return _begin(request)
    upload = request.FILES.get("file")
    if upload is None:
        return _refused(request, "file", "Choose a study.toml, a zip of it with its files, or a bundle.")
    if (name := name_in_bundle(upload)) is not None:
        return _import_bundle(request, upload, name)
    try:
        draft = _from_upload(request, upload)
    except StudyRefusedError as refusal:
        return _refused(request, "file", *refusal.lines)
    return _opened(request, draft, "The study file was taken over.")


def _refused(request: HttpRequest, field: str, *lines: str) -> HttpResponseBase:
    """Show the page again with what is wrong with a field."""
    for line in lines:
        messages.error(request, line, extra_tags=field)
    return _show(request, status=400)


def _show(request: HttpRequest, *, status: int = 200) -> HttpResponseBase:
    sorting = sorting_of(request, "-changed", "owner", "study", default="-changed")
    found = drafts_sorted(
        access.visible_drafts(request.user), sort=sorting.key, descending=sorting.descending
    )
    page = page_of(request, found.count(), per_page=STUDIES_PER_PAGE)
    rows = [(draft, values_of(draft)) for draft in found[page.places.start : page.places.stop]]
    typed = request.POST.get("title", "")
    context = {
        "drafts": rows,
        "page": page,
        "sorting": sorting,
        "sorts": sorting.headings(SORTS),
        "typed": typed,
    }
    status = max(page.status, sorting.status, status)
    return render(request, "console/setup/begin.html", context, status=status)


def _begin(request: HttpRequest) -> HttpResponseBase:
    title = request.POST.get("title", "").strip()
    if not title or "\0" in title:
        return _refused(request, "title", "Write a title; it can be changed later.")
    draft = begin_draft(owner=request.user, slug=free_slug(slugify(title)[:50]), title=title, now=now())
    return _opened(
        request, draft, "The set-up is begun: nothing is shown to workers before you open the study."
    )


def _import_bundle(request: HttpRequest, upload: UploadedFile, name: str) -> HttpResponseBase:
    """Have the study of a bundle made: it is finished, so there is nothing to set up."""
    home = _home()
    with NamedTemporaryFile(dir=home, prefix=".bundle-", suffix=".zip", delete=False) as file:
        file.writelines(upload.chunks())
    slug = free_slug(slugify(name)[:50])
    job = request_bundle(name=Path(file.name).name, slug=slug, now=now(), actor=request.user)
    return redirect("console:import", pk=job.pk)


def _from_upload(request: HttpRequest, upload: UploadedFile) -> Draft:
    place = _new_folder()
    try:
        if str(upload.name).lower().endswith(".zip"):
            unpack(upload.file, place)
        else:
            with (place / FILE_NAME).open("wb") as file:
                file.writelines(upload.chunks())
        return draft_of_folder(owner=request.user, folder=place, now=now())
    except StudyRefusedError as refusal:
        raise StudyRefusedError([line.replace(f"{place}/", "") for line in refusal.lines]) from None
    finally:
        rmtree(place, ignore_errors=True)


@require_POST
@console_page
def copy(request: HttpRequest, slug: str) -> HttpResponseBase:
    """A set-up that is like a study: to make another one of it."""
    study = find_study(request, slug)
    if not access.may_manage(request.user, study):
        return refuse(request, "You may see this study, but not copy it.")
    try:
        draft = draft_of_study(request, study, free_slug(f"{study.slug[:52]}-copy"))
    except RefusedError as refusal:
        messages.error(request, str(refusal))
        return redirect("console:study", slug=study.slug)
    return _opened(request, draft, f"This is a copy of {study.slug}. Nobody’s judgments were copied.")


@require_POST
@console_page
def change(request: HttpRequest, slug: str) -> HttpResponseBase:
    """The set-up that a study was made of; one of a study from the command line is made here."""
    study = find_study(request, slug)
    if not access.may_manage(request.user, study):
        return refuse(request, "You may see this study, but not change its set-up.")
    if draft := Draft.objects.filter(study=study).first():
        return redirect("console:setup", pk=draft.pk)
    try:
        with transaction.atomic():
            draft = draft_of_study(request, study, study.slug)
            Draft.objects.filter(pk=draft.pk).update(study=study)
    except RefusedError as refusal:
        messages.error(request, str(refusal))
        return redirect("console:study", slug=study.slug)
    return _opened(request, draft, "This is the study as it is stored; change what may still change.")


def draft_of_study(request: HttpRequest, study: Study, slug: str) -> Draft:
    """A draft of a stored study under another name. Raises RefusedError where no file can say the study."""
    place = _new_folder()
    try:
        write_study_folder(study, place, slug=slug)
        return draft_of_folder(owner=request.user, folder=place, now=now())
    finally:
        rmtree(place, ignore_errors=True)


def free_slug(wanted: str) -> str:
    """A name that no study has: the one wanted, or with a number behind it."""
    wanted = wanted.strip("-") or "study"
    taken = set(Study.objects.filter(slug__startswith=wanted).values_list("slug", flat=True))
    numbered = (f"{wanted}-{number}" if number > 1 else wanted for number in range(1, len(taken) + 2))
    return next(name for name in numbered if name not in taken)


def _opened(request: HttpRequest, draft: Draft, said: str) -> HttpResponseBase:
    request_check(draft=draft, now=now(), actor=request.user)
    messages.success(request, said)
    return redirect("console:setup", pk=draft.pk)


def _new_folder() -> Path:
    return Path(mkdtemp(dir=_home(), prefix=".new-"))


def _home() -> Path:
    home = Path(settings.DRAFTS_FOLDER)
    home.mkdir(parents=True, exist_ok=True)
    return home
