"""INSQ and INST: measures of a reader who wants a number of relevant documents, T.

The reader goes on from rank i to rank i + 1 with a probability C(i), which grows with i. The reader sees
rank i with the weight W(i), where W(i + 1) = W(i)·C(i) and all weights add up to 1. The measure is Σ
W(i)·r[i], the gain that the reader gets per document. r[i] is 1 for a relevant document and 0 for all others,
or a gain divided by the largest gain. After the list, documents that are not relevant follow without end.

- INSQ: C(i) = ((i + 2T − 1)/(i + 2T))² [Moffat, Scholer & Thomas, ADCS 2012].
- INST: C(i) = ((i + T + T_i − 1)/(i + T + T_i))², where T_i = T − Σ_{j≤i} r[j] is what the reader still wants
  [Moffat, Bailey, Scholer & Thomas, ADCS 2015]. A reader who finds relevant documents stops sooner.

Between two relevant documents, T + T_i is a constant a, so W(i) is proportional to 1/(i + a − 1)². Sums of
these weights are differences of the trigamma function ψ₁(x) = Σ_{j≥0} 1/(x + j)², also without end. So the
weights of INSQ are W(i) = 1/(i + 2T − 1)² / ψ₁(2T).

Example: T = 1, and of three documents, those at ranks 1 and 3 are relevant. ψ₁(2) = .6449, so INSQ is (1/4 +
1/16)/.6449 = .485. For INST, T_1 = T_2 = 0, so C(1) = (1/2)² and C(2) = (2/3)². The weights 1, 1/4 and 1/9
must still be divided by their sum. After rank 3, T_3 = −1, so the weights are 4/9·1/(i − 1)², together 4/9 ·
ψ₁(3) = .1755. INST is (1 + 1/9)/(1 + 1/4 + 1/9 + .1755) = .723.
"""

import numpy as np

from ..arrays import FloatArray
from .cascade import graded_share
from .definitions import measure
from .hits import Hits
from .lists import RankedLists


@measure("INSQ", counts="relevant")
def insq(
    lists: RankedLists,
    cutoff: int | None,
    *,
    T: float = 1,  # noqa: N803 (the usual symbol)
    gain: str = "binary",
    gmax: str | float | None = None,
    rel: float | None = None,
) -> FloatArray:
    """Return the gain per document of a reader who wants T relevant documents, whatever the list has.

    `T` is at least .5. `gain`, `gmax` and a cut-off mean the same as in RBP. Raise `InputError` if you set
    `gmax` to a number and a retrieved gain is above this number.
    """
    hits = lists.hits(gain, rel).within(cutoff)
    worth = graded_share(lists, hits, gain, gmax, "INSQ")
    weights = (hits.rank + (2 * T - 1.0)) ** -2.0 / _trigamma(np.array(2.0 * T))
    return hits.total(worth * weights)


@measure("INST", counts="relevant")
def inst(
    lists: RankedLists,
    cutoff: int | None,
    *,
    T: float = 1,  # noqa: N803 (the usual symbol)
    gain: str = "binary",
    gmax: str | float | None = None,
    rel: float | None = None,
) -> FloatArray:
    """Return the gain per document of a reader who wants T relevant documents, and stops when they are found.

    `T` is at least .5. `gain`, `gmax` and a cut-off mean the same as in RBP. Raise `InputError` if you set
    `gmax` to a number and a retrieved gain is above this number.
    """
    hits = lists.hits(gain, rel).within(cutoff)
    worth = graded_share(lists, hits, gain, gmax, "INST")
    return _adaptive(hits, hits.padded(worth), 2.0 * T)


def _adaptive(hits: Hits, worth: FloatArray, wanted: float) -> FloatArray:
    """Return INST of every list (runs, topics). `worth` is r of the hits (runs, topics, places).

    After hit k at rank ρ, W(i) is factor[k]/(i + a[k] − 1)² until the next hit, where a[k] is `wanted` less
    what was found. W(1) = 1, so the weights must be divided by their sum in the end.
    """
    if not worth.shape[-1]:
        return np.zeros(hits.shape)
    rank = np.maximum.accumulate(hits.padded(hits.rank), axis=-1)  # places without a hit repeat the last one
    found = np.cumsum(worth, axis=-1)
    before, after = wanted - found + worth, wanted - found
    has_hit = hits.padded(np.ones(len(hits.rank), dtype=np.bool_))
    at_rank = np.where(has_hit, rank - 1 + before, 1.0)
    steps: FloatArray = np.where(has_hit, ((rank - 1 + after) / at_rank) ** 2, 1.0)
    factor: FloatArray = np.cumprod(steps, axis=-1) * np.float64(wanted**2)
    first = np.full((*hits.shape, 1), wanted**2)
    weights = np.concatenate([first, factor[..., :-1]], axis=-1) / at_rank**2
    return _total(worth * weights) / _sum_of_weights(rank, after, factor, wanted)


def _sum_of_weights(rank: FloatArray, after: FloatArray, factor: FloatArray, wanted: float) -> FloatArray:
    """Return the sum of the weights of all ranks, after the last hit too (runs, topics)."""
    start = np.concatenate([np.zeros_like(rank[..., :1]), rank], axis=-1)
    constant = np.concatenate([np.full_like(after[..., :1], wanted), after], axis=-1)
    factors = np.concatenate([np.full_like(factor[..., :1], wanted**2), factor], axis=-1)
    sums = factors * _trigamma(start + constant)
    sums[..., :-1] -= factors[..., :-1] * _trigamma(start[..., 1:] + constant[..., :-1])
    return _total(sums)


def _total(values: FloatArray) -> FloatArray:
    """Return the sums over the last axis, added in order: places without a hit change no digit."""
    total: FloatArray = np.cumsum(values, axis=-1)[..., -1]
    return total


def _trigamma(x: FloatArray) -> FloatArray:
    """Return ψ₁(x) for x > 0, to about 14 digits.

    The series is that of Abramowitz & Stegun (1964), 6.4.12, at x + 10, where it converges fast. scipy's
    function takes microseconds per number, which is too slow for all hits of many runs.
    """
    shifted = x + 10
    square = shifted**-2
    series = 1 / 30 + square * (-1 / 42 + square * (1 / 30 - square * 5 / 66))
    values: FloatArray = (1 + 1 / (2 * shifted) + square * (1 / 6 - square * series)) / shifted
    for step in range(10):
        values += 1 / (x + step) ** 2
    return values
