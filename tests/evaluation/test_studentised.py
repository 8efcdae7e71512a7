"""Intervals of gains from the spread of the topic: laws, edges, and coverage on crowds with a known truth."""

import numpy as np
import polars as pl
import pytest

from evaluation.crowds import CROWDS, draw_truth, simulate_study
from evaluation.frames import Judgments
from evaluation.magnitudes import intervals, normalise
from evaluation.magnitudes.groups import Groups
from evaluation.magnitudes.spread import shrunk, spread_of
from evaluation.magnitudes.studentised import _of_offsets
from tests.benchmarks.adapting import DOCUMENTS, TOPICS, adaptive, systems
from tests.benchmarks.adapting_chances import World, measured
from tests.benchmarks.known_chances import HALF, SETTINGS, draw_batch
from tests.evaluation.refusals import refused

KEYS = ["topic_id", "document_id"]


def study_of(judgments=3, crowd="typical", topics=2, seed=5):
    rng = np.random.default_rng(seed)
    truth = draw_truth([{"N": 14, "M": 4, "R": 4, "H": 2, "": 8}] * topics, CROWDS[crowd], rng)
    return truth, simulate_study(truth, CROWDS[crowd], rng, judgments_per_document=judgments).judgments


def by_topic(judgments, normalized=None, seed=1, **settings):
    normalized = normalise(judgments, "additive") if normalized is None else normalized
    return intervals(
        judgments, normalized, np.random.default_rng(seed), spread="topic", **{"resamples": 400, **settings}
    )


@pytest.mark.parametrize("statistic", ["median", "gmean", "trimmed"])
def test_intervals_hold_however_few_judgments_a_document_has(statistic):
    """There are 12 × 30 documents besides the anchors, so a share of .95 has a standard error of .011."""
    for crowd, judgments in (("careful", 3), ("poor", 3), ("typical", 10)):
        truth, judged = study_of(judgments, crowd, topics=12)
        table = by_topic(judged, statistic=statistic, resamples=1000)
        level = truth.gains().table.sort(KEYS).select(level=pl.col("gain").log())
        # The scale of a topic is arbitrary, so its levels are moved to the mean of its log gains.
        off = (pl.col("gain").log() - pl.col("level")).mean().over("topic_id")
        table = table.hstack(level).with_columns(truth=(pl.col("level") + off).exp())
        anchors = judged.table.filter(pl.col("gold") != "").select(KEYS).unique()
        others = table.join(anchors, on=KEYS, how="anti")
        share = others.select(pl.col("truth").is_between("low", "high").mean()).item()
        assert 0.92 <= share <= 0.98


def test_the_magnitudes_of_the_document_alone_give_intervals_that_are_too_narrow():
    _, judgments = study_of()
    normalized = normalise(judgments, "additive")
    own = intervals(judgments, normalized, np.random.default_rng(1))
    topic = by_topic(judgments)
    widths = [(table["high"] / table["low"]).log().median() for table in (own, topic)]
    assert widths[0] < 0.8 * widths[1]


def test_a_factor_of_a_topic_moves_its_intervals_alone():
    _, judgments = study_of()
    normalized = normalise(judgments, "additive")
    is_first = (judgments.table["topic_id"] == "1").to_numpy()
    plain, other = by_topic(judgments), by_topic(judgments, np.where(is_first, 8.0, 1.0) * normalized)
    factor = pl.when(pl.col("topic_id") == "1").then(8.0).otherwise(1.0)
    moved = plain.with_columns(pl.col("gain", "low", "high") * factor)
    for name in ("gain", "low", "high"):
        assert other[name].to_numpy() == pytest.approx(moved[name].to_numpy(), rel=1e-9)


def test_the_order_of_the_rows_and_later_topics_change_nothing():
    _, judgments = study_of()
    order = np.random.default_rng(3).permutation(len(judgments.table))
    normalized = normalise(judgments, "additive")
    shuffled = judgments.replaced(table=judgments.table[order])
    table = by_topic(judgments, normalized)
    assert by_topic(shuffled, normalized[order]).equals(table)
    is_first = (judgments.table["topic_id"] == "1").to_numpy()
    first = judgments.replaced(table=judgments.table.filter(is_first))
    assert by_topic(first, normalized[is_first]).equals(table.filter(topic_id="1"))


def test_a_higher_level_and_fewer_judgments_widen_an_interval():
    _, judgments = study_of()
    narrow, wide = by_topic(judgments, level=0.8), by_topic(judgments, level=0.99)
    assert (wide["low"] < narrow["low"]).all()
    assert (narrow["low"] < narrow["gain"]).all()
    assert (narrow["gain"] < narrow["high"]).all()
    assert (narrow["high"] < wide["high"]).all()
    widths = narrow.with_columns(width=(pl.col("high") / pl.col("low")).log())
    is_anchor = widths["judgments"] > 3
    assert widths.filter(is_anchor)["width"].max() < widths.filter(~is_anchor)["width"].median()


def test_a_single_judgment_takes_its_spread_from_the_topic_or_from_other_topics():
    _, judgments = study_of()
    single = pl.col("topic_id") != "2", pl.struct(KEYS).is_first_distinct()
    fewer = judgments.replaced(table=judgments.table.filter(single[0] | single[1]))
    table = by_topic(fewer, fewer.magnitudes)
    assert set(table.filter(topic_id="2")["judgments"]) == {1}
    assert (table["low"] < table["gain"]).all()
    assert (table["gain"] < table["high"]).all()


def test_without_any_spread_the_magnitudes_of_the_document_count():
    judgments = Judgments([("t", "u", "a", 1), ("t", "u", "b", 9), ("t", "v", "a", 4)])
    rows = by_topic(judgments, judgments.magnitudes).rows()
    assert rows == [("t", "a", 2, 2.5, 1.0, 4.0), ("t", "b", 1, 9.0, 9.0, 9.0)]


def test_equal_magnitudes_have_no_width():
    rows = [("t", unit, name, 3.0) for unit in "uvw" for name in "abc"]
    judgments = Judgments(rows)
    for low, high in by_topic(judgments, judgments.magnitudes).select("low", "high").iter_rows():
        assert (low, high) == pytest.approx((3, 3))


def test_the_spread_by_hand():
    """The logs of a are 0 and 2, those of b are 1, 1 and 1, so the squares are 2 and 0.

    Two units leave 5 − 2 − 2 + 1 = 2 of 3 degrees of freedom. So the squares are multiplied by 3/2, and the
    variance of the topic is 3/3 = 1.
    """
    rows = zip("uvuvv", "aabbb", (0, 2, 1, 1, 1), strict=True)
    judgments = Judgments([("t", unit, name, np.exp(log)) for unit, name, log in rows])
    spread = spread_of(judgments, judgments.magnitudes)
    assert (spread.of_topic.tolist(), spread.correction.tolist()) == ([pytest.approx(1)], [1.5])
    assert sorted(spread.variance) == pytest.approx([4 / 6, 7 / 5])
    assert shrunk(np.array([1.0]), np.array([3.0]), 1.0) == pytest.approx([7 / 5])


def test_errors_of_offsets_are_those_of_balanced_incomplete_blocks():
    """In all units of 2 of 4 documents, the efficiency is (1 − 1/2)/(1 − 1/4) = 2/3.

    Least squares gives the same. A difference between two documents with 3 judgments has the variance 2·σ²/3
    without offsets, and σ² with them.
    """
    pairs = [(a, b) for a in range(4) for b in range(a)]
    rows = [("t", str(unit), str(name), 1.0) for unit, pair in enumerate(pairs) for name in pair]
    judgments = Judgments(rows)
    documents = Groups.by(judgments.table, KEYS)
    topics = Groups.by(judgments.table[documents.row], ["topic_id"])
    assert _of_offsets(judgments, documents, topics).tolist() == [pytest.approx(3 / 2)]
    design = np.zeros((12, 10))
    for row, (_, unit, name, _) in enumerate(rows):
        design[row, [int(name), 4 + int(unit)]] = 1
    contrast = np.eye(10)[0] - np.eye(10)[1]
    assert contrast @ np.linalg.pinv(design.T @ design) @ contrast == pytest.approx(2 / 3 * 3 / 2)


def test_ratings_have_no_spread_of_logs():
    ratings = Judgments([("1", "u", "a", 0), ("1", "v", "a", 60)], scale="rating")
    with refused("numbers-without-ratios"):
        by_topic(ratings, ratings.magnitudes)


def test_intervals_hold_in_an_adaptive_study():
    """There are 1,080 documents besides the anchors, so a share of .95 has a standard error of .007."""
    rng, crowd = np.random.default_rng(0), CROWDS["typical"]
    truth = draw_truth([DOCUMENTS] * TOPICS, crowd, rng)
    level = truth.gains().table.sort(KEYS)["gain"].log().to_numpy()
    world = World(truth, crowd, systems(truth, rng), level)
    judgments = next(
        judgments
        for judgments, _ in adaptive(truth, crowd, world.runs, SETTINGS, 0, rng)
        if judgments.table["unit_id"].n_unique() >= HALF
    )
    result = measured(world, judgments)
    assert 0.93 <= result["topic: gains"] <= 0.97
    assert 0.93 <= result["judged often"] <= 0.97
    assert result["document: gains"] < 0.85


def test_batches_with_known_chances_have_the_expected_numbers():
    """Over 400 draws, the mean number of a document's judgments has a standard error of at most .025."""
    topic = np.repeat([0, 1, 2], [9, 8, 12])
    wanted = np.concatenate([np.linspace(0, 4, 9), np.full(8, 0.75), np.full(12, 0.5)])
    rng, differences, counts = np.random.default_rng(2), np.zeros(29), []
    for _ in range(400):
        units, expected = draw_batch(topic, wanted, rng)
        assert len(units) == 5
        assert all(len(set(unit.tolist())) == 6 == (topic[unit] == topic[unit[0]]).sum() for unit in units)
        counts.append(np.bincount(units.ravel(), minlength=29))
        differences += (counts[-1] - expected) / 400
    assert np.abs(differences).max() < 0.1
    assert not np.array(counts)[:, 0].any()
