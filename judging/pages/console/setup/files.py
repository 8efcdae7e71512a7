"""The step of a set-up with its files, what was understood of each, and the pool."""

import re
from operator import itemgetter
from typing import Any, Final

from django.contrib import messages
from django.core.files.uploadedfile import UploadedFile
from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import redirect

from judging.intake import StudyRefusedError
from judging.intake.draft_fields import shown, take
from judging.intake.draft_files import KINDS, attach, detach, guess_format, named_files
from judging.intake.drafting import Values, folder_of
from judging.intake.estimating import at_depths, depth_of
from judging.intake.uploads import files_in, remove, store
from judging.pages.console.setup.common import Setup, save, setup_page, show
from judging.pages.console.setup.fields import DEPTH
from judging.pages.console.sorting import sorting_of

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

RUNS_BY: Final = {
    "run": itemgetter("tag"),
    "file": itemgetter("file"),
    "-topics": itemgetter("topics"),
    "-lines": itemgetter("documents"),
}
POOLS_BY: Final = {"topic": itemgetter("number"), "-documents": itemgetter("others")}


@setup_page
def files(request: HttpRequest, setup: Setup) -> HttpResponseBase:
    """Upload, remove, pool; each by a form of its own, each followed by a new check."""
    if request.method != "POST":
        return _show(request, setup)
    action = request.POST.get("action", "")
    if action == "upload":
        _upload(request, setup)
    elif action == "remove":
        _remove(request, setup, request.POST.get("name", ""))
    elif action == "pool":
        save(request, setup, lambda values: _pool(request, values))
    elif action == "grades":
        save(request, setup, lambda values: _grades(request, values))
    elif action == "only":
        save(request, setup, lambda values: _only(request, values))
    else:
        messages.error(request, "Nothing was done: use one of the buttons.")
    return redirect("console:setup_files", pk=setup.draft.pk)


def _show(request: HttpRequest, setup: Setup) -> HttpResponseBase:
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
    runs = sorting_of(request, *RUNS_BY, default="", key="runs")
    pools = sorting_of(request, *POOLS_BY, default="", key="pools")
    read_runs, read_topics = setup.reading.get("runs", []), setup.reading.get("topics", [])
    context = {
        "runs": runs,
        "read_runs": runs.rows(read_runs, RUNS_BY) if runs.key else read_runs,
        "pools": pools,
        "read_topics": pools.rows(read_topics, POOLS_BY) if pools.key else read_topics,
        "kinds": kinds,
        "unused": [(name, size) for name, size in sizes.items() if name not in known],
        "depth": shown(DEPTH, setup.values),
        "depths": at_depths(setup.values, setup.reading, tuple(sorted({*DEPTHS, depth or 1} - {0}))),
        "chosen": depth,
        "grades": [_grades_row(table) for table in _tables(setup.values, "grades")],
        "only": _only_of(setup.values),
    }
    status = max(runs.status, pools.status)
    return show(request, setup, "files", step="files", status=status, **context)


def _only_of(values: Values) -> str | None:
    """The topics chosen from the file of them; None without such a file."""
    topics = values.get("topics")
    if not isinstance(topics, dict):
        return None
    only = topics.get("only", [])
    return " ".join(map(str, only)) if isinstance(only, list) else str(only)


def _upload(request: HttpRequest, setup: Setup) -> None:
    kind, form = request.POST.get("kind", ""), request.POST.get("format", "")
    uploads = request.FILES.getlist("file")
    encoding = request.POST.get("encoding", "").strip()[:40]
    if kind not in KINDS or (form and form not in KINDS[kind]):
        messages.error(request, "Nothing was uploaded: use one of the forms.")
        return
    if not uploads:
        messages.error(request, "Nothing was uploaded: choose a file first.")
        return
    stored = [name for upload in uploads if (name := _store(request, setup, upload))]

    def name_them(values: Values) -> None:
        for name in stored:
            found = form or guess_format(folder_of(setup.draft) / name, kind)
            attach(values, kind, name, form=found, encoding=encoding)
        if kind == "run" and "pool" not in values:
            values["pool"] = {"depth": 10}

    if stored:
        save(request, setup, name_them, f"Uploaded: {', '.join(stored)}.")


def _store(request: HttpRequest, setup: Setup, upload: UploadedFile) -> str:
    try:
        return store(folder_of(setup.draft), str(upload.name), upload.chunks())
    except StudyRefusedError as refusal:
        messages.error(request, " ".join(refusal.lines))
        return ""


def _remove(request: HttpRequest, setup: Setup, name: str) -> None:
    def forget(values: Values) -> None:
        detach(values, name)
        remove(folder_of(setup.draft), name)

    save(request, setup, forget, f"{name} is removed.")


def _pool(request: HttpRequest, values: Values) -> None:
    pool = values.get("pool")
    if isinstance(pool, dict):
        pool.pop("path", None)
        pool.pop("encoding", None)
    take(DEPTH, request.POST.get("pool.depth", ""), values)


def _grades(request: HttpRequest, values: Values) -> None:
    """Name, levels and unlisted of one set of grades, by its place."""
    tables, place = _tables(values, "grades"), request.POST.get("place", "")
    if not place.isascii() or not place.isdigit() or int(place) >= len(tables):
        return
    table = tables[int(place)]
    for key in ("name", "unlisted"):
        if typed := request.POST.get(key, "").strip():
            table[key] = typed
        else:
            table.pop(key, None)
    pairs = [part.partition("=") for part in re.split(r"[\s,]+", request.POST.get("levels", "")) if part]
    if pairs:
        table["levels"] = {value: level for value, _, level in pairs}
    else:
        table.pop("levels", None)


def _only(request: HttpRequest, values: Values) -> None:
    if isinstance(values.get("topics"), dict):
        if numbers := request.POST.get("only", "").split():
            values["topics"]["only"] = numbers
        else:
            values["topics"].pop("only", None)


def _grades_row(table: dict[str, Any]) -> dict[str, str]:
    levels = table.get("levels")
    said = " ".join(f"{value}={level}" for value, level in levels.items()) if isinstance(levels, dict) else ""
    return {
        "name": str(table.get("name", "")),
        "path": str(table.get("path", "")),
        "levels": said,
        "unlisted": str(table.get("unlisted", "")),
    }


def _tables(values: Values, name: str) -> list[dict[str, Any]]:
    found = values.get(name)
    return [one for one in found if isinstance(one, dict)] if isinstance(found, list) else []
