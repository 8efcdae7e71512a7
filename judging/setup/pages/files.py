"""The “Files and pool” step of a set-up: its files, what the last check read from them, and the pool."""

from operator import itemgetter
from typing import TYPE_CHECKING, Final, NamedTuple

from django.contrib import messages
from django.core.files.uploadedfile import UploadedFile
from django.http import FileResponse, Http404, HttpRequest, HttpResponseBase
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_safe

from judging.core.intake.column_maps import FIELDS, Format
from judging.core.intake.datasets import allows_datasets, dataset_fault, dataset_path
from judging.core.intake.faults import StudyRefusedError
from judging.core.pages.limits import takes_files
from judging.core.pages.tables import Column, Table
from judging.core.words import translated
from judging.models import Setup, SetupFile, Topic
from judging.protocol.setup_files import FileKind
from judging.setup.columns import format_of_upload, needs_columns
from judging.setup.estimating import estimates_by_depth
from judging.setup.files import FORMATS, TOPICS, attach, detach, is_available, set_depth
from judging.setup.pages.common import SetupPage, record_change, render_page, setup_page
from judging.setup.pages.forms import DepthForm, GradesForm, SetupForm
from judging.setup.pages.pool_chart import overlap_chart
from judging.setup.pages.topic_files import import_topic_file
from judging.setup.reading import RunSummary, TopicSummary
from judging.setup.services.setups import locked
from judging.setup.study_files.uploads import files_in, store

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

DEPTHS: Final = (1, 3, 5, 10, 20, 50, 100)


class KindTexts(NamedTuple):
    """The texts of a kind of file: its heading, a hint, and the button that uploads files."""

    label: "StrOrPromise"
    hint: "StrOrPromise"
    upload: "StrOrPromise"


TEXTS: Final = {
    FileKind.DOCUMENTS: KindTexts(
        gettext_lazy("Documents"),
        gettext_lazy("The texts to judge. Plumbline stores only the documents in the pools."),
        gettext_lazy("Upload documents"),
    ),
    TOPICS: KindTexts(
        gettext_lazy("Topics"),
        gettext_lazy("A file of topics. You can also write topics by hand in the next step."),
        gettext_lazy("Upload topics"),
    ),
    FileKind.RUN: KindTexts(
        gettext_lazy("Runs"),
        gettext_lazy("TREC run files of the systems to compare. Their top documents can form the pool."),
        gettext_lazy("Upload runs"),
    ),
    FileKind.GRADES: KindTexts(
        gettext_lazy("Known grades"),
        gettext_lazy("Earlier judgments of these documents, if you have any. They help you choose anchors."),
        gettext_lazy("Upload known grades"),
    ),
    FileKind.POOL: KindTexts(
        gettext_lazy("Pool as a list"),
        gettext_lazy("A list with a topic and a document on each line. It replaces the pool depth."),
        gettext_lazy("Upload the pool"),
    ),
}


def _run_columns() -> list[Column[RunSummary]]:
    return [
        Column("run", _("Run"), itemgetter("tag")),
        Column("file", _("File"), itemgetter("file"), css="text"),
        Column("-topics", _("Topics"), itemgetter("topics")),
        Column("-lines", _("Lines"), itemgetter("documents")),
    ]


def _pool_columns() -> list[Column[TopicSummary]]:
    def name(topic: TopicSummary) -> str:
        return f"{topic['number']} {topic['title']}"

    return [
        Column("topic", _("Topic"), name, by=itemgetter("number")),
        Column("-documents", _("Documents, not counting anchors"), itemgetter("others")),
    ]


@takes_files
@setup_page
def files(request: HttpRequest, page: SetupPage) -> HttpResponseBase:
    """Show the files, or handle one of the forms: upload, remove a file, set the pool depth, save grades."""
    if request.method != "POST":
        return _show(request, page)
    action = request.POST.get("action", "")
    if action == "dataset":
        return _use_dataset(request, page)
    with locked(page.setup) as setup:
        if action == "upload":
            return _upload(request, page, setup)
        if action in ("pool", "grades"):
            return _save(request, page, setup, action)
        if action == "remove":
            name = request.POST.get("name", "")
            detach(setup, name, request.POST.get("kind", ""))
            record_change(request, setup, _("The file {name} was removed.").format(name=name))
        else:
            messages.error(request, _("Nothing was changed. Use one of the buttons."))
    return redirect(page.address("files"))


def _save(request: HttpRequest, page: SetupPage, setup: Setup, action: str) -> HttpResponseBase:
    form: DepthForm | GradesForm
    if action == "pool":
        form = DepthForm(setup, request.POST)
    else:
        file = setup.files.filter(kind=FileKind.GRADES, path=request.POST.get("path", "")).first()
        if file is None:
            messages.error(request, _("Nothing was saved, because this file was removed. Upload it again."))
            return redirect(page.address("files"))
        form = GradesForm(file, request.POST)
    if not form.is_accepted():
        return _show(request, page, form=form)
    if isinstance(form, DepthForm):
        set_depth(setup, form.cleaned_data["depth"])
    else:
        form.save()
    record_change(request, setup)
    return redirect(page.address("files"))


def _show(request: HttpRequest, page: SetupPage, *, form: SetupForm | None = None) -> HttpResponseBase:
    """Return the page. `form` is a form that could not be saved."""
    setup, reading = page.setup, page.reading
    sizes = dict(files_in(setup.folder))
    named = list(setup.files.order_by("pk"))
    used = {file.path for file in named}
    runs = Table(
        request,
        _run_columns(),
        heading="runs",
        key="runs",
        of=_("runs"),
        per_page=0,
        note=_("The last check read these runs. Only lines for topics of the study are counted."),
    ).at_hand(reading.get("runs", []))
    pools = Table(request, _pool_columns(), heading="pools", key="pools", of=_("pools"), per_page=0).at_hand(
        reading.get("topics", [])
    )
    depth = setup.pool_depth
    present = {file.kind for file in named} | {FileKind.POOL.value}
    if Topic.objects.filter(study=page.draft).exists():
        present.add(TOPICS)
    context = {
        "kinds": [
            {
                "kind": str(kind),
                **texts._asdict(),
                "formats": FORMATS[kind],
                "takes_datasets": kind in FIELDS and allows_datasets(),
                "files": [
                    (file.path, _size(sizes, file), _columns_address(page, file))
                    for file in named
                    if file.kind == kind
                ],
                "opens": str(kind) not in present,
            }
            for kind, texts in TEXTS.items()
        ],
        "unused": [(name, size) for name, size in sizes.items() if name not in used],
        "runs": runs,
        "pools": pools,
        "depth_form": form if isinstance(form, DepthForm) else DepthForm(setup),
        "grades_forms": [
            form if isinstance(form, GradesForm) and form.file == file else GradesForm(file)
            for file in named
            if file.kind == FileKind.GRADES
        ],
        "depths": estimates_by_depth(page.draft, reading, tuple(sorted({*DEPTHS, depth or 1})))
        if reading
        else [],
        "chosen": depth,
        "overlap": overlap_chart(reading),
        "form": form,
    }
    return render_page(request, page, "files", step="files", status=max(runs.status, pools.status), **context)


def _columns_address(page: SetupPage, file: SetupFile) -> str:
    """Return the address of the page that changes the columns of a file.

    Return "" if no columns are stored for the file.
    """
    if not file.columns:
        return ""
    query = {"kind": file.kind, "format": file.format, "name": file.path}
    query |= {"encoding": file.encoding} if file.encoding else {}
    return reverse("console:setup_columns", args=[page.study.slug], query=query)


def _size(sizes: dict[str, int], file: SetupFile) -> int | None:
    """Return the size in bytes of a file, or of all files in a folder.

    Return None if no such file exists.
    """
    bytes_of_files = [
        size for name, size in sizes.items() if name == file.path or name.startswith(f"{file.path}/")
    ]
    return sum(bytes_of_files) if bytes_of_files else None


def _upload(request: HttpRequest, page: SetupPage, setup: Setup) -> HttpResponseBase:
    """Store the files, and add them to the set-up. For grades, first ask what the values mean."""
    back = redirect(page.address("files"))
    kind, form = request.POST.get("kind", ""), request.POST.get("format", "")
    uploads = request.FILES.getlist("file")
    encoding = request.POST.get("encoding", "").strip()[:40]
    if kind not in FORMATS or (form and form not in FORMATS[kind]):
        messages.error(request, _("Nothing was uploaded. Use one of the forms."))
        return back
    if not uploads:
        messages.error(request, _("Nothing was uploaded. Choose a file first."), extra_tags=f"file-{kind}")
        return back
    stored = [name for upload in uploads if (name := _store(request, setup, upload))]
    if not stored:
        return back
    if kind == FileKind.GRADES:
        query = {"name": stored[0]} | ({"encoding": encoding} if encoding else {})
        return redirect(page.address("grades", **query))
    only = request.POST.get("only", "")
    formats = {name: format_of_upload(setup.folder, name, kind, form) for name in stored}
    first, container = next(iter(formats.items()))
    if needs_columns(setup.folder, first, kind, container, encoding):
        return _ask_for_columns(page, kind, container, stored, encoding=encoding, only=only)
    if kind == TOPICS:
        for name, file_format in formats.items():
            import_topic_file(request, setup, name, Format(file_format), encoding, only)
        return back
    for name, file_format in formats.items():
        attach(setup, kind, name, form=Format(file_format), encoding=encoding)
    with_format = _("{name} (format: {format})")
    names = (
        with_format.format(name=name, format=file_format) if file_format else name
        for name, file_format in formats.items()
    )
    record_change(request, setup, _("Uploaded: {files}.").format(files="; ".join(names)))
    return back


def _ask_for_columns(
    page: SetupPage, kind: str, container: str, names: list[str], **optional: str
) -> HttpResponseBase:
    """Redirect to the page on which the user says what the columns of these files mean."""
    query = {"kind": kind, "format": container, "name": names}
    query |= {name: value for name, value in optional.items() if value}
    address = reverse("console:setup_columns", args=[page.study.slug], query=query)
    return redirect(address)


def _use_dataset(request: HttpRequest, page: SetupPage) -> HttpResponseBase:
    """Show the columns of a collection of `ir_datasets`, if the site allows the collection."""
    kind, name = request.POST.get("kind", ""), request.POST.get("dataset", "").strip()
    path = dataset_path(name)
    tag = f"dataset-{kind}" if allows_datasets() else ""  # shows the message at this field
    if kind not in FIELDS or not name:
        messages.error(request, _("Nothing was changed. Enter the id of a collection."), extra_tags=tag)
        return redirect(page.address("files"))
    if not is_available(page.setup, path):
        fault = dataset_fault(path)
        text = translated(fault) if fault else _("The id is too long. Correct it.")
        messages.error(request, text, extra_tags=tag)
        return redirect(page.address("files"))
    return _ask_for_columns(page, kind, "irds", [path], only=request.POST.get("only", ""))


def _store(request: HttpRequest, setup: Setup, upload: "UploadedFile[bytes]") -> str:
    try:
        return store(setup.folder, str(upload.name), upload.chunks())
    except StudyRefusedError as refusal:
        messages.error(request, " ".join(refusal.translated_lines), extra_tags=f"file-{request.POST['kind']}")
        return ""


@require_safe
@setup_page
def download(request: HttpRequest, page: SetupPage) -> HttpResponseBase:
    """Return the uploaded file `?name=` unchanged."""
    name = request.GET.get("name", "")
    if name not in dict(files_in(page.setup.folder)):
        raise Http404
    return FileResponse((page.setup.folder / name).open("rb"), as_attachment=True, filename=name)
