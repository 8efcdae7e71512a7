"""Rows as lines of CSV that every reader takes back as they were."""

import csv
from collections.abc import Iterable, Iterator, Sequence

END = "\r\n"


def csv_lines(rows: Iterable[Sequence[object]]) -> Iterator[str]:
    """RFC 4180 with line feeds, one line a row, made while they are read.

    Python 3.11 quotes a cell with a lone carriage return only where the line's own end has one; unquoted it
    would end the line. So lines are made with that end, and it is taken off again.
    """
    line = _Line()
    writer = csv.writer(line, lineterminator=END)
    for row in rows:
        writer.writerow(row)
        yield line.text.removesuffix(END) + "\n"


class _Line:
    """A file for the csv module that keeps the last line written."""

    text = ""

    def write(self, text: str) -> None:
        self.text = text
