"""The parts that compare systems, based on the crowd's gains and on known grades [T15]."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Final

import polars as pl

from .. import analyses, figures
from ..analyses import scores_by
from ..analyses.ranked import Systems
from ..comparison import rho, tau_a, tau_ap, tau_c
from ..comparison.item_resampling import Bounds
from ..frames import Gains
from ..score_table import Scores
from ..text import Text
from .content import Content, Drawn, Numbers
from .data import ReportData
from .intervals import tau_bounds, with_bounds
from .means import make_means

_EACH: Final = (("tau_ap", tau_ap), ("tau_a", tau_a), ("tau_c", tau_c), ("rho", rho))
"""Further correlations of two rankings. τ_AP treats the known grades as the truth."""


def _systems(data: ReportData) -> Content:
    content, tables, points = Content(), [], []
    judged = {data.crowd: data.judged_scores}
    alpha = data.parameters.alpha

    def compare(name: str) -> None:
        known = data.scores_by_known(name)
        agreement = analyses.system_agreement(judged, known, alpha=alpha)
        scatter = analyses.system_scatter(judged, known, alpha=alpha)
        tables.append(with_correlations(with_tau_bounds(agreement, judged, known, data), scatter))
        points.append(scatter)

    content.add_each(data.known, compare)
    if not tables:
        return content
    numbers = agreement_numbers(
        "systems-agreement", Text("Agreement of the rankings"), pl.concat(tables), data
    )
    content.tables.append(numbers)
    scatter = pl.concat(points)
    is_wide = len(tables) * len(data.parameters.measures) > 1
    draw = partial(figures.system_scatter, scatter, width="page" if is_wide else "column")
    caption = Text("Systems by judgments and by grades")
    content.figures.append(Drawn("systems", caption, numbers.sentences, draw))
    return content


def with_correlations(agreement: pl.DataFrame, scatter: pl.DataFrame) -> pl.DataFrame:
    """Return a table of `system_agreement` with the columns `tau_ap, tau_a, tau_c, rho` after the interval.

    These columns are null if all systems are tied in either ranking.
    """
    points = scatter.drop_nulls(["judged_value", "known_value"])
    keys = ["judged", "known", "measure"]
    rows = [
        (
            *key,
            *(
                correlate(part["known_value"].to_numpy(), part["judged_value"].to_numpy())
                for _, correlate in _EACH
            ),
        )
        for key, part in points.group_by(*keys, maintain_order=True)
    ]
    schema = {**dict.fromkeys(keys, pl.String), **{name: pl.Float64 for name, _ in _EACH}}
    others = pl.DataFrame(rows, schema=schema, orient="row")
    table = agreement.join(others, on=keys, how="left", maintain_order="left")
    place = table.columns.index("high") + 1
    own = agreement.columns
    return table.select(*own[:place], *(name for name, _ in _EACH), *own[place:])


def agreement_numbers(key: str, caption: Text, table: pl.DataFrame, data: ReportData) -> Numbers:
    """Return a table of agreement with its sentences, and the notes that explain intervals and top sets."""
    choices = data.parameters
    notes = (
        Text(
            "The interval of τ_b ({level} %) comes from resampled topics, so it leaves out the noise of the "
            "judgments. Means use only the topics that have both judgments and grades.",
            level=f"{choices.level * 100:g}",
        ),
        Text(
            "A top set contains the best system and all systems with p ≥ {alpha} against it (Wilcoxon’s "
            "test). Overlap is the Jaccard index of the top sets.",
            alpha=f"{choices.alpha:g}",
        ),
    )
    sentences = tuple(
        Text(
            "For {measure}, τ between {judged} and {known} is {tau} [{low}, {high}] (n = {systems} systems, "
            "{topics} topics). The top sets overlap by {overlap} %.",
            measure=row["measure"],
            judged=row["judged"],
            known=row["known"],
            tau=f"{row['tau_b']:.2f}",
            low=_shown(row["low"]),
            high=_shown(row["high"]),
            systems=row["systems"],
            topics=row["topics"],
            overlap=f"{row['overlap'] * 100:.0f}",
        )
        for row in table.iter_rows(named=True)
        if row["tau_b"] is not None
    )
    # A column that always says the same would only make the table wider.
    shown = table if table["judged"].n_unique() > 1 else table.drop("judged")
    heads = shown.columns.index("measure") + 1
    return Numbers(key, caption, shown, heads=heads, notes=notes, interval_of="tau_b", sentences=sentences)


def _shown(value: float | None) -> str:
    return "–" if value is None else f"{value:.2f}"


def with_tau_bounds(
    table: pl.DataFrame, judged: Mapping[str, Scores], known: Mapping[str, Scores], data: ReportData
) -> pl.DataFrame:
    """Return a table of `system_agreement` with the columns `low` and `high` after `tau_b`.

    `low` and `high` are percentiles of τ_b over bootstrap samples of the topics.
    """
    bounds: list[Bounds] = [
        tau_bounds(judged[row["judged"]], known[row["known"]], row["measure"], data)
        for row in table.iter_rows(named=True)
    ]
    return with_bounds(table, bounds, "tau_b")


def _simulated(data: ReportData) -> Content:
    choices, content = data.parameters, Content()
    tables, points = [], []

    def simulate(name: str) -> None:
        grades = data.judged_grades[name]
        systems = data.systems({name: grades}, "simulated")[name]
        agreement, scatter = compared(data, systems, grades)
        tables.append(agreement)
        points.append(scatter)
        content.sentences.append(lists_sentence(systems))

    content.add_each(data.judged_grades, simulate)
    if not tables:
        return content
    caption = Text("Agreement of {systems} simulated systems", systems=choices.systems)
    numbers = agreement_numbers("simulated-agreement", caption, pl.concat(tables), data)
    content.tables.append(numbers)
    draw = partial(figures.system_scatter, pl.concat(points), width="page")
    content.figures.append(Drawn("simulated", Text("Simulated systems"), numbers.sentences, draw))
    return content


def compared(data: ReportData, systems: Systems, grades: Gains) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Compare the rankings of systems by the crowd's gains and by a set of grades, which `systems` names.

    Return the table of `system_agreement` with the interval of τ_b, and the points of `system_scatter`.
    """
    measures, alpha = data.parameters.measures, data.parameters.alpha
    judged = {data.crowd: systems.of(data.judged_scores)}
    by_grades = scores_by({systems.name: grades}, data.runs, measures)
    known = {name: systems.of(scores) for name, scores in by_grades.items()}
    agreement = analyses.system_agreement(judged, known, alpha=alpha)
    scatter = analyses.system_scatter(judged, known, alpha=alpha)
    return with_tau_bounds(agreement, judged, known, data), scatter


def lists_sentence(systems: Systems) -> Text:
    """Return a sentence that says from how many lists the simulated systems are drawn."""
    return Text(
        "{topics} topics have two or more lists whose top {depth} documents all have a grade in "
        "{name}. These topics have {lists} such lists in all.",
        name=systems.name,
        topics=0 if systems.simulated is None else len(systems.simulated.topics),
        depth=systems.depth,
        lists=systems.sub_runs,
    )


def ranking_warnings(chosen: Mapping[str, Systems]) -> list[Text]:
    """Return the sentences that say where simulated systems are ranked, or should be."""
    return [text for systems in chosen.values() if (text := systems.warning()) is not None]


def _tau(data: ReportData) -> Content:
    chosen = data.systems(data.known)
    table = tau_draws(data, data.known, chosen)
    sentence, numbers = tau_numbers("tau-summary", table, data)
    sentences = (*ranking_warnings(chosen), sentence)
    draw = partial(figures.tau_distributions, table)
    return Content([*sentences], [numbers], [Drawn("tau", Text("τ with other workers"), sentences, draw)])


def tau_draws(
    data: ReportData, known: Mapping[str, Gains], chosen: Mapping[str, Systems], *, medians: bool = True
) -> pl.DataFrame:
    """Return the result of `tau_distributions` for these sets of grades, each with the systems it ranks."""
    choices = data.parameters
    return analyses.tau_distributions(
        data.judgments,
        data.normalised,
        data.runs,
        known,
        rng=choices.random,
        measures=choices.measures,
        times=choices.draws,
        ranked={name: systems.ranked for name, systems in chosen.items()},
        medians=medians,
    )


def tau_numbers(key: str, table: pl.DataFrame, data: ReportData) -> tuple[Text, Numbers]:
    """Return a sentence with the medians of the distributions of τ, and a table that sums them up."""
    choices = data.parameters
    summary = analyses.tau_summary(table, level=choices.level)
    taus = "; ".join(
        f"{row['measure']}, {row['known']}: {row['median']:.2f} [{row['low']:.2f}, {row['high']:.2f}]"
        for row in summary.drop_nulls("median").iter_rows(named=True)
    )
    sentence = Text("Median τ of {draws} draws: {taus}.", draws=choices.draws, taus=taus)
    note = Text("The interval contains the middle {level} % of the draws.", level=f"{choices.level * 100:g}")
    caption = Text("τ with one judgment for each document")
    return sentence, Numbers(key, caption, summary, heads=3, notes=(note,))


def _ranges(data: ReportData) -> Content:
    measures, alpha = data.parameters.measures, data.parameters.alpha
    judged = scores_by(analyses.gains_by_range(data.judgments, data.normalised), data.runs, measures)
    chosen = data.systems(data.judged_grades)
    parts = []
    for name, systems in chosen.items():
        by_kind = {kind: systems.of(scores) for kind, scores in judged.items()}
        scores = scores_by({name: data.judged_grades[name]}, data.runs, measures)[name]
        known = {name: systems.of(scores)}
        agreement = analyses.ranked_agreement(by_kind, known, systems, alpha=alpha)
        parts.append(with_tau_bounds(agreement, by_kind, known, data))
    table = pl.concat(part.filter(judged=kind) for kind in judged for part in parts)
    numbers = agreement_numbers("ranges", Text("Narrow, wide and all units"), table, data)
    note = Text(
        "“Narrow” uses only judgments from narrow units, and “wide” uses only judgments from wide units. A "
        "document that is in no narrow unit gets its smallest normalised magnitude as its narrow gain. A "
        "document that is in no wide unit gets its largest normalised magnitude as its wide gain."
    )
    of_all = Numbers(
        numbers.key,
        numbers.caption,
        table,
        heads=4,
        notes=(note, *numbers.notes),
        interval_of="tau_b",
    )
    return Content(ranking_warnings(chosen), [of_all])


MAKERS: Final[Mapping[str, Callable[[ReportData], Content]]] = {
    "means": make_means,
    "systems": _systems,
    "simulated": _simulated,
    "tau": _tau,
    "ranges": _ranges,
}
