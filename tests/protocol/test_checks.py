"""Checks (c) and (d) on the documents of one unit, and Kendall's τ between two tries."""

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import kendalltau

from judging.protocol.checks import (
    Limits,
    Observation,
    anchor_order,
    attempts_left,
    tau_between_tries,
    verdict,
)

TRIES = st.lists(
    st.tuples(st.sampled_from([0.5, 1.0, 2.0, 7.0, 100.0]), st.floats(1e-100, 1e100)), min_size=2, max_size=12
)


def observe(high: float, low: float, *seconds: float) -> list[Observation]:
    others = [Observation("", 5.0, spent) for spent in seconds]
    return [Observation("N", low, 20.0), *others, Observation("H", high, 20.0)]


def limits(*, ties_pass: bool = False) -> Limits:
    return Limits(seconds_per_document=20, anchor_ties_pass=ties_pass)


@pytest.mark.parametrize(("high", "low", "order"), [(2, 1, "ordered"), (1, 1, "tied"), (1, 2, "inverted")])
def test_anchor_order(high: float, low: float, order: str) -> None:
    assert anchor_order(high, low) == order


@pytest.mark.parametrize(
    ("high", "low", "ties_pass", "passes"),
    [
        (2, 1, False, True),
        (1, 1, False, False),
        (1, 2, False, False),
        (2, 1, True, True),
        (1, 1, True, True),
        (1, 2, True, False),
    ],
)
def test_check_c_with_both_settings_of_anchor_ties(
    high: float, low: float, ties_pass: bool, passes: bool
) -> None:
    found = verdict(observe(high, low), limits(ties_pass=ties_pass))
    assert (found.anchors_passed, found.time_passed, found.passed) == (passes, True, passes)


def test_check_d_counts_the_documents_that_fell_short() -> None:
    found = verdict(observe(2, 1, 20.0, 19.99, 0.0), limits())
    assert (found.short, found.time_passed, found.anchors_passed, found.passed) == (2, False, True, False)


@pytest.mark.parametrize(("anchors_fail", "time_fails"), list(product([False, True], repeat=2)))
def test_both_checks_always_run(anchors_fail: bool, time_fails: bool) -> None:
    found = verdict(observe(1 if anchors_fail else 3, 2, 0.0 if time_fails else 20.0), limits())
    assert (found.anchors_passed, found.time_passed) == (not anchors_fail, not time_fails)
    assert found.passed == (not anchors_fail and not time_fails)


@pytest.mark.parametrize("anchors", ["", "H", "N", "HH", "HHN", "HNN"])
def test_a_unit_without_exactly_one_anchor_of_each_kind_is_an_error(anchors: str) -> None:
    with pytest.raises(ValueError, match="unpack"):
        verdict([Observation(anchor, 1.0, 20.0) for anchor in anchors], limits())


@given(TRIES)
def test_tau_is_scipys_tau_b(tries: list[tuple[float, float]]) -> None:
    earlier, later = zip(*tries, strict=True)
    tau = tau_between_tries(earlier, later)
    expected = kendalltau(earlier, later, variant="b").statistic
    if tau is None:
        assert len(set(earlier)) == 1 or len(set(later)) == 1
    else:
        assert tau == pytest.approx(expected, abs=1e-12)
        assert -1 <= tau <= 1


def test_tau_of_the_same_the_turned_and_the_constant() -> None:
    numbers = [1.0, 5.0, 2.0, 9.0]
    assert tau_between_tries(numbers, numbers) == 1
    assert tau_between_tries(numbers, [1 / number for number in numbers]) == -1
    assert tau_between_tries(numbers, [3.0] * 4) is None
    assert tau_between_tries([3.0] * 4, numbers) is None


def test_attempts_left() -> None:
    assert [attempts_left(3, failed=failed) for failed in range(5)] == [3, 2, 1, 0, 0]
    assert attempts_left(None, failed=99) is None
