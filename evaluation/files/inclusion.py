"""Sampled documents and their chances: CSV with the columns `topic_id, document_id, inclusion`."""

from itertools import chain
from typing import TextIO

import polars as pl

from ..inclusion_table import COLUMNS, inclusion_table
from ..parsing.named import Names
from ..parsing.text import File
from ..parsing.trec import NUMBER, TEXT, Layout, read_columns
from ..sources import INCLUSION
from .csv_lines import csv_lines

LAYOUT = Layout(INCLUSION.layout, {"topic_id": TEXT, "document_id": TEXT, "inclusion": NUMBER}, INCLUSION)


def read_inclusion(path: File, columns: Names | None = None) -> pl.DataFrame:
    """Read sampled documents as a table `topic_id, document_id, inclusion`.

    The file has a header with these names, or lines `topic document inclusion` without one. Other columns are
    left out. Raise `InputError` with file and line for a malformed file, for a chance outside (0, 1], and for
    a document with two rows.
    """
    table, origin = read_columns(path, LAYOUT, columns)
    return inclusion_table(table["topic_id"], table["document_id"], table["inclusion"], origin)


def write_inclusion(sampled: pl.DataFrame, out: TextIO) -> None:
    """Write sampled documents as CSV. Each chance has the digits that restore the same float."""
    found = sampled.select(COLUMNS).iter_rows()
    rows = ((topic, document, repr(chance)) for topic, document, chance in found)
    out.writelines(csv_lines(chain([COLUMNS], rows)))
