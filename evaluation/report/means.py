"""The part `means`: the mean of each run with its intervals, and its difference from the best run [T15]."""

from collections.abc import Sequence
from functools import partial
from typing import Final

import numpy as np
import polars as pl

from .. import figures
from ..arrays import FloatArray
from ..comparison import t_interval, wilcoxon
from ..comparison.system_intervals import SystemIntervals, system_intervals
from ..comparison.topset import best_first, no_values, p_against
from ..comparison.verdict import BestRun, verdict
from ..errors import InputError
from ..measures import Measure, as_printed, bounds_of, parse
from ..score_table import Scores
from ..scores import score
from ..text import Text
from .catalogue import ADAPTIVE
from .content import Content, Drawn, Numbers
from .data import MAGNITUDES, ReportData
from .intervals import NONE

COMPARED: Final = ("difference", "difference_low", "difference_high", "p", "adjusted")
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
"""The columns that only scores based on the crowd's gains have."""


def make_means(data: ReportData) -> Content:
    """Compute the means of the runs, based on the crowd's gains and on each set of known grades."""
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
            Text("{gains}: {notice}.", gains=data.shown(name), notice=notice)
            for notice in scores.notices.of(None).texts()
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
        "Means of {number} run, based on {gains}, with intervals.",
        "Means of {number} runs, based on {gains}, with intervals.",
        number=len(data.runs),
        gains=data.shown(name),
    )
    draw = partial(figures.mean_intervals, points, level=data.parameters.level)
    return Drawn(key, Text("Means of the runs by {gains}", gains=data.shown(name)), (alt,), draw)


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
                "topics” is for the same topics, judged by other workers. Intervals end where the range of "
                "the measure ends.",
                level=level,
            ),
            *(Text("{notice}", notice=notice) for notice in intervals.notices()),
        ]
    if data.is_adaptive and name == MAGNITUDES:
        notes.append(ADAPTIVE)
    if is_compared:
        difference = (
            Text(
                "The difference is the mean of the run minus the mean of the best run, over the topics in "
                "which both have a score."
            )
            if intervals is None
            else Text(
                "The difference is the run’s “mean without the bias” minus the best run’s, over the topics "
                "in which both have a score. The test uses the scores as they are, with the bias."
            )
        )
        tested = Text(
            "The interval of the difference ({level} %) is for new topics. p comes from Wilcoxon’s test on "
            "the topics in which both runs have a score. Holm’s method adjusts p for all pairs of runs; the "
            "interval is not adjusted.",
            level=level,
        )
        notes += [difference, tested]
    notes.append(
        Text(
            "“Judged” is the share of documents with a judgment or grade, down to the cut-off. All other "
            "documents have a gain of 0."
        )
    )
    notices = scores.notices.of(measure)
    cautions = [Text("{notice}.", notice=text) for text in notices.cautions.texts()]
    notes += [Text("{notice}.", notice=text) for text in notices.further.texts()]
    return Numbers(
        key,
        Text("{measure} by {gains}", measure=measure, gains=data.shown(name)),
        table,
        notes=tuple(notes),
        interval_of="mean" if intervals is None else "corrected",
        sentences=(*cautions, *(verdict_on(table, measure, data.parameters.alpha) if is_compared else ())),
        about=(name, measure),
    )


def means_table(
    data: ReportData, name: str, scores: Scores, measure: str, intervals: SystemIntervals | None
) -> pl.DataFrame:
    """Return a table of the runs, the best first, with the columns `MEANS`.

    `mean` is the mean of the scores over `topics` topics. With `intervals`, `corrected` is this mean minus
    the estimated bias, and `low` and `high` are its bounds for new topics. `low_judged_anew` and
    `high_judged_anew` are its bounds for the same topics, judged by other workers. Without `intervals`, `low`
    and `high` are the bounds of Student's interval. `corrected`, `low_judged_anew` and `high_judged_anew` are
    then null. The runs are ordered by `corrected` or, if a run with a value has none, by `mean`.

    `difference` is the mean of the run minus that of the best run, over the topics in which both have a
    value. With `intervals`, the estimated bias is subtracted from it. `difference_low` and `difference_high`
    are its bounds. `p` is the p-value of Wilcoxon's two-sided test of the two runs' scores in these topics.
    It is 1 for a run that has no topic in common with the best run. `adjusted` is this p, adjusted by Holm's
    method for all pairs of runs, as by `compare`. For the best run and for runs without a value, the columns
    from `difference` to `adjusted` are null. `judged_share` is the mean share of judged documents down to the
    cut-off. Raise `InputError` if no run has a value.
    """
    level, within = data.parameters.level, bounds_of(measure)
    values = scores.values[..., scores.measures.index(measure)]
    means = {row.run: row.value for row in scores.means() if row.measure == measure}
    shares = _judged_shares(data, name, measure)
    new, anew = (
        {}
        if intervals is None
        else {row["run"]: row for row in intervals.means(target, level=level).iter_rows(named=True)}
        for target in ("new_topics", "these_topics")
    )
    in_order = [scores.runs[place] for place in best_first(scores.runs, values)]
    if not in_order:
        raise no_values()
    if all(run in new and new[run]["mean"] is not None for run in in_order):
        in_order.sort(key=lambda run: (-new[run]["mean"], run))
    best = in_order[0]
    of_best = values[scores.runs.index(best)]
    rows = []
    for run, of_run in zip(scores.runs, values, strict=True):
        present = of_run[~np.isnan(of_run)]
        compared: tuple[float | None, ...] = (None,) * (len(COMPARED) - 1)
        if run != best and len(present):
            compared = _compared(of_run, of_best, run, best, intervals, level, within)
        if intervals is None:
            interval = t_interval(present, level=level, within=within) or NONE
            bounds = (None, *as_printed(measure, interval), None, None)
        else:
            bounds = (
                *(new[run][column] for column in ("mean", "low", "high")),
                *(anew[run][column] for column in ("low", "high")),
            )
        rows.append((run, len(present), means[run], *bounds, *compared, shares[run]))
    schema = {name: kind for name, kind in MEANS.items() if name != "adjusted"}
    table = pl.DataFrame(rows, schema=schema, orient="row")
    adjusted = p_against(values, scores.runs.index(best), "holm")
    adjusted[[run not in in_order for run in scores.runs]] = np.nan
    place = pl.Series([in_order.index(run) if run in in_order else len(in_order) for run in table["run"]])
    with_p = table.with_columns(pl.Series("adjusted", adjusted).fill_nan(None), place=place)
    return with_p.sort("place", "run").select(*MEANS)


def _compared(
    values: FloatArray,
    of_best: FloatArray,
    run: str,
    best: str,
    intervals: SystemIntervals | None,
    level: float,
    within: tuple[float, float],
) -> tuple[float | None, ...]:
    """Return the entries of a run in the columns `COMPARED` but the last.

    `values` has the run's scores, and `of_best` has the scores of the best run.
    """
    differences = (values - of_best)[~np.isnan(values - of_best)]
    if not len(differences):
        return None, None, None, 1.0
    p = wilcoxon(values, of_best).p
    if intervals is not None:
        row = intervals.difference(run, best, level=level).row(0, named=True)
        return row["mean"], row["low"], row["high"], p
    least, most = within[0] - within[1], within[1] - within[0]
    bounds = t_interval(differences, level=level, within=(least, most)) or NONE
    return float(differences.mean()), *bounds, p


def _judged_shares(data: ReportData, name: str, measure: str) -> dict[str, float | None]:
    """Return each run's mean share of judged documents, down to the cut-off of the measure if it has one."""
    judged = str(Measure("Judged", (("topics", "judged"),), parse(measure).cutoff))
    of_runs = score(data.all_gains[name], data.runs, [judged])
    return {row.run: row.value for row in of_runs.means()}


def verdict_on(table: pl.DataFrame, measure: str, alpha: float) -> list[Text]:
    """Return the verdict on the runs of the table that `means_table` returns."""
    best, *others = table.rows(named=True)
    mean, bounds = best["mean"], (best["low"], best["high"])
    if "corrected" in best:
        is_complete = table["corrected"].count() == table["mean"].count()
        # The interval is around the corrected mean. Runs that have none are ordered by the mean as it is.
        mean, bounds = (best["corrected"], bounds) if is_complete else (mean, (None, None))
    return verdict(
        BestRun(best["run"], measure, mean, *bounds, best["topics"]),
        [row["run"] for row in others if row["adjusted"] is not None and row["adjusted"] >= alpha],
        runs=1 + sum(row["p"] is not None for row in others),
        topics=max(table["topics"].to_list()),
        alpha=alpha,
    )
