"""The step of a set-up with its files, what was understood of each, and the pool."""

import re
from collections.abc import Callable
from operator import itemgetter
from typing import Any, Final

from django.contrib import messages
from django.core.files.uploadedfile import UploadedFile
from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import redirect

from judging.intake import StudyRefusedError
from judging.intake.draft_fields import shown, take
from judging.intake.draft_files import KINDS, attach, detach, guess_format, named_files, tables_of
from judging.intake.draft_merging import Parts, stamp
from judging.intake.drafting import Values, folder_of, values_of
from judging.intake.estimating import at_depths, depth_of
from judging.intake.uploads import files_in, remove, store
from judging.pages.console.setup.common import Setup, conflicts_of, save, save_form, setup_page, show
from judging.pages.console.setup.fields import DEPTH
from judging.pages.console.setup.grades import grades_address
from judging.pages.console.tables import Column, Table
from judging.pages.limits import takes_files

DEPTHS: Final = (1, 3, 5, 10, 20, 50, 100)
LABELS: Final = {
    "documents": ("Documents", "The texts to judge. Only those of the pools are stored."),
    "topics": ("Topics", "A file of topics; or write them by hand in the next step."),
    "run": ("Runs", "TREC run files of the systems to compare; their first documents can make the pool."),
    "grades": (
        "Known grades",
        "What others judged before, where there is such: they help to choose anchors.",
    ),
    "pool": ("Pool as a list", "In place of a depth: a list with topic and document on each line."),
}

RUNS: Final[list[Column[dict[str, Any]]]] = [
    Column("run", "Run", itemgetter("tag")),
    Column("file", "File", itemgetter("file"), css="text"),
    Column("-topics", "Topics", itemgetter("topics")),
    Column("-lines", "Lines", itemgetter("documents")),
]
POOLS: Final[list[Column[dict[str, Any]]]] = [
    Column("topic", "Topic", lambda topic: f"{topic['number']} {topic['title']}", by=itemgetter("number")),
    Column("-documents", "Documents beside the anchors", itemgetter("others")),
]


@takes_files
@setup_page
def files(request: HttpRequest, setup: Setup) -> HttpResponseBase:
    """Upload, remove, pool; each by a form of its own, each followed by a new check."""
    if request.method != "POST":
        return _show(request, setup)
    action = request.POST.get("action", "")
    if action == "upload":
        return _upload(request, setup)
    if action == "remove":
        _remove(request, setup, request.POST.get("name", ""))
    elif action in _FORMS:
        return _save(request, setup, action)
    else:
        messages.error(request, "Nothing was done: use one of the buttons.")
    return redirect("console:setup_files", pk=setup.draft.pk)


def _save(request: HttpRequest, setup: Setup, action: str) -> HttpResponseBase:
    """One of the forms that change what is there; uploads only add."""
    parts_of, write = _FORMS[action]
    path = request.POST.get("path", "")

    def parts(values: Values) -> Parts:
        return parts_of(values, path)

    typed = {name: request.POST[name] for name in parts(setup.values) if name in request.POST}
    if not typed:
        messages.error(request, "Nothing was saved: what this form was about is not there any more.")
        return redirect("console:setup_files", pk=setup.draft.pk)
    merged = save_form(
        request,
        setup,
        parts=parts,
        typed=typed,
        write=lambda values, taken: write(values, path, taken),
        labels=_PARTS,
    )
    if not merged.conflicts:
        return redirect("console:setup_files", pk=setup.draft.pk)
    setup.draft.refresh_from_db()
    setup.values = values_of(setup.draft)
    conflicts = conflicts_of(setup, merged, parts(setup.values), _PARTS)
    return _show(request, setup, form=(action, path, merged.values), **conflicts)


def _show(
    request: HttpRequest, setup: Setup, *, form: tuple[str, str, Parts] = ("", "", {}), **context: Any
) -> HttpResponseBase:
    """The page; `form` is one that was not saved: its action, the file of its grades and what was typed."""
    action, path, typed = form
    sizes = dict(files_in(folder_of(setup.draft)))
    named = named_files(setup.values)
    kinds = [
        {
            "kind": kind,
            "label": label,
            "hint": hint,
            "formats": KINDS[kind],
            "files": [(name, sizes.get(name)) for name in named[kind]],
        }
        for kind, (label, hint) in LABELS.items()
    ]
    known = {name for names in named.values() for name in names}
    depth = depth_of(setup.values)
    runs = Table(
        request,
        RUNS,
        heading="runs",
        key="runs",
        of="runs",
        per_page=0,
        note="Runs as understood, cut to the topics of the study",
    ).at_hand(setup.reading.get("runs", []))
    pools = Table(request, POOLS, heading="pools", key="pools", of="pools", per_page=0).at_hand(
        setup.reading.get("topics", [])
    )
    context |= {
        "runs": runs,
        "pools": pools,
        "kinds": kinds,
        "unused": [
            (name, size, grades_address(setup.draft.pk, name))
            for name, size in sizes.items()
            if name not in known
        ],
        "depth": typed.get("pool.depth", shown(DEPTH, setup.values)),
        "depth_seen": stamp(_pool_parts(setup.values)),
        "depths": at_depths(setup.values, setup.reading, tuple(sorted({*DEPTHS, depth or 1} - {0}))),
        "chosen": depth,
        "grades": [
            {
                **_grades_row(table),
                **(typed if action == "grades" and table.get("path") == path else {}),
                "seen": stamp(_grades_row(table)),
                "address": grades_address(setup.draft.pk, str(table.get("path", ""))),
            }
            for table in tables_of(setup.values, "grades")
        ],
        "only": typed.get("only", _only_of(setup.values)),
        "only_seen": stamp(_only_parts(setup.values)),
        "missing": bool(setup.faults) and all(f.missing for f in setup.faults if f.step == "files"),
    }
    context.setdefault("status", max(runs.status, pools.status))
    return show(request, setup, "files", step="files", **context)


def _only_of(values: Values) -> str | None:
    """The topics chosen from the file of them; None without such a file."""
    topics = values.get("topics")
    if not isinstance(topics, dict):
        return None
    only = topics.get("only", [])
    return " ".join(map(str, only)) if isinstance(only, list) else str(only)


def _upload(request: HttpRequest, setup: Setup) -> HttpResponseBase:
    """Store the files and name them in the study file; of grades somebody says first what they mean."""
    page = redirect("console:setup_files", pk=setup.draft.pk)
    kind, form = request.POST.get("kind", ""), request.POST.get("format", "")
    uploads = request.FILES.getlist("file")
    encoding = request.POST.get("encoding", "").strip()[:40]
    if kind not in KINDS or (form and form not in KINDS[kind]):
        messages.error(request, "Nothing was uploaded: use one of the forms.")
        return page
    if not uploads:
        messages.error(request, "Nothing was uploaded: choose a file first.", extra_tags=f"file-{kind}")
        return page
    stored = [name for upload in uploads if (name := _store(request, setup, upload))]

    if kind == "grades":
        return redirect(grades_address(setup.draft.pk, stored[0], encoding)) if stored else page
    forms = {name: form or guess_format(folder_of(setup.draft) / name, kind) for name in stored}

    def name_them(values: Values) -> None:
        for name, found in forms.items():
            attach(values, kind, name, form=found, encoding=encoding)
        if kind == "run" and "pool" not in values:
            values["pool"] = {"depth": 10}

    if stored:
        read_as = (f"{name}, read as {found}" if found else name for name, found in forms.items())
        save(request, setup, name_them, f"Uploaded: {'; '.join(read_as)}.")
    return page


def _store(request: HttpRequest, setup: Setup, upload: UploadedFile) -> str:
    try:
        return store(folder_of(setup.draft), str(upload.name), upload.chunks())
    except StudyRefusedError as refusal:
        messages.error(request, " ".join(refusal.lines), extra_tags=f"file-{request.POST['kind']}")
        return ""


def _remove(request: HttpRequest, setup: Setup, name: str) -> None:
    def forget(values: Values) -> None:
        detach(values, name)
        remove(folder_of(setup.draft), name)

    save(request, setup, forget, f"{name} is removed.")


def _pool_parts(values: Values, path: str = "") -> Parts:
    return {"pool.depth": shown(DEPTH, values)}


def _pool(values: Values, path: str, taken: Parts) -> None:
    pool = values.get("pool")
    if isinstance(pool, dict):
        pool.pop("path", None)
        pool.pop("encoding", None)
    take(DEPTH, taken["pool.depth"], values)


def _grades_parts(values: Values, path: str) -> Parts:
    """What is said of the set of grades in a file; nothing where there is no such set."""
    table = _grades_in(values, path)
    return _grades_row(table) if table is not None else {}


def _grades_in(values: Values, path: str) -> dict[str, Any] | None:
    return next((one for one in tables_of(values, "grades") if str(one.get("path", "")) == path), None)


def _grades(values: Values, path: str, taken: Parts) -> None:
    if (table := _grades_in(values, path)) is None:
        return
    for key in ("name", "unlisted"):
        if typed := taken.get(key, "").strip():
            table[key] = typed
        else:
            table.pop(key, None)


def _only_parts(values: Values, path: str = "") -> Parts:
    only = _only_of(values)
    return {} if only is None else {"only": only}


def _only(values: Values, path: str, taken: Parts) -> None:
    if isinstance(values.get("topics"), dict):
        if numbers := [one for one in re.split(r"[\s,;]+", taken["only"]) if one]:
            values["topics"]["only"] = numbers
        else:
            values["topics"].pop("only", None)


def _grades_row(table: dict[str, Any]) -> Parts:
    return {
        "name": str(table.get("name", "")),
        "path": str(table.get("path", "")),
        "unlisted": str(table.get("unlisted", "")),
    }


_FORMS: Final[dict[str, tuple[Callable[[Values, str], Parts], Callable[[Values, str, Parts], None]]]] = {
    "pool": (_pool_parts, _pool),
    "grades": (_grades_parts, _grades),
    "only": (_only_parts, _only),
}
"""Action → what its form shows, and writing it; both are given the file of a set of grades."""
_PARTS: Final = {
    "pool.depth": "Depth",
    "only": "Only these topics",
    "name": "Name in exports",
    "unlisted": "Pooled documents that the file does not list",
    "path": "File",
}
