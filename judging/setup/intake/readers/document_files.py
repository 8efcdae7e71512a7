"""Read documents in every format: folders of text files, records, and older formats."""

import re
from collections.abc import Callable, Iterator
from html import unescape
from typing import Final

from judging.core.storable import unstorable
from judging.protocol.markup import Markup
from judging.protocol.words import gettext_noop as _
from judging.setup.intake.column_maps import RECORDS, Format
from judging.setup.intake.content import DocumentContent
from judging.setup.intake.files import SourceFile
from judging.setup.intake.readers.cranfield import read_cranfield_documents
from judging.setup.intake.readers.layouts import clean_text
from judging.setup.intake.readers.mapped import read_mapped_documents
from judging.setup.intake.readers.records import column_map
from judging.setup.intake.readers.sgml import id_fault
from judging.setup.intake.readers.trec_documents import read_trec_documents

MARKUP_OF: Final = {".txt": "", ".html": Markup.HTML.value, ".htm": Markup.HTML.value, ".md": "markdown"}
"""The markup of the files in a folder, by their ending. A file `ID.txt` has the markup of the study."""
_TITLE: Final = re.compile(r"<title\b[^<>]*>([^<]*)</title\s*>", re.IGNORECASE)


def read_folder(source: SourceFile, default: str = Markup.TEXT) -> Iterator[DocumentContent]:
    """Yield a document for each file `ID.txt`, `ID.html` or `ID.md` in a folder, sorted by name.

    `default` is the markup of `.txt` files. The title of an HTML file comes from its `<title>`.
    """
    try:
        paths = sorted(path for path in source.path.iterdir() if path.suffix.lower() in MARKUP_OF)
    except OSError as error:
        unreadable = _("The folder {path} cannot be read: {problem}.")
        source.refuse(unreadable, path=source.path, problem=str(error.strerror or error))
        return
    for path in paths:
        file = source.sibling(path)
        with source.faults.watch() as watch:
            markup = MARKUP_OF[path.suffix.lower()]
            text = clean_text(file.text(), markup or default)
            if fault := id_fault(path.stem):
                file.fault(1, "file name", fault)
            elif fault := unstorable(path.stem + text):
                file.fault(1, "", fault)
        if watch.clean:
            found = _TITLE.search(text) if markup == Markup.HTML else None
            title = " ".join(unescape(found[1]).split()) if found else ""
            yield DocumentContent(path.stem, title, text, file.at(1), markup=markup)


DocumentReader = Callable[[SourceFile], Iterator[DocumentContent]]
READERS: Final[dict[str, DocumentReader]] = {
    "trec": read_trec_documents,
    "folder": read_folder,
    "cranfield": read_cranfield_documents,
}
"""The readers of the formats that do not consist of records."""
FORMATS: Final = (*RECORDS, *READERS)
SUFFIXES: Final = {
    "jsonl": (".jsonl", ".jsonl.gz"),
    "csv": (".csv", ".csv.gz"),
    "tsv": (".tsv", ".tsv.gz"),
    "beir": (".jsonl", ".jsonl.gz"),
    "msmarco": (".tsv", ".tsv.gz"),
}
"""Maps a format to the endings of its files in a folder. For other formats, every file is read."""


def read_documents(
    source: SourceFile, form: Format, *, keeps_lines: bool = False, default: str = Markup.TEXT
) -> Iterator[DocumentContent]:
    """Yield the documents of a file, as a stream.

    Set `keeps_lines` if the layout shows line breaks. Only the reader of the format `trec` uses
    `keeps_lines`: Cranfield's reader always joins lines, and the other readers never join them. `default` is
    the markup of documents that do not have their own.
    """
    if (columns := column_map("documents", form, source)) is not None:
        return read_mapped_documents(source, columns, default)
    if form.name == "trec":
        return read_trec_documents(source, keeps_lines=keeps_lines)
    if form.name == "folder":
        return read_folder(source, default)
    return READERS[form.name](source)


def files_of(source: SourceFile, form: str) -> list[SourceFile]:
    """Return the file at a path or, for a folder, the files in it and its subfolders, sorted by path.

    Skip hidden files, and files whose ending does not fit the format. Add a fault if no file is left. For the
    formats `folder` and `irds`, return only the path itself.
    """
    if form in ("folder", "irds") or not source.path.is_dir():
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
