"""Bootstrap intervals against what the distribution of a resampled statistic is known to be."""

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.frames import Judgments
from evaluation.magnitudes import bootstrap, gains, intervals
from tests.evaluation.refusals import refused

ROWS = st.lists(
    st.tuples(st.sampled_from("tu"), st.sampled_from("ab"), st.floats(1e-3, 1e3)), min_size=1, max_size=30
)


def judgments_of(rows):
    """Rows of (topic, document, magnitude), each of a unit of its own."""
    topics, documents, magnitudes = zip(*rows, strict=True)
    return Judgments.from_columns(topics, [str(i) for i in range(len(rows))], documents, magnitudes)


def intervals_of(rows, seed=5, **settings):
    judgments = judgments_of(rows)
    return intervals(judgments, judgments.magnitudes, np.random.default_rng(seed), **settings)


def test_two_magnitudes():
    """The medians of 1 and 9 drawn twice: 1, 5, 5, 9. Half of them lie from 4 to 6: 5 to 5."""
    assert intervals_of([("t", "a", 9), ("t", "a", 1)]).rows() == [("t", "a", 2, 5.0, 1.0, 9.0)]
    assert intervals_of([("t", "a", 9), ("t", "a", 1)], level=0.4).rows() == [("t", "a", 2, 5.0, 5.0, 5.0)]
    geometric = intervals_of([("t", "a", 9), ("t", "a", 1)], median="geometric", level=0.4)
    assert geometric.rows()[0][3:] == (3.0, 3.0, 3.0)


def test_nine_magnitudes():
    """The median drawn is at most the k-th of 9 when 5 of 9 draws are: Bin(9, k/9) ≥ 5.

    k = 1: .001, k = 2: .030. So the second ends the lower 2.5 %, and the eighth the upper.
    """
    rows = [("t", "a", float(2**k)) for k in range(9)]
    assert intervals_of(rows, resamples=20_000).rows() == [("t", "a", 9, 16.0, 2.0, 128.0)]


def test_geometric_means_spread_as_the_mean_of_logs():
    """The mean of 100 draws has the deviation σ/10 of the logs' σ; 95 % lie within 1.96 of it."""
    logs = np.random.default_rng(3).normal(2, 1, size=100)
    table = intervals_of([("t", "a", value) for value in np.exp(logs)], statistic="gmean", resamples=20_000)
    assert table["gain"][0] == pytest.approx(np.exp(logs.mean()))
    reach = 1.96 * logs.std() / 10
    assert np.log(table["low"][0]) == pytest.approx(logs.mean() - reach, abs=0.01)
    assert np.log(table["high"][0]) == pytest.approx(logs.mean() + reach, abs=0.01)


@given(ROWS, st.sampled_from(["median", "gmean"]), st.randoms(use_true_random=False))
def test_the_same_seed_gives_the_same_table_in_any_order(rows, statistic, random):
    shuffled = rows.copy()
    random.shuffle(shuffled)
    table = intervals_of(rows, statistic=statistic, resamples=20)
    assert intervals_of(shuffled, statistic=statistic, resamples=20).equals(table)
    magnitudes = judgments_of(rows).magnitudes
    assert table["gain"].to_list() == gains(judgments_of(rows), magnitudes, statistic).values.tolist()
    ends = pl.DataFrame(rows, schema=["topic_id", "document_id", "m"], orient="row").group_by(
        "topic_id", "document_id"
    )
    ends = ends.agg(pl.len(), pl.min("m").alias("least"), pl.max("m").alias("most"))
    for topic, document, count, _, low, high in table.iter_rows():
        ((n, least, most),) = (
            ends.filter(topic_id=topic, document_id=document).select("len", "least", "most").rows()
        )
        assert count == n
        assert least * (1 - 1e-12) <= low <= high <= most * (1 + 1e-12)


def test_parts_of_a_large_table_are_all_filled(monkeypatch):
    monkeypatch.setattr(bootstrap, "DRAWS_AT_ONCE", 100)
    rows = [("t", str(i % 7), float(i // 7 + 1)) for i in range(21)]
    table = intervals_of(rows, resamples=30)
    assert table["gain"].to_list() == [2.0] * 7
    assert table["low"].is_between(1, 2).all()
    assert table["high"].is_between(2, 3).all()


def test_no_judgments():
    nothing = Judgments.from_columns([], [], [], [])
    assert intervals(nothing, np.empty(0), np.random.default_rng(1)).is_empty()


@pytest.mark.parametrize("settings", [{"level": 0}, {"level": 1}, {"level": float("nan")}, {"resamples": 0}])
def test_settings_out_of_bounds(settings):
    with refused(("level-out-of-bounds", "too-few-resamples")):
        intervals_of([("t", "a", 1.0)], **settings)
