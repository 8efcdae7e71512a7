"""Rank-biased overlap of two rankings of systems: its source's example, ties, and its two forms."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.comparison import correlation_matrix, parse_statistic, rbo
from tests.evaluation.command_results import output_of
from tests.evaluation.refusals import OPTION, assert_fault, refused
from tests.evaluation.test_correlation import orders, scores_of

VALUES = st.lists(st.integers(0, 2), min_size=2, max_size=5)


def agreements(first, second):
    """The share of common systems at each depth of two orders."""
    return [len({*first[:d]} & {*second[:d]}) / d for d in range(1, len(first) + 1)]


def by_hand(first, second, p, form):
    shares = agreements(first, second)
    ranked = (1 - p) * sum(p**d * share for d, share in enumerate(shares))
    if form == "extrapolated":
        return ranked + p ** len(first)
    return ranked + (1 - p) * sum(len(first) / d * p ** (d - 1) for d in range(len(first) + 1, 3000))


def test_worked_values():
    """ABC and BAC share nothing at depth 1 and everything from depth 2 on: .25 + .125 + .125 with p = .5.

    If everything below is different, depth d adds .5^d · 3/d, in all 3·(ln 2 − 1/2 − 1/8 − 1/24).
    """
    abc, bac = scores_of("ABC", "ABC"), scores_of("BAC", "ABC")
    assert rbo(abc, bac, p=0.5) == pytest.approx(0.5)
    minimum = 0.375 + 3 * (math.log(2) - 1 / 2 - 1 / 8 - 1 / 24)
    assert rbo(abc, bac, p=0.5, form="minimum") == pytest.approx(minimum)


def test_value_of_the_package_rbo():
    """Recorded from version 0.1.3, rbo_ext of ABCDE and BADCE with p = .9."""
    assert rbo(scores_of("ABCDE", "ABCDE"), scores_of("BADCE", "ABCDE")) == pytest.approx(0.873)


@given(
    order=st.permutations(range(7)),
    p=st.sampled_from([0.3, 0.8, 0.9]),
    form=st.sampled_from(["extrapolated", "minimum"]),
)
def test_the_definition(order, p, form):
    x, y = [-rank for rank in range(7)], [-order.index(system) for system in range(7)]
    expected = by_hand(list(range(7)), list(order), p, form)
    assert rbo(x, y, p, form) == rbo(y, x, p, form) == pytest.approx(expected)
    assert rbo(x, y, p, form, ties="together") == pytest.approx(expected)


@given(x=VALUES, y=VALUES, p=st.sampled_from([0.5, 0.9]), form=st.sampled_from(["extrapolated", "minimum"]))
def test_ties_are_the_mean_over_all_orders(x, y, p, form):
    y = (y * len(x))[: len(x)]
    if len(set(x)) == 1 or len(set(y)) == 1:
        assert rbo(x, y, p, form) is None
        return
    results = [by_hand(a, b, p, form) for a, b in itertools.product(orders(x), orders(y))]
    assert rbo(x, y, p, form) == pytest.approx(sum(results) / len(results))


def test_ties_can_share_a_rank():
    """{AB}C and ABC, p = .5: A(1) = 2·1/(2 + 1), A(2) = A(3) = 1; over both orders A(1) is ½."""
    tied, order = [2, 2, 1], [3, 2, 1]
    assert rbo(tied, order, p=0.5, ties="together") == pytest.approx(0.5 * 2 / 3 + 0.5)
    assert rbo(tied, order, p=0.5) == pytest.approx(0.5 * 1 / 2 + 0.5)
    # Two rankings with the same tie are the same ranking, if systems share a rank.
    assert rbo(tied, tied, p=0.5, ties="together") == pytest.approx(1)
    assert rbo(tied, tied, p=0.5) == pytest.approx(0.5 * 1 / 2 + 0.5)


@given(order=st.permutations(range(6)), p=st.floats(0.01, 0.99))
def test_a_swap_at_the_top_costs_more_than_the_same_one_below(order, p):
    values = [float(value) for value in order]
    best, last = sorted(values)[::-1][:2], sorted(values)[:2]
    top, bottom = ([_swapped(value, *pair) for value in values] for pair in (best, last))
    assert rbo(values, top, p) < rbo(values, bottom, p) + 1e-12
    for form in ("extrapolated", "minimum"):
        assert -1e-12 <= rbo(values, top, p, form) <= rbo(values, values, p, form) <= 1 + 1e-12


def _swapped(value, one, other):
    return {one: other, other: one}.get(value, value)


def test_notation():
    x, y = [3, 2, 1], [2, 3, 1]
    columns = {"x": np.array([3.0, 2, 1]), "y": np.array([2.0, 3, 1])}
    assert parse_statistic("rbo")(x, y) == rbo(x, y)
    assert parse_statistic('rbo(p=0.5, form="minimum")')(x, y) == rbo(x, y, 0.5, "minimum")
    assert parse_statistic("rbo(ties=together)")(x, [2, 2, 1]) == rbo(x, [2, 2, 1], ties="together")
    assert correlation_matrix(columns, "rbo(p=0.5)")["value"][1] == rbo(x, y, 0.5)


@pytest.mark.parametrize(
    ("text", "code", "named"),
    [
        ("rbo(p=1)", "rbo-p-out-of-bounds", "1"),
        ("rbo(p=high)", "rbo-p-out-of-bounds", "'high'"),
        ("rbo(form=maximum)", OPTION, "'maximum'"),
        ("rbo(ties=broken)", OPTION, "'broken'"),
        ("rbo(q=1)", "unknown-parameter-of-statistic", "'q'"),
        ("tau_b(p=0.5)", "unknown-parameter-of-statistic", "'p'"),
        ("rbo@10", "unknown-statistic", "'rbo@10'"),
        ("rbo(", "unknown-statistic", "'rbo('"),
        ("rbo(0.5)", "malformed-parameters", "'rbo(0.5)'"),
    ],
)
def test_what_is_no_statistic(text, code, named):
    with refused(code, named):
        parse_statistic(text)


def test_the_command(tmp_path, shell):
    (tmp_path / "x").write_text("a 1 AP .5\nb 1 AP .4\nc 1 AP .1\n")
    (tmp_path / "y").write_text("a 1 RR .4\nb 1 RR .5\nc 1 RR .1\n")
    assert (
        output_of(shell("correlate", "x", "y", "--statistic", "rbo(p=0.5)"))
        == "rbo(p=0.5)\tAP\tRR\t0.500000\n"
    )
    words = output_of(shell("correlate", "x", "y", "--statistic", "rbo", "--digits", "12")).split()
    assert float(words[-1]) == pytest.approx(rbo([3, 2, 1], [2, 3, 1]))
    assert_fault(shell("correlate", "x", "y", "--statistic", "rbo(p=2)"), "2")
    assert_fault(shell("correlate", "x", "y", "--statistic", "tau"), "'tau'", "rbo")
