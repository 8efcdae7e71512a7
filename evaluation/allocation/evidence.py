"""Decide whether the top set and the ranking of the systems are settled."""

from dataclasses import dataclass

import numpy as np

from ..arrays import FloatArray
from ..comparison.resampling import taus_with
from ..comparison.results import levels_of_rows
from ..comparison.topset import overlap, top_set
from ..measures import Measure, RankedLists
from ..measures.many_gains import values_of_many
from ..showing import short_repr
from .influence import mean_over_topics
from .uncertainty import Uncertainty, moved


@short_repr
@dataclass(frozen=True)
class Evidence:
    """The numbers that lead to a decision.

    `tau` is the expected Kendall τ_b between the present ranking and the true one. `tau_low` is the 5 %
    quantile of τ_b in the random draws of the true ranking. `top_set` has the systems in the present top set,
    best first. `overlap` is the expected Jaccard overlap of this set with the true one.

    `pairs` is the number of pairs of systems. `unsettled` is the number of pairs whose order has a
    probability below `Settings.level`. `judgments` is the number of judgments so far, including those of the
    anchors, and `units` is the number of units so far.
    """

    tau: float
    tau_low: float
    overlap: float
    pairs: int
    unsettled: int
    top_set: tuple[str, ...]
    judgments: int
    units: int

    def is_settled(self, level: float, top_level: float) -> bool:
        """Return whether `tau` is at least `level` and `overlap` is at least `top_level`."""
        return self.tau >= level and self.overlap >= top_level


def draw_truths(
    measure: Measure, lists: RankedLists, uncertain: Uncertainty, rng: np.random.Generator, draws: int
) -> FloatArray:
    """Return the scores of the runs for random draws of the true gains, as an array (draws, runs, topics).

    The logarithm of each gain is drawn from a normal distribution. Its mean is the present log gain, and its
    standard deviation is the standard error of the log gain.
    """
    noise = rng.normal(size=(draws, len(lists.topic))) * uncertain.error()
    return values_of_many(measure, lists)(moved(uncertain.gain, noise))


def agreement(
    runs: tuple[str, ...], present: FloatArray, top: tuple[str, ...], draws: FloatArray, top_draws: int
) -> tuple[FloatArray, FloatArray]:
    """Return each draw's τ_b with the present ranking and, for the first draws, the overlap of top sets.

    `present` (runs, topics) has the present scores, and `top` is their top set. `draws` (draws, runs, topics)
    has the drawn scores. Only the first `top_draws` draws give an overlap, because a top set takes longer to
    compute than a τ. If all systems are tied in both the present scores and a draw, the τ_b of this draw is
    1. If all systems are tied in just one of the two, it is 0.
    """
    now, drawn = mean_over_topics(present), mean_over_topics(draws)
    taus = taus_with(now, drawn)
    overlaps = [
        overlap(top, [system.run for system in top_set(runs, values)]) for values in draws[:top_draws]
    ]
    always_tied = ~levels_of_rows(now[None]).any() & ~levels_of_rows(drawn).any(axis=1)
    return np.where(np.isnan(taus), always_tied, taus), np.array(overlaps)
