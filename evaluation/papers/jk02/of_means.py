"""Compute Table II of [JK02]: means under gain schemes, and the differences between them."""

from itertools import combinations
from typing import Final

import polars as pl

from ...analyses import scheme_means, scheme_table
from ...analyses.scheme_table import STARS
from ...analyses.schemes import JK, W, schemes_with_gain
from ...frames import Gains
from ...report import needs
from ...report.answers import MAGNITUDES
from ...report.building import Makers
from ...report.content import Content, Numbers
from ...report.data import ReportData
from ...text import Text

SCHEMES: Final = (W["w1"], W["w100"], "0-0-0-1")
CRITERIA: Final = (10, 5)
"""Differences between means, in percent, that [JK02] looks for. The largest comes first."""
DIFFERENCES: Final = {
    "measure": pl.String,
    "scheme": pl.String,
    "better": pl.String,
    "worse": pl.String,
    "difference": pl.Float64,
    "percent": pl.Float64,
    "reaches": pl.String,
}


def _table_2(data: ReportData) -> Content:
    content = Content()
    cutoff = data.parameters.scheme_cutoff
    measures = {f"AnCG@{cutoff}": "nCG", f"AnDCG({JK})@{cutoff}": "nDCG"}

    def add(name: str, gains: Gains, schemes: tuple[str, ...]) -> None:
        means = scheme_means(gains, data.runs, measures=[*measures], schemes=schemes, marks="stars")
        if name == MAGNITUDES:
            means = means.with_columns(scheme=pl.lit(data.crowd))
        number = data.number_of(name)
        for place, (measure, short) in enumerate(measures.items(), start=1):
            caption = Text(
                "Mean {measure} over the first {cutoff} ranks: {name}",
                measure=short,
                cutoff=cutoff,
                name=data.shown(name),
            )
            table = scheme_table(means, measure)
            table = table.rename(
                {column: column.replace("differs_", "better_than_") for column in table.columns}
            )
            content.tables.append(
                Numbers(f"table-2-{number}-{place}", caption, table, heads=2, notes=(_note(),), most=60)
            )
        differences = differences_of(means.with_columns(pl.col("measure").replace(measures)))
        caption = Text("Differences between the means: {name}", name=data.shown(name))
        content.tables.append(
            Numbers(
                f"table-2-{number}-differences", caption, differences, heads=4, notes=(_criteria(),), most=60
            )
        )

    def add_graded(name: str) -> None:
        with_gain = schemes_with_gain(data.known[name])
        for scheme in SCHEMES:
            if scheme not in with_gain:
                content.missing.append(
                    Text("In {name}, no document has a gain under {scheme}.", name=name, scheme=scheme)
                )
        add(name, data.known[name], tuple(scheme for scheme in SCHEMES if scheme in with_gain))

    if (reason := needs.levels(data.facts)) is not None:
        content.missing.append(reason)
    content.add_each(data.graded, add_graded)
    if not data.is_random:
        content.add_each([MAGNITUDES], lambda name: add(name, data.gains, ("linear",)))
    return content


def _note() -> Text:
    (strict, two), (loose, one) = STARS
    return Text(
        "“Better than” lists the letters of the runs that are significantly worse by their rank sums, with "
        "{two} for p < {strict} and {one} for p < {loose}. If Friedman’s p in the last row is {loose} or "
        "more, no runs are compared. Under each scheme, topics in which no document has a gain are left out.",
        strict=f"{strict:g}",
        loose=f"{loose:g}",
        one=one,
        two=two,
    )


def _criteria() -> Text:
    most, least = CRITERIA
    return Text(
        "The difference in percent is relative to the lower mean. “Reaches” says whether it is at least "
        "{least} % or {most} %.",
        least=least,
        most=most,
    )


def differences_of(means: pl.DataFrame) -> pl.DataFrame:
    """Return the difference between the means of each pair of runs, by measure and scheme.

    `means` comes from `scheme_means`. The columns are `measure, scheme, better, worse, difference, percent`
    and `reaches`. `percent` is the difference in percent of the lower mean, or null if the lower mean is 0.
    `reaches` is the largest of `CRITERIA` that `percent` reaches, such as `10 %`, or empty. Rows are in the
    order of `means`. If two means are equal, the run that comes first is in `better`.
    """
    rows = []
    for part in means.partition_by("measure", "scheme", maintain_order=True):
        keys = part["measure"][0], part["scheme"][0]
        for pair in combinations(part.select("run", "mean").rows(), 2):
            (better, high), (worse, low) = sorted(pair, key=lambda entry: -entry[1])
            percent = 100 * (high - low) / low if low else None
            reaches = next(
                (f"{criterion} %" for criterion in CRITERIA if percent is not None and percent >= criterion),
                "",
            )
            rows.append((*keys, better, worse, high - low, percent, reaches))
    return pl.DataFrame(rows, schema=DIFFERENCES, orient="row")


MAKERS: Final[Makers] = {"table-2": _table_2}
