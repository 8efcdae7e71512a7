"""Vectors of cumulated gain by rank, their ideal vectors, and numbers computed from both."""

from dataclasses import dataclass

import numpy as np

from ..arrays import BoolArray, FloatArray, IntArray
from ..showing import short_repr

SLACK = 1e-12
"""Sums within this relative difference are equal: the order of addition changes the last digits."""


@short_repr
@dataclass(frozen=True, eq=False)
class Curves:
    """Cumulated gain at the ranks 1, 2, … of the lists (runs, topics, ranks) and of their ideal lists.

    `ideal` has the shape (1, topics, ranks) if it comes from the recall base, because all runs share it.
    `cutoffs` (runs, topics) is the rank k at which each list is measured. The vectors end at the largest k,
    or where the longest list or recall base ends, if that rank is smaller. After the end of the vectors, all
    curves stay flat. `stop` (1 or runs, topics) is the stopping rank: the first rank at which the ideal is
    complete. It can be after the cut-off. For I′ = ⟨3,3,3,2,2,2,1,1,1,1,0,0,0⟩, `stop` is 10, and for an
    ideal without gain it is 0. `empty` (topics,) marks topics without gain.
    """

    own: FloatArray
    ideal: FloatArray
    cutoffs: IntArray
    stop: IntArray
    empty: BoolArray

    def normalised(self) -> FloatArray:
        """Return each list's share of the ideal at every rank, or 0 where the ideal is 0."""
        return np.divide(self.own, self.ideal, out=np.zeros_like(self.own), where=self.ideal > 0)

    def gap(self) -> FloatArray:
        """Return how far each list is below the ideal at every rank (runs, topics, ranks) [JK02, 2.2].

        Example: CG′ = ⟨3,5,8,8,…⟩ against CGI = ⟨3,6,9,11,…⟩ gives 0, 1, 1, 3.
        """
        return self.ideal - self.own

    def effort(self) -> FloatArray:
        """Return e(r) = min{i : CG[i] ≥ CGI[r]}: how far to read a list to get the ideal's gain at rank r.

        The shape is (runs, topics, ranks), with r along the last axis. The result is NaN if a list does not
        reach that gain within the ranks of the vectors. It is also NaN if the ideal has no gain down to rank
        r. Example: CG′ = ⟨3,5,8,8,8,9,11,13,…⟩ against CGI = ⟨3,6,9,11,13,…⟩ gives 1, 3, 6, 7, 8.
        """
        ranks = self.own.shape[-1]
        needed = np.broadcast_to(self.ideal, self.own.shape) * (1 - SLACK)
        # Ideal and own values are sorted together, ideal values before equal own values. Then all smaller
        # own values and the r − 1 earlier ideal values come before the ideal value of rank r. So the place
        # of this value minus (r − 1) is the number of ranks with too little gain.
        together = np.argsort(np.concatenate([needed, self.own], axis=-1), axis=-1, kind="stable")
        places = np.argsort(together, axis=-1, kind="stable")[..., :ranks]
        effort = places - np.arange(ranks) + 1
        return np.where((effort <= ranks) & (needed > 0), effort, np.nan)

    def relative_effort(self) -> FloatArray:
        """Return e(r)/r: the reading depth in the list, divided by the reading depth in the ideal list.

        In the example of `effort`, this is 1, 1.5, 2, 1.75, 1.6.
        """
        return self.effort() / np.arange(1, self.own.shape[-1] + 1)

    def over_topics(self, present: BoolArray | None = None) -> "Curves":
        """Return the mean vectors over topics, one curve for each run (runs, 1, ranks).

        The mean ideal vectors have the same shape. Empty topics are left out. If you give `present` (runs,
        topics), a run's means also leave out the topics for which `present` is false. A run for which no
        topic remains has NaN. The effort, the gap and the stopping rank of the result are those of the mean
        curves.
        """
        counted = self._counted(present)
        own, ideal = (_mean_over_topics(part, counted)[:, None] for part in (self.own, self.ideal))
        cutoffs = self.cutoffs.max(axis=1, keepdims=True, initial=1)
        stop = np.where(counted, self.stop, 0).max(axis=1, keepdims=True, initial=0)
        return Curves(own, ideal, cutoffs, stop, np.array([not counted.any()]))

    def mean_of_ratios(self, present: BoolArray | None = None) -> FloatArray:
        """Return the mean of the normalised vectors over the same topics as `over_topics` (runs, ranks)."""
        return _mean_over_topics(self.normalised(), self._counted(present))

    def ratio_of_means(self, present: BoolArray | None = None) -> FloatArray:
        """Return the ratio of the mean vectors over topics (runs, ranks) [JK02, 3.3 item 4].

        The topics are the same as in `over_topics`. Example: for nCG, a run has the list ⟨3,0⟩ in the first
        topic and ⟨0,1⟩ in the second. The ideal lists are ⟨3,3⟩ and ⟨1,1⟩. The ratio of the means is ⟨3/4,
        4/8⟩ = ⟨.75, .5⟩, but the mean of the ratios is ⟨(1 + 0)/2, (.5 + .5)/2⟩ = ⟨.5, .5⟩.
        """
        means = self.over_topics(present)
        return np.where(np.isnan(means.own), np.nan, means.normalised())[:, 0]

    def _counted(self, present: BoolArray | None) -> BoolArray:
        return np.broadcast_to(~self.empty, self.own.shape[:2]) & (True if present is None else present)


def _mean_over_topics(vectors: FloatArray, counted: BoolArray) -> FloatArray:
    """Return the means (runs, ranks) of vectors (runs, topics, ranks) over the `counted` topics.

    A run without such topics has NaN.
    """
    total: FloatArray = np.where(counted[..., None], vectors, 0.0).sum(axis=1)
    number = counted.sum(axis=1)[:, None]
    return np.where(number > 0, total / np.maximum(number, 1), np.nan)
