"""Rank correlation on the sources' examples, against scipy's plain forms, and where it has no value."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from evaluation.comparison import STATISTICS, rho, tau_a, tau_ap, tau_b, tau_c
from tests.evaluation.refusals import refused

VALUES = st.lists(st.integers(0, 4), min_size=2, max_size=7)


def scores_of(order, systems="ABCD"):
    """Scores that put the systems in this order."""
    return [-order.index(system) for system in systems]


def test_orders_of_four():
    # d1 d3 d2 d4 and d1 d3 d4 d2: 5 of 6 pairs agree, (5 − 1)/6.
    x, y = scores_of("1324", "1234"), scores_of("1342", "1234")
    for tau in (tau_a, tau_b, tau_c):
        assert tau(x, y) == pytest.approx(4 / 6)


def test_spearman_of_the_source():
    # Differences −1, 4, 1, −2, −2: their squares add up to 26.
    assert rho([1, 5, 4, 2, 3], [2, 1, 3, 4, 5]) == pytest.approx(1 - 6 * 26 / (5 * 24))


def test_ties():
    x, y = [1, 1, 2, 2, 3], [1, 2, 1, 2, 2]
    # 10 pairs, 2 tied in x, 4 in y, none in both: C = 3, D = 1.
    assert tau_a(x, y) == pytest.approx(2 / 10)
    assert tau_b(x, y) == pytest.approx(2 / np.sqrt(8 * 6))
    assert tau_c(x, y) == pytest.approx(0.32)


@pytest.mark.parametrize(
    ("estimate", "expected"), [("ABCD", 1), ("BACD", 1 / 3), ("ABDC", 7 / 9), ("DCBA", -1)]
)
def test_tau_ap_of_orders(estimate, expected):
    assert tau_ap(scores_of("ABCD"), scores_of(estimate)) == pytest.approx(expected)


def test_tau_ap_of_ties():
    # {AB}CD: the mean of ABCD's 1 and BACD's 1/3.
    assert tau_ap([4, 3, 2, 1], [3, 3, 2, 1]) == pytest.approx(2 / 3)
    assert tau_ap([3, 3, 2, 1], [4, 3, 2, 1]) == pytest.approx(2 / 3)


@given(VALUES, st.randoms(use_true_random=False))
def test_tau_ap_is_the_mean_over_all_orders(truth, random):
    estimate = [random.randint(0, 3) for _ in truth]
    if len(truth) > 5 or len(set(truth)) == 1 or len(set(estimate)) == 1:
        return
    results = []
    for true in orders(truth):
        for guess in orders(estimate):
            n, place = len(true), {system: i for i, system in enumerate(true)}
            above = [sum(place[guess[j]] < place[guess[i]] for j in range(i)) / i for i in range(1, n)]
            results.append(2 / (n - 1) * sum(above) - 1)
    assert tau_ap(truth, estimate) == pytest.approx(np.mean(results))


def orders(values):
    """All orders of the systems that put none above another of a higher value."""
    return [
        order
        for order in itertools.permutations(range(len(values)))
        if all(values[a] >= values[b] for a, b in itertools.pairwise(order))
    ]


@pytest.mark.parametrize("statistic", STATISTICS)
def test_no_value(statistic):
    correlate = STATISTICS[statistic]
    assert correlate([], []) is None
    assert correlate([1], [1]) is None
    assert correlate([1, 1, 1], [1, 2, 3]) is None
    assert correlate([1, 2, 3], [1, 1, 1]) is None
    # 1e-13 apart is tied, 1e-11 apart is not.
    assert correlate([1, 1 + 1e-13], [1, 2]) is None
    assert correlate([1, 1 + 1e-11], [1, 2]) == pytest.approx(1)


@pytest.mark.parametrize("statistic", STATISTICS)
@given(values=VALUES)
def test_bounds_and_the_ranking_itself(statistic, values):
    correlate = STATISTICS[statistic]
    other = list(reversed(values))
    if (result := correlate(values, other)) is not None:
        assert -1 - 1e-9 <= result <= 1 + 1e-9
        assert correlate([v / 7 for v in values], other) == pytest.approx(result)
    if len(set(values)) == len(values):
        assert correlate(values, values) == pytest.approx(1)


@given(VALUES)
def test_tau_b_is_scipys(values):
    other = [v * v % 5 for v in values]
    if len(set(values)) > 1 and len(set(other)) > 1:
        assert tau_b(values, other) == pytest.approx(stats.kendalltau(values, other).statistic)


def test_what_cannot_be_compared():
    with refused("lists-differ-in-length", "(2,)", "(3,)"):
        tau_b([1, 2], [1, 2, 3])
    with refused("mean-not-finite"):
        tau_b([1, float("nan")], [1, 2])
