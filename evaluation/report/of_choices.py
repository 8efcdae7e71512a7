"""The parts that show how the best run depends on choices: measure, basis, statistic, limit and gains."""

from collections.abc import Callable, Mapping
from typing import Final

import polars as pl

from .. import analyses
from ..analyses import scores_by
from ..analyses.systems import MEASURES as OF_T15
from ..text import Text
from .answers import MAGNITUDES
from .content import Content, Numbers
from .data import ReportData
from .of_systems import ranking_warnings


def _top_sets(data: ReportData) -> Content:
    content = Content()

    def add(name: str) -> None:
        scores = scores_by({data.shown(name): data.all_gains[name]}, data.runs, measures)
        tables.append(analyses.top_sets(scores, alpha=data.parameters.alpha))

    tables: list[pl.DataFrame] = []
    measures = list(dict.fromkeys([*data.parameters.measures, *OF_T15]))
    names = data.all_gains
    if data.is_random:
        names.pop(MAGNITUDES)
    content.add_each(names, add)
    if tables:
        note = Text(
            "A run is in the top set if its p is at least {alpha}. p comes from Wilcoxon’s two-sided test "
            "against the best run, and is not adjusted.",
            alpha=f"{data.parameters.alpha:g}",
        )
        content.tables.append(
            Numbers("top-sets", Text("Top sets"), pl.concat(tables), heads=2, notes=(note,), most=120)
        )
    return content


def _sensitivity(data: ReportData) -> Content:
    table = analyses.sensitivity(
        data.judgments,
        data.runs,
        data.parameters.measures,
        method=data.normalisation,
        statistic=data.gain_statistic,
        known=data.known,
        flagged=data.flagged,
        alpha=data.parameters.alpha,
    )
    own, others = table.row(0, named=True), table.slice(1)
    same = int(others["same_best"].sum())
    least = others.drop_nulls("tau_b").sort("tau_b", maintain_order=True)
    sentences = [
        Text.plural(
            "{best} is the best run under {same} of {number} other choice.",
            "{best} is the best run under {same} of {number} other choices.",
            number=others.height,
            best=own["best"],
            same=same,
        )
    ]
    if least.height:
        row = least.row(0, named=True)
        sentences.append(
            Text(
                "The smallest τ with the study’s ranking is {tau} ({changed}: {choice}).",
                tau=f"{row['tau_b']:.2f}",
                changed=row["changed"],
                choice=row["choice"],
            )
        )
    note = Text(
        "The first row has the study’s own choices. Means are those of the scores as they are. “Top set” "
        "counts the runs that cannot be told from the best run (p, adjusted, ≥ {alpha}).",
        alpha=f"{data.parameters.alpha:g}",
    )
    caption = Text("The best run under other choices")
    return Content(sentences, [Numbers("sensitivity", caption, table, heads=2, notes=(note,))])


def _transformations(data: ReportData) -> Content:
    content, tables = Content(), []

    def transform(name: str) -> None:
        grades = data.judged_grades[name]
        chosen = data.systems({name: grades}, judged_topics=False)
        content.sentences.extend(ranking_warnings(chosen))
        table = analyses.transformation_table(
            grades,
            data.runs,
            measures=data.parameters.measures,
            alpha=data.parameters.alpha,
            ranked=chosen[name].ranked,
        )
        tables.append(table.select(pl.lit(name).alias("grades"), pl.all()))

    content.add_each(data.judged_grades, transform)
    if not tables:
        return content
    table = pl.concat(tables)
    least = table.drop_nulls("tau_b").sort("tau_b", maintain_order=True)
    if least.height:
        row = least.row(0, named=True)
        content.sentences.append(
            Text(
                "The smallest τ is {tau}, for {measure} and the transformation {transformation} of {grades} "
                "(n = {systems} systems, {topics} topics).",
                tau=f"{row['tau_b']:.2f}",
                **{key: row[key] for key in ("transformation", "grades", "measure", "systems", "topics")},
            )
        )
    caption = Text("Other gains for the grades")
    content.tables.append(Numbers("transformations", caption, table, heads=4, most=80))
    return content


MAKERS: Final[Mapping[str, Callable[[ReportData], Content]]] = {
    "top-sets": _top_sets,
    "sensitivity": _sensitivity,
    "transformations": _transformations,
}
