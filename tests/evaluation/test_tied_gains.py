"""`ties="averaged"`: every document of a tie has the mean gain of the tie, as in scikit-learn."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn import metrics

from evaluation.frames import Gains
from evaluation.measures import DEFINITIONS, parse
from evaluation.measures.many_gains import values_of_many
from evaluation.ranking import rank
from evaluation.runs import Run
from evaluation.scores import curves, score
from tests.evaluation.every_measure import with_parameter

TIED = [name for name, definition in DEFINITIONS.items() if "ties" in definition.defaults]
GAINS = st.one_of(st.just(0.0), st.floats(0.01, 10))
LISTS = st.lists(st.tuples(GAINS, st.integers(0, 3)), min_size=2, max_size=6)
"""Of each document a gain and a score."""


def study(gains, scores, unjudged=()):
    """Gains and a run of one topic; the unjudged documents have the scores listed for them."""
    documents = [f"d{i}" for i in range(len(gains))]
    others = [f"x{i}" for i in range(len(unjudged))]
    listed = [*documents, *others]
    return (
        Gains.from_columns(["t"] * len(gains), documents, gains),
        Run.from_columns("run", ["t"] * len(listed), listed, [*map(float, scores), *map(float, unjudged)]),
    )


def averaged(names, gains, scores, unjudged=()):
    judged, run = study(gains, scores, unjudged)
    return score(judged, [run], [with_parameter(name, ties="averaged") for name in names]).values[0, 0]


def test_worked_value():
    """Gains 3 and 1 share ranks 1 and 2, so each rank has 2; the unjudged third and the 2 share 3 and 4."""
    discounts = 1 / np.log2([2, 3, 4, 5])
    ideal = 3 + 2 * discounts[1] + discounts[2]
    result = averaged(["nDCG@4", "nDCG@3", "nDCG@1", "CG@3"], [3, 1, 2], [9, 9, 5], [5])
    expected = [
        (2 * (1 + discounts[1]) + 1 * (discounts[2] + discounts[3])) / ideal,
        (2 * (1 + discounts[1]) + 1 * discounts[2]) / ideal,
        2 / 3,
        2 + 2 + 1,
    ]
    assert result == pytest.approx(expected)


@pytest.mark.parametrize("seed", range(20))
def test_scikit_learn(seed):
    rng = np.random.default_rng(seed)
    size = int(rng.integers(2, 60))
    gains = np.where(rng.random(size) < 0.5, 0.0, rng.lognormal(size=size))
    gains[0] = 2.5
    scores = rng.integers(0, 8, size).astype(float)
    cutoffs = (1, 2, 3, 10, 100)
    result = averaged([f"nDCG@{k}" for k in cutoffs], gains, scores)
    assert result == pytest.approx([metrics.ndcg_score([gains], [scores], k=k) for k in cutoffs], abs=1e-14)
    result = averaged([f"DCG@{k}" for k in cutoffs], gains, scores)
    assert result == pytest.approx([metrics.dcg_score([gains], [scores], k=k) for k in cutoffs], rel=1e-14)
    judged, run = study(gains, scores)
    vectors = curves(judged, [run], 'nDCG(ties="averaged")@10').normalised()[0, 0]
    depths = [min(depth, 10) for depth in range(1, len(vectors) + 1)]
    assert vectors == pytest.approx([metrics.ndcg_score([gains], [scores], k=k) for k in depths], abs=1e-14)


@pytest.mark.parametrize("name", TIED)
@given(rows=LISTS)
def test_the_mean_over_all_orders_of_tied_documents(name, rows):
    gains, scores = zip(*rows, strict=True)
    if not any(gains):
        return
    names = [f"{name}@{k}" for k in (1, 2, 5)]
    orders = [
        order
        for order in itertools.permutations(range(len(rows)))
        if all(scores[a] >= scores[b] for a, b in itertools.pairwise(order))
    ]
    judged, _ = study(gains, scores)
    runs = [
        Run.from_columns(
            str(place), ["t"] * len(rows), [f"d{i}" for i in order], [-float(i) for i in range(len(rows))]
        )
        for place, order in enumerate(orders)
    ]
    expected = score(judged, runs, names).values[:, 0].mean(axis=0)
    assert averaged(names, gains, scores) == pytest.approx(expected)


@pytest.mark.parametrize("name", TIED)
def test_without_ties_nothing_changes(name):
    gains, scores = [0, 2.5, 1, 4], [4, 3, 2, 1]
    judged, run = study(gains, scores, [3.5])
    names = [f"{name}@{k}" for k in (1, 3, 10)]
    assert averaged(names, gains, scores, [3.5]) == pytest.approx(score(judged, [run], names).values[0, 0])


def test_many_sets_of_gains_at_once():
    judged, run = study([3, 1, 2], [9, 9, 5], [5])
    lists, measure = rank(judged, [run]).lists, parse('nDCG(ties="averaged")@3')
    sets = np.array([[3.0, 1, 2], [0, 1, 5]])
    result = values_of_many(measure, lists)(sets)
    assert result[:, 0, 0] == pytest.approx([averaged(["nDCG@3"], row, [9, 9, 5], [5])[0] for row in sets])
