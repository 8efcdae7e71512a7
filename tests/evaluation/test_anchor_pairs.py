"""Units with two pairs of anchors: the two H documents count as one anchor, and so do the two N documents."""

from math import sqrt

import numpy as np
import pytest

from evaluation.allocation import Settings, decide
from evaluation.allocation.records import differences, to_record
from evaluation.frames import Judgments
from evaluation.magnitudes import intervals, normalise, unit_ratios
from evaluation.magnitudes.anchors import units_without_scale
from evaluation.runs import Run
from tests.evaluation.refusals import refused

# Two units of two pairs each: the geometric means of N are 2 and 3, those of H are 8 and 27.
ROWS = [
    ("t", "1", "n", 1, "N"),
    ("t", "1", "n2", 4, "N"),
    ("t", "1", "h", 4, "H"),
    ("t", "1", "h2", 16, "H"),
    ("t", "1", "a", 6, ""),
    ("t", "2", "n", 1, "N"),
    ("t", "2", "n2", 9, "N"),
    ("t", "2", "h", 81, "H"),
    ("t", "2", "h2", 9, "H"),
    ("t", "2", "a", 12, ""),
]


def judgments_of(rows):
    *columns, gold = zip(*rows, strict=True)
    return Judgments.from_columns(*columns, gold=gold)


def only(rows, *documents):
    return [row for row in rows if row[2] in documents]


def test_a_unit_is_divided_by_the_mean_of_its_n_documents():
    normalized = normalise(judgments_of(ROWS), "n")
    expected = [row[3] / (2 if row[1] == "1" else 3) for row in ROWS]
    assert normalized == pytest.approx(expected, rel=1e-12)


def test_the_means_of_the_anchors_of_all_units_become_the_same():
    rows = judgments_of(ROWS)
    normalized = normalise(rows, "anchors")
    for documents, mean in ((("n", "n2"), sqrt(2 * 3)), (("h", "h2"), sqrt(8 * 27))):
        for unit in "12":
            of_unit = [
                value
                for row, value in zip(ROWS, normalized, strict=True)
                if row[1] == unit and row[2] in documents
            ]
            assert np.exp(np.mean(np.log(of_unit))) == pytest.approx(mean)


def test_the_ratio_of_a_unit_is_the_mean_of_the_ratios_of_its_pairs():
    table = unit_ratios(judgments_of(ROWS))
    assert table["n"].to_list() == pytest.approx([2, 3])
    assert table["h"].to_list() == pytest.approx([8, 27])
    assert table["ratio"].to_list() == pytest.approx([sqrt(4 * 4), sqrt(81 * 1)])


def test_a_unit_with_one_pair_is_read_to_its_last_bit():
    rows = only([(*row[:3], row[3] * 0.1, row[4]) for row in ROWS], "n", "h", "a")
    judgments = judgments_of(rows)
    assert (normalise(judgments, "n")[::3] == 1.0).all()
    assert unit_ratios(judgments)["n"].to_list() == [rows[0][3], rows[3][3]]


def test_an_anchor_without_its_counterpart_is_an_error():
    rows = [row for row in ROWS if row[1:3] != ("2", "h2")]
    judgments = judgments_of(rows)
    assert units_without_scale(judgments, apart=True).tolist() == [5]
    with refused("several-anchors", "'2'", "'t'", "N", at="row 7"):
        normalise(judgments, "n")


def test_pairs_of_equal_means_are_alike():
    alike = [("n", 2, "N"), ("n2", 8, "N"), ("h", 4, "H"), ("h2", 4, "H")]
    judgments = judgments_of([*ROWS, *(("t", "3", *row) for row in alike)])
    assert units_without_scale(judgments, apart=True).tolist() == [10]
    with refused("anchors-alike", "'3'", "'t'", at="row 13"):
        normalise(judgments, "anchors")


@pytest.mark.parametrize("method", ["n", "anchors"])
def test_intervals_follow_the_same_rule(method):
    judgments = judgments_of(ROWS)
    normalized = normalise(judgments, method)
    table = intervals(judgments, normalized, np.random.default_rng(1), resamples=50)
    assert (table["low"] <= table["gain"]).all()
    assert (table["gain"] <= table["high"]).all()


def test_further_units_leave_room_for_all_anchors():
    """Units of 6 documents with 4 anchors get 2 further documents, and a repeated decision is the same."""
    numbers = {"1": (3, 9, 4, 6), "2": (9, 3, 6, 4), "3": (5, 6, 8, 2)}
    rows = [
        ("t", unit, name, value, gold)
        for unit, values in numbers.items()
        for name, value, gold in [
            ("n", 1, "N"),
            ("n2", 2, "N"),
            ("h", 18, "H"),
            ("h2", 19, "H"),
            *zip("abcd", values, [""] * 4, strict=True),
        ]
    ]
    judgments = judgments_of(rows)
    runs = [Run.from_columns(tag, ["t"] * 4, tag, [4, 3, 2, 1]) for tag in ("abcd", "dcba")]
    settings = Settings(units=2, unit_size=6, anchors=4, level=1, top_level=1)
    decision = decide(judgments, runs, settings)
    assert decision.units
    assert all(len(unit) == 2 and {*unit} <= {*"abcd"} for _topic, unit in decision.units)
    record = to_record(decision, judgments, runs)
    assert differences(record, judgments, runs) == []
    one_pair = Settings(units=2, unit_size=4, level=1, top_level=1)
    earlier = to_record(decide(judgments, runs, one_pair), judgments, runs)
    del earlier["settings"]["anchors"]
    assert differences(earlier, judgments, runs) == []
    with refused("no-unit-to-plan", "4", "5"):
        decide(judgments, runs, Settings(unit_size=4, anchors=4))
