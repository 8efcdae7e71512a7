"""What an uploaded file does to the study file: which key names it, in which format it is read."""

import gzip
import re
from pathlib import Path
from typing import Any, Final

from judging.intake.readers.documents import READERS

Values = dict[str, Any]
KINDS: Final = {
    "documents": tuple(name for name in READERS if name != "folder"),
    "topics": ("trec", "cranfield"),
    "grades": (),
    "run": (),
    "pool": (),
}
"""What can be uploaded → the formats in which it can be. For grades see `draft_grades`."""
_HEAD: Final = 64 * 1024
_GZIP: Final = b"\x1f\x8b"
_LONGEST_NAME: Final = 40


def guess_format(path: Path, kind: str) -> str:
    """The format that a file of a kind seems to have, by its first lines."""
    formats = KINDS[kind]
    head = _head(path)
    rules = (
        ("cranfield", re.search(r"^\.I\s", head, re.MULTILINE)),
        ("trec", re.search(r"<(doc|top)>", head, re.IGNORECASE)),
        ("jsonl", head.lstrip().startswith("{")),
        ("csv", re.match(r'\s*"?\w+"?\s*,', head)),
    )
    return next((name for name, fits in rules if fits and name in formats), formats[0] if formats else "")


def attach(values: Values, kind: str, name: str, *, form: str = "", encoding: str = "") -> None:
    """Name a file in the study file: beside the earlier ones where the kind can have several."""
    more: Values = {"encoding": encoding} if encoding else {}
    if kind == "documents":
        table = values.get("documents")
        same = isinstance(table, dict) and table.get("format") == form and "path" in table
        paths = [*_paths(table), name] if same else [name]
        values["documents"] = {"format": form, "path": paths, **more, **_layout(table)}
    elif kind == "topics":
        table = values.get("topics")
        paths = [*_paths(table), name] if isinstance(table, dict) and table.get("format") == form else [name]
        values["topics"] = {"format": form, "path": paths, **more}
    elif kind == "pool":
        values["pool"] = {"path": name, **more}
    elif kind == "grades":
        entry = {"name": _grades_name(values, name), "path": name, **more}
        values["grades"] = [*tables_of(values, "grades"), entry]
    else:
        values["run"] = [*tables_of(values, "run"), {"path": name, **more}]


def detach(values: Values, name: str) -> None:
    """Take a file out of the study file, wherever it is named."""
    for kind in ("documents", "topics", "pool"):
        table = values.get(kind)
        if not isinstance(table, dict) or name not in _paths(table):
            continue
        if left := [path for path in _paths(table) if path != name]:
            table["path"] = left
        elif layout := _layout(table):
            values[kind] = layout
        else:
            del values[kind]
    for kind in ("grades", "run"):
        left = [table for table in tables_of(values, kind) if table.get("path") != name]
        if left:
            values[kind] = left
        else:
            values.pop(kind, None)


def named_files(values: Values) -> dict[str, list[str]]:
    """Kind → the files that the study file names for it, in its order."""
    named = {kind: [path for table in tables_of(values, kind) for path in _paths(table)] for kind in KINDS}
    return {kind: [path for path in paths if path] for kind, paths in named.items()}


def tables_of(values: Values, kind: str) -> list[Values]:
    """Return the tables of a kind of file in the study file."""
    found = values.get(kind, [])
    return [one for one in (found if isinstance(found, list) else [found]) if isinstance(one, dict)]


def _layout(table: Any) -> Values:
    """Return what the table says about line breaks, which holds whichever files it names."""
    return {"layout": table["layout"]} if isinstance(table, dict) and "layout" in table else {}


def _paths(table: Any) -> list[str]:
    path = table.get("path", []) if isinstance(table, dict) else []
    return [str(one) for one in (path if isinstance(path, list) else [path])]


def _grades_name(values: Values, file: str) -> str:
    stem = re.sub(r"[^A-Za-z0-9_-]+", "-", file.split(".")[0])[:_LONGEST_NAME].strip("-") or "grades"
    taken = {table.get("name") for table in tables_of(values, "grades")}
    names = (stem if number == 1 else f"{stem}-{number}" for number in range(1, len(taken) + 2))
    return next(name for name in names if name not in taken)


def _head(path: Path) -> str:
    with path.open("rb") as raw:
        packed = raw.read(2) == _GZIP
    try:
        with gzip.open(path) if packed else path.open("rb") as file:
            return file.read(_HEAD).decode("utf-8-sig", errors="replace")
    except (OSError, EOFError):
        return ""
