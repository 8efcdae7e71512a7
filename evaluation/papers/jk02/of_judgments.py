"""Compute the worked example and Table I of [JK02]."""

from typing import Final

import polars as pl

from ...analyses import cross_table
from ...analyses.schemes import W
from ...frames import Gains
from ...report.building import Makers
from ...report.content import Content, Numbers
from ...report.data import ReportData
from ...text import Text
from ..worked_example import example_table

PRINTED: Final = {
    "CG′": (3, 5, 8, 8, 8, 9, 11, 13, 16, 16),
    "DCG′": (3, 5, 6.89, 6.89, 6.89, 7.28, 7.99, 8.66, 9.61, 9.61),
    "CG′I": (3, 6, 9, 11, 13, 15, 16, 17, 18, 19),
    "DCG′I": (3, 6, 7.89, 8.89, 9.75, 10.52, 10.88, 11.21, 11.53, 11.83),
    "nCG′": (1, 0.83, 0.89, 0.73, 0.62, 0.6, 0.69, 0.76, 0.89, 0.84),
}
"""The vectors of the example as the paper prints them, down to rank 10."""
_SIDES: Final = {"relevant": pl.col("second") > 0, "irrelevant": pl.col("second") == 0, "total": pl.lit(True)}
"""The columns of Table I, each with the documents that it counts."""


def _example(data: ReportData) -> Content:
    caption = Text("The example G′, with its ideal list I′ and log₂ from rank 2 on")
    names = ("G′", "CG′", "DCG′", "I′", "CG′I", "DCG′I", "nCG′")
    return Content(tables=[Numbers("example", caption, example_table(names, PRINTED), heads=2)])


def _table_1(data: ReportData) -> Content:
    content = Content()
    if not data.binary:
        content.missing.append(
            Text("This needs a set of known grades with at most two different grades. Add such a set.")
        )
    for name, grades in data.graded.items():
        for other, binary in data.binary.items():
            key = f"table-1-{data.number_of(name)}-{data.number_of(other)}"
            caption = Text("Grades in {name} against {other}", name=name, other=other)
            table = with_totals(grades, binary)
            levels = [None if level is None else data.show_grade(name, level) for level in table["level"]]
            shown = table.with_columns(pl.Series("level", levels, dtype=pl.String).fill_null("total"))
            content.tables.append(Numbers(key, caption, shown))
    return content


def with_totals(grades: Gains, binary: Gains) -> pl.DataFrame:
    """Cross-tabulate grades from 0 to 3 with binary judgments, in the form of Table I of [JK02].

    Each row is a grade, and the last row, with the `level` null, has the totals. The columns are `level,
    relevant, relevant_%, irrelevant, irrelevant_%, total, total_%`. `relevant` and `irrelevant` are the
    numbers of documents by the binary judgments, and `total` is their sum. A percentage is the share of a
    column's documents, or null if the column has none. Only documents that are in both sets count.
    """
    cells = cross_table(grades, binary)
    levels = [float(level) for level in range(len(W["w1"].split("-")))]
    columns: dict[str, list[float | None]] = {"level": [*levels, None]}
    schema: dict[str, type[pl.DataType]] = {"level": pl.Float64}
    for side, counted in _SIDES.items():
        of_side = cells.filter(counted)
        counts = [int(of_side.filter(first=level)["documents"].sum()) for level in levels]
        counts.append(sum(counts))
        columns |= {
            side: list(counts),
            f"{side}_%": [100 * count / counts[-1] if counts[-1] else None for count in counts],
        }
        schema |= {side: pl.Int64, f"{side}_%": pl.Float64}
    return pl.DataFrame(columns, schema=schema)


MAKERS: Final[Makers] = {"example": _example, "table-1": _table_1}
