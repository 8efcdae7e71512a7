"""The layout that TREC's run files and qrels share: fixed columns parted by tabs or runs of blanks."""

import re
from collections.abc import Sequence
from pathlib import Path

import polars as pl

from evaluation.errors import InputError
from evaluation.files.text import decode, read_bytes
from evaluation.origin import Origin

TABS_TO_BLANKS = bytes.maketrans(b"\t", b" ")


def read_columns(path: str | Path, names: Sequence[str]) -> tuple[pl.DataFrame, Origin]:
    """The file as text columns `names`, and the line of each row. Blank lines are passed over.

    Raises `InputError` for an empty file and for the first line with another number of columns.
    """
    data = _single_blanks(read_bytes(path))
    body = data.lstrip(b"\n")  # the reader takes its number of columns from the first line
    above = len(data) - len(body)
    try:
        table = pl.read_csv(
            body,
            has_header=False,
            separator=" ",
            quote_char=None,
            schema=dict.fromkeys(names, pl.String()),
        )
    except pl.exceptions.PolarsError as error:
        raise _fault(data, path, names) from error
    if table.is_empty():
        raise InputError("the file is empty", f"{path}:1")
    if not above and not table[names[-1]].has_nulls():
        return table, Origin(str(path))
    table = table.with_row_index("line", offset=1 + above).drop_nulls(names[0])
    if table[names[-1]].has_nulls():
        raise _fault(data, path, names)
    return table.drop("line"), Origin(str(path), table["line"].to_list())


def _single_blanks(data: bytes) -> bytes:
    """Columns parted by one blank, lines ended by a line feed; each step runs only where it is needed."""
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


def _fault(data: bytes, path: str | Path, names: Sequence[str]) -> InputError:
    """The error for the first line that does not hold the columns, found line by line."""
    for number, line in enumerate(decode(data, path).split("\n"), start=1):
        if line and (found := len(line.split(" "))) != len(names):
            wanted = f"{len(names)} are needed: {' '.join(names)}"
            return InputError(f"{found} column{'s' * (found != 1)}, {wanted}", f"{path}:{number}")
    return InputError("cannot be read as columns of text", f"{path}:1")
