"""`scores`: the runs by any measure, how sure their means are, and whether judgments rank them alike."""

from collections.abc import Sequence
from functools import partial
from typing import Final

import numpy as np
import polars as pl
from scipy import stats

from evaluation import analyses
from evaluation.arrays import FloatArray
from evaluation.compare import rho, tau_a, tau_ap, tau_c, top_set
from evaluation.errors import InputError
from evaluation.frames import Scores
from judging.core.intake.columns import MAGNITUDES
from judging.core.services.jobs import Progress
from judging.understanding.reports.given import Given
from judging.understanding.reports.tables import KeptTable, Parts, kept

LEVEL: Final = 0.95
RESAMPLES: Final = 9999
ALPHA: Final = 0.05
_MOST_NAMED: Final = 5
_MEANS: Final = {
    "run": pl.String,
    "topics": pl.Int64,
    "mean": pl.Float64,
    "low": pl.Float64,
    "high": pl.Float64,
    "p": pl.Float64,
}


def scores_content(given: Given, measures: Sequence[str], progress: Progress) -> dict[str, object]:
    """`{"measures", "tables", "missing", "notices"}`.

    A table of means for each measure and gains, its key `MEASURE/GAINS`, and one of agreement. Raises
    InputError without runs, and what `score` raises.
    """
    if not given.runs:
        raise InputError("study-without-runs", "the study names no runs; name them in its study file")
    judged = analyses.scores_by({MAGNITUDES: given.medians}, given.runs, measures)
    known: dict[str, Scores] = {}
    parts = Parts()
    for done, (name, gains) in enumerate(given.known.items(), start=1):
        try:
            known |= analyses.scores_by({name: gains}, given.runs, measures)
        except InputError as fault:
            parts.leave_out(f"Scores by {name}", str(fault))
        progress(done, len(given.known) + 2)
    for name, scores in {**judged, **known}.items():
        for measure in scores.measures:
            parts.add(f"{measure} by {name}", partial(_means, given, scores, measure, name))
    progress(len(given.known) + 1, len(given.known) + 2)
    if known:
        parts.add("Agreement with the known grades", lambda: [_agreement(judged, known)])
    else:
        why = "the study has no known grades that the runs could be scored by"
        parts.leave_out("Agreement with the known grades", why)
    return {
        "measures": list(judged[MAGNITUDES].measures),
        "tables": parts.tables,
        "missing": parts.missing,
        "notices": [
            f"by {name}: {said}"
            for name, one in {**judged, **known}.items()
            for said in one.notices.sentences()
        ],
    }


def _means(given: Given, scores: Scores, measure: str, name: str) -> list[KeptTable]:
    table = means_table(given, scores, measure)
    note = (
        "95 % intervals by bootstrap over topics; p of Wilcoxon’s test against the best, for its top set. "
        f"{verdict(table)}"
    )
    return [kept(f"{measure}/{name}", f"{measure} by {name}", table, note=note)]


def verdict(table: pl.DataFrame) -> str:
    """In a sentence which run of a `means_table` is the best, and which are not told apart from it.

    Wilcoxon's exact two-sided p of n differences is 2 / 2ⁿ or more: it is said where that alone is over .05.
    """
    best, topics = table["run"][0], max(table["topics"].to_list())
    beside = [run for run, p in zip(table["run"], table["p"], strict=True) if p is not None and run != best]
    if table.height == 1:
        return f"{best} is the only run."
    if not beside:
        return f"{best} has the best mean, and all others are told apart from it."
    names = ", ".join(beside[:_MOST_NAMED]) + (
        f" and {len(beside) - _MOST_NAMED} more" if len(beside) > _MOST_NAMED else ""
    )
    few = (
        f"; on so few topics ({topics}) p cannot be under {2 / 2**topics:.3g}, so that no two can be"
        if 2 / 2**topics >= ALPHA
        else ""
    )
    return f"{best} has the best mean; not told apart from it: {names}{few}."


def means_table(given: Given, scores: Scores, measure: str) -> pl.DataFrame:
    """The runs by their means, best first: `run, topics, mean, low, high, p`.

    `low` and `high` bound the percentile interval of the mean when topics are drawn with replacement, 9,999
    times, by scipy. The dice are those of the study's seed, thrown anew for each run: so runs of equally many
    topics are drawn the same ones, and no interval depends on what else is asked for. Null for fewer than two
    topics. `p` is Wilcoxon's, two-sided and not adjusted, against the run of the best mean, for the runs of
    its top set, those with p ≥ .05; null for the others. Raises InputError where no run has a value.
    """
    values = scores.values[..., scores.measures.index(measure)]
    means = {row.run: row.value for row in scores.means() if row.measure == measure}
    top = {one.run: one.p for one in top_set(scores.runs, values, alpha=ALPHA)}
    rows = []
    for run, of_run in zip(scores.runs, values, strict=True):
        present = of_run[~np.isnan(of_run)]
        rows.append((run, len(present), means[run], *_interval(given, present), top.get(run)))
    table = pl.DataFrame(rows, schema=_MEANS, orient="row")
    return table.sort("mean", "run", descending=[True, False], nulls_last=True)


def _interval(given: Given, values: FloatArray) -> tuple[float | None, float | None]:
    if len(values) < 2:
        return None, None
    found = stats.bootstrap(
        (values,),
        np.mean,
        confidence_level=LEVEL,
        n_resamples=RESAMPLES,
        method="percentile",
        rng=given.dice,
    ).confidence_interval
    return float(found.low), float(found.high)


def _agreement(judged: dict[str, Scores], known: dict[str, Scores]) -> KeptTable:
    note = (
        "Means over the topics that both judge; overlap is that of the top sets, by Jaccard; "
        "τ_AP takes the known grades for the truth"
    )
    table = agreement_table(judged, known)
    return kept("agreement", "Agreement with the known grades", table, note=note)


def agreement_table(judged: dict[str, Scores], known: dict[str, Scores]) -> pl.DataFrame:
    """`analyses.system_agreement`, with the other correlations beside τ_b.

    Returns `measure, known, systems, topics, tau_b, tau_ap, tau_a, tau_c, rho, judged_top, known_top, shared,
    overlap`. The correlations are null where all systems are tied.
    """
    points = analyses.system_scatter(judged, known, alpha=ALPHA)
    points = points.drop_nulls(["judged_value", "known_value"])
    others = []
    for (name, measure), rows in points.group_by("known", "measure", maintain_order=True):
        truth, crowd = rows["known_value"].to_numpy(), rows["judged_value"].to_numpy()
        found = (correlate(truth, crowd) for correlate in (tau_ap, tau_a, tau_c, rho))
        others.append((name, measure, *found))
    columns = ("tau_ap", "tau_a", "tau_c", "rho")
    schema = {"known": pl.String, "measure": pl.String, **dict.fromkeys(columns, pl.Float64)}
    table = analyses.system_agreement(judged, known, alpha=ALPHA)
    beside = pl.DataFrame(others, schema=schema, orient="row")
    table = table.join(beside, on=["known", "measure"], how="left", maintain_order="left")
    sizes = ("systems", "topics", "tau_b", *columns, "judged_top", "known_top", "shared", "overlap")
    return table.select("measure", "known", *sizes)
