"""Read verdicts on disagreements from a file."""

import polars as pl

from ..origin import Origin
from ..parsing.csv_rows import csv_rows, refuse_row_unlike
from ..parsing.detect import HEAD, delimiter_of, refuse_other_kinds
from ..parsing.judgment_table import checked_header
from ..parsing.text import File, name_of, read_text, refuse_empty
from ..verdict_table import verdict_table


def read_verdicts(path: File) -> pl.DataFrame:
    """Read a CSV file with the columns `topic_id, document_id, verdict` and, optionally, `grades`.

    `grades` names the set of known grades that a verdict is about. Other columns and rows without a verdict
    are left out, so the export `disagreements` of a study can be read as it is. Return a table with the
    columns that `analyses.with_verdicts` takes. Raise `InputError` with file and line if the file is
    malformed, and as `verdict_table` does.
    """
    text, name = read_text(path), name_of(path)
    refuse_other_kinds(text[:HEAD].encode(), name)
    delimiter = delimiter_of(text.partition("\n")[0]) or ","
    rows = [(line, row) for line, row in csv_rows(text, name, delimiter=delimiter) if row]
    if not rows:
        refuse_empty(name)
    (_, cells), *body = rows
    header = checked_header(cells, name)
    for line, row in body:
        refuse_row_unlike(header, row, f"{name}:{line}")
    columns = {
        column: pl.Series(column, [row[place].strip() for _, row in body], dtype=pl.String)
        for place, column in enumerate(header)
    }
    return verdict_table(columns, Origin(name, [line for line, _ in body]))
