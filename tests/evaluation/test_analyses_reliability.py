"""The tables and curves of [S04]: by hand, and of its battery on simulated runs."""

import math

import numpy as np
import pytest

from evaluation.analyses import (
    confidence_table,
    discrimination_curves,
    inconsistencies,
    measure_reliability,
    rank_changes,
    reliability_table,
    stability_curves,
)
from evaluation.comparison import battery, confidence_orders, discrimination, stability
from evaluation.comparison.discrimination import Discrimination
from evaluation.comparison.stability import Stability
from evaluation.scores import score
from tests.evaluation.analysed import scores_of, simulated
from tests.evaluation.refusals import refused


def test_reliability_by_hand():
    # Counts (900, 60, 40) and (500, 0, 500): minority .03, ties .27; at another f (800, 140, 60) and (400, 0,
    # 600): .07 and .33. Half-way between them, at .05, the ties are .30.
    counts = ([[[800, 400], [900, 500]]], [[[140, 0], [60, 0]]], [[[60, 600], [40, 500]]])
    stable = Stability(("M",), (0.01, 0.02), *map(np.array, counts), topics=50, size=25, trials=1000)
    assert stability_curves(stable).rows() == [
        ("M", 0.01, 0.07, 0.33, 50, 25),
        ("M", 0.02, 0.03, 0.27, 50, 25),
    ]
    # Bins 0 and 1 swap 30 of 100 and 4 of 50, bin 3 1 of 50: from .02 on no bin swaps in more than 5 %.
    comparisons, swaps = np.zeros((2, 1, 21), dtype=int)
    comparisons[0, [0, 1, 3]], swaps[0, [0, 1, 3]] = [100, 50, 50], [30, 4, 1]
    result = Discrimination(("M",), comparisons, swaps, np.zeros((1, 3)), np.array([0.4]), 50, 25, 1000)
    curve = discrimination_curves(result)
    assert curve.height == 21
    assert curve.rows()[:4] == [
        ("M", 0.0, 100, 30, 0.3, 50, 25),
        ("M", 0.01, 50, 4, 0.08, 50, 25),
        ("M", 0.02, 0, 0, None, 50, 25),
        ("M", 0.03, 50, 1, 0.02, 50, 25),
    ]
    # Needed .02, of the largest mean .4 a twentieth; 50 of 200 comparisons reach it.
    (row,) = reliability_table(stable, result).rows()
    assert row == ("M", pytest.approx(0.30), 0.02, pytest.approx(0.05), 0.4, 0.25)


def test_the_battery():
    gains, runs = simulated()
    scores = score(gains, runs, battery())
    stable = stability(scores, size=6, rng=np.random.default_rng(1), trials=50)
    result = discrimination(scores, rng=np.random.default_rng(1), trials=50)
    table = reliability_table(stable, result)
    assert table["measure"].to_list() == list(scores.measures)
    assert table.height == 24
    assert table["power"].to_list() == result.power()
    assert stability_curves(stable).height == 24 * 11
    assert discrimination_curves(result).height == 24 * 21
    per_measure = discrimination_curves(result).group_by("measure").sum()["comparisons"]
    assert per_measure.unique().to_list() == [50 * 15]
    orders = confidence_orders(scores, stable, result)
    confidence = confidence_table(scores.measures, orders)
    assert confidence.rows() == [
        (name, o.sign_and_minority, o.sign_and_swaps, o.minority_and_swaps)
        for name, o in zip(scores.measures, orders, strict=True)
    ]
    with refused("orders-differ-in-number", "24", "23"):
        confidence_table(scores.measures, orders[1:])
    other = discrimination(score(gains, runs, ["AP"]), rng=np.random.default_rng(1), trials=5)
    with refused("reliability-of-other-measures"):
        reliability_table(stable, other)


def test_all_tables_of_a_set_of_measures():
    gains, runs = simulated()
    scores = score(gains, runs, battery()[:3])
    result = measure_reliability(scores, rng=np.random.default_rng(1), trials=20)
    rng = np.random.default_rng(1)
    stable = stability(scores, rng=rng, trials=20)
    apart = discrimination(scores, rng=rng, trials=20)
    assert result.table.equals(reliability_table(stable, apart))
    assert result.stability.equals(stability_curves(stable))
    assert result.discrimination.equals(discrimination_curves(apart))
    orders = confidence_orders(scores, stable, apart)
    assert result.confidence.equals(confidence_table(scores.measures, orders))
    assert (result.topics, result.size) == (12, 6)


def test_rank_changes_by_hand():
    # By AP b, a, c, d; c and d are tied and stand by name. P is .2, .4, .3, .3: it rises once, at number 2.
    scores = scores_of(
        {"a": (0.3, 0.4), "b": (0.5, 0.2), "d": (0.1, 0.3), "c": (0.1, 0.3)}, ["AP(rel=1)", "P@10"]
    )
    table = rank_changes(scores)
    assert table.rows() == [
        ("AP(rel=1)", 1, "b", 0.5, False),
        ("AP(rel=1)", 2, "a", 0.3, False),
        ("AP(rel=1)", 3, "c", 0.1, False),
        ("AP(rel=1)", 4, "d", 0.1, False),
        ("P@10", 1, "b", 0.2, False),
        ("P@10", 2, "a", 0.4, True),
        ("P@10", 3, "c", 0.3, False),
        ("P@10", 4, "d", 0.3, False),
    ]
    assert inconsistencies(table).rows() == [("AP(rel=1)", 0, 3), ("P@10", 1, 3)]
    assert inconsistencies(rank_changes(scores, by="P@10")).rows() == [("AP(rel=1)", 1, 3), ("P@10", 0, 3)]


def test_rank_changes_without_what_they_need():
    with refused("measure-not-in-scores", "'AP(rel=1)'", "P@10"):
        rank_changes(scores_of({"a": (0.1,)}, ["P@10"]))
    with refused("run-without-mean", "'b'", "P@10"):
        rank_changes(scores_of({"a": (0.1,), "b": (math.nan,)}, ["P@10"]), by="P@10")
