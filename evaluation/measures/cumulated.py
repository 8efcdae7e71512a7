"""The cumulated gain family [Järvelin & Kekäläinen, TOIS 2002].

CG[i] = Σ_{j≤i} g[j]. DCG first discounts each gain by its rank. nCG and nDCG divide CG and DCG by the value
of the ideal list at the cut-off k. AnCG and AnDCG are the means of these ratios over the ranks 1 … k. The
ideal list contains the whole recall base of the topic. The discounts are:

- `"log2"`: g[i]/log2(i + 1), starting at rank 1.
- `"jk"` with base b: g[i] for i < b, else g[i]/log_b(i).
- `"rank"`: g[i]/i.
- `"none"`: g[i].

Example: gains ⟨3,2,3,0,0,1,2,2,3,0⟩ with the recall base ⟨3,3,3,2,2,2,1,1,1,1⟩. CG@10 is 16 for the
list and 19 for the ideal list, so nCG@10 is 16/19 = .84. DCG(discount="jk", base=2)@10 is 9.61 for the list
and 11.83 for the ideal list, so nDCG(discount="jk", base=2)@10 is .8117. With the default discount, nDCG@10
is .8336.

nCG freezes beyond the recall base [Sakai, AIRS 2005, 2]: after the ideal list is complete, a document counts
the same at any rank. Suppose that five relevant documents have the same grade and that a run retrieves one of
them, at rank 5 or at rank 1000. nCG@1000 is .2 in both cases, but nDCG@1000 differs.

With `ties="averaged"`, documents with equal scores share their gains: each rank of the tie has their mean
gain [McSherry & Najork, ECIR 2008], as in scikit-learn. The value is then the mean over all orders of the
tied documents. Scores are compared as they are in the file, in 64 bits. By default, ties are broken (see
`ranking.rank`).

Two measures of the family are older and have their own names. SR, the sliding ratio Σ g / Σ I, is nCG. MSR,
the modified sliding ratio Σ g[i]/i ÷ Σ I[i]/i, is nDCG(discount="rank") [Zhou & Yao 2010, 5.3]. With
ideal="retrieved", SR is the form of Järvelin & Kekäläinen [TOIS 2002, 2.4]. Example: with the ideal
⟨.3,.2,.2,.1,.1⟩, the lists ⟨.3,.2,.1,.1,0⟩ and ⟨.1,.1,.2,.3,0⟩ both have an SR of .7/.9 = .78. MSR is
.458/.512 = .90 for the first list, but .292/.512 = .57 for the second.
"""

from collections.abc import Callable

import numpy as np

from ..arrays import BoolArray, FloatArray, IntArray
from ..errors import InputError
from .curves import Curves
from .definitions import FROM_ZERO, Bounds, measure
from .gain_lists import GainLists, flat_after, share
from .lists import AT_R, RankedLists, at_rank
from .measure import Measure
from .parameters import Discount, Ideal, Ties

Reading = Callable[[FloatArray, IntArray], FloatArray]
"""A function that computes a measure's values (…) from curves (…, ranks) and the curves' cut-offs (…)."""


def curves(measure: Measure, lists: RankedLists) -> Curves:
    """Return the cumulated gains of the lists and of their ideal lists at each rank.

    Raise `InputError` for a measure outside the cumulated gain family, and if the gains are too large to add
    up.
    """
    if measure.name not in READINGS:
        raise InputError(
            "measure-without-curves",
            "{measure} has no curves of cumulated gain; choose from {known}",
            measure=str(measure),
            known=", ".join(READINGS),
        )
    lists, parameters = measure.inputs(lists)
    gain_lists = GainLists(lists, **{"discount": DISCOUNTS.get(measure.name, "none"), **parameters})
    cutoffs = lists.cutoffs(measure.cutoff, gain_lists.rel)
    ideal_gains = gain_lists.ideal_gains()
    largest_base = np.bincount(lists.topic).max(initial=1)
    longest = int(max(lists.length.max(initial=1), largest_base))
    width = min(int(cutoffs.max(initial=1)), longest)
    with np.errstate(over="ignore"):
        own = gain_lists.own_curve(width)
        ideal = flat_after(gain_lists.ideal_curve()[..., :width], width)
    if not (np.isfinite(own).all() and np.isfinite(ideal).all()):
        raise InputError(
            "gains-too-large-to-add",
            "the gains are too large to add up in {measure}; divide all gains by the same number",
            measure=str(measure),
        )
    return Curves(own, ideal, cutoffs, np.count_nonzero(ideal_gains, axis=-1), gain_lists.empty)


def pooled(measure: Measure, lists: RankedLists, present: BoolArray) -> FloatArray | None:
    """Return each run's value (runs,), computed from the run's mean vector and its mean ideal vector.

    The means are over the topics for which `present` (runs, topics) is true. Return None for CG and DCG,
    which are not ratios to the ideal list. They only have a mean over topics. Also
    return None for a cut-off that differs from topic to topic.
    """
    reading = READINGS.get(measure.name)
    if reading is None or measure.cutoff == AT_R:
        return None
    vectors = curves(measure, lists)
    return reading(vectors.ratio_of_means(present), vectors.cutoffs.max(axis=1, initial=1))


def _over_ranks(curve: FloatArray, cutoffs: IntArray) -> FloatArray:
    """Return the mean of each curve over the ranks 1 … k.

    `cutoffs` repeats k for each curve: all curves must have the same k. A curve stays flat after its end.
    """
    beyond = cutoffs - curve.shape[-1]
    total: FloatArray = curve.sum(axis=-1) + np.maximum(beyond, 0) * curve[..., -1]
    return total / cutoffs


READINGS: dict[str, Reading | None] = {
    **dict.fromkeys(("CG", "DCG")),
    **dict.fromkeys(("nCG", "nDCG", "SR", "MSR"), at_rank),
    **dict.fromkeys(("AnCG", "AnDCG"), _over_ranks),
}
"""The measures of this family, each with the function that computes it from normalised vectors.

CG and DCG are not ratios to the ideal list, so they have None in place of a function.
"""

DISCOUNTS: dict[str, Discount] = {"MSR": "rank"}
"""The discount of each measure whose name implies a discount.

All other measures have the parameter `discount` or no discount.
"""


def _bounds(name: str) -> Bounds:
    """Return the bounds of a measure of the family. Only ratios to the ideal list have a highest value."""
    return FROM_ZERO if READINGS[name] is None else (0.0, 1.0)


def _own(gain_lists: GainLists, cutoff: int | None) -> FloatArray:
    """Return CG or DCG: the cumulated gain of each list at rank k."""
    return gain_lists.total(cutoff)


def _normalised(gain_lists: GainLists, cutoff: int | None) -> FloatArray:
    """Return nCG or nDCG: the cumulated gain of each list at rank k, divided by that of the ideal list.

    The result is 0 if the ideal list has no gain.
    """
    curve = gain_lists.ideal_curve()
    ideal = np.broadcast_to(curve, (*gain_lists.lists.shape, curve.shape[-1]))
    return share(_own(gain_lists, cutoff), at_rank(ideal, gain_lists.lists.cutoffs(cutoff, gain_lists.rel)))


def _mean_normalised(gain_lists: GainLists, cutoff: int | None) -> FloatArray:
    """Return AnCG or AnDCG: the mean of nCG or nDCG over the ranks 1 … k.

    1/k · Σ_{i≤k} Σ_{r≤i} g[r]/I[i] = 1/k · Σ_{r≤k} g[r] · Σ_{r≤i≤k} 1/I[i], where the gains g are discounted
    and I is the ideal vector. The inner sums are the same for all lists with the same ideal, so the vectors
    of the lists are not needed.
    """
    k = cutoff or 1  # these measures require a cut-off
    if gain_lists.ties == "averaged":
        longest = int(gain_lists.lists.length.max(initial=1))
        width = min(k, max(longest, gain_lists.ideal_curve().shape[-1]))
        ideal = flat_after(gain_lists.ideal_curve()[..., :width], width)
        shares = share(gain_lists.own_curve(width), ideal)
        return _over_ranks(shares, np.full(gain_lists.lists.shape, k))
    hits, curve = gain_lists.hits.within(k), gain_lists.ideal_curve()
    width = min(k, max(curve.shape[-1], int(hits.rank.max(initial=1))))
    inverse = share(np.ones(1), flat_after(curve, width)[..., :width])
    sums = np.cumsum(inverse[..., ::-1], axis=-1)[..., ::-1] + (k - width) * inverse[..., -1:]
    factors = sums[np.minimum(hits.run, len(sums) - 1), hits.topic, hits.rank - 1]
    return hits.total(gain_lists.discounted(hits) * factors) / k


def _enter(
    name: str, compute: Callable[[GainLists, int | None], FloatArray], needs_cutoff: bool = False
) -> None:
    """Register a cumulated gain measure without the parameter `discount`."""

    @measure(name, counts="gain", needs_cutoff=needs_cutoff, bounds=_bounds(name))
    def plain(
        lists: RankedLists,
        cutoff: int | None,
        *,
        gain: str = "linear",
        ideal: Ideal = "recall_base",
        rel: float | None = None,
        ties: Ties = "broken",
    ) -> FloatArray:
        discount = DISCOUNTS.get(name, "none")
        return compute(GainLists(lists, gain, ideal, rel, discount, ties=ties), cutoff)


def _enter_discounted(
    name: str, compute: Callable[[GainLists, int | None], FloatArray], needs_cutoff: bool = False
) -> None:
    """Register a cumulated gain measure with the parameter `discount`."""

    @measure(name, counts="gain", needs_cutoff=needs_cutoff, bounds=_bounds(name))
    def discounted(
        lists: RankedLists,
        cutoff: int | None,
        *,
        discount: Discount = "log2",
        base: float = 2,
        gain: str = "linear",
        ideal: Ideal = "recall_base",
        rel: float | None = None,
        ties: Ties = "broken",
    ) -> FloatArray:
        return compute(GainLists(lists, gain, ideal, rel, discount, base, ties), cutoff)


for _name, _compute in (("CG", _own), ("nCG", _normalised), ("SR", _normalised), ("MSR", _normalised)):
    _enter(_name, _compute)
_enter("AnCG", _mean_normalised, needs_cutoff=True)
for _name, _compute in (("DCG", _own), ("nDCG", _normalised)):
    _enter_discounted(_name, _compute)
_enter_discounted("AnDCG", _mean_normalised, needs_cutoff=True)
