"""Make CSV safe for spreadsheets, so that no spreadsheet runs text as a formula.

Text from a worker or from a platform's link can begin with `=`. A spreadsheet would run it as a formula,
which can send data or start programs: see https://owasp.org/www-community/attacks/CSV_Injection. The other
formats are for programs, and keep all text unchanged.
"""

import re
from dataclasses import replace
from typing import Final, TypeVar

from judging.core.formats.export_table import Table

C = TypeVar("C")
SPREADSHEET: Final = "spreadsheet"
MARK: Final = "\ufeff"
"""The byte-order mark, without which some spreadsheets do not recognise UTF-8."""
_FORMULA: Final = re.compile(r"[\t\r\n]|\s*[=+\-@＝＋－＠]")
_NUMBER: Final = re.compile(r"[+-]?[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?")


def harmless(cell: C) -> C | str:
    """Return a cell that is safe in a spreadsheet: put an apostrophe before text that could be a formula.

    Return numbers, and strings that contain only a number, unchanged.
    """
    if isinstance(cell, str) and _FORMULA.match(cell) and not _NUMBER.fullmatch(cell):
        return f"'{cell}"
    return cell


def made_harmless(table: Table) -> Table:
    """Return a table in which the header and all cells are safe in a spreadsheet."""
    rows = ([harmless(cell) for cell in row] for row in table.rows)
    columns = [replace(column, name=harmless(column.name)) for column in table.columns]
    return replace(table, columns=columns, rows=rows)
