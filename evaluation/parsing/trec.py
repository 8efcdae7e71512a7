"""Read the layout that TREC's run files and qrels share: fixed columns separated by tabs or blanks."""

import re
from collections.abc import Mapping, Sequence

import polars as pl

from ..errors import InputError
from ..origin import Origin
from .detect import refuse_other_kinds
from .numbers import parse_numbers
from .text import File, decode, name_of, read_bytes

TABS_TO_BLANKS = bytes.maketrans(b"\t", b" ")
TEXT: pl.DataType = pl.String()
NUMBER: pl.DataType = pl.Float64()

Layout = Mapping[str, pl.DataType]
"""The columns of a file in their order, each with its type: text or numbers."""
COMMENT = re.compile(rb"^#.*$", re.MULTILINE)


def read_columns(path: File, layout: Layout, *, remarks: bool = False) -> tuple[pl.DataFrame, Origin]:
    """Return the file's columns, and the line number of each row.

    As in trec_eval 10, blank lines and lines that begin with `#` are skipped. With `remarks`, so are words
    after the last column.

    Most files have no errors, no blank lines, and a single tab or a single blank between columns. They are
    parsed directly. In any other file, each separator is first replaced by a single blank, and all cells are
    read as text, so that errors can name the line. Raise `InputError` for an empty file, for the first line
    with the wrong number of columns, and for the first cell of a numeric column that is not a number. A file
    of another kind, such as a web page or JSON, is named as what it is.
    """
    data, name = read_bytes(path), name_of(path)
    table = _parse_plain(data, layout)
    if table is not None:
        return table, Origin(name)
    try:
        table, origin = _parse_converted(data, name, list(layout), remarks)
    except InputError:
        refuse_other_kinds(data, name)  # a web page or JSON is named as such, and not by its first line
        raise
    numbers = [parse_numbers(key, table[key], origin) for key in layout if layout[key] == NUMBER]
    return table.with_columns(numbers), origin


def _parse_plain(data: bytes, layout: Layout) -> pl.DataFrame | None:
    """Return the columns of a file with single separators, or None if the file has any other form."""
    tabs = b"\t" in data
    if (
        not data
        or data.startswith((b"\n", b"#"))
        or b"\n#" in data
        or b"\r" in data
        or (tabs and b" " in data)
    ):
        return None
    try:
        table = _split(data, layout, "\t" if tabs else " ")
    except pl.exceptions.PolarsError:
        return None
    # Two consecutive blanks, or a blank line, produce an empty cell, which polars reads as null.
    return None if any(column.has_nulls() for column in table) else table


def _parse_converted(
    data: bytes, path: str, names: Sequence[str], remarks: bool
) -> tuple[pl.DataFrame, Origin]:
    """Return the columns of a file as text, and the line number of each row.

    Each separator is first replaced by a single blank. Raise `InputError` for an empty file, for a file that
    is not text, and for the first line with the wrong number of columns.
    """
    data = COMMENT.sub(b"", _single_blanks(data))
    if remarks:
        data = re.sub(rb"^((?:[^ \n]+ ){%d}[^ \n]+) .*$" % (len(names) - 1), rb"\1", data, flags=re.MULTILINE)
    body = data.lstrip(b"\n")  # polars takes the number of columns from the first line
    above = len(data) - len(body)
    try:
        table = _split(body, dict.fromkeys(names, TEXT), " ")
    except pl.exceptions.PolarsError as error:
        raise _fault(data, path, names) from error
    if table.is_empty():
        raise InputError("empty-file", "the file is empty; check that it is the right one", f"{path}:1")
    if not above and not table[names[-1]].has_nulls():
        return table, Origin(path)
    table = table.with_row_index("line", offset=1 + above).drop_nulls(names[0])
    if table[names[-1]].has_nulls():
        raise _fault(data, path, names)
    return table.drop("line"), Origin(path, table["line"].to_list())


def _split(data: bytes, layout: Layout, separator: str) -> pl.DataFrame:
    return pl.read_csv(data, has_header=False, separator=separator, quote_char=None, schema=dict(layout))


def _single_blanks(data: bytes) -> bytes:
    """Return the data with single blanks between columns and line feeds at the ends of lines."""
    data = data.translate(TABS_TO_BLANKS)
    if b"\r" in data:
        data = data.replace(b"\r\n", b"\n").removesuffix(b"\r")
    if b"  " in data:
        data = re.sub(rb" {2,}", b" ", data)
    if b" \n" in data:
        data = data.replace(b" \n", b"\n")
    if b"\n " in data:
        data = data.replace(b"\n ", b"\n")
    return data.strip(b" ")


def _fault(data: bytes, path: str, names: Sequence[str]) -> InputError:
    """Return the error for the first line with a wrong number of columns, or for a file that is not text."""
    for line_number, line in enumerate(decode(data, path).split("\n"), start=1):
        if line and (number := line.count(" ") + 1) != len(names):
            return InputError(
                "wrong-number-of-columns",
                "the line has the wrong number of columns ({number}); write these {needed} columns: "
                "{columns}",
                f"{path}:{line_number}",
                number=number,
                needed=len(names),
                columns=" ".join(names),
            )
    return InputError(
        "not-columns-of-text",
        "the file cannot be read as columns of text; check that it is the right one",
        f"{path}:1",
    )
