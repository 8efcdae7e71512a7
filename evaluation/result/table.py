"""The table of a result: the runs with their means, intervals and tests, the best first."""

from collections.abc import Mapping
from typing import Any, Final, Literal, NamedTuple

import numpy as np
import polars as pl

from ..arrays import FloatArray, mean_over_topics
from ..comparison.choices import Choices
from ..comparison.holm import holm
from ..comparison.intervals import bootstrap_interval, t_interval
from ..comparison.results import differences
from ..comparison.system_intervals import SystemIntervals
from ..comparison.topset import adjusted_for_pairs, best_first, no_values
from ..measures import as_printed, bounds_of, known_measure, lower_is_better
from ..score_table import Scores

Estimator = Literal["corrected", "observed", "sampled"]
"""How a mean is computed: without the estimated bias of noisy gains, from the scores as they are, or from a
sample of the documents."""
MEANS: Final[dict[Estimator, str]] = {
    "corrected": "means without the estimated bias of noisy gains",
    "observed": "means",
    "sampled": "means estimated from a sample of the documents",
}
"""The words for the means in the notes of a table."""
Bounds = tuple[float | None, float | None]
NONE: Final[Bounds] = (None, None)
OF_BEST: Final = ("difference", "difference_low", "difference_high", "p", "adjusted")
COUNTS: Final = ("wins", "ties", "losses")
BASELINE: Final = "baseline_"
"""The prefix of the columns that compare a run with the baseline."""
TABLE: Final[dict[str, Any]] = {
    "run": pl.String,
    "topics": pl.Int64,
    **dict.fromkeys(("mean", "low", "high", "low_judged_anew", "high_judged_anew"), pl.Float64),
    **dict.fromkeys(OF_BEST, pl.Float64),
    "in_top_set": pl.Boolean,
    **dict.fromkeys(COUNTS, pl.Int64),
    **dict.fromkeys((BASELINE + name for name in OF_BEST), pl.Float64),
    **dict.fromkeys((BASELINE + name for name in COUNTS), pl.Int64),
    **dict.fromkeys(("observed", "judged_share"), pl.Float64),
}
"""The columns of a result's table."""


def result_table(
    scores: Scores,
    measure: str,
    p_of_pairs: FloatArray,
    choices: Choices,
    intervals: SystemIntervals | None,
    shares: Mapping[str, float | None],
) -> tuple[pl.DataFrame, bool]:
    """Return the table of the runs by one measure, and whether its means are those of `intervals`.

    The runs are ordered from best to worst.
    The table has the columns `TABLE`. `p_of_pairs` (runs, runs) has the p-value of Wilcoxon's test of each
    pair. The other arguments are those of `compute_result`. Raise `InputError` if no run has a value.
    """
    means = _means(scores, measure, choices, intervals)
    if not means.order:
        raise no_values()
    adjusted = adjusted_for_pairs(p_of_pairs, choices.correction)
    rows = {run: {"run": run, "in_top_set": False, **means.rows[run]} for run in scores.runs}
    compare = _Comparing(scores, measure, choices, means.corrected)
    best = means.order[0]
    rows[best]["in_top_set"] = True
    for run in means.order[1:]:
        p, of_pair = (of[scores.runs.index(run), scores.runs.index(best)] for of in (p_of_pairs, adjusted))
        of_best = compare.with_run(run, best, p, of_pair)
        rows[run] |= of_best
        rows[run]["in_top_set"] = of_best["adjusted"] >= choices.alpha
    _add_baseline(rows, means.order, p_of_pairs, compare, scores, choices)
    for run, row in rows.items():
        row["judged_share"] = shares.get(run)
    last = [run for run in scores.runs if run not in means.order]
    table = pl.DataFrame([rows[run] for run in (*means.order, *last)], schema=TABLE, orient="row")
    return table, means.corrected is not None


def _add_baseline(
    rows: dict[str, dict[str, Any]],
    order: list[str],
    p_of_pairs: FloatArray,
    compare: "_Comparing",
    scores: Scores,
    choices: Choices,
) -> None:
    """Compare each run with the baseline, if there is one with a value.

    The baseline was chosen beforehand. So p is adjusted for the comparisons with it alone, as by `compare`.
    """
    baseline = choices.baseline
    if baseline not in order:
        return
    others = [run for run in order if run != baseline]
    p = np.array([p_of_pairs[scores.runs.index(run), scores.runs.index(baseline)] for run in others])
    adjusted = holm(p) if choices.correction == "holm" else p
    for run, of_run, of_all in zip(others, p, adjusted, strict=True):
        found = compare.with_run(run, baseline, of_run, of_all)
        rows[run] |= {BASELINE + name: value for name, value in found.items()}


class _Means(NamedTuple):
    """The means of the runs: their columns, the runs with a value from best to worst, and the intervals.

    `corrected` is None if the means are those of the scores as they are.
    """

    rows: dict[str, dict[str, Any]]
    order: list[str]
    corrected: SystemIntervals | None


def _means(scores: Scores, measure: str, choices: Choices, intervals: SystemIntervals | None) -> _Means:
    place = scores.measures.index(measure)
    observed = {row.run: row.value for row in scores.means() if row.measure == measure}
    rows: dict[str, dict[str, Any]] = {
        run: {"topics": int((~np.isnan(values)).sum()), "observed": observed[run]}
        for run, values in zip(scores.runs, scores.values[..., place], strict=True)
    }
    order = _order(scores, place, observed)
    if intervals is not None:
        new, anew = (
            {row["run"]: row for row in intervals.means(target, level=choices.level).iter_rows(named=True)}
            for target in ("new_topics", "these_topics")
        )
        if order and all(new[run]["mean"] is not None for run in order):
            for run, row in rows.items():
                row |= {name: new[run][name] for name in ("mean", "low", "high")}
                row |= {f"{name}_judged_anew": anew[run][name] for name in ("low", "high")}
            sign = 1 if lower_is_better(measure) else -1
            return _Means(rows, sorted(order, key=lambda run: (sign * rows[run]["mean"], run)), intervals)
    for run, values in zip(scores.runs, scores.values[..., place], strict=True):
        low, high = (
            as_printed(measure, _interval(values, measure, choices))
            if (_is_of_mean(scores, run, measure))
            else NONE
        )
        rows[run] |= {"mean": observed[run], "low": low, "high": high}
    return _Means(rows, order, None)


def _order(scores: Scores, place: int, observed: Mapping[str, float | None]) -> list[str]:
    """Return the runs that have a value, from best to worst. Runs with equal means are ordered by name."""
    lowest = lower_is_better(scores.measures[place])
    if scores.pooled is not None and not np.isnan(scores.pooled[:, place]).all():
        sign = 1 if lowest else -1
        known = {run: sign * value for run, value in observed.items() if value is not None}
        return sorted(known, key=lambda run: (known[run], run))
    in_order = best_first(scores.runs, scores.values[..., place], lowest=lowest)
    return [scores.runs[index] for index in in_order]


def _is_of_mean(scores: Scores, run: str, measure: str) -> bool:
    """Return whether the value over all topics is computed from the mean of the topics' values."""
    place = scores.runs.index(run), scores.measures.index(measure)
    if scores.pooled is None or np.isnan(scores.pooled[place]):
        return True
    known = known_measure(measure)
    return known is not None and known.definition.is_logarithm


def _interval(values: FloatArray, measure: str, choices: Choices) -> Bounds:
    """Return the interval of the mean of one run's scores, for new topics."""
    if choices.interval == "t":
        return t_interval(values, level=choices.level, within=bounds_of(measure)) or NONE
    rng = np.random.default_rng(choices.seed)
    return bootstrap_interval(values, rng, level=choices.level, resamples=choices.resamples) or NONE


class _Comparing(NamedTuple):
    """Compares two runs by one measure."""

    scores: Scores
    measure: str
    choices: Choices
    corrected: SystemIntervals | None

    def with_run(self, run: str, other: str, p: float, adjusted: float) -> dict[str, Any]:
        """Return the columns `OF_BEST` and `COUNTS` of a run, compared with another run.

        p is 1 for two runs without a topic in which both have a value.
        """
        place = self.scores.measures.index(self.measure)
        x, y = (self.scores.values[self.scores.runs.index(name), :, place] for name in (run, other))
        row: dict[str, Any] = dict.fromkeys(OF_BEST) | dict.fromkeys(COUNTS, 0)
        row |= {
            "p": 1.0 if np.isnan(p) else float(p),
            "adjusted": 1.0 if np.isnan(adjusted) else float(adjusted),
        }
        if np.isnan(x - y).all():
            return row
        signs = np.sign(differences(x, y)) * (-1 if lower_is_better(self.measure) else 1)
        row |= {name: int((signs == sign).sum()) for name, sign in zip(COUNTS, (1, 0, -1), strict=True)}
        mean, low, high = self._difference(run, other, x - y)
        return row | {"difference": mean, "difference_low": low, "difference_high": high}

    def _difference(
        self, run: str, other: str, apart: FloatArray
    ) -> tuple[float | None, float | None, float | None]:
        if self.corrected is not None:
            row = self.corrected.difference(run, other, level=self.choices.level).row(0, named=True)
            return row["mean"], row["low"], row["high"]
        known = apart[~np.isnan(apart)]
        least, most = bounds_of(self.measure)
        if self.choices.interval == "t":
            bounds = t_interval(known, level=self.choices.level, within=(least - most, most - least))
        else:
            rng = np.random.default_rng(self.choices.seed)
            bounds = bootstrap_interval(
                known, rng, level=self.choices.level, resamples=self.choices.resamples
            )
        return (mean_over_topics(known), *(bounds or NONE))
