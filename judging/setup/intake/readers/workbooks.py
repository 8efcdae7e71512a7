"""Read the first sheet of an Excel workbook as rows of text."""

import re
import zipfile
from collections.abc import Iterator
from datetime import date, datetime, time
from typing import Any, Final

from evaluation.parsing.packing import MOST_RATIO, UNPACKED_FREELY
from judging.core.zip_limit import too_many_entries
from judging.protocol.words import gettext_noop as _
from judging.setup.intake.files import SourceFile

_MOST_COLUMNS: Final = 1000
_BROKEN: Final = (
    *(zipfile.BadZipFile, KeyError, ValueError, TypeError, AttributeError, IndexError),
    *(EOFError, OverflowError, RuntimeError, SyntaxError, NotImplementedError),
)
"""The errors of openpyxl for damaged workbooks. A `SyntaxError` is an error in XML."""
_ZEROS: Final = re.compile("0+")
_DECIMALS: Final = re.compile(r"0\.(0+)")
_SCIENTIFIC: Final = re.compile(r"0(?:\.(0+))?E\+0+", re.IGNORECASE)


def workbook_rows(source: SourceFile) -> Iterator[tuple[int, list[str]]]:
    """Yield the number and the cells of each row that is not empty, as a spreadsheet shows them.

    All rows have as many cells as the first. Give a notice if the workbook has more sheets. Add a fault if it
    cannot be read.
    """
    try:
        with source.path.open("rb") as file:
            if too_many_entries(file) or _is_too_large(zipfile.ZipFile(file)):
                too_large = _("The workbook is too large when unpacked. Save the sheet as CSV.")
                source.fault(1, "", too_large)
                return
            file.seek(0)
            yield from _rows(source, file)
    except _BROKEN as error:
        broken = _("The Excel workbook cannot be read ({problem}). Save it again, or save the sheet as CSV.")
        source.fault(1, "", broken, problem=" ".join(str(error).split())[:100])
    except OSError as error:
        unreadable = _("The file {path} cannot be read: {problem}. Correct the path or the permissions.")
        source.refuse(unreadable, path=source.path, problem=str(error.strerror or error))


def _is_too_large(archive: zipfile.ZipFile) -> bool:
    """Return whether a zip unpacks to too many bytes. `zipfile` never unpacks more than an entry declares."""
    packed = sum(entry.compress_size for entry in archive.infolist())
    return sum(entry.file_size for entry in archive.infolist()) > max(UNPACKED_FREELY, MOST_RATIO * packed)


def _rows(source: SourceFile, file: Any) -> Iterator[tuple[int, list[str]]]:
    from openpyxl import load_workbook  # takes a twentieth of the time in which the site starts

    workbook = load_workbook(file, read_only=True, data_only=True)
    sheets = workbook.worksheets
    if not sheets:
        source.fault(1, "", _("The Excel workbook has no sheet with cells. Save the sheet as CSV."))
        return
    sheet = sheets[0]
    if len(sheets) > 1:
        more = _("{file} has {number} sheets. Plumbline reads only the first, {sheet}.")
        source.notice(more, file=source.path.name, number=len(sheets), sheet=repr(sheet.title))
    sheet.reset_dimensions()
    width = 0
    for number, row in enumerate(sheet.iter_rows(max_col=_MOST_COLUMNS), start=1):
        cells = [_shown(cell) for cell in row]
        while cells and (not cells[-1]) and len(cells) > width:
            cells.pop()
        if any(cells):
            width = width or len(cells)
            yield number, cells + [""] * (width - len(cells))


def _shown(cell: Any) -> str:
    """Return the text of a cell. A number has its leading zeros and decimals, and a date is in ISO 8601."""
    value, form = cell.value, str(getattr(cell, "number_format", "") or "")
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).upper()
    if isinstance(value, datetime):
        return value.date().isoformat() if value.time() == time() else value.isoformat(" ")
    if isinstance(value, date | time):
        return value.isoformat()
    if isinstance(value, int | float):
        return _number(value, form)
    return str(value)


def _number(value: float, form: str) -> str:
    if _ZEROS.fullmatch(form) and value == int(value):
        return f"{int(value):0{len(form)}d}"
    if decimals := _DECIMALS.fullmatch(form):
        return f"{value:.{len(decimals[1])}f}"
    if scientific := _SCIENTIFIC.fullmatch(form):
        return f"{value:.{len(scientific[1] or '')}E}"
    return str(int(value)) if value == int(value) else repr(value)
