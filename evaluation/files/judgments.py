"""Judgments as CSV with a header. Columns that are not required are copied unchanged."""

from collections.abc import Iterable, Sequence
from itertools import chain
from typing import TextIO

from ..frames import Judgments
from ..options import checked
from ..parsing.judgment_table import NORMALIZED, JudgmentTable, read_table
from ..parsing.text import File
from ..scales import DEFAULT, ScaleName
from .csv_lines import csv_lines


@checked
def read_judgments(path: File, *, gold: bool = False, scale: ScaleName = DEFAULT) -> Judgments:
    """Read judgments from a CSV file with at least `topic_id,unit_id,document_id,relevance_score`.

    With `gold`, also read the column `gold`, which marks a unit's anchors with H and N. Raise `InputError`
    with file and line for a missing column, for an empty id, and for a magnitude that is not a number from
    1e-100 to 1e100. `scale` says what other numbers there are: see `Judgments`.
    """
    return Judgments(read_table(path), gold=gold, scale=scale)


def write_normalized(table: JudgmentTable, normalized: Iterable[float], out: TextIO) -> None:
    """Write the rows of `table` in the same order, with `normalized_relevance_score` added or replaced."""
    place = table.header.index(NORMALIZED) if NORMALIZED in table.header else len(table.header)
    header = _with_cell(table.header, place, NORMALIZED)
    pairs = zip(table.rows, normalized, strict=True)
    rows = (_with_cell(row, place, repr(float(value))) for row, value in pairs)
    out.writelines(csv_lines(chain([header], rows)))


def _with_cell(row: Sequence[str], place: int, cell: str) -> list[str]:
    return [*row[:place], cell, *row[place + 1 :]]
