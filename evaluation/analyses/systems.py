"""Compare rankings by the crowd's gains with rankings by known gains: scatter plots, τ and top sets [T15]."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np
import polars as pl

from ..arrays import FloatArray
from ..comparison.correlation import tau_b
from ..comparison.topset import Overlap, overlap, top_set
from ..conventions import Ties
from ..errors import InputError
from ..frames import Gains
from ..measures import Measures
from ..options import checked
from ..runs import Run
from ..score_table import Scores
from ..scores import score
from .schemes import refuse_empty

MEASURES: Final = ("nDCG@10", 'ERR(gmax="topic")@10', 'ERR(gmax="file")@10')
"""The measures by which [T15] compares systems.

ERR appears twice because [T15] does not say where the largest gain in ERR comes from. Of magnitudes, this
form of ERR leaves little more than the largest of each topic or of the whole file. The report therefore uses
`ERR(stop="share")@10`.
"""

AGREEMENT = {
    "judged": pl.String,
    "known": pl.String,
    "measure": pl.String,
    "systems": pl.Int64,
    "topics": pl.Int64,
    "tau_b": pl.Float64,
    "judged_top": pl.Int64,
    "known_top": pl.Int64,
    "shared": pl.Int64,
    "overlap": pl.Float64,
}
SCATTER = {
    "judged": pl.String,
    "known": pl.String,
    "measure": pl.String,
    "run": pl.String,
    "judged_value": pl.Float64,
    "known_value": pl.Float64,
    "judged_top": pl.Boolean,
    "known_top": pl.Boolean,
}


@checked
def scores_by(
    gains: Mapping[str, Gains],
    runs: Sequence[Run],
    measures: Measures = MEASURES,
    *,
    rel: Gains | None = None,
    ties: Ties = "trec_eval",
) -> dict[str, Scores]:
    """Score the same runs with each set of gains. Return a dict from each name in `gains` to the scores.

    Raise `InputError` if there is no run or no measure, and in the same cases as `score`.
    """
    refuse_empty(runs=runs, measures=measures)
    return {
        name: score(named_gains, runs, measures, rel=rel, ties=ties) for name, named_gains in gains.items()
    }


def system_scatter(
    judged: Mapping[str, Scores], known: Mapping[str, Scores], *, alpha: float = 0.05
) -> pl.DataFrame:
    """Return the points of the scatter plots: each run's means based on the crowd's gains and on known gains.

    Every set of `judged` scores is compared with every set of `known` scores, measure by measure. Both means
    of a run cover the same topics: those in which the run has a `judged` and a `known` score. The scores can
    also come from simulated systems.

    Return `judged, known, measure, run, judged_value, known_value, judged_top, known_top`. Rows are in the
    order of the arguments. `judged_top` says whether the run is in the top set of the `judged` scores, and
    `known_top` whether it is in that of the `known` scores. A run is in a top set if Wilcoxon's test against
    the best run has p ≥ `alpha`. A run's values are null if there is no topic in which it has both scores.
    Raise `InputError` if the runs or measures differ, or if there is no such topic for any run.
    """
    rows = []
    for pair in _pairs(judged, known, alpha):
        tops = [set(top) for top in pair.tops]
        for run, *values in zip(pair.runs, *pair.means, strict=True):
            values_or_none = [None if np.isnan(value) else float(value) for value in values]
            rows.append((*pair.names, run, *values_or_none, *(run in top for top in tops)))
    return pl.DataFrame(rows, schema=SCATTER, orient="row")


@checked
def system_agreement(
    judged: Mapping[str, Scores],
    known: Mapping[str, Scores],
    *,
    alpha: float = 0.05,
    how: Overlap = "jaccard",
) -> pl.DataFrame:
    """Measure how well the system rankings by `judged` scores agree with those by `known` scores.

    Means and top sets are computed as in `system_scatter`. The columns are `judged, known, measure, systems,
    topics, tau_b` (null if all systems are tied), `judged_top, known_top, shared` (the number of systems in
    each top set and in both) and the `overlap` of the top sets, computed by the method `how`. Rows are in the
    order of the arguments.
    """
    rows = []
    for pair in _pairs(judged, known, alpha):
        x, y = pair.means
        has_both = ~(np.isnan(x) | np.isnan(y))
        judged_top, known_top = pair.tops
        counts = len(judged_top), len(known_top), len({*judged_top} & {*known_top})
        sizes = int(has_both.sum()), pair.topics
        rows.append(
            (
                *pair.names,
                *sizes,
                tau_b(x[has_both], y[has_both]),
                *counts,
                overlap(judged_top, known_top, how),
            )
        )
    return pl.DataFrame(rows, schema=AGREEMENT, orient="row")


@dataclass(frozen=True, eq=False)
class _Pair:
    """Two matrices (systems, topics) of scores by one measure. A cell is NaN in both or in neither."""

    names: tuple[str, str, str]
    runs: tuple[str, ...]
    values: tuple[FloatArray, FloatArray]
    alpha: float

    @property
    def topics(self) -> int:
        """The number of topics in which any system has a value."""
        return int((~np.isnan(self.values[0])).any(axis=0).sum())

    @cached_property
    def means(self) -> list[FloatArray]:
        """The systems' means in each of the two matrices; NaN for a system without a value."""
        number = (~np.isnan(self.values[0])).sum(axis=1)
        with np.errstate(invalid="ignore"):
            return [np.nansum(values, axis=1) / number for values in self.values]

    @cached_property
    def tops(self) -> list[list[str]]:
        return [[top.run for top in top_set(self.runs, v, alpha=self.alpha)] for v in self.values]


def _pairs(judged: Mapping[str, Scores], known: Mapping[str, Scores], alpha: float) -> Iterator[_Pair]:
    for name, by_crowd in judged.items():
        for other, by_known in known.items():
            if (by_crowd.runs, by_crowd.measures) != (by_known.runs, by_known.measures):
                raise InputError(
                    "scores-of-other-systems",
                    "the scores for {first} and for {second} cover different runs or measures; score "
                    "the same runs with the same measures for both",
                    first=name,
                    second=other,
                )
            topics = [topic for topic in by_crowd.topics if topic in set(by_known.topics)]
            x, y = (
                scores.values[:, [scores.topics.index(topic) for topic in topics]]
                for scores in (by_crowd, by_known)
            )
            missing = np.isnan(x) | np.isnan(y)
            for place, measure in enumerate(by_crowd.measures):
                absent = missing[..., place]
                if absent.all():
                    raise InputError(
                        "no-topic-with-both-values",
                        "no topic has a value of {measure} for both {first} and {second}; use gains that "
                        "cover the same topics",
                        measure=measure,
                        first=name,
                        second=other,
                    )
                values = tuple(np.where(absent, np.nan, part[..., place]) for part in (x, y))
                yield _Pair((name, other, measure), by_crowd.runs, (values[0], values[1]), alpha)
