"""The “Files and pool” step of a set-up: its files, what the last check read from them, and the pool."""

from typing import Final

from django.contrib import messages
from django.core.files.uploadedfile import UploadedFile
from django.http import FileResponse, Http404, HttpRequest, HttpResponseBase
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from judging.core.faults import StudyRefusedError
from judging.core.pages.limits import takes_files
from judging.core.pages.page_table import Table
from judging.core.words import translated
from judging.models import Setup, SetupFile, Topic
from judging.protocol.setup_files import FileKind
from judging.setup.estimating import estimates_by_depth
from judging.setup.files import FORMATS, TOPICS, detach, is_available, set_depth, upload_fault
from judging.setup.intake.column_maps import FIELDS
from judging.setup.intake.datasets import allows_datasets, dataset_fault, dataset_path
from judging.setup.pages.common import SetupPage, record_change, render_page, setup_page, setup_refusal
from judging.setup.pages.file_texts import TEXTS, pool_columns, run_columns
from judging.setup.pages.forms import DepthForm, GradesForm, SetupForm
from judging.setup.pages.pool_chart import overlap_chart
from judging.setup.pages.questions import Question, add_questions, waiting
from judging.setup.pages.uses import Use, columns_page, use_or_ask, where_unused
from judging.setup.replacing import earlier_file, is_same_file
from judging.setup.services.setups import locked
from judging.setup.study_files.uploads import files_in, remove, safe_name, store

DEPTHS: Final = (1, 3, 5, 10, 20, 50, 100)


@takes_files(setup_refusal)
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
        if action == "use":
            return _use_unused(request, page, setup)
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
        depth = form.cleaned_data["depth"]
        lists = setup.files.filter(kind=FileKind.POOL) if depth is not None else setup.files.none()
        replaced = list(lists.values_list("path", flat=True))
        set_depth(setup, depth)
        if replaced:
            messages.warning(request, where_unused(replaced))
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
        run_columns(),
        heading="runs",
        key="runs",
        of=_("runs"),
        per_page=0,
        note=_("The last check read these runs. Only lines for topics of the study are counted."),
    ).at_hand(reading.get("runs", []))
    pools = Table(request, pool_columns(), heading="pools", key="pools", of=_("pools"), per_page=0).at_hand(
        reading.get("topics", [])
    )
    depth = setup.pool_depth
    present = {file.kind for file in named} | {FileKind.POOL.value, FileKind.PICTURES.value}
    if Topic.objects.filter(study=page.draft).exists():
        present.add(TOPICS)
    context = {
        "kinds": [
            {
                "kind": str(kind),
                **texts._asdict(),
                "formats": FORMATS[kind],
                "is_text": kind != FileKind.PICTURES,
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
        "waiting": waiting(request, setup),
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
    """Return the address of the page on which the user changes the columns of a file.

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
    """Store the chosen files of all kinds, and use those about which Plumbline has no question.

    For the other files, first ask the user what the columns or values mean, or whether a file replaces an
    earlier file of the same name.
    """
    back = redirect(page.address("files"))
    pressed = request.POST.get("kind", "")
    formats = {kind: request.POST.get(f"format-{kind}", "") for kind in FORMATS}
    if pressed not in FORMATS or any(form and form not in FORMATS[kind] for kind, form in formats.items()):
        messages.error(request, _("Nothing was uploaded. Use one of the forms."))
        return back
    if not request.FILES:
        messages.error(request, _("Nothing was uploaded. Choose a file first."), extra_tags=f"file-{pressed}")
        return back
    questions: list[Question] = []
    used: list[str] = []
    for kind, form in sorted(formats.items(), key=lambda entry: entry[0] == TOPICS):
        encoding = request.POST.get(f"encoding-{kind}", "").strip()[:40]
        use = Use(kind, form, encoding, request.POST.get("only", "") if kind == TOPICS else "")
        uploads = request.FILES.getlist(f"file-{kind}")
        stored = [_store(request, page, setup, upload, use) for upload in uploads]
        questions += [question for _name, question in stored if question is not None]
        new = [name for name, question in stored if name and question is None]
        uses = use_or_ask(request, page, setup, new, use)
        used += uses.used
        questions += uses.questions
    if used:
        record_change(request, setup, _("Uploaded: {files}.").format(files="; ".join(used)))
    return _ask(request, page, setup, questions)


def _ask(request: HttpRequest, page: SetupPage, setup: Setup, questions: list[Question]) -> HttpResponseBase:
    """Redirect to the first question, or to the files if there is no question.

    Files of topics come last, because the other files tell which topics have grades or runs.
    """
    if not questions:
        return redirect(page.address("files"))
    add_questions(request, setup, questions)
    return redirect(questions[0].address)


def _use_unused(request: HttpRequest, page: SetupPage, setup: Setup) -> HttpResponseBase:
    """Use a file that is already uploaded."""
    back = redirect(page.address("files"))
    kind, name = request.POST.get("kind", ""), request.POST.get("name", "")
    if kind not in FORMATS:
        messages.error(request, _("Nothing was changed. Use one of the buttons."))
        return back
    if name not in dict(files_in(setup.folder)):
        messages.error(request, _("This file was removed. Upload it again."))
        return back
    if problem := upload_fault(setup.folder / name, kind):
        messages.error(request, translated(problem), extra_tags=f"file-{kind}")
        return back
    uses = use_or_ask(request, page, setup, [name], Use(kind, only=request.POST.get("only", "")))
    if uses.used:
        record_change(request, setup, _("Now used: {files}.").format(files="; ".join(uses.used)))
    return _ask(request, page, setup, uses.questions)


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
    return redirect(columns_page(page, [path], Use(kind, "irds", only=request.POST.get("only", ""))))


def _store(
    request: HttpRequest, page: SetupPage, setup: Setup, upload: "UploadedFile[bytes]", use: Use
) -> tuple[str, Question | None]:
    """Store a file, and return its name and the question whether it replaces an earlier file, if any.

    If the file is not a file of this kind, or is here already with the same content, delete it and return "".
    """
    sent = str(upload.name)
    try:
        name = store(setup.folder, sent, upload.chunks())
        if problem := upload_fault(setup.folder / name, use.kind, use.form):
            remove(setup.folder, name)
            raise StudyRefusedError([problem])
    except StudyRefusedError as refusal:
        messages.error(request, " ".join(refusal.translated_lines), extra_tags=f"file-{use.kind}")
        return "", None
    if use.kind == FileKind.PICTURES:
        return _replace_picture(setup, name, sent), None
    old = earlier_file(setup, use.kind, name, sent)
    if not old:
        return name, None
    if is_same_file(setup, old, name):
        remove(setup.folder, name)
        text = _("{name} is here already with the same content, so nothing was changed.")
        messages.info(request, text.format(name=old))
        return "", None
    return name, Question([name], page.address("replace", old=old, name=name, **use.query))


def _replace_picture(setup: Setup, name: str, sent: str) -> str:
    """Give an uploaded picture the name that documents use, even if an earlier picture has it."""
    wanted = safe_name(sent)
    if name == wanted or not setup.files.filter(kind=FileKind.PICTURES, path=wanted).exists():
        return name
    (setup.folder / name).replace(setup.folder / wanted)
    return wanted


@require_safe
@setup_page
def download(request: HttpRequest, page: SetupPage) -> HttpResponseBase:
    """Return an uploaded file unchanged. `?name=` is the name of the file."""
    name = request.GET.get("name", "")
    if name not in dict(files_in(page.setup.folder)):
        raise Http404
    return FileResponse((page.setup.folder / name).open("rb"), as_attachment=True, filename=name)
