"""Relative relevance, ranked half-life, satisfaction and frustration: examples by hand, and laws."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.distances import ranked_half_life, relative_relevance, satisfaction_frustration
from tests.evaluation.refusals import OPTION, refused

GAINS = st.lists(st.floats(0, 100).map(lambda gain: round(gain, 3)), min_size=1, max_size=8)
SIDES = st.dictionaries(st.sampled_from("abcdef"), st.floats(0, 1).map(lambda score: round(score, 3)))


def test_relative_relevance():
    # ⟨1, .5, 0⟩ and ⟨1, 0, .5⟩: Σsu = 1, Σs² = Σu² = 1.25.
    user, system = {"a": 1, "b": 0.5}, {"a": 1, "c": 0.5}
    assert relative_relevance(user, system) == pytest.approx(1 / 1.25)  # .80
    assert relative_relevance(user, system, "jaccard") == pytest.approx(1 / (1.25 + 1.25 - 1))  # .67
    zeros = {"a": 1, "b": 0.5, "c": 0}, {"a": 1, "b": 0, "c": 0.5}
    assert relative_relevance(*zeros) == relative_relevance(user, system)


def test_relative_relevance_without_a_value():
    assert relative_relevance({}, {}) is None
    assert relative_relevance({"a": 0}, {"a": 1}) is None
    assert relative_relevance({"a": 0}, {"a": 1}, "jaccard") == 0
    assert relative_relevance({"a": 0}, {"a": 0}, "jaccard") is None
    with refused("negative-or-infinite-value"):
        relative_relevance({"a": -1}, {"a": 1})
    with refused(OPTION, "'dice'", "cosine", "jaccard"):
        relative_relevance({"a": 1}, {"a": 1}, "dice")


@pytest.mark.parametrize("form", ["cosine", "jaccard"])
@given(one=SIDES, other=SIDES)
def test_laws_of_relative_relevance(form, one, other):
    result = relative_relevance(one, other, form)
    if result is None:
        return
    assert -1e-12 <= result <= 1 + 1e-12
    assert result == pytest.approx(relative_relevance(other, one, form))
    larger = [{d: s * 1e200 for d, s in side.items()} for side in (one, other)]
    assert result == pytest.approx(relative_relevance(*larger, form))
    if form == "cosine":
        assert result == pytest.approx(relative_relevance(larger[0], other))
    if any(one.values()):
        assert relative_relevance(one, one, form) == pytest.approx(1)


@pytest.mark.parametrize(
    ("gains", "rank"),
    [
        ([0.5, 1, 0.5, 0], 1.5),  # half of 2 is 1: rank 1 brings .5, half of rank 2's gain the rest
        ([2, 0, 0], 0.5),  # half of the first document
        ([0, 0, 2], 2.5),
        ([1, 0, 0, 1], 1),  # reached with rank 1, not later
        ([1, 1, 1, 1], 2),
    ],
)
def test_ranked_half_life(gains, rank):
    assert ranked_half_life(gains) == pytest.approx(rank)
    assert ranked_half_life([gain * 5e307 for gain in gains]) == pytest.approx(rank)


def test_ranked_half_life_without_a_value():
    assert ranked_half_life([]) is None
    assert ranked_half_life([0, 0]) is None
    for bad in ([1, -1], [1, float("nan")], [float("inf")]):
        with refused("negative-or-infinite-value"):
            ranked_half_life(bad)
    with refused("not-a-list", "(1, 2)"):
        ranked_half_life([[1, 2]])


@given(GAINS)
def test_laws_of_ranked_half_life(gains):
    result = ranked_half_life(gains)
    if result is None:
        assert not any(gains)
        return
    assert 0 < result <= len(gains)
    best, worst = sorted(gains, reverse=True), sorted(gains)
    assert ranked_half_life(best) <= result + 1e-9
    assert result <= ranked_half_life(worst) + 1e-9


def test_satisfaction_frustration_and_total():
    # ⟨3, 0, 2, 1⟩, t = 2, n = 2: 3 of 3 + 2; 2 − 0 of (2 − 0) + (2 − 1); .5·.6 + .5·(1 − 2/3).
    result = satisfaction_frustration([3, 0, 2, 1], threshold=2, n=2)
    assert result.satisfaction == pytest.approx(0.6)
    assert result.frustration == pytest.approx(2 / 3)
    assert result.total == pytest.approx(0.5 * 0.6 + 0.5 / 3)
    assert round(result.total, 2) == 0.47
    assert satisfaction_frustration([3, 0, 2, 1], 2, 2, weight=1).total == pytest.approx(0.6)
    # Past the end of the list there is nothing more.
    whole = satisfaction_frustration([3, 0, 2, 1], 2, 9)
    assert (whole.satisfaction, whole.frustration, whole.total) == (1, 1, 0.5)


def test_satisfaction_without_a_value():
    none_frustrates = satisfaction_frustration([3, 2], 2, 1)
    assert (none_frustrates.satisfaction, none_frustrates.frustration) == (1, None)
    assert none_frustrates.total is None
    none_satisfies = satisfaction_frustration([1, 0], 2, 1)
    assert (none_satisfies.satisfaction, none_satisfies.total) == (None, None)
    assert none_satisfies.frustration == pytest.approx(1 / 2)
    assert satisfaction_frustration([], 2, 1).total is None


@pytest.mark.parametrize(("threshold", "n", "weight"), [(2, 0, 0.5), (float("nan"), 1, 0.5), (2, 1, 1.5)])
def test_what_is_no_threshold_rank_or_weight(threshold, n, weight):
    with refused(("depth-below-one", "threshold-not-finite", "weight-out-of-bounds")):
        satisfaction_frustration([1, 2], threshold, n, weight)


@given(GAINS, st.floats(0, 100), st.integers(1, 9))
def test_laws_of_satisfaction_and_frustration(gains, threshold, n):
    result = satisfaction_frustration(gains, threshold, n)
    for share in (result.satisfaction, result.frustration, result.total):
        assert share is None or -1e-12 <= share <= 1 + 1e-12
    best = satisfaction_frustration(sorted(gains, reverse=True), threshold, n)
    worst = satisfaction_frustration(sorted(gains), threshold, n)
    assert best.satisfaction in (None, pytest.approx(1))
    assert worst.frustration in (None, pytest.approx(1))
    if result.total is not None:
        assert worst.total - 1e-9 <= result.total <= best.total + 1e-9
