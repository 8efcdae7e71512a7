"""Documents and their chances to be sampled: CSV with `topic_id, document_id, inclusion, sampled`."""

from itertools import chain
from typing import TextIO

import polars as pl

from ..inclusion_table import COLUMNS, Inclusion
from ..parsing.named import Names
from ..parsing.text import File
from ..parsing.trec import NUMBER, TEXT, Layout, read_columns
from ..shapes import INCLUSION
from .csv_lines import csv_lines

LAYOUT = Layout(INCLUSION.layout, {"topic_id": TEXT, "document_id": TEXT, "inclusion": NUMBER}, INCLUSION)


def read_inclusion(path: File, columns: Names | None = None) -> Inclusion:
    """Read the documents of a pool and their chances to be sampled.

    The file has a header with these names, or lines `topic document inclusion` without one. Without the
    column `sampled`, all documents were sampled. Other columns are left out. Raise `InputError` with file and
    line for a malformed file, and in the same cases as `Inclusion.from_columns`.
    """
    table, origin = read_columns(path, LAYOUT, columns)
    sampled = table["sampled"] if "sampled" in table.columns else None
    return Inclusion.from_columns(
        table["topic_id"], table["document_id"], table["inclusion"], sampled, origin=origin
    )


def write_inclusion(pool: pl.DataFrame, out: TextIO) -> None:
    """Write documents and their chances as CSV. Each chance has the digits that restore the same float."""
    found = pool.select(COLUMNS).iter_rows()
    rows = ((topic, document, repr(chance), str(int(sampled))) for topic, document, chance, sampled in found)
    out.writelines(csv_lines(chain([COLUMNS], rows)))
