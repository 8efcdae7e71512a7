"""The items of [T15] that rank systems: the runs by binary judgments, and simulated systems by grades."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Final

import polars as pl

from ... import analyses, figures
from ...analyses.ranked import Kind, Systems
from ...analyses.systems import MEASURES
from ...frames import Gains
from ...report.content import Content, Drawn, Numbers
from ...report.data import ReportData
from ...report.of_systems import agreement_numbers, compared, lists_sentence, tau_draws, tau_numbers
from ...text import Text


def with_measures(data: ReportData) -> ReportData:
    """Return the data with the measures of the paper."""
    return replace(data, parameters=replace(data.parameters, measures=MEASURES))


def ranking_gains(data: ReportData, name: str) -> Gains:
    """Return the gains by which a set of grades ranks systems, with the whole recall base if it is known."""
    return data.known.get(name, data.judged_grades[name])


def choose(data: ReportData, names: Sequence[str], content: Content) -> dict[str, Systems]:
    """Return the systems that each of these sets of grades ranks, with a sentence about them in `content`.

    A set with at most two different grades ranks the runs, and any other set ranks simulated systems. If such
    systems cannot be made, the set is left out, and `content` says why.
    """
    chosen: dict[str, Systems] = {}

    def add(name: str) -> None:
        kind: Kind = "runs" if name in data.binary else "simulated"
        chosen.update(data.systems({name: ranking_gains(data, name)}, kind))

    content.add_each(names, add)
    for name, systems in chosen.items():
        if systems.simulated is None:
            text = Text("By {name}, the {runs} runs are ranked.", name=name, runs=len(data.runs))
            content.sentences.append(text)
        else:
            text = Text(
                "By {name}, {systems} simulated systems are ranked.",
                name=name,
                systems=len(systems.simulated.names),
            )
            content.sentences += [text, lists_sentence(systems)]
    return chosen


def side_by_side(
    table: pl.DataFrame, keys: Sequence[str], across: str, values: Mapping[str, str]
) -> pl.DataFrame:
    """Return a row for each combination of the `keys`, with columns for each value of the column `across`.

    `values` maps the columns of the table that are put side by side to the first word of their headings.
    """
    wide = table.select(keys).unique(maintain_order=True)
    for value in table[across].unique(maintain_order=True):
        columns = [pl.col(column).alias(f"{word} {value}") for column, word in values.items()]
        of_value = table.filter(pl.col(across) == value).select(*keys, *columns)
        wide = wide.join(of_value, on=keys, how="left", maintain_order="left")
    return wide


def _scatter(key: str, data: ReportData, names: Sequence[str], caption: Text) -> Content:
    content = Content()
    chosen = choose(data, names, content)
    both = [compared(data, systems, ranking_gains(data, name)) for name, systems in chosen.items()]
    if not both:
        return content
    numbers = agreement_numbers(key, caption, pl.concat(table for table, _ in both), data)
    content.tables.append(numbers)
    draw = partial(figures.system_scatter, pl.concat(points for _, points in both), width="page")
    content.figures.append(Drawn(key, caption, numbers.sentences, draw))
    return content


def _figure_4(data: ReportData) -> Content:
    caption = Text("Systems by judgments and by binary judgments")
    return _scatter("figure-4", with_measures(data), [*data.binary], caption)


def _figure_5(data: ReportData) -> Content:
    caption = Text("Simulated systems by judgments and by grades")
    return _scatter("figure-5", with_measures(data), [*data.multilevel], caption)


def _figure_6(data: ReportData) -> Content:
    """Return the distributions of τ. Without known grades, the fixed ranking is that by the medians."""
    data, content = with_measures(data), Content()
    chosen = choose(data, [*data.binary, *data.multilevel], content)
    if content.missing and not chosen:
        return content
    known = {name: ranking_gains(data, name) for name in chosen}
    table = tau_draws(data, known, chosen, medians=not chosen)
    sentence, numbers = tau_numbers("figure-6", table, data)
    content.sentences.append(sentence)
    content.tables.append(numbers)
    draw = partial(figures.tau_distributions, table, across=max(1, len(chosen)), width="page")
    content.figures.append(Drawn("figure-6", Text("τ with other workers"), (*content.sentences,), draw))
    return content


def _table_2(data: ReportData) -> Content:
    data, content, tables = with_measures(data), Content(), []
    for name, systems in choose(data, [*data.multilevel], content).items():
        table = analyses.transformation_table(
            ranking_gains(data, name),
            data.runs,
            measures=data.parameters.measures,
            alpha=data.parameters.alpha,
            ranked=systems.ranked,
        )
        tables.append(table.select(pl.lit(name).alias("grades"), pl.all()))
    if tables:
        wide = side_by_side(pl.concat(tables), ["grades", "transformation"], "measure", {"tau_b": "τ"})
        content.tables.append(Numbers("table-2", Text("Other gains for the grades"), wide, heads=2))
    return content


def _table_3(data: ReportData) -> Content:
    data, content = with_measures(data), Content()
    chosen = choose(data, [*data.binary, *data.multilevel], content)
    if not chosen:
        return content
    table = analyses.range_table(
        data.judgments,
        data.normalised,
        {name: ranking_gains(data, name) for name in chosen},
        data.runs,
        measures=data.parameters.measures,
        alpha=data.parameters.alpha,
        ranked={name: systems.ranked for name, systems in chosen.items()},
    )
    wide = side_by_side(table, ["measure", "units"], "known", {"tau_b": "τ", "overlap": "overlap"})
    wide = pl.concat(wide.partition_by("measure", maintain_order=True))
    content.tables.append(Numbers("table-3", Text("Narrow, wide and all units"), wide, heads=2))
    return content


MAKERS: Final[Mapping[str, Callable[[ReportData], Content]]] = {
    "figure-4": _figure_4,
    "figure-5": _figure_5,
    "figure-6": _figure_6,
    "table-2": _table_2,
    "table-3": _table_3,
}
