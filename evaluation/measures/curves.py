"""Vectors of cumulated gain along the ranks, beside their ideals, and what is read off them."""

from dataclasses import dataclass

import numpy as np

from evaluation.arrays import BoolArray, FloatArray, IntArray

SLACK = 1e-12
"""Two sums of the same gains in another order differ in their last digits; they count as equal."""


@dataclass(frozen=True, eq=False)
class Curves:
    """Cumulated gain along the ranks, 1 first: of the lists (runs, topics, ranks) and of their ideals.

    `ideal` has one run's shape, (1, topics, ranks), when it comes from the recall base. `cutoffs` (runs,
    topics) is the rank k at which each list is measured. The vectors go to the largest k, or end where the
    longest list and recall base do; beyond that every curve stays flat. `stop`, (1 or runs, topics), is the
    stopping rank: the first at which the ideal is complete, though it be past the cut-off (I′ = ⟨3,3,3,2,2,2,
    1,1,1,1,0,0,0⟩: 10); 0 for an ideal without gain. `empty` (topics,) marks topics without gain.
    """

    own: FloatArray
    ideal: FloatArray
    cutoffs: IntArray
    stop: IntArray
    empty: BoolArray

    def normalised(self) -> FloatArray:
        """Each list's share of the ideal at every rank; 0 where the ideal itself is 0."""
        return np.divide(self.own, self.ideal, out=np.zeros_like(self.own), where=self.ideal > 0)

    def gap(self) -> FloatArray:
        """What each list is short of the ideal at every rank (runs, topics, ranks) [JK02, 2.2].

        G′ = ⟨3,2,3,0,…⟩ against I′ = ⟨3,3,3,2,…⟩: 0, 1, 1, 3.
        """
        return self.ideal - self.own

    def effort(self) -> FloatArray:
        """e(r) = min{i : CG[i] ≥ CGI[r]}, the rank to read to for what the ideal gives by rank r.

        Shape (runs, topics, ranks), r along the last axis; NaN where a list never gets that far, at least
        not down to the last rank of the vectors, and where the ideal gives nothing. CG′ = ⟨3,5,8,8,8,9,11,
        13,…⟩ against CGI = ⟨3,6,9,11,13,…⟩: 1, 3, 6, 7, 8.
        """
        ranks = self.own.shape[-1]
        wanted = np.broadcast_to(self.ideal, self.own.shape) * (1 - SLACK)
        # Sorted together, those wanted before equals: each then stands after the own values below it and
        # the r − 1 wanted before it, so that its place less r − 1 counts the ranks that are not enough.
        together = np.argsort(np.concatenate([wanted, self.own], axis=-1), axis=-1, kind="stable")
        places = np.argsort(together, axis=-1, kind="stable")[..., :ranks]
        effort = places - np.arange(ranks) + 1
        return np.where((effort <= ranks) & (wanted > 0), effort, np.nan)

    def relative_effort(self) -> FloatArray:
        """e(r)/r, how many times as far to read as in the ideal list: 1, 1.5, 2, 1.75, 1.6 in the example."""
        return self.effort() / np.arange(1, self.own.shape[-1] + 1)

    def over_topics(self, present: BoolArray | None = None) -> "Curves":
        """The mean vectors over topics, one curve a run: (runs, 1, ranks), their ideals of the same shape.

        Empty topics are left out, and where `present` (runs, topics) is given, cells that are not. A run
        without any topic has NaN. Effort, gap and stopping rank of mean curves are read off these.
        """
        counted = self._counted(present)
        own, ideal = (_mean_over_topics(part, counted)[:, None] for part in (self.own, self.ideal))
        cutoffs = self.cutoffs.max(axis=1, keepdims=True, initial=1)
        stop = np.where(counted, self.stop, 0).max(axis=1, keepdims=True, initial=0)
        return Curves(own, ideal, cutoffs, stop, np.array([not counted.any()]))

    def mean_of_ratios(self, present: BoolArray | None = None) -> FloatArray:
        """The mean over topics of the normalised vectors (runs, ranks); the topics of `over_topics`."""
        return _mean_over_topics(self.normalised(), self._counted(present))

    def ratio_of_means(self, present: BoolArray | None = None) -> FloatArray:
        """The ratio of the mean vectors over topics (runs, ranks) [JK02, 3.3 item 4]; the same topics.

        Lists ⟨3,0⟩ of ideal ⟨3,3⟩ and ⟨0,1⟩ of ⟨1,1⟩: nCG ⟨3/4, 4/8⟩ = ⟨.75, .5⟩, where the mean of the
        ratios is ⟨(1 + 0)/2, (.5 + .5)/2⟩ = ⟨.5, .5⟩.
        """
        means = self.over_topics(present)
        return np.where(np.isnan(means.own), np.nan, means.normalised())[:, 0]

    def _counted(self, present: BoolArray | None) -> BoolArray:
        return np.broadcast_to(~self.empty, self.own.shape[:2]) & (True if present is None else present)


def _mean_over_topics(vectors: FloatArray, counted: BoolArray) -> FloatArray:
    """(runs, topics, ranks) → (runs, ranks), over the cells that count; NaN where none does."""
    total: FloatArray = np.where(counted[..., None], vectors, 0.0).sum(axis=1)
    number = counted.sum(axis=1)[:, None]
    return np.where(number > 0, total / np.maximum(number, 1), np.nan)
