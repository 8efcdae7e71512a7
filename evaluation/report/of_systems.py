"""The parts that compare systems by the crowd's gains and by known grades [T15]."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Final

import numpy as np
import polars as pl

from evaluation import analyses, figures
from evaluation.analyses import scores_by
from evaluation.arrays import FloatArray
from evaluation.comparison import (
    rho,
    simulate_systems,
    t_interval,
    tau_a,
    tau_ap,
    tau_c,
    top_set,
    wilcoxon,
)
from evaluation.comparison.system_intervals import SystemIntervals, system_intervals
from evaluation.errors import InputError
from evaluation.frames import Gains
from evaluation.measures import Measure, parse
from evaluation.report.catalogue import ADAPTIVE
from evaluation.report.content import Content, Drawn, Numbers
from evaluation.report.data import MAGNITUDES, ReportData
from evaluation.report.intervals import NONE, Bounds, tau_bounds, with_bounds
from evaluation.report.text import Text
from evaluation.score_table import Scores
from evaluation.scores import score

COMPARED: Final = ("difference", "difference_low", "difference_high", "p")
"""The columns that compare a run with the best run."""
MEANS: Final = {
    "run": pl.String,
    "topics": pl.Int64,
    "mean": pl.Float64,
    "corrected": pl.Float64,
    "low": pl.Float64,
    "high": pl.Float64,
    "low_judged_anew": pl.Float64,
    "high_judged_anew": pl.Float64,
    **dict.fromkeys(COMPARED, pl.Float64),
    "judged_share": pl.Float64,
}
OF_JUDGMENTS: Final = ("corrected", "low_judged_anew", "high_judged_anew")
"""The columns that only scores by the crowd's gains have."""
_MOST_NAMED: Final = 5
_EACH: Final = (("tau_ap", tau_ap), ("tau_a", tau_a), ("tau_c", tau_c), ("rho", rho))
"""Further correlations of two rankings. τ_AP treats the known grades as the truth."""


def _all_gains(data: ReportData) -> dict[str, Gains]:
    return {MAGNITUDES: data.gains, **data.known}


def _means(data: ReportData) -> Content:
    content = Content()
    intervals: dict[str, SystemIntervals] = {}
    try:
        results = system_intervals(
            data.judgments,
            data.runs,
            data.parameters.measures,
            rng=data.parameters.random,
            method=data.method,
            statistic=data.statistic,
            resamples=data.parameters.worker_resamples,
        )
        intervals = {name: each for name, each in results.items() if each.means()["mean"].count()}
    except InputError as error:
        content.missing.append(error)
    by_gains = {MAGNITUDES: data.judged_scores}
    content.add_each(data.known, lambda name: by_gains.update(data.scores_by_known(name)))
    for place, (name, scores) in enumerate(by_gains.items(), start=1):
        content.sentences += [
            Text("{gains}: {notice}.", gains=name, notice=notice)
            for notice in scores.notices.of(None).sentences()
        ]
        of_gains = intervals if name == MAGNITUDES else {}
        tables = []
        for number, measure in enumerate(scores.measures, start=1):
            key = f"means-{place}-{number}"
            try:
                tables.append(_means_numbers(data, key, name, measure, scores, of_gains.get(measure)))
            except InputError as error:
                content.leave_out(name, error)
        content.tables += tables
        if tables:
            content.figures.append(_means_figure(data, f"means-{place}", name, tables))
    return content


def _means_figure(data: ReportData, key: str, name: str, tables: Sequence[Numbers]) -> Drawn:
    points = pl.concat(
        numbers.table.select(
            pl.lit(numbers.about[1] if numbers.about else "").alias("measure"),
            "run",
            pl.coalesce("corrected" if "corrected" in numbers.table.columns else "mean", "mean").alias(
                "mean"
            ),
            "low",
            "high",
        )
        for numbers in tables
    ).drop_nulls("mean")
    alt = Text.plural(
        "Means of {number} run by {gains}, with intervals.",
        "Means of {number} runs by {gains}, with intervals.",
        number=len(data.runs),
        gains=name,
    )
    draw = partial(figures.mean_intervals, points, level=data.parameters.level)
    return Drawn(key, Text("Means of the runs by {gains}", gains=name), (alt,), draw)


def _means_numbers(
    data: ReportData,
    key: str,
    name: str,
    measure: str,
    scores: Scores,
    intervals: SystemIntervals | None,
) -> Numbers:
    table = means_table(data, name, scores, measure, intervals)
    is_compared = not (data.is_random and name == MAGNITUDES)
    if not is_compared:
        table = table.drop(COMPARED)
    if intervals is None:
        table = table.drop(OF_JUDGMENTS)
    level = f"{data.parameters.level * 100:g}"
    notes = []
    if intervals is None:
        notes.append(
            Text(
                "The intervals ({level} %) are Student’s intervals for new topics. They do not correct the "
                "bias of noisy gains.",
                level=level,
            )
        )
    else:
        notes += [
            Text(
                "Noise in the gains biases the scores. The “mean without the bias” corrects this, and its "
                "interval ({level} %) is for new topics, judged by other workers. The interval for “these "
                "topics” is for the same topics, judged by other workers.",
                level=level,
            ),
            *(Text("{notice}", notice=notice) for notice in intervals.notices()),
        ]
    if data.is_adaptive and name == MAGNITUDES:
        notes.append(ADAPTIVE)
    if is_compared:
        difference = (
            Text(
                "The difference is the mean of the run minus the mean of the best run, over the topics that "
                "both have."
            )
            if intervals is None
            else Text(
                "The difference is the mean of the run without the bias minus that of the best run, over the "
                "topics that both have. The test uses the scores as they are."
            )
        )
        tested = Text(
            "The interval of the difference ({level} %) is for new topics. p comes from Wilcoxon’s test of "
            "the same topics. Neither is adjusted for the number of runs.",
            level=level,
        )
        notes += [difference, tested]
    notes.append(
        Text(
            "“Judged” is the share of judged or graded documents among those down to the cut-off. All other "
            "documents have gain 0."
        )
    )
    notes += [Text("{notice}.", notice=notice) for notice in scores.notices.of(measure).sentences()]
    return Numbers(
        key,
        Text("{measure} by {gains}", measure=measure, gains=name),
        table,
        notes=tuple(notes),
        interval_of="mean" if intervals is None else "corrected",
        sentences=tuple(verdict(table, data.parameters.alpha)) if is_compared else (),
        about=(name, measure),
    )


def means_table(
    data: ReportData, name: str, scores: Scores, measure: str, intervals: SystemIntervals | None
) -> pl.DataFrame:
    """Return a table of the runs, the best mean first, with the columns `MEANS`.

    `mean` is the mean of the scores over `topics` topics. With `intervals`, `corrected` is this mean without
    the estimated bias, `low` and `high` are the bounds for new topics, and `low_judged_anew` and
    `high_judged_anew` those for these topics. Without `intervals`, `low` and `high` are Student's.

    `difference` is the mean of the run minus that of the best run, over the topics in which both have a
    value, without the estimated bias if there are `intervals`. `p` is the p-value of Wilcoxon's two-sided
    test of the same pairs. It is 1 for a run that has no topic in common with the best run. For the best run
    and for runs without a value, these four columns are null. `judged_share` is the mean share of judged
    documents down to the cut-off. Raise `InputError` if no run has a value.
    """
    level = data.parameters.level
    values = scores.values[..., scores.measures.index(measure)]
    means = {row.run: row.value for row in scores.means() if row.measure == measure}
    shares = _judged_shares(data, name, measure)
    best = top_set(scores.runs, values, alpha=data.parameters.alpha)[0].run
    of_best = values[scores.runs.index(best)]
    new, anew = (
        {}
        if intervals is None
        else {row["run"]: row for row in intervals.means(target, level=level).iter_rows(named=True)}
        for target in ("new_topics", "these_topics")
    )
    rows = []
    for run, of_run in zip(scores.runs, values, strict=True):
        present = of_run[~np.isnan(of_run)]
        compared: tuple[float | None, ...] = (None,) * len(COMPARED)
        if run != best and len(present):
            compared = _compared(of_run, of_best, run, best, intervals, level)
        if intervals is None:
            bounds = (None, *(t_interval(present, level=level) or NONE), None, None)
        else:
            bounds = (
                *(new[run][column] for column in ("mean", "low", "high")),
                *(anew[run][column] for column in ("low", "high")),
            )
        rows.append((run, len(present), means[run], *bounds, *compared, shares[run]))
    table = pl.DataFrame(rows, schema=MEANS, orient="row")
    by = [pl.col("run") != best, "mean", "run"]
    return table.sort(by, descending=[False, True, False], nulls_last=True)


def _compared(
    values: FloatArray,
    of_best: FloatArray,
    run: str,
    best: str,
    intervals: SystemIntervals | None,
    level: float,
) -> tuple[float | None, ...]:
    """Return the columns `COMPARED` of a run with these values. `of_best` has the values of the best run."""
    differences = (values - of_best)[~np.isnan(values - of_best)]
    if not len(differences):
        return None, None, None, 1.0
    p = wilcoxon(values, of_best).p
    if intervals is not None:
        row = intervals.difference(run, best, level=level).row(0, named=True)
        return row["mean"], row["low"], row["high"], p
    return float(differences.mean()), *(t_interval(differences, level=level) or NONE), p


def _judged_shares(data: ReportData, name: str, measure: str) -> dict[str, float | None]:
    """Return each run's mean share of judged documents, down to the cut-off of the measure if it has one."""
    judged = str(Measure("Judged", (("topics", "judged"),), parse(measure).cutoff))
    of_runs = score(_all_gains(data)[name], data.runs, [judged])
    return {row.run: row.value for row in of_runs.means()}


def verdict(table: pl.DataFrame, alpha: float) -> list[Text]:
    """Return sentences that name the best run, and the runs that the test does not separate from it.

    `table` is a `means_table`. For n differences, the p-value of Wilcoxon's exact two-sided test is at least
    2 / 2ⁿ. If 2 / 2ⁿ is `alpha` or more, a sentence says that the test cannot separate any two runs.
    """
    best, topics = table["run"][0], max(table["topics"].to_list())
    tied = table.filter(pl.col("p") >= alpha)["run"].to_list()
    if table.height == 1:
        return [Text("{run} is the only run.", run=best)]
    if not tied:
        return [Text("{run} has the best mean. The test separates it from all other runs.", run=best)]
    named, others = ", ".join(tied[:_MOST_NAMED]), len(tied) - _MOST_NAMED
    if others > 0:
        first = Text.plural(
            "{run} has the best mean. The test does not separate it from {others} and {number} more run.",
            "{run} has the best mean. The test does not separate it from {others} and {number} more runs.",
            number=others,
            run=best,
            others=named,
        )
    else:
        first = Text(
            "{run} has the best mean. The test does not separate it from {others}.", run=best, others=named
        )
    least = 2 / 2**topics
    if least < alpha:
        return [first]
    few = Text(
        "With {topics} topics, p cannot be below {least}, so the test cannot separate any two runs.",
        topics=topics,
        least=f"{least:.3g}",
    )
    return [first, few]


def _systems(data: ReportData) -> Content:
    content, tables, points = Content(), [], []
    judged = {MAGNITUDES: data.judged_scores}
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
    numbers = _agreement_numbers(
        "systems-agreement", Text("Agreement of the rankings"), pl.concat(tables), data
    )
    content.tables.append(numbers)
    scatter = pl.concat(points)
    is_wide = len(tables) * len(data.parameters.measures) > 1
    draw = partial(figures.system_scatter, scatter, width="page" if is_wide else "column")
    caption = Text("Systems by magnitudes and by grades")
    content.figures.append(Drawn("systems", caption, numbers.sentences, draw))
    return content


def with_correlations(agreement: pl.DataFrame, scatter: pl.DataFrame) -> pl.DataFrame:
    """Return a table of `system_agreement` with the columns `tau_ap, tau_a, tau_c, rho` behind the interval.

    They are null if all systems are tied.
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


def _agreement_numbers(key: str, caption: Text, table: pl.DataFrame, data: ReportData) -> Numbers:
    """Return a table of agreement with its sentences, and the notes that explain intervals and top sets."""
    choices = data.parameters
    notes = (
        Text(
            "The interval of τ_b ({level} %) comes from resampled topics, and does not cover the noise of "
            "the judgments. Means cover the topics that have both judgments and grades.",
            level=f"{choices.level * 100:g}",
        ),
        Text(
            "A top set has the best system and all systems with p ≥ {alpha} against it (Wilcoxon’s test). "
            "Overlap is the Jaccard index of the top sets.",
            alpha=f"{choices.alpha:g}",
        ),
    )
    sentences = tuple(
        Text(
            "By {measure}, τ between {judged} and {known} is {tau} [{low}, {high}] (n = {systems} systems, "
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
    """Return a table of `system_agreement` with `low` and `high` after `tau_b`, from resampled topics."""
    bounds: list[Bounds] = [
        tau_bounds(judged[row["judged"]], known[row["known"]], row["measure"], data)
        for row in table.iter_rows(named=True)
    ]
    return with_bounds(table, bounds, "tau_b")


def _top_sets(data: ReportData) -> Content:
    content = Content()

    def add(name: str) -> None:
        scores = scores_by({name: _all_gains(data)[name]}, data.runs)
        tables.append(analyses.top_sets(scores, alpha=data.parameters.alpha))

    tables: list[pl.DataFrame] = []
    names = _all_gains(data)
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


def _simulated(data: ReportData) -> Content:
    choices, content = data.parameters, Content()
    tables, points = [], []

    def simulate(name: str) -> None:
        graded = data.judged_grades[name]
        systems = simulate_systems(
            graded, data.runs, rng=choices.random, systems=choices.systems, depth=choices.depth
        )
        judged = {MAGNITUDES: systems.scores(data.judged_scores)}
        known = {name: systems.scores(scores_by({name: graded}, data.runs, choices.measures)[name])}
        agreement = analyses.system_agreement(judged, known, alpha=choices.alpha)
        tables.append(with_tau_bounds(agreement, judged, known, data))
        points.append(analyses.system_scatter(judged, known, alpha=choices.alpha))
        content.sentences.append(
            Text(
                "By {name}, {topics} topics have two or more lists that are graded down to rank {depth}. "
                "These topics have {lists} such lists in all.",
                name=name,
                topics=len(systems.topics),
                depth=choices.depth,
                lists=sum(systems.complete),
            )
        )

    content.add_each(data.judged_grades, simulate)
    if not tables:
        return content
    caption = Text("Agreement of {systems} simulated systems", systems=choices.systems)
    numbers = _agreement_numbers("simulated-agreement", caption, pl.concat(tables), data)
    content.tables.append(numbers)
    draw = partial(figures.system_scatter, pl.concat(points), width="page")
    content.figures.append(Drawn("simulated", Text("Simulated systems"), numbers.sentences, draw))
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
    taus = "; ".join(
        f"{row['measure']}, {row['known']}: {row['median']:.2f} [{row['low']:.2f}, {row['high']:.2f}]"
        for row in summary.drop_nulls("median").iter_rows(named=True)
    )
    sentence = Text("Median τ of {draws} draws: {taus}.", draws=choices.draws, taus=taus)
    note = Text(
        "The interval encloses the middle part of the draws ({level} %).", level=f"{choices.level * 100:g}"
    )
    caption = Text("τ with one magnitude for each document")
    return Content(
        [sentence],
        [Numbers("tau-summary", caption, summary, heads=2, notes=(note,))],
        [Drawn("tau", Text("τ with other workers"), (sentence,), partial(figures.tau_distributions, table))],
    )


def _transformations(data: ReportData) -> Content:
    content, tables = Content(), []

    def transform(name: str) -> None:
        table = analyses.transformation_table(
            data.judged_grades[name],
            data.runs,
            measures=data.parameters.measures,
            alpha=data.parameters.alpha,
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
                "The smallest τ is {tau}, for the transformation {transformation} of {grades}, by {measure} "
                "(n = {systems} systems, {topics} topics).",
                tau=f"{row['tau_b']:.2f}",
                **{key: row[key] for key in ("transformation", "grades", "measure", "systems", "topics")},
            )
        )
    caption = Text("Other gains for the grades")
    content.tables.append(Numbers("transformations", caption, table, heads=3, most=80))
    return content


def _ranges(data: ReportData) -> Content:
    measures, alpha = data.parameters.measures, data.parameters.alpha
    judged = scores_by(analyses.gains_by_range(data.judgments, data.normalised), data.runs, measures)
    known = scores_by(data.judged_grades, data.runs, measures)
    agreement = analyses.system_agreement(judged, known, alpha=alpha)
    table = with_tau_bounds(agreement, judged, known, data)
    numbers = _agreement_numbers("ranges", Text("Narrow, wide and all units"), table, data)
    note = Text(
        "“Narrow” and “wide” use only the judgments of such units. If a document has no narrow unit, its "
        "narrow gain is its smallest normalised magnitude. If it has no wide unit, its wide gain is its "
        "largest normalised magnitude."
    )
    of_all = Numbers(
        numbers.key,
        numbers.caption,
        table,
        heads=3,
        notes=(note, *numbers.notes),
        interval_of="tau_b",
    )
    return Content([], [of_all])


MAKERS: Final[Mapping[str, Callable[[ReportData], Content]]] = {
    "means": _means,
    "systems": _systems,
    "top-sets": _top_sets,
    "simulated": _simulated,
    "tau": _tau,
    "transformations": _transformations,
    "ranges": _ranges,
}
