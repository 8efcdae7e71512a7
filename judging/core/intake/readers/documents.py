"""Documents from JSONL files and folders of text files, and the table of all formats."""

import json
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Final

from judging.core.intake.content import DocumentContent
from judging.core.intake.faults import shown
from judging.core.intake.files import SourceFile
from judging.core.intake.readers.cranfield import read_cranfield_documents
from judging.core.intake.readers.csv_documents import read_csv_documents
from judging.core.intake.readers.layouts import layout_fault, without_blank_ends
from judging.core.intake.readers.sgml import id_fault
from judging.core.intake.readers.trec_documents import read_trec_documents
from judging.core.intake.tables import unstorable
from judging.protocol.words import gettext_noop as _


def read_jsonl(source: SourceFile) -> Iterator[DocumentContent]:
    """Yield a document for each line `{"id", "title", "text", "layout"}`.

    `title` and `layout` are optional; other keys are ignored.
    """
    for number, line in source.lines():
        if not line.strip():
            continue
        try:
            values = json.loads(line)
        except (ValueError, RecursionError) as error:
            if isinstance(error, json.JSONDecodeError):
                malformed = _("The line is not valid JSON ({problem}). Write one object per line.")
                source.fault(number, "", malformed, problem=error.msg)
            else:
                too_long = _(
                    "The JSON has a number that is too long, or brackets that are nested too deeply. Correct"
                    " the line."
                )
                source.fault(number, "", too_long)
            continue
        if not isinstance(values, dict):
            no_object = _("The line is not a JSON object. Write it like {example}.")
            source.fault(number, "", no_object, example='{"id": "…", "title": "…", "text": "…"}')
            continue
        with source.faults.watch() as watch:
            texts = {
                key: _json_text(source, number, values, key) for key in ("id", "title", "text", "layout")
            }
            if fault := layout_fault(texts["layout"]):
                source.fault(number, "layout", fault)
        if watch.clean and (fault := id_fault(texts["id"])):
            source.fault(number, "id", fault)
        if watch.clean:
            title = " ".join(texts["title"].split())
            yield DocumentContent(texts["id"], title, texts["text"], source.at(number), texts["layout"])


def _json_text(source: SourceFile, line: int, values: Mapping[str, object], key: str) -> str:
    value = values.get(key, "" if key in ("title", "layout") else None)
    if isinstance(value, str):
        if fault := unstorable(value):
            source.fault(line, key, fault)
        return without_blank_ends(value) if key == "text" else value.strip()
    if key not in values:
        source.fault(line, key, _('The key "{key}" is missing. Add it.'), key=key)
    else:
        written = json.dumps(value) if isinstance(value, int | float) else shown(value)
        no_text = _("{value} is not text. Write it in quotes.")
        source.fault(line, key, no_text, like="not text", value=written[:40])
    return ""


def read_folder(source: SourceFile) -> Iterator[DocumentContent]:
    """Yield a document for each file `ID.txt` of a folder, sorted by name."""
    try:
        paths = sorted(path for path in source.path.iterdir() if path.suffix == ".txt")
    except OSError as error:
        unreadable = _("The folder {path} cannot be read: {problem}.")
        source.refuse(unreadable, path=source.path, problem=str(error.strerror or error))
        return
    for path in paths:
        file = source.sibling(path)
        with source.faults.watch() as watch:
            text = without_blank_ends(file.text())
            if fault := id_fault(path.stem):
                file.fault(1, "file name", fault)
            elif fault := unstorable(path.stem + text):
                file.fault(1, "", fault)
        if watch.clean:
            yield DocumentContent(path.stem, "", text, file.at(1))


READERS: Final[dict[str, Callable[[SourceFile], Iterator[DocumentContent]]]] = {
    "jsonl": read_jsonl,
    "csv": read_csv_documents,
    "trec": read_trec_documents,
    "folder": read_folder,
    "cranfield": read_cranfield_documents,
}
KEEPING_LINES: Final = READERS | {"trec": partial(read_trec_documents, keeps_lines=True)}
"""The readers for a layout that shows line breaks. Cranfield's reader never keeps them."""
SUFFIXES: Final = {"jsonl": (".jsonl", ".jsonl.gz"), "csv": (".csv", ".csv.gz")}
"""Maps a format to the endings of its files in a folder. For other formats, every file is read."""


def files_of(source: SourceFile, form: str) -> list[SourceFile]:
    """Return the file at a path. For a folder, return the files in it and its subfolders, sorted by name.

    Skip hidden files. Add a fault if the folder has no file of the format.
    """
    if form == "folder" or not source.path.is_dir():
        return [source]
    endings = SUFFIXES.get(form, ("",))
    paths = sorted(
        path
        for path in source.path.rglob("*")
        if path.is_file()
        and path.name.lower().endswith(endings)
        and not any(part.startswith(".") for part in path.relative_to(source.path).parts)
    )
    if not paths:
        if named := ", ".join(filter(None, endings)):
            no_such_file = _("The folder {path} has no files that end in {endings}. Correct the path.")
            source.refuse(no_such_file, path=source.path, endings=named)
        else:
            source.refuse(_("The folder {path} has no files. Correct the path."), path=source.path)
    return [source.sibling(path) for path in paths]
