"""The documents that make the difference between two runs: they add up to the difference of the scores."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import evaluation as ev
from evaluation.analyses import contributions
from evaluation.contributions import MEASURES
from tests.evaluation.refusals import refused


def test_by_hand():
    gains = ev.Gains({"1": {"a": 3, "b": 1}})
    first = ev.Run({"1": {"a": 3, "x": 2, "b": 1}}, "one")
    second = ev.Run({"1": {"x": 3, "b": 2, "a": 1}}, "two")
    rows = contributions(gains, first, second, "DCG@3").rows()
    assert [row[:5] for row in rows] == [("1", "a", 3.0, 1, 3), ("1", "b", 1.0, 3, 2)]
    assert [row[5] for row in rows] == pytest.approx([3 - 3 / 2, 1 / 2 - 1 / math.log2(3)])


@given(st.integers(0, 10_000), st.sampled_from([f"{name}@{k}" for name in MEASURES for k in (1, 4, 30)]))
def test_they_add_up_to_the_difference_of_the_scores(seed, measure):
    rng = np.random.default_rng(seed)
    topics = [str(topic) for topic in range(3)]
    gains = ev.Gains({t: {f"d{n}": float(rng.integers(0, 4)) for n in range(8)} for t in topics})
    first, second = (
        ev.Run(
            {t: {f"d{n}": float(rng.integers(0, 5)) for n in range(rng.integers(1, 12))} for t in topics}, tag
        )
        for tag in ("one", "two")
    )
    scores = ev.score(gains, [first, second], measure)
    found = contributions(gains, first, second, measure)
    assert found["difference"].abs().is_sorted(descending=True)
    for place, topic in enumerate(scores.topics):
        one, two = scores.values[:, place, 0]
        total = found.filter(topic_id=topic)["difference"].sum()
        assert total == pytest.approx(0.0 if np.isnan(one) else one - two, abs=1e-12)


def test_without_gains_nothing_makes_a_difference():
    runs = [ev.Run({"1": {"a": 1, "b": 0}}, tag) for tag in ("a", "b")]
    assert contributions(ev.Gains({}), *runs, "nDCG@10").is_empty()


def test_a_measure_that_is_no_sum_is_refused():
    with refused("measure-without-contributions", "AP", "nDCG"):
        contributions(
            ev.Gains({"1": {"a": 1}}), ev.Run({"1": {"a": 1}}, "a"), ev.Run({"1": {"a": 1}}, "b"), "AP"
        )
