"""Check (a): three lines, and numbers that strictly ascend with their lengths."""

from itertools import pairwise, permutations
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judging.protocol.checks.practice import LINES, LONGEST, draw_lengths
from judging.protocol.scales.answers import ascends


@given(st.integers())
def test_lines_are_three_distinct_and_never_shown_from_shortest_to_longest(seed: int) -> None:
    shown = draw_lengths(Random(seed))
    ascending = sorted(shown)
    assert len(shown) == len(set(shown)) == LINES
    assert list(shown) != ascending
    assert ascending[0] > 0
    assert ascending[-1] <= LONGEST
    assert all(longer / shorter > 1.55 for shorter, longer in pairwise(ascending))


def test_the_five_other_orders_all_come_equally_often() -> None:
    rng = Random(7)
    orders = [tuple(sorted(range(LINES), key=drawn.__getitem__)) for drawn in map(draw_lengths, [rng] * 5000)]
    assert set(orders) == set(permutations(range(LINES))) - {(0, 1, 2)}
    assert all(850 < orders.count(order) < 1150 for order in set(orders))  # 1000 each, σ = 28


def test_same_seed_same_lines() -> None:
    assert draw_lengths(Random(3)) == draw_lengths(Random(3))
    assert draw_lengths(Random(3)) != draw_lengths(Random(4))


def test_one_two_three_never_passes_unseen() -> None:
    assert not any(ascends(draw_lengths(Random(seed)), [1, 2, 3]) for seed in range(300))


@pytest.mark.parametrize(
    ("lengths", "magnitudes", "passes"),
    [
        ([300, 100, 200], [3, 1, 2], True),
        ([300, 100, 200], [1000.0, 1e-9, 0.5], True),
        ([300, 100, 200], [3, 2, 2], False),
        ([300, 100, 200], [2, 2, 1], False),
        ([300, 100, 200], [5, 5, 5], False),
        ([300, 100, 200], [1, 3, 2], False),
        ([300, 100, 200], [2, 1, 3], False),
    ],
)
def test_strictly_ascending_passes_and_a_tie_fails(
    lengths: list[int], magnitudes: list[float], passes: bool
) -> None:
    assert ascends(lengths, magnitudes) is passes


def test_each_line_needs_a_number() -> None:
    with pytest.raises(ValueError, match="shorter"):
        ascends([300, 100, 200], [3, 1])
