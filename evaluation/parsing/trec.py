"""Read the layout that TREC's run files and qrels share: fixed columns separated by tabs or blanks."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

import polars as pl

from ..errors import InputError
from ..origin import Origin
from ..shapes import Shape
from .detect import refuse_other_kinds
from .named import Names, named_columns
from .numbers import parse_numbers
from .text import File, decode, name_of, read_bytes, refuse_empty

TABS_TO_BLANKS = bytes.maketrans(b"\t", b" ")
TEXT: pl.DataType = pl.String()
NUMBER: pl.DataType = pl.Float64()

Types = Mapping[str, pl.DataType]
"""The columns of a file in their order, each with its type: text or numbers."""


@dataclass(frozen=True)
class Layout:
    """The columns of a file without a header in their order, and the words for them in errors.

    With `shape`, a file that names its columns can have them in any order.
    """

    words: str
    types: Types
    shape: Shape | None = None


COMMENT = re.compile(rb"^#.*$", re.MULTILINE)


def read_columns(
    path: File, layout: Layout, columns: Names | None = None, *, remarks: bool = False
) -> tuple[pl.DataFrame, Origin]:
    """Return the file's columns, and the line number of each row.

    A file with a header, JSONL and, with `columns`, any table is read by the names of its columns: see
    `named_columns`. All other files have the columns of the layout.

    As in trec_eval 10, blank lines and lines that begin with `#` are skipped. With `remarks`, so are words
    after the last column.

    Most files have no errors, no blank lines, and a single tab or a single blank between columns. They are
    parsed directly. In any other file, each separator is first replaced by a single blank, and all cells are
    read as text, so that errors can name the line. Raise `InputError` for an empty file, for the first line
    with the wrong number of columns, and for the first cell of a numeric column that is not a number. A file
    of another kind, such as a web page or JSON, is named as what it is.
    """
    data, name = read_bytes(path), name_of(path)
    types = layout.types
    table = None if columns else _parse_plain(data, types)
    if table is not None:
        return table, Origin(name)
    if layout.shape and (named := named_columns(data, name, layout.shape, columns)):
        return _with_numbers(pl.DataFrame(named[0]), types, named[1]), named[1]
    try:
        table, origin = _parse_converted(data, name, layout, remarks)
    except InputError:
        refuse_other_kinds(data, name)  # a web page or JSON is named as such, and not by its first line
        raise
    return _with_numbers(table, types, origin), origin


def _with_numbers(table: pl.DataFrame, types: Types, origin: Origin) -> pl.DataFrame:
    return table.with_columns(
        [parse_numbers(name, table[name], origin) for name in table.columns if types.get(name) == NUMBER]
    )


def _parse_plain(data: bytes, types: Types) -> pl.DataFrame | None:
    """Return the columns of a file with single separators, or None if the file has any other form."""
    tabs = b"\t" in data
    if not data or data.startswith(b"\n") or _has_comment(data) or b"\r" in data or (tabs and b" " in data):
        return None
    try:
        table = _split(data, types, "\t" if tabs else " ")
    except pl.exceptions.PolarsError:
        return None
    # Two consecutive blanks, or a blank line, produce an empty cell, which polars reads as null.
    return None if any(column.has_nulls() for column in table) else table


def _has_comment(data: bytes) -> bool:
    # Most files have no `#` at all, and Python finds a single byte 30 times as fast as two bytes.
    return b"#" in data and (data.startswith(b"#") or b"\n#" in data)


def _parse_converted(data: bytes, path: str, layout: Layout, remarks: bool) -> tuple[pl.DataFrame, Origin]:
    """Return the columns of a file as text, and the line number of each row.

    Each separator is first replaced by a single blank. Raise `InputError` for an empty file, for a file that
    is not text, and for the first line with the wrong number of columns.
    """
    names = list(layout.types)
    data = COMMENT.sub(b"", _single_blanks(data))
    if remarks:
        data = re.sub(rb"^((?:[^ \n]+ ){%d}[^ \n]+) .*$" % (len(names) - 1), rb"\1", data, flags=re.MULTILINE)
    body = data.lstrip(b"\n")  # polars takes the number of columns from the first line
    above = len(data) - len(body)
    try:
        table = _split(body, dict.fromkeys(names, TEXT), " ")
    except pl.exceptions.PolarsError as error:
        raise _fault(data, path, layout) from error
    if table.is_empty():
        refuse_empty(path)
    if not above and not table[names[-1]].has_nulls():
        return table, Origin(path)
    table = table.with_row_index("line", offset=1 + above).drop_nulls(names[0])
    if table[names[-1]].has_nulls():
        raise _fault(data, path, layout)
    return table.drop("line"), Origin(path, table["line"].to_list())


def _split(data: bytes, types: Types, separator: str) -> pl.DataFrame:
    return pl.read_csv(data, has_header=False, separator=separator, quote_char=None, schema=dict(types))


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


def _fault(data: bytes, path: str, layout: Layout) -> InputError:
    """Return the error for the first line with a wrong number of columns, or for a file that is not text."""
    for line_number, line in enumerate(decode(data, path).split("\n"), start=1):
        if line and (number := line.count(" ") + 1) != len(layout.types):
            return InputError(
                "wrong-number-of-columns",
                "the line has the wrong number of columns ({number}); write these {needed} columns: "
                "{columns}",
                f"{path}:{line_number}",
                number=number,
                needed=len(layout.types),
                columns=layout.words,
            )
    return InputError(
        "not-columns-of-text",
        "the file cannot be read as columns of text; check that it is the right one",
        f"{path}:1",
    )
