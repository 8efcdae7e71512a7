"""CSV for people who open it in a spreadsheet: no text in it is run as a formula.

What a worker types, or a platform's link brings, may begin with `=` and so be a formula, which fetches, sends
or starts something when somebody opens the file. The other formats are exact, for programs; this one is safe,
for eyes: see https://owasp.org/www-community/attacks/CSV_Injection.
"""

import re
from dataclasses import replace
from typing import Final, TypeVar

from judging.core.formats.tables import Table

C = TypeVar("C")
SPREADSHEET: Final = "spreadsheet"
MARK: Final = "\ufeff"
"""Without it some spreadsheets take UTF-8 for an older character set."""
_FORMULA: Final = re.compile(r"[\t\r\n]|\s*[=+\-@＝＋－＠]")
_NUMBER: Final = re.compile(r"[+-]?[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?")


def harmless(cell: C) -> C | str:
    """A cell as a spreadsheet may read it: text that could be a formula gets an apostrophe before it.

    Numbers stay what they are, and so does text that is a number and nothing else.
    """
    if isinstance(cell, str) and _FORMULA.match(cell) and not _NUMBER.fullmatch(cell):
        return f"'{cell}"
    return cell


def made_harmless(table: Table) -> Table:
    """The same table, every cell of it and its header harmless."""
    rows = ([harmless(cell) for cell in row] for row in table.rows)
    columns = [replace(column, name=harmless(column.name)) for column in table.columns]
    return replace(table, columns=columns, rows=rows)
