"""Documents as CSV with a header: columns `id` and `text`, and optionally `title` and `layout`."""

import csv
from collections.abc import Iterator
from typing import Final

from evaluation.files.text import LONGEST_LINE
from judging.core.intake.content import DocumentContent
from judging.core.intake.files import SourceFile
from judging.core.intake.readers.layouts import layout_fault, without_blank_ends
from judging.core.intake.readers.sgml import id_fault
from judging.core.intake.tables import unstorable
from judging.protocol.words import gettext_noop as _

_LONGEST_CELL: Final = LONGEST_LINE
"""The maximum number of characters in a cell. Long documents exceed the csv module's default of 131,072."""


def read_csv_documents(source: SourceFile) -> Iterator[DocumentContent]:
    """Yield a document for each row. Cells in quotes can contain line breaks; other columns are ignored.

    After a fault in the CSV syntax, stop. After a fault in a cell, skip the row.
    """
    csv.field_size_limit(_LONGEST_CELL)
    reader = csv.reader((f"{line}\n" for _, line in source.lines()), strict=True)
    header: list[str] | None = None
    line = 1
    try:
        for row in reader:
            if header is None:
                if (header := _header(source, row)) is None:
                    return
            elif row:
                yield from _document(source, line, header, row)
            line = reader.line_num + 1
    except csv.Error as error:
        malformed = _("The row that begins here is not valid CSV: {problem}. Correct the row.")
        source.fault(line, "", malformed, problem=str(error))


def _header(source: SourceFile, row: list[str]) -> list[str] | None:
    header = [cell.strip() for cell in row]
    for name in ("id", "text"):
        if header.count(name) != 1:
            twice = _("Several columns have the name {column}. Write a header such as id,title,text.")
            missing = _("The column {column} is missing. Begin the file with a header such as id,title,text.")
            source.fault(1, name, twice if name in header else missing, column=name)
            return None
    return header


def _document(source: SourceFile, line: int, header: list[str], row: list[str]) -> Iterator[DocumentContent]:
    if len(row) != len(header):
        cells_differ = _("The row has {number} cells, but the header has {needed}. Add or remove cells.")
        source.fault(line, "", cells_differ, number=len(row), needed=len(header))
        return
    cells = dict(zip(header, row, strict=True))
    name, title, text = cells["id"].strip(), cells.get("title", ""), without_blank_ends(cells["text"])
    layout = cells.get("layout", "").strip()
    if fault := id_fault(name):
        source.fault(line, "id", fault, like=fault.text)
    elif fault := unstorable(name + title + text):
        source.fault(line, "text", fault)
    elif fault := layout_fault(layout):
        source.fault(line, "layout", fault)
    else:
        yield DocumentContent(name, " ".join(title.split()), text, source.at(line), layout)
