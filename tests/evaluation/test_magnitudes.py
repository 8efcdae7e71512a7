"""Normalisation by geometric averaging, and gains from what it gives."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.frames import Judgments
from evaluation.magnitudes import gains, normalise
from tests.evaluation.refusals import refused


def judgments_of(rows, workers=None):
    """Rows of (topic, unit, document, magnitude)."""
    return Judgments.from_columns(*zip(*rows, strict=True), workers)


TWO_UNITS = [
    ("t", "1", "a", 1),
    ("t", "1", "b", 10),
    ("t", "2", "a", 2),
    ("t", "2", "b", 8),
    ("t", "2", "c", 4),
]
MAGNITUDES = st.floats(1e-100, 1e100)
ROWS = st.lists(
    st.tuples(st.sampled_from("tu"), st.sampled_from("12"), st.sampled_from("abcd"), MAGNITUDES),
    min_size=1,
    max_size=30,
)


def test_two_units_by_hand():
    """Units ⟨1,10⟩ and ⟨2,8,4⟩: geometric means √10 and 4, of the topic 640^(1/5) = 3.64."""
    topic = 640 ** (1 / 5)
    expected = [topic / math.sqrt(10), topic * math.sqrt(10), topic / 2, topic * 2, topic]
    assert normalise(judgments_of(TWO_UNITS)) == pytest.approx(expected)


def test_one_unit_times_a_hundred_by_hand():
    """The first unit × 100: all scores × 100^(2/5) = 6.31."""
    raised = [(t, u, d, m * 100 if u == "1" else m) for t, u, d, m in TWO_UNITS]
    factors = normalise(judgments_of(raised)) / normalise(judgments_of(TWO_UNITS))
    assert factors == pytest.approx([6.3096] * 5, abs=5e-5)


def test_the_topic_mean_is_over_judgments_not_over_unit_means():
    rows = [("t", "1", "a", 1), *(("t", "2", d, 100) for d in "abc")]
    assert normalise(judgments_of(rows)) == pytest.approx([100 ** (3 / 4)] * 4)


def test_a_unit_is_of_one_topic_and_one_worker():
    rows = [("t", "1", "a", 1), ("t", "1", "b", 100), ("u", "1", "a", 7)]
    together = normalise(judgments_of(rows))
    assert together == pytest.approx([1, 100, 7])
    # The same unit number of two workers is two units, each brought to the topic's mean of 10.
    apart = normalise(judgments_of(rows, ["w", "v", "w"]))
    assert apart == pytest.approx([10, 10, 7])
    # Rows that name no worker are of one and the same.
    assert normalise(judgments_of(rows, ["", None, "w"])) == pytest.approx([1, 100, 7])


@given(ROWS, st.randoms(use_true_random=False))
def test_bits_do_not_depend_on_the_order_of_rows(rows, random):
    order = list(range(len(rows)))
    random.shuffle(order)
    straight = normalise(judgments_of(rows))
    shuffled = normalise(judgments_of([rows[i] for i in order]))
    assert shuffled.tolist() == straight[order].tolist()
    first = gains(judgments_of(rows), straight)
    second = gains(judgments_of([rows[i] for i in order]), shuffled)
    assert first.table.equals(second.table)


@given(ROWS)
def test_normalising_twice_is_normalising_once(rows):
    once = normalise(judgments_of(rows))
    if ((once < 1e-100) | (once > 1e100)).any():
        return  # beyond what a magnitude may be, though not beyond what a normalised one may
    again = judgments_of([(*row[:3], value) for row, value in zip(rows, once, strict=True)])
    assert normalise(again) == pytest.approx(once, rel=1e-9)


@given(ROWS)
def test_ratios_in_a_unit_survive_and_units_share_one_mean(rows):
    values = np.log(normalise(judgments_of(rows)))
    magnitudes = np.log([row[3] for row in rows])
    units = [row[:2] for row in rows]
    means = {}
    for unit in set(units):
        member = np.array([other == unit for other in units])
        assert np.ptp(values[member] - magnitudes[member]) < 1e-9
        means.setdefault(unit[0], []).append(values[member].mean())
    assert all(np.ptp(of_topic) < 1e-9 for of_topic in means.values())


@given(ROWS, st.floats(0.01, 100))
def test_a_unit_times_c_multiplies_its_topic_by_one_factor(rows, factor):
    unit = rows[0][:2]
    raised = [(*row[:3], row[3] * factor if row[:2] == unit else row[3]) for row in rows]
    if not all(1e-100 <= row[3] <= 1e100 for row in raised):
        return
    change = np.log(normalise(judgments_of(raised))) - np.log(normalise(judgments_of(rows)))
    share = sum(row[:2] == unit for row in rows) / sum(row[0] == unit[0] for row in rows)
    for row, moved in zip(rows, change, strict=True):
        assert moved == pytest.approx(share * math.log(factor) if row[0] == unit[0] else 0, abs=1e-9)


@pytest.mark.parametrize(
    ("settings", "expected"),
    [({}, 6.5), ({"median": "geometric"}, 6), ({"statistic": "gmean"}, 6)],
)
def test_gain_of_two_judgments(settings, expected):
    judged = judgments_of([("t", "1", "a", 4), ("t", "2", "a", 9)])
    assert gains(judged, np.array([4.0, 9.0]), **settings).values == pytest.approx([expected], rel=1e-15)


def test_gains_are_sorted_by_topic_and_document():
    judged = judgments_of([("u", "1", "b", 1), ("t", "1", "b", 2), ("t", "1", "a", 3), ("t", "2", "a", 5)])
    result = gains(judged, np.array([1.0, 2.0, 3.0, 50.0]), statistic="median")
    assert result.table.rows() == [("t", "a", 26.5), ("t", "b", 2.0), ("u", "b", 1.0)]
    means = gains(judged, np.array([1.0, 2.0, 2.0, 8.0]), statistic="gmean").values
    assert means == pytest.approx([4, 2, 1])


def test_an_odd_median_is_the_very_magnitude():
    judged = judgments_of([("t", str(i), "a", 1) for i in range(3)])
    assert gains(judged, np.array([0.1 + 0.2, 9, 0.1]), median="geometric").values.tolist() == [0.1 + 0.2]


def test_the_largest_magnitudes_have_a_median():
    judged = judgments_of([("t", "1", "a", 1), ("t", "2", "a", 1)])
    for median in ("arithmetic", "geometric"):
        assert gains(judged, np.array([1.2e308, 1.6e308]), median=median).values > 1.2e308


def test_no_judgments_no_gains():
    nothing = Judgments.from_columns([], [], [], [])
    assert normalise(nothing).shape == (0,)
    assert gains(nothing, normalise(nothing)).table.is_empty()
    assert gains(nothing, normalise(nothing), statistic="gmean").table.is_empty()


def test_one_normalised_magnitude_per_judgment():
    with refused("normalised-magnitudes-differ-in-number", "1", "5"):
        gains(judgments_of(TWO_UNITS), np.array([1.0]))
