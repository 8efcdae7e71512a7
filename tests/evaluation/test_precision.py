"""Measures that count relevant documents."""

import pytest


def test_a_small_list_by_hand(value):
    # Relevant at ranks 1 and 3, R = 2.
    assert value("P@3", [1, 0, 1]) == pytest.approx(2 / 3)
    assert value("R@1", [1, 0, 1]) == pytest.approx(1 / 2)
    assert value("AP", [1, 0, 1]) == pytest.approx((1 / 1 + 2 / 3) / 2)
    assert value("RR", [0, 0, 1]) == pytest.approx(1 / 3)
    assert value("RR@2", [0, 0, 1]) == 0


@pytest.mark.parametrize(("norm", "expected"), [("R", 1 / 6), ("min", 1 / 5)])
def test_what_average_precision_is_divided_by(value, norm, expected):
    """g ⟨0,2,0,3,0⟩, ideal ⟨3,2,1,1,1,1⟩: (1/2 + 2/4) over R = 6, or over min(5, 6)."""
    assert value(f'AP(norm="{norm}")@5', [0, 2, 0, 3, 0], [1, 1, 1, 1]) == pytest.approx(expected)


def test_relevance_levels(value):
    # Rigid: only the 3 counts, at rank 2.
    assert value("P(rel=3)@2", [1, 3], [2]) == 0.5
    assert value("R(rel=2)@2", [1, 3], [2]) == 0.5
    assert value("RR(rel=0.5)", [0.4, 0.5]) == 0.5
