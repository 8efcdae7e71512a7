"""Estimate average precision from a sample of one topic, by the methods and the designs of their papers.

All functions take `ranks` (runs, documents), the rank of each document in each run from 1, and `relevant`
(documents,), of which only the sampled documents are used.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np

from evaluation.arrays import BoolArray, FloatArray, IntArray

_NEAR_ZERO: Final = 1e-5
"""The ε of infAP's smoothed precision, as in trec_eval."""


def average_precision(ranks: IntArray, relevant: BoolArray) -> FloatArray:
    """Return the average precision of each run if all documents are judged (runs,)."""
    at = np.sort(ranks[:, relevant], axis=1)
    precisions = np.arange(1, at.shape[1] + 1) / at
    means: FloatArray = precisions.mean(axis=1) if at.shape[1] else np.zeros(len(ranks))
    return means


@dataclass(frozen=True, eq=False)
class StatSample:
    """A sample for statAP: the places of its documents, and the chances of documents and of pairs."""

    place: IntArray
    chance: FloatArray
    pair: FloatArray


def draw_for_stat(ranks: IntArray, size: int, rng: np.random.Generator) -> StatSample:
    """Draw `size` documents as statAP does [Aslam & Pavlu, technical report, Northeastern University, 2007].

    The weight of rank r in a run with Z documents is that of its precision in average precision: log(Z/r),
    plus 1 for the precision at r itself. A document's weight is the mean over the runs. The documents, by
    falling weight, are cut into buckets of `size` documents. `size` draws with replacement choose buckets in
    proportion to their weight, and each bucket gives as many documents, without replacement, as it was drawn.
    """
    number = ranks.shape[1]
    size = min(size, number)
    weight = (1 + np.log(number / ranks)).mean(axis=0)
    order = np.argsort(-weight, kind="stable")
    bucket = np.empty(number, dtype=np.int64)
    bucket[order] = np.arange(number) // size
    counts = np.bincount(bucket)
    # The last bucket can be smaller than the number of times that it is drawn. Then its neighbour helps out.
    if len(counts) > 1 and counts[-1] < size:
        bucket[bucket == len(counts) - 1] -= 1
        counts = np.bincount(bucket)
    share = np.bincount(bucket, weight) / weight.sum()
    drawn = rng.multinomial(size, share / share.sum())
    place = np.concatenate(
        [
            rng.choice(np.flatnonzero(bucket == at), size=times, replace=False)
            for at, times in enumerate(drawn)
        ]
    ).astype(np.int64)
    of = bucket[place]
    chance = size * share / counts
    # E[c₁·c₂] = m(m − 1)·p₁·p₂ for two buckets, and E[c(c − 1)] = m(m − 1)·p² within a bucket of b documents.
    pair = size * (size - 1) * np.outer(share[of] / counts[of], share[of] / counts[of])
    same = of[:, None] == of
    pair = np.where(same, pair * (counts[of] / np.maximum(counts[of] - 1, 1))[:, None], pair)
    np.fill_diagonal(pair, chance[of])
    return StatSample(place, chance[of], pair)


def stat_ap(ranks: IntArray, relevant: BoolArray, sample: StatSample) -> tuple[FloatArray, FloatArray]:
    """Return statAP's estimate of each run (runs,) and their covariance (runs, runs).

    The sum of precisions is Σ_d 1/(r_d·π_d) + Σ_d Σ_k 1/(r_d·π_dk) over sampled relevant documents d and
    those k above d, which has no bias. The estimate divides it by the Horvitz–Thompson estimate of the number
    of relevant documents. The covariance is that of Horvitz and Thompson for the linearised ratio. Without a
    sampled relevant document, all numbers are 0.
    """
    kept = relevant[sample.place]
    if not kept.any():
        return np.zeros(len(ranks)), np.zeros((len(ranks), len(ranks)))
    at = ranks[:, sample.place[kept]]
    chance, pair = sample.chance[kept], sample.pair[np.ix_(kept, kept)]
    above = at[:, None, :] < at[:, :, None]
    pairs = above * (chance[:, None] / pair) / at[:, :, None]
    precision = 1 / at + pairs.sum(axis=-1)
    number = (1 / chance).sum()
    estimate = (precision / chance).sum(axis=1) / number
    # A document counts in its own precision and in those of the documents below it.
    below = (above / pair / at[:, :, None]).sum(axis=1) * chance
    error = (precision + below - estimate[:, None]) / number / chance
    weight = (pair - np.outer(chance, chance)) / pair
    return estimate, error @ weight @ error.T


def draw_strata(stratum: IntArray, sizes: IntArray, rng: np.random.Generator) -> IntArray:
    """Return the places of a random sample with this many documents of each stratum."""
    drawn = [
        rng.choice(places, size=min(size, len(places)), replace=False)
        for size, places in ((size, np.flatnonzero(stratum == at)) for at, size in enumerate(sizes))
    ]
    return np.concatenate(drawn).astype(np.int64)


def inferred_ap(ranks: IntArray, relevant: BoolArray, stratum: IntArray, place: IntArray) -> FloatArray:
    """Return the inferred average precision of each run from a stratified sample (runs,).

    It is xinfAP [Yilmaz, Kanoulas & Aslam, SIGIR 2008]. With a single stratum, it is infAP [Yilmaz & Aslam,
    CIKM 2006]. A topic without a sampled relevant document has 0.
    """
    is_sampled = np.zeros(len(relevant), dtype=np.bool_)
    is_sampled[place] = True
    number = int(stratum.max()) + 1
    taken = np.bincount(stratum[place], minlength=number)
    scale = np.bincount(stratum, minlength=number) / np.maximum(taken, 1)
    total = float(scale[stratum[place]] @ relevant[place])
    if not total:
        return np.zeros(len(ranks))
    found = np.zeros(len(ranks))
    members = [stratum == at for at in range(number)]
    for run, rank in enumerate(ranks):
        for document in place[relevant[place]]:
            above = rank < rank[document]
            precision = 1.0
            for member in members:
                known = above & member & is_sampled
                share = (relevant[known].sum() + _NEAR_ZERO) / (known.sum() + 2 * _NEAR_ZERO)
                precision += (above & member).sum() * share
            found[run] += scale[stratum[document]] * precision / rank[document]
    means: FloatArray = found / total
    return means
