"""The step of a set-up with its files, what was understood of each, and the pool."""

import re
from operator import itemgetter
from typing import Final

from django.contrib import messages
from django.core.files.uploadedfile import UploadedFile
from django.http import FileResponse, Http404, HttpRequest, HttpResponseBase
from django.shortcuts import redirect
from django.views.decorators.http import require_safe

from judging.core.intake.faults import StudyRefusedError
from judging.core.pages.limits import takes_files
from judging.core.pages.tables import Column, Table
from judging.models import Setup, SetupFile, Topic
from judging.protocol.setup_files import FileKind
from judging.setup.estimating import at_depths
from judging.setup.files import FORMATS, TOPICS, attach, detach, guess_format, set_depth
from judging.setup.pages.common import SetupPage, changed, setup_page, show
from judging.setup.pages.forms import DepthForm, GradesForm, SetupForm
from judging.setup.reading import RunFound, TopicFound
from judging.setup.services.setups import locked
from judging.setup.study_files.uploads import files_in, remove, store
from judging.setup.topics import import_topics

DEPTHS: Final = (1, 3, 5, 10, 20, 50, 100)
LABELS: Final = {
    FileKind.DOCUMENTS: ("Documents", "The texts to judge. Only those of the pools are stored."),
    TOPICS: ("Topics", "A file of topics; or write them by hand in the next step."),
    FileKind.RUN: (
        "Runs",
        "TREC run files of the systems to compare; their first documents can make the pool.",
    ),
    FileKind.GRADES: (
        "Known grades",
        "What others judged before, if you have it: it helps to choose anchors.",
    ),
    FileKind.POOL: ("Pool as a list", "Instead of a depth: a list with topic and document on each line."),
}

RUNS: Final[list[Column[RunFound]]] = [
    Column("run", "Run", itemgetter("tag")),
    Column("file", "File", itemgetter("file"), css="text"),
    Column("-topics", "Topics", itemgetter("topics")),
    Column("-lines", "Lines", itemgetter("documents")),
]
POOLS: Final[list[Column[TopicFound]]] = [
    Column("topic", "Topic", lambda topic: f"{topic['number']} {topic['title']}", by=itemgetter("number")),
    Column("-documents", "Documents, without the anchors", itemgetter("others")),
]


@takes_files
@setup_page
def files(request: HttpRequest, page: SetupPage) -> HttpResponseBase:
    """Upload, remove, pool; each by a form of its own, each followed by a new check."""
    if request.method != "POST":
        return _show(request, page)
    action = request.POST.get("action", "")
    with locked(page.setup) as setup:
        if action == "upload":
            return _upload(request, page, setup)
        if action in ("pool", "grades"):
            return _save(request, page, setup, action)
        if action == "remove":
            name = request.POST.get("name", "")
            detach(setup, name)
            changed(request, setup, f"{name} is removed.")
        else:
            messages.error(request, "Nothing was done: use one of the buttons.")
    return redirect(page.address("files"))


def _save(request: HttpRequest, page: SetupPage, setup: Setup, action: str) -> HttpResponseBase:
    form: DepthForm | GradesForm
    if action == "pool":
        form = DepthForm(setup, request.POST)
    else:
        file = setup.files.filter(kind=FileKind.GRADES, path=request.POST.get("path", "")).first()
        if file is None:
            messages.error(request, "Nothing was saved: this file was removed.")
            return redirect(page.address("files"))
        form = GradesForm(file, request.POST)
    if not form.is_accepted():
        return _show(request, page, form=form)
    if isinstance(form, DepthForm):
        set_depth(setup, form.cleaned_data["depth"])
    else:
        form.save()
    changed(request, setup)
    return redirect(page.address("files"))


def _show(request: HttpRequest, page: SetupPage, *, form: SetupForm | None = None) -> HttpResponseBase:
    """The page; `form` is one that was not saved."""
    setup, reading = page.setup, page.reading
    sizes = dict(files_in(setup.folder))
    named = list(setup.files.order_by("pk"))
    known = {file.path for file in named}
    runs = Table(
        request,
        RUNS,
        heading="runs",
        key="runs",
        of="runs",
        per_page=0,
        note="Runs as understood, cut to the topics of the study",
    ).at_hand(reading.get("runs", []))
    pools = Table(request, POOLS, heading="pools", key="pools", of="pools", per_page=0).at_hand(
        reading.get("topics", [])
    )
    depth = setup.pool_depth
    given = {file.kind for file in named} | {FileKind.POOL.value}
    if Topic.objects.filter(study=page.draft).exists():
        given.add(TOPICS)
    context = {
        "kinds": [
            {
                "kind": str(kind),
                "label": label,
                "hint": hint,
                "formats": FORMATS[kind],
                "files": [(file.path, _size(sizes, file)) for file in named if file.kind == kind],
                "opens": str(kind) not in given,
            }
            for kind, (label, hint) in LABELS.items()
        ],
        "unused": [(name, size) for name, size in sizes.items() if name not in known],
        "runs": runs,
        "pools": pools,
        "depth_form": form if isinstance(form, DepthForm) else DepthForm(setup),
        "grades_forms": [
            form if isinstance(form, GradesForm) and form.file == file else GradesForm(file)
            for file in named
            if file.kind == FileKind.GRADES
        ],
        "depths": at_depths(page.draft, reading, tuple(sorted({*DEPTHS, depth or 1}))) if reading else [],
        "chosen": depth,
        "form": form,
    }
    return show(request, page, "files", step="files", status=max(runs.status, pools.status), **context)


def _size(sizes: dict[str, int], file: SetupFile) -> int | None:
    """Return the bytes of a file, or of all in a folder; None if nothing is there."""
    found = [size for name, size in sizes.items() if name == file.path or name.startswith(f"{file.path}/")]
    return sum(found) if found else None


def _upload(request: HttpRequest, page: SetupPage, setup: Setup) -> HttpResponseBase:
    """Store the files and read the study from them, too; of grades somebody says first what they mean."""
    back = redirect(page.address("files"))
    kind, form = request.POST.get("kind", ""), request.POST.get("format", "")
    uploads = request.FILES.getlist("file")
    encoding = request.POST.get("encoding", "").strip()[:40]
    if kind not in FORMATS or (form and form not in FORMATS[kind]):
        messages.error(request, "Nothing was uploaded: use one of the forms.")
        return back
    if not uploads:
        messages.error(request, "Nothing was uploaded: choose a file first.", extra_tags=f"file-{kind}")
        return back
    stored = [name for upload in uploads if (name := _store(request, setup, upload))]
    if not stored:
        return back
    if kind == FileKind.GRADES:
        asked = {"name": stored[0]} | ({"encoding": encoding} if encoding else {})
        return redirect(page.address("grades", **asked))
    forms = {name: form or guess_format(setup.folder / name, kind) for name in stored}
    if kind == TOPICS:
        for name, found in forms.items():
            _import_topics(request, setup, name, found, encoding)
        return back
    for name, found in forms.items():
        attach(setup, kind, name, form=found, encoding=encoding)
    read_as = (f"{name}, read as {found}" if found else name for name, found in forms.items())
    changed(request, setup, f"Uploaded: {'; '.join(read_as)}.")
    return back


def _store(request: HttpRequest, setup: Setup, upload: "UploadedFile[bytes]") -> str:
    try:
        return store(setup.folder, str(upload.name), upload.chunks())
    except StudyRefusedError as refusal:
        messages.error(request, " ".join(refusal.translated_lines), extra_tags=f"file-{request.POST['kind']}")
        return ""


def _import_topics(request: HttpRequest, setup: Setup, name: str, form: str, encoding: str) -> None:
    only = [number for number in re.split(r"[\s,;]+", request.POST.get("only", "")) if number]
    path = setup.folder / name
    try:
        added, replaced = import_topics(setup.study, path, form=form, encoding=encoding, only=only)
    except StudyRefusedError as refusal:
        for line in refusal.without(f"{setup.folder}/").translated_lines:
            messages.error(request, line, extra_tags=f"file-{TOPICS}")
        return
    finally:
        remove(setup.folder, name)
    counts = (("added", added), ("replaced", replaced))
    told = " and ".join(f"{count} topic{'s' * (count != 1)} {what}" for what, count in counts if count)
    changed(request, setup, f"{name}, read as {form}: {told or 'no topics found'}.")


@require_safe
@setup_page
def download(request: HttpRequest, page: SetupPage) -> HttpResponseBase:
    """An uploaded file, `?name=`, as it was uploaded."""
    name = request.GET.get("name", "")
    if name not in dict(files_in(page.setup.folder)):
        raise Http404
    return FileResponse((page.setup.folder / name).open("rb"), as_attachment=True, filename=name)
