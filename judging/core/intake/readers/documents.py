"""Documents from JSONL files and folders of texts, and the table of all formats."""

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


def read_jsonl(source: SourceFile) -> Iterator[DocumentContent]:
    """Yield a document for each line `{"id", "title", "text", "layout"}`.

    `title` and `layout` can be left out; other keys are not read.
    """
    for number, line in source.lines():
        if not line.strip():
            continue
        try:
            values = json.loads(line)
        except (ValueError, RecursionError) as error:
            what = (
                error.msg if isinstance(error, json.JSONDecodeError) else "a number is too long, or too deep"
            )
            source.fault(number, "", f"is not JSON ({what}); write one object to a line")
            continue
        if not isinstance(values, dict):
            source.fault(number, "", 'is not an object; write {"id": "…", "title": "…", "text": "…"}')
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
        source.fault(line, key, f'is missing; add "{key}"')
    else:
        written = json.dumps(value) if isinstance(value, int | float) else shown(value)
        source.fault(line, key, f"{written[:40]} is not text; write it in quotes", like="not text")
    return ""


def read_folder(source: SourceFile) -> Iterator[DocumentContent]:
    """The `.txt` files of a folder, sorted by name; the name without `.txt` is the id."""
    try:
        paths = sorted(path for path in source.path.iterdir() if path.suffix == ".txt")
    except OSError as error:
        source.refuse(f"{source.path} cannot be read as a folder: {error.strerror or error}")
        return
    for path in paths:
        file = source.beside(path)
        with source.faults.watch() as watch:
            text = without_blank_ends(file.text())
            if fault := id_fault(path.stem):
                file.fault(1, "the file's name", fault)
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
"""The same for a layout that shows line breaks. Cranfield's are always those of its file."""
SUFFIXES: Final = {"jsonl": (".jsonl", ".jsonl.gz"), "csv": (".csv", ".csv.gz")}
"""Format → the names of its files in a folder of them; of other formats every file is read."""


def files_of(source: SourceFile, form: str) -> list[SourceFile]:
    """The files that a path stands for: itself, or, of a folder of files, all in it at any depth, by name.

    Hidden files are passed over. A folder without a file is a fault.
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
        source.refuse(f"{source.path} holds no {' or '.join(filter(None, endings)) or 'file'}; mend the path")
    return [source.beside(path) for path in paths]
