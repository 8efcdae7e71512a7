"""Measure the intervals of means if the lists of the runs are alike, without noise of the judgments.

    python -m tests.benchmarks.sampling alike --seeds 100

Documents with nearly the same ranks in all runs hardly matter for the differences, so their chances are the
least. They can matter much for the means. The size "weights" adds the weights in the means to the influence.
"""

from collections.abc import Iterator
from itertools import product
from typing import Final

import numpy as np

from evaluation.arrays import FloatArray
from evaluation.sampling import draw, influence
from tests.evaluation.sampling.simulated import MEASURE, Collection

TOPICS: Final = 18
SHARE: Final = 0.3
COLLECTIONS: Final = ((4, 25), (10, 60), (10, 200))
"""The numbers of runs and of documents in a topic. Among few documents, lists are alike."""
SMALL: Final = 0.1
_PAIR: Final = (0, 1)


def rows(seeds: int) -> Iterator[dict[str, object]]:
    """Yield a row for each collection and each size that the chances are in proportion to.

    `resting` is the share of the runs' scores in documents with a chance below `SMALL`.
    """
    for (systems, documents), size in product(COLLECTIONS, ("influence", "weights")):
        collection = Collection.of(TOPICS, documents=documents, systems=systems, gain=np.exp)
        sizes = _sizes(collection, size)
        budget = round(SHARE * len(sizes))
        means, differences = [], []
        for seed in range(seeds):
            sample = draw(collection.pool, sizes, budget, rng=np.random.default_rng(seed))
            scores = collection.scores(sample, collection.predictions["none"])
            found = scores.means("these_topics").filter(evidence="people")
            means.append((found["low"] <= collection.truth) & (found["high"] >= collection.truth))
            apart = scores.difference(*(f"r{run}" for run in _PAIR), "these_topics").row(0, named=True)
            true = np.subtract(*collection.truth[list(_PAIR)])
            differences.append(apart["low"] <= true <= apart["high"])
        parts = collection.weights.mean(axis=0) * collection.worth
        small = sample.table["inclusion"].to_numpy() < SMALL
        yield {
            "runs": systems,
            "documents": documents,
            "chosen by": size,
            "resting": float(parts[small].sum() / parts.sum()),
            "means covered": float(np.mean(means)),
            "difference covered": float(np.mean(differences)),
        }


def _sizes(collection: Collection, size: str) -> FloatArray:
    influences = influence(collection.pool, MEASURE)
    added = (collection.weights**2).mean(axis=0) if size == "weights" else 0.0
    sizes: FloatArray = np.sqrt(influences**2 + added)
    return sizes
