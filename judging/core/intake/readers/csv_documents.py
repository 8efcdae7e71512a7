"""Documents as CSV with a header: columns `id` and `text`, and, if wanted, `title` and `layout`."""

import csv
from collections.abc import Iterator
from typing import Final

from evaluation.files.text import LONGEST_LINE
from judging.core.intake.content import DocumentContent
from judging.core.intake.faults import shown
from judging.core.intake.files import SourceFile
from judging.core.intake.readers.layouts import layout_fault, without_blank_ends
from judging.core.intake.readers.sgml import id_fault
from judging.core.intake.tables import unstorable

_LONGEST_CELL: Final = LONGEST_LINE
"""Characters, over all lines of a cell. The module's default of 131,072 is less than long documents have."""


def read_csv_documents(source: SourceFile) -> Iterator[DocumentContent]:
    """One row a document, streamed; cells may hold line breaks inside quotes, other columns are not read.

    Faults end the file where its form is broken, and pass over the row where one cell is.
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
        source.fault(line, "", f"is not well-formed CSV: {error}; mend the row that begins here")


def _header(source: SourceFile, row: list[str]) -> list[str] | None:
    header = [cell.strip() for cell in row]
    for name in ("id", "text"):
        if header.count(name) != 1:
            what = f"{'two columns are' if name in header else 'there is no column'} named {name}"
            source.fault(1, name, f"{what}; begin the file with a header such as id,title,text")
            return None
    return header


def _document(source: SourceFile, line: int, header: list[str], row: list[str]) -> Iterator[DocumentContent]:
    if len(row) != len(header):
        source.fault(line, "", f"{len(row)} cells, and the header has {len(header)}; mend the row")
        return
    cells = dict(zip(header, row, strict=True))
    name, title, text = cells["id"].strip(), cells.get("title", ""), without_blank_ends(cells["text"])
    layout = cells.get("layout", "").strip()
    if fault := id_fault(name):
        source.fault(line, "id", f"{shown(name)} {fault}" if name else fault, like=fault)
    elif fault := unstorable(name + title + text):
        source.fault(line, "text", fault)
    elif fault := layout_fault(layout):
        source.fault(line, "layout", fault)
    else:
        yield DocumentContent(name, " ".join(title.split()), text, source.at(line), layout)
