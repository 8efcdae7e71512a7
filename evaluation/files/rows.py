"""Write rows that consist of names and one value, as tsv, csv or json."""

import json
from collections.abc import Iterable, Sequence
from itertools import chain
from typing import Literal, TextIO, get_args

from ..options import checked
from .csv_lines import csv_lines

Format = Literal["tsv", "csv", "json"]
FORMATS: tuple[Format, ...] = get_args(Format)
Row = tuple[tuple[str, ...], float | None]
"""The names of a row, and its value or None."""


@checked
def write_rows(
    columns: Sequence[str], rows: Iterable[Row], out: TextIO, form: Format = "tsv", digits: int = 4
) -> None:
    """Write the rows as tsv, csv or json.

    `columns` names the columns. The value comes last. tsv has `digits` decimals and no header. csv and json
    have full precision. csv has a header, and json is a list of objects. A missing value is `-` in tsv, an
    empty cell in csv and null in json.
    """
    if form == "json":
        objects = [dict(zip(columns, (*names, value), strict=True)) for names, value in rows]
        json.dump(objects, out, ensure_ascii=False, indent=1)
        out.write("\n")
    elif form == "csv":
        cells = ((*names, "" if value is None else repr(value)) for names, value in rows)
        out.writelines(csv_lines(chain([columns], cells)))
    else:
        for names, value in rows:
            out.write("\t".join((*names, "-" if value is None else f"{value:.{digits}f}")) + "\n")
