"""Rows as lines of CSV that every reader restores unchanged."""

import csv
from collections.abc import Iterable, Iterator, Sequence

END = "\r\n"


def csv_lines(rows: Iterable[Sequence[object]]) -> Iterator[str]:
    """Yield RFC 4180 with line feeds, one line for each row, as the rows are read.

    Python 3.11 quotes a cell with a lone carriage return only if the line ends with one too. Without quotes,
    the carriage return would end the line. So lines are written with that ending, and it is removed
    afterwards.
    """
    line = _Line()
    writer = csv.writer(line, lineterminator=END)
    for row in rows:
        writer.writerow(row)
        yield line.text.removesuffix(END) + "\n"


class _Line:
    """A file for the csv module that keeps only the last line."""

    text = ""

    def write(self, text: str) -> None:
        self.text = text
