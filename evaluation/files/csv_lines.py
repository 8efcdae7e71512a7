"""Write rows as lines of CSV that every CSV reader reads back unchanged."""

import csv
from collections.abc import Iterable, Iterator, Sequence

END = "\r\n"


def csv_lines(rows: Iterable[Sequence[object]]) -> Iterator[str]:
    """Yield a line of CSV for each row, in the format of RFC 4180 but with a line feed at the end.

    Python 3.11 quotes a cell with a lone carriage return only if the lines end with a carriage return too.
    Without quotes, the carriage return in the cell would end the line. So each line is written with `END`,
    which is then replaced by a line feed.
    """
    line = _Line()
    writer = csv.writer(line, lineterminator=END)
    for row in rows:
        writer.writerow(row)
        yield line.text.removesuffix(END) + "\n"


class _Line:
    """A file-like object for the csv module to write to. It keeps only the last line."""

    text = ""

    def write(self, text: str) -> None:
        self.text = text
