"""The cumulated gain family [Järvelin & Kekäläinen, TOIS 2002].

CG[i] = Σ_{j≤i} g[j]; DCG discounts each gain by its rank first; nCG and nDCG are the ratios to the ideal
list's vector at the cut-off; AnCG and AnDCG their means over the ranks 1 … k. The ideal list is that of the
topic's recall base. Discounts: `"log2"` g[i]/log2(i + 1) from rank 1; `"jk"` with base b: none for i < b,
else g[i]/log_b(i); `"rank"` g[i]/i; `"none"`.

Example, gains ⟨3,2,3,0,0,1,2,2,3,0⟩ with the recall base ⟨3,3,3,2,2,2,1,1,1,1⟩: CG@10 16 of the ideal's 19,
nCG@10 16/19 = .84, DCG(discount="jk", base=2)@10 9.61 of 11.83, nDCG@10 .8336.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from evaluation.arrays import BoolArray, FloatArray, IntArray
from evaluation.errors import InputError
from evaluation.measures.base import Measure, measure
from evaluation.measures.lists import RankedLists, at_rank, fit
from evaluation.measures.schemes import gainless, gains_of

Reading = Callable[[FloatArray, IntArray], FloatArray]
"""A measure's value from curves (…, ranks) and their cut-offs (…)."""

FAMILY: dict[str, Reading | None] = {}
"""The measures that have vectors, each with its reading of normalised ones; None where it is no ratio."""


@dataclass(frozen=True, eq=False)
class Curves:
    """Cumulated gain along the ranks, 1 first: of the lists (runs, topics, ranks) and of their ideals.

    `ideal` has one run's shape, (1, topics, ranks), when it comes from the recall base. `cutoffs` (runs,
    topics) is the rank k at which each list is measured. The vectors go to the largest k, or end where the
    longest list and recall base do; beyond that every curve stays flat. `empty` (topics,) marks topics
    without gain.
    """

    own: FloatArray
    ideal: FloatArray
    cutoffs: IntArray
    empty: BoolArray

    def normalised(self) -> FloatArray:
        """Each list's share of the ideal at every rank; 0 where the ideal itself is 0."""
        return np.divide(self.own, self.ideal, out=np.zeros_like(self.own), where=self.ideal > 0)

    def mean_of_ratios(self, present: BoolArray | None = None) -> FloatArray:
        """The mean over topics of the normalised vectors (runs, ranks).

        Empty topics are left out, and where `present` (runs, topics) is given, cells that are not.
        """
        return _mean_over_topics(self.normalised(), self._counted(present))

    def ratio_of_means(self, present: BoolArray | None = None) -> FloatArray:
        """The ratio of the mean vectors over topics (runs, ranks) [JK02, 3.3 item 4]; the same topics.

        Lists ⟨3,0⟩ of ideal ⟨3,3⟩ and ⟨0,1⟩ of ⟨1,1⟩: nCG ⟨3/4, 4/8⟩ = ⟨.75, .5⟩, where the mean of the
        ratios is ⟨(1 + 0)/2, (.5 + .5)/2⟩ = ⟨.5, .5⟩.
        """
        counted = self._counted(present)
        own, ideal = (_mean_over_topics(part, counted) for part in (self.own, self.ideal))
        return np.divide(own, ideal, out=np.where(np.isnan(own), own, 0.0), where=ideal > 0)

    def _counted(self, present: BoolArray | None) -> BoolArray:
        return np.broadcast_to(~self.empty, self.own.shape[:2]) & (True if present is None else present)


def _mean_over_topics(vectors: FloatArray, counted: BoolArray) -> FloatArray:
    """(runs, topics, ranks) → (runs, ranks), over the cells that count; NaN where none does."""
    total: FloatArray = np.where(counted[..., None], vectors, 0.0).sum(axis=1)
    number = counted.sum(axis=1)[:, None]
    return np.where(number > 0, total / np.maximum(number, 1), np.nan)


def discounts(width: int, discount: str, base: float = 2) -> FloatArray:
    """What a gain is multiplied by at the ranks 1 … width."""
    ranks = np.arange(1, width + 1, dtype=np.float64)
    if discount == "log2":
        return 1 / np.log2(ranks + 1)
    if discount == "jk":
        return math.log(base) / np.log(np.maximum(ranks, base))
    return 1 / ranks if discount == "rank" else np.ones(width)


def curves(measure: Measure, lists: RankedLists) -> Curves:
    """The vectors behind a measure of this family."""
    if measure.name not in FAMILY:
        raise InputError(f"{measure} has no vector of cumulated gain")
    return _curves(lists, measure.cutoff, **measure.parameters)


def pooled(measure: Measure, lists: RankedLists, present: BoolArray) -> FloatArray | None:
    """The measure of each run as a ratio of mean vectors (runs,), over the cells `present` (runs, topics).

    None for measures that are no ratio to the ideal: their mean over topics is the only one.
    """
    reading = FAMILY.get(measure.name)
    if reading is None:
        return None
    found = curves(measure, lists)
    return reading(found.ratio_of_means(present), found.cutoffs.max(axis=1, initial=1))


def _curves(
    lists: RankedLists,
    cutoff: int | None,
    *,
    gain: str,
    ideal: str,
    rel: float | None,
    discount: str = "none",
    base: float = 2,
) -> Curves:
    cutoffs = lists.cutoffs(cutoff, rel)
    longest = max(1, lists.gain.shape[-1], lists.base_gain.shape[-1])
    width = min(int(cutoffs.max(initial=1)), longest)
    weights = discounts(width, discount, base)
    own = fit(gains_of(gain, lists.gain[..., :width]), width)
    recall_base = gains_of(gain, lists.base_gain)
    source = gains_of(gain, lists.gain) if ideal == "retrieved" else recall_base[None]
    best = fit(np.sort(source, axis=-1)[..., ::-1], width)
    return Curves(
        np.cumsum(own * weights, axis=-1), np.cumsum(best * weights, axis=-1), cutoffs, gainless(recall_base)
    )


def _at_cutoff(curve: FloatArray, cutoffs: IntArray) -> FloatArray:
    return at_rank(curve, np.minimum(cutoffs, curve.shape[-1]))


def _over_ranks(curve: FloatArray, cutoffs: IntArray) -> FloatArray:
    """The mean over the ranks 1 … k, the same k for all; past its end the curve is as high as at its end."""
    beyond = cutoffs - curve.shape[-1]
    total: FloatArray = curve.sum(axis=-1) + np.maximum(beyond, 0) * curve[..., -1]
    return total / cutoffs


def _enter(prefix: str, reading: Reading, *, normalised: bool = True, needs_cutoff: bool = False) -> None:
    """One reading of the vectors, plain and discounted."""

    def read(found: Curves) -> FloatArray:
        return reading(found.normalised() if normalised else found.own, found.cutoffs)

    @measure(f"{prefix}CG", counts="gain", needs_cutoff=needs_cutoff)
    def plain(
        lists: RankedLists,
        cutoff: int | None,
        *,
        gain: str = "linear",
        ideal: str = "recall_base",
        rel: float | None = None,
    ) -> FloatArray:
        return read(_curves(lists, cutoff, gain=gain, ideal=ideal, rel=rel))

    @measure(f"{prefix}DCG", counts="gain", needs_cutoff=needs_cutoff)
    def discounted(
        lists: RankedLists,
        cutoff: int | None,
        *,
        discount: str = "log2",
        base: float = 2,
        gain: str = "linear",
        ideal: str = "recall_base",
        rel: float | None = None,
    ) -> FloatArray:
        return read(_curves(lists, cutoff, gain=gain, ideal=ideal, rel=rel, discount=discount, base=base))

    FAMILY[f"{prefix}CG"] = FAMILY[f"{prefix}DCG"] = reading if normalised else None


_enter("", _at_cutoff, normalised=False)
_enter("n", _at_cutoff)
_enter("An", _over_ranks, needs_cutoff=True)
