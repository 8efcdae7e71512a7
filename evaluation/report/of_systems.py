"""The parts that compare systems by the crowd's gains and by known grades [T15]."""

from collections.abc import Callable, Mapping
from functools import partial

import numpy as np
import polars as pl

from evaluation import analyses, figures
from evaluation.analyses import scores_by
from evaluation.arrays import FloatArray
from evaluation.comparison import bootstrap_interval, simulate_systems, top_set
from evaluation.comparison.correlation import levels_of_rows
from evaluation.errors import InputError
from evaluation.frames import Gains
from evaluation.rendering import counted
from evaluation.report.by_grade import percentiles
from evaluation.report.data import MAGNITUDES, ReportData
from evaluation.report.parts import (
    Content,
    Drawn,
    Numbers,
    Part,
    Section,
    anchors,
    grades,
    known,
    magnitudes,
    runs,
)
from evaluation.score_table import Scores

_MEANS = {
    "measure": pl.String,
    "run": pl.String,
    "topics": pl.Int64,
    "mean": pl.Float64,
    "low": pl.Float64,
    "high": pl.Float64,
    "top": pl.String,
    "p": pl.Float64,
}
_TOP_NOTE = "top: the best run, and the runs with p ≥ {alpha:g} against it (Wilcoxon’s test, not adjusted)."
_MOST_NAMED = 5


def _means(data: ReportData) -> Content:
    content = Content()
    choices = data.parameters
    by_gains = {MAGNITUDES: data.judged_scores}
    for name in data.known:
        _gather(content, name, partial(_add_scores, data, name, by_gains))
    notes = (
        f"[low, high]: {choices.level * 100:g} % percentile interval of the mean, from {choices.resamples} "
        "bootstrap samples of the topics.",
        _TOP_NOTE.format(alpha=choices.alpha),
    )
    for place, (name, scores) in enumerate(by_gains.items(), start=1):
        table = _means_table(scores, data)
        for number, measure in enumerate(scores.measures, start=1):
            of_measure = table.filter(pl.col("measure") == measure).drop("measure")
            content.sentences.append(_verdict(of_measure, measure, name))
            key = f"means-{place}-{number}"
            caption = f"{measure} by {name}"
            content.tables.append(Numbers(key, caption, of_measure, notes=notes, interval_of="mean"))
        drawn = table.select("measure", "run", "mean", "low", "high").drop_nulls("mean")
        alt = f"Means of {counted(len(scores.runs), 'run')} by {name}, with intervals."
        figure = figures.mean_intervals(drawn, level=choices.level)
        content.figures.append(Drawn(f"means-{place}", f"Means of the runs by {name}", alt, figure))
    return content


def _add_scores(data: ReportData, name: str, by_gains: dict[str, Scores]) -> None:
    by_gains.update(_scores_by_known(data, name))


def _scores_by_known(data: ReportData, name: str) -> dict[str, Scores]:
    return scores_by({name: data.known[name]}, data.runs, data.parameters.measures)


def _gather(content: Content, name: str, work: Callable[[], object]) -> None:
    """Do the work for a set of known grades, or add the reason why the library refuses to do it."""
    try:
        work()
    except InputError as error:
        content.missing.append(f"By {name}: {error}.")


def _means_table(scores: Scores, data: ReportData) -> pl.DataFrame:
    choices, rows = data.parameters, []
    for place, measure in enumerate(scores.measures):
        values = scores.values[..., place]
        top = {member.run: member.p for member in top_set(scores.runs, values, alpha=choices.alpha)}
        for run, of_run in zip(scores.runs, values, strict=True):
            present = of_run[~np.isnan(of_run)]
            interval = bootstrap_interval(
                present, choices.random, level=choices.level, resamples=choices.resamples
            ) or (None, None)
            mean = float(present.mean()) if present.size else None
            is_top = "yes" if run in top else "no"
            rows.append((measure, run, len(present), mean, *interval, is_top, top.get(run)))
    table = pl.DataFrame(rows, schema=_MEANS, orient="row")
    order = {measure: place for place, measure in enumerate(scores.measures)}
    return (
        table.with_columns(place=pl.col("measure").replace_strict(order, return_dtype=pl.Int64))
        .sort("place", "mean", "run", descending=[False, True, False], nulls_last=True)
        .drop("place")
    )


def _verdict(table: pl.DataFrame, measure: str, name: str) -> str:
    best = table.row(0, named=True)
    tied = [run for run in table.filter(pl.col("top") == "yes")["run"] if run != best["run"]]
    named = ", ".join(tied[:_MOST_NAMED]) + (
        f" and {len(tied) - _MOST_NAMED} more" if len(tied) > _MOST_NAMED else ""
    )
    separated = (
        f"The test does not separate it from {named}." if tied else "The test separates it from all others."
    )
    interval = "" if best["low"] is None else f" [{best['low']:.3f}, {best['high']:.3f}]"
    return (
        f"By {measure} and {name}, {best['run']} has the best mean, {best['mean']:.3f}{interval} over "
        f"{counted(best['topics'], 'topic')}. {separated}"
    )


def _systems(data: ReportData) -> Content:
    judged = {MAGNITUDES: data.judged_scores}
    return _compared(data, judged, data.known, "systems", "Systems by magnitudes and by known grades")


def _compared(
    data: ReportData, judged: Mapping[str, Scores], known: Mapping[str, object], key: str, title: str
) -> Content:
    content, tables, points = Content(), [], []
    alpha = data.parameters.alpha
    for name in known:

        def compare(name: str = name) -> None:
            by_known = _scores_by_known(data, name)
            agreement = analyses.system_agreement(judged, by_known, alpha=alpha)
            scatter = analyses.system_scatter(judged, by_known, alpha=alpha)
            tables.append(with_tau_intervals(agreement, judged, by_known, data))
            points.append(scatter)

        _gather(content, name, compare)
    if not tables:
        return content
    table, scatter = pl.concat(tables), pl.concat(points)
    content.sentences.extend(tau_sentences(table))
    content.tables.append(agreement_numbers(f"{key}-agreement", f"{title}: agreement", table, data))
    alt = f"Scatter plots of {counted(len(data.runs), 'run')}. {' '.join(content.sentences)}"
    figure = figures.system_scatter(
        scatter, width="page" if len(tables) * len(data.parameters.measures) > 1 else "column"
    )
    content.figures.append(Drawn(key, title, alt, figure))
    return content


def tau_sentences(table: pl.DataFrame) -> list[str]:
    """Return a sentence with τ and the overlap of the top sets for each row of a table of agreement."""
    return [
        f"By {row['measure']}, τ between {row['judged']} and {row['known']} is {row['tau_b']:.2f}"
        + ("" if row["low"] is None else f" [{row['low']:.2f}, {row['high']:.2f}]")
        + f" (n = {row['systems']} systems, {row['topics']} topics), and the top sets overlap by "
        + f"{row['overlap']:.0%}."
        for row in table.iter_rows(named=True)
        if row["tau_b"] is not None
    ]


def agreement_numbers(key: str, caption: str, table: pl.DataFrame, data: ReportData) -> Numbers:
    """Return a table of agreement with the notes that explain its intervals and top sets."""
    choices = data.parameters
    notes = (
        f"[low, high]: {choices.level * 100:g} % percentile interval of τ_b, from {choices.resamples} "
        "bootstrap samples of the topics, with the judgments as they are.",
        f"A top set has the best system and those with p ≥ {choices.alpha:g} against it (Wilcoxon’s test); "
        "overlap is the Jaccard index.",
    )
    return Numbers(key, caption, table, heads=3, notes=notes, interval_of="tau_b")


def with_tau_intervals(
    table: pl.DataFrame, judged: Mapping[str, Scores], known: Mapping[str, Scores], data: ReportData
) -> pl.DataFrame:
    """Return a table of `system_agreement` with `low` and `high` after `tau_b`, from resampled topics."""
    bounds = [
        tau_interval(judged[row["judged"]], known[row["known"]], row["measure"], data)
        for row in table.iter_rows(named=True)
    ]
    columns = {
        name: pl.Series(name, [pair[side] for pair in bounds], dtype=pl.Float64)
        for side, name in enumerate(("low", "high"))
    }
    place = table.columns.index("tau_b") + 1
    return table.with_columns(**columns).select(*table.columns[:place], *columns, *table.columns[place:])


def tau_interval(
    judged: Scores, known: Scores, measure: str, data: ReportData
) -> tuple[float | None, float | None]:
    """Return the percentile interval of τ_b between two rankings, from bootstrap samples of the topics.

    A mean covers the topics of the sample with a value on both sides. Return None, None for fewer than two
    topics.
    """
    topics = [topic for topic in judged.topics if topic in set(known.topics)]
    x, y = (
        scores.values[:, [scores.topics.index(topic) for topic in topics], scores.measures.index(measure)]
        for scores in (judged, known)
    )
    present = ~(np.isnan(x) | np.isnan(y))
    used = present.any(axis=0)
    if used.sum() < 2:
        return None, None
    x, y, present = x[:, used], y[:, used], present[:, used]
    number = int(used.sum())
    choices = data.parameters
    weights = choices.random.multinomial(number, np.full(number, 1 / number), size=choices.resamples)
    counts = weights @ present.T.astype(float)
    with np.errstate(invalid="ignore", divide="ignore"):
        means = [weights @ np.where(present, values, 0.0).T / counts for values in (x, y)]
    complete = (counts > 0).all(axis=1)
    return percentiles(taus_of_rows(*(rows[complete] for rows in means)), choices.level)


def taus_of_rows(x: FloatArray, y: FloatArray) -> FloatArray:
    """Return Kendall's τ_b between the same rows of `x` and `y` (rows, systems).

    τ_b is NaN if all systems are tied in a row. As in `tau_b`, systems whose means are within 1e-12 of each
    other are tied.
    """
    first, second = np.triu_indices(x.shape[1], k=1)
    signs = [
        np.sign(levels[:, first] - levels[:, second]) for levels in (levels_of_rows(rows) for rows in (x, y))
    ]
    untied = np.sqrt((signs[0] ** 2).sum(axis=1) * (signs[1] ** 2).sum(axis=1))
    with np.errstate(invalid="ignore", divide="ignore"):
        taus: FloatArray = np.where(untied > 0, (signs[0] * signs[1]).sum(axis=1) / untied, np.nan)
    return taus


def _simulated(data: ReportData) -> Content:
    choices, content = data.parameters, Content()
    tables, points = [], []
    for name, graded in data.judged_grades.items():

        def simulate(name: str = name, graded: Gains = graded) -> None:
            systems = simulate_systems(
                graded, data.runs, rng=choices.random, systems=choices.systems, depth=choices.depth
            )
            judged = {MAGNITUDES: systems.scores(data.judged_scores)}
            known = {name: systems.scores(_scores_by_known(data, name)[name])}
            agreement = analyses.system_agreement(judged, known, alpha=choices.alpha)
            tables.append(with_tau_intervals(agreement, judged, known, data))
            points.append(analyses.system_scatter(judged, known, alpha=choices.alpha))
            lists = sum(systems.complete)
            content.sentences.append(
                f"By {name}, {counted(len(systems.topics), 'topic')} have two or more lists that are graded "
                f"down to rank {choices.depth}, {lists} lists in all."
            )

        _gather(content, name, simulate)
    if not tables:
        return content
    table = pl.concat(tables)
    content.sentences.extend(tau_sentences(table))
    title = f"{choices.systems} simulated systems"
    content.tables.append(agreement_numbers("simulated-agreement", f"{title}: agreement", table, data))
    figure = figures.system_scatter(pl.concat(points), width="page")
    alt = f"Scatter plots of {title}. {' '.join(content.sentences)}"
    content.figures.append(Drawn("simulated", title, alt, figure))
    return content


def _tau(data: ReportData) -> Content:
    choices = data.parameters
    table = analyses.tau_distributions(
        data.judgments,
        data.normalised,
        data.runs,
        data.known,
        rng=choices.random,
        measures=choices.measures,
        times=choices.draws,
    )
    summary = analyses.tau_summary(table, level=choices.level)
    sentences = [
        f"By {row['measure']}, the median τ with {row['known']} is {row['median']:.2f} [{row['low']:.2f}, "
        f"{row['high']:.2f}] over {row['draws']} draws."
        for row in summary.iter_rows(named=True)
        if row["median"] is not None
    ]
    note = f"low and high enclose the middle {choices.level * 100:g} % of the draws."
    figure = figures.tau_distributions(table)
    return Content(
        sentences,
        [Numbers("tau-summary", "τ with one magnitude for each document", summary, heads=2, notes=(note,))],
        [Drawn("tau", "τ with other workers", f"Histograms of τ. {' '.join(sentences)}", figure)],
    )


def _transformations(data: ReportData) -> Content:
    content, tables = Content(), []
    for name, graded in data.judged_grades.items():

        def transform(name: str = name, graded: Gains = graded) -> None:
            table = analyses.transformation_table(
                graded, data.runs, measures=data.parameters.measures, alpha=data.parameters.alpha
            )
            tables.append(table.select(pl.lit(name).alias("grades"), pl.all()))

        _gather(content, name, transform)
    if tables:
        table = pl.concat(tables)
        least = table.drop_nulls("tau_b").sort("tau_b", maintain_order=True)
        if least.height:
            row = least.row(0, named=True)
            content.sentences.append(
                f"The smallest τ with the original grades is {row['tau_b']:.2f}, for {row['transformation']} "
                f"of {row['grades']} by {row['measure']} (n = {row['systems']} systems, {row['topics']} "
                "topics)."
            )
        content.tables.append(Numbers("transformations", "Transformed grades", table, heads=3, most=80))
    return content


def _ranges(data: ReportData) -> Content:
    table = analyses.range_table(
        data.judgments,
        data.normalised,
        data.judged_grades,
        data.runs,
        measures=data.parameters.measures,
        alpha=data.parameters.alpha,
    )
    kinds = analyses.gains_by_range(data.judgments, data.normalised)
    judged = scores_by(kinds, data.runs, data.parameters.measures)
    references = scores_by(data.judged_grades, data.runs, data.parameters.measures)
    table = with_tau_intervals(table.rename({"units": "judged"}), judged, references, data)
    numbers = agreement_numbers("ranges", "Narrow, wide and all units", table, data)
    of_all = table.filter(pl.col("judged") != "all").sort("tau_b", maintain_order=True).head(1)
    return Content([f"Lowest τ: {sentence}" for sentence in tau_sentences(of_all)], [numbers])


OF_SYSTEMS = Section(
    "systems",
    "Systems",
    (
        Part(
            "means",
            "Means of the runs",
            "[T15]",
            "Each row is a run with the mean of its scores over topics, the best first. Intervals that "
            "overlap do not show that two runs are alike, because both have the same topics.",
            _means,
            (runs,),
            figures=("means-1",),
        ),
        Part(
            "systems",
            "Rankings by magnitudes and by known grades",
            "[T15]",
            "Each point is a run, and τ is 1 if both kinds of judgments rank all runs alike. The top sets "
            "are what a reader would call the best runs, and their overlap is 1 if both kinds of judgments "
            "agree on them.",
            _systems,
            (runs, known),
            figures=("systems",),
        ),
        Part(
            "simulated",
            "Simulated systems",
            "[T15]",
            "A simulated system has, for each topic, the list of a randomly chosen run among those whose "
            "top documents are all graded. So unjudged documents play no role in this comparison.",
            _simulated,
            (runs, grades),
            figures=("simulated",),
        ),
        Part(
            "tau",
            "τ with other workers",
            "[T15]",
            "Each draw ranks the runs by one randomly chosen magnitude for each document. A narrow "
            "distribution means that the ranking hardly depends on which workers happened to judge.",
            _tau,
            (runs,),
            figures=("tau",),
        ),
        Part(
            "transformations",
            "Other numbers for the grades",
            "[T15]",
            "In the names of the transformations, C is the original grade. A τ near 1 means that the "
            "ranking of the runs hardly depends on the numbers chosen for the grades.",
            _transformations,
            (runs, grades),
        ),
        Part(
            "ranges",
            "Narrow and wide units",
            "[T15]",
            "A unit is wide if its H ÷ N is at least the median of all units. Similar rows mean that it "
            "does not matter for the ranking how wide a range of numbers the workers use.",
            _ranges,
            (runs, magnitudes, anchors, grades),
        ),
    ),
)
