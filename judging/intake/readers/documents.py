"""Documents from JSONL files, TREC `<DOC>` files, folders of texts, and the Cranfield collection."""

import json
import re
from collections.abc import Callable, Iterator
from typing import Any, Final

from judging.intake.content import DocumentContent
from judging.intake.faults import shown
from judging.intake.files import SourceFile
from judging.intake.readers.cranfield import read_cranfield_documents
from judging.intake.readers.sgml import id_fault, unwrapped, without_tags
from judging.intake.tables import unstorable

_DOCNO: Final = re.compile(r"<DOCNO>(.*?)</DOCNO>", re.IGNORECASE | re.DOTALL)
_TITLE: Final = re.compile(r"<(TITLE|HEADLINE|HEAD|TI)\b[^<>]*>(.*?)</\1>", re.IGNORECASE | re.DOTALL)
_TEXT: Final = re.compile(r"<TEXT\b[^<>]*>(.*?)</TEXT>", re.IGNORECASE | re.DOTALL)


def read_jsonl(source: SourceFile) -> Iterator[DocumentContent]:
    """One object `{"id", "title", "text"}` a line; `title` may be left out, and other keys are not read."""
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
            texts = {key: _json_text(source, number, values, key) for key in ("id", "title", "text")}
        if watch.clean and (fault := id_fault(texts["id"])):
            source.fault(number, "id", fault)
        if watch.clean:
            yield DocumentContent(
                texts["id"], " ".join(texts["title"].split()), texts["text"], source.at(number)
            )


def _json_text(source: SourceFile, line: int, values: dict[str, Any], key: str) -> str:
    value = values.get(key, "" if key == "title" else None)
    if isinstance(value, str):
        if fault := unstorable(value):
            source.fault(line, key, fault)
        return value.strip()
    if key not in values:
        source.fault(line, key, f'is missing; add "{key}"')
    else:
        written = json.dumps(value) if isinstance(value, int | float) else shown(value)
        source.fault(line, key, f"{written[:40]} is not text; write it in quotes")
    return ""


def read_trec_documents(source: SourceFile) -> Iterator[DocumentContent]:
    """`<DOC>` … `</DOC>` with `<DOCNO>`, `<TEXT>` (any number of them) and `<TITLE>` or `<HEADLINE>`."""
    document: list[str] = []
    began: int | None = None
    for number, line in source.lines():
        mark = line.strip().upper()
        if mark == "<DOC>":
            if began is not None:
                source.fault(began, "DOC", "is not closed; end it with a line </DOC>")
            began, document = number, []
        elif mark == "</DOC>" and began is not None:
            yield from _trec_document(source, "\n".join(document), began)
            began = None
        else:
            document.append(line)
    if began is not None:
        source.fault(began, "DOC", "is not closed; end it with a line </DOC>")


def _trec_document(source: SourceFile, raw: str, began: int) -> Iterator[DocumentContent]:
    docno = _DOCNO.search(raw)
    name = docno[1].strip() if docno else ""
    if fault := id_fault(name):
        source.fault(began, "DOCNO", fault)
        return
    title = _TITLE.search(raw)
    text = unwrapped(without_tags("\n\n".join(_TEXT.findall(raw))))
    if fault := unstorable(text):
        source.fault(began, "TEXT", fault)
        return
    yield DocumentContent(
        name, " ".join(without_tags(title[2]).split()) if title else "", text, source.at(began)
    )


def read_folder(source: SourceFile) -> Iterator[DocumentContent]:
    """The `.txt` files of a folder, sorted by name; the name without `.txt` is the id."""
    try:
        paths = sorted(path for path in source.path.iterdir() if path.suffix == ".txt")
    except OSError as error:
        source.refuse(f"{source.path} cannot be read as a folder: {error.strerror or error}")
        return
    for path in paths:
        file = SourceFile(path, source.named_at, source.field, source.faults)
        with source.faults.watch() as watch:
            text = file.text().strip()
            if fault := id_fault(path.stem):
                file.fault(1, "the file's name", fault)
            elif fault := unstorable(text):
                file.fault(1, "", fault)
        if watch.clean:
            yield DocumentContent(path.stem, "", text, file.at(1))


READERS: Final[dict[str, Callable[[SourceFile], Iterator[DocumentContent]]]] = {
    "jsonl": read_jsonl,
    "trec": read_trec_documents,
    "folder": read_folder,
    "cranfield": read_cranfield_documents,
}
