"""Compute the worked example, Table 3 and Figure 1a of [K05]."""

from collections.abc import Mapping
from itertools import combinations
from typing import Final

import polars as pl

from ...analyses import correlation_table, gain_curves
from ...comparison import correlation_matrix, rankings
from ...frames import Gains
from ...report.building import Makers
from ...report.content import Content, Numbers
from ...report.data import ReportData
from ...report.of_measures import add_curves
from ...scores import score
from ...text import Text
from ..worked_example import example_table

PRECISION: Final = (10, 100, 1000)
PRINTED: Final = {"nDCG′": (1, 0.83, 0.87, 0.78, 0.71, 0.69, 0.73, 0.77, 0.83, 0.81)}
"""The vector of the example as the paper prints it, down to rank 10."""


def _example(data: ReportData) -> Content:
    caption = Text("The example G′, with log₂ from rank 2 on")
    names = ("G′", "DCG′", "DCG′I", "nDCG′")
    return Content(tables=[Numbers("example", caption, example_table(names, PRINTED), heads=2)])


def _table_3(data: ReportData) -> Content:
    content = Content()
    for first, second in combinations(data.known, 2):
        topics, by_set = _over_common_topics({name: data.known[name] for name in (first, second)})
        if not topics:
            content.missing.append(
                Text("{first} and {second} have no topic in common.", first=first, second=second)
            )
            continue
        measures = [f"P@{cutoff}" for cutoff in PRECISION]
        ranked = {
            f"{measure}, {name}": means
            for name, gains in by_set.items()
            for measure, means in rankings(score(gains, data.runs, measures)).items()
        }
        note = Text(
            "Each number is Kendall’s τ_b between two rankings of {runs} runs, over {topics} topics. There "
            "is no value if a measure ties all runs.",
            runs=len(data.runs),
            topics=topics,
        )
        key = f"table-3-{data.number_of(first)}-{data.number_of(second)}"
        caption = Text("τ between rankings by precision: {first} and {second}", first=first, second=second)
        table = correlation_table(correlation_matrix(ranked))
        content.tables.append(Numbers(key, caption, table, notes=(note,)))
    return content


def _over_common_topics(by_set: Mapping[str, Gains]) -> tuple[int, dict[str, Gains]]:
    """Return the number of topics that all sets have, and each set's gains in these topics."""
    of_sets = (set(gains.table["topic_id"]) for gains in by_set.values())
    common = sorted(set.intersection(*of_sets))
    return len(common), {
        name: gains.replaced(table=gains.table.filter(pl.col("topic_id").is_in(common)))
        for name, gains in by_set.items()
    }


def _figure_1a(data: ReportData) -> Content:
    content, panels = Content(), []

    def add(name: str) -> None:
        table = gain_curves(
            data.known[name],
            data.runs,
            measures=["CG"],
            schemes=["binary"],
            depth=data.parameters.curve_depth,
        )
        # With gains of 0 and 1, CG counts the relevant documents down to a rank.
        precision = table.with_columns(pl.col("value", "ideal") / pl.col("rank"), measure=pl.lit("precision"))
        panels.append(precision.with_columns(scheme=pl.lit(name)))

    content.add_each(data.known, add)
    if panels:
        caption = Text("Precision by rank")
        add_curves(content, data, pl.concat(panels), "figure-1a", caption, head="grades", with_ideal=True)
    return content


MAKERS: Final[Makers] = {"example": _example, "table-3": _table_3, "figure-1a": _figure_1a}
