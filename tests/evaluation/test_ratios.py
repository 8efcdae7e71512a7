"""What the anchors say of a unit and the grades of magnitudes, by hand."""

import numpy as np
import pytest

from evaluation.frames import Gains, Judgments
from evaluation.magnitudes import gain_profile, grade_ratios, narrow_and_wide, ratio_histogram, unit_ratios
from tests.evaluation.refusals import refused

# Three units whose H/N is 2, 10 and 4.
ROWS = [
    ("t", "1", "n", 1, "N"),
    ("t", "1", "h", 2, "H"),
    ("t", "1", "a", 5, ""),
    ("t", "2", "n", 1, "N"),
    ("t", "2", "h", 10, "H"),
    ("t", "2", "a", 7, ""),
    ("t", "2", "b", 3, ""),
    ("t", "3", "n", 1, "N"),
    ("t", "3", "h", 4, "H"),
    ("t", "3", "b", 6, ""),
]
GRADES = Gains.from_columns(["t"] * 3, ["n", "a", "h"], [0, 2, 3])


def judgments_of(rows, workers=None):
    *columns, gold = zip(*rows, strict=True)
    return Judgments.from_columns(*columns, workers, gold)


def test_unit_ratios():
    doubled = [(*row[:3], 2 * row[3], row[4]) for row in ROWS]
    assert unit_ratios(judgments_of(doubled[::-1])).rows() == [
        ("t", "1", 2.0, 4.0, 2.0),
        ("t", "2", 2.0, 20.0, 10.0),
        ("t", "3", 2.0, 8.0, 4.0),
    ]
    by_worker = unit_ratios(judgments_of(ROWS, ["w"] * len(ROWS)))
    assert by_worker.columns == ["topic_id", "unit_id", "worker_id", "n", "h", "ratio"]


def test_unit_ratios_need_both_anchors():
    with refused("anchor-missing", "'3'", "'t'", "H", at="row 8"):
        unit_ratios(judgments_of([row for row in ROWS if row[:3] != ("t", "3", "h")]))


def test_histogram_rounds_half_up_and_hides_small_bars():
    ratios = [0.5, 2.4, 2.5, 7.4, 7.5, 5, 5, 12.5, 1000]
    table = ratio_histogram(np.array(ratios), fewest=2)
    assert table.rows() == [
        (0.0, 2, False),
        (5.0, 4, False),
        (10.0, 1, True),
        (15.0, 1, True),
        (1000.0, 1, True),
    ]
    assert ratio_histogram(unit_ratios(judgments_of(ROWS))["ratio"], width=2)["units"].to_list() == [1, 1, 1]
    with refused("width-not-positive", "0"):
        ratio_histogram(np.array(ratios), width=0)


def test_narrow_and_wide():
    """The median ratio is 4: units 2 and 3 are wide. b has no narrow unit: min(3, 6) stands in."""
    judgments = judgments_of(ROWS)
    assert narrow_and_wide(judgments, judgments.magnitudes).rows() == [
        ("t", "a", 5.0, 7.0, 6.0, 1, 1),
        ("t", "b", 3.0, 4.5, 4.5, 0, 2),
        ("t", "h", 2.0, 7.0, 4.0, 1, 2),
        ("t", "n", 1.0, 1.0, 1.0, 1, 2),
    ]
    geometric = narrow_and_wide(judgments, judgments.magnitudes, median="geometric")
    assert geometric["wide"].to_list() == pytest.approx([7, 18**0.5, 40**0.5, 1])


def test_rounding_decides_nothing():
    """In floats .3/.1 is below 3, 2.1/.6 above 3.5, and 7.7/.28 below 27.5, whose bar is 30."""
    assert 0.3 / 0.1 < 3 < 3.5 < 2.1 / 0.6
    assert 7.7 / 0.28 < 27.5
    rows = [(unit, low, high) for unit, low, high in (("1", 0.1, 0.3), ("2", 1, 3), ("3", 2, 6))]
    rows = [("t", unit, mark, m, mark) for unit, low, high in rows for mark, m in (("N", low), ("H", high))]
    judgments = judgments_of(rows)
    assert narrow_and_wide(judgments, judgments.magnitudes)["wide_judgments"].to_list() == [3, 3]
    assert ratio_histogram(np.array([7.7 / 0.28]))["ratio"].to_list() == [30]
    worth = Gains.from_columns(["t", "t"], ["h", "r"], [2.1, 0.6])
    assert grade_ratios(worth, Gains.from_columns(["t", "t"], ["h", "r"], [3, 2]))["above"].to_list() == [
        0,
        0,
    ]


def test_the_largest_stands_in_for_wide():
    """A second topic shares the median of 4: its one unit of ratio 3 is narrow, and a's largest is 8."""
    more = [("u", "1", "n", 2, "N"), ("u", "1", "h", 6, "H"), ("u", "1", "a", 8, ""), ("u", "1", "a", 4, "")]
    judgments = judgments_of([*ROWS, *more])
    result = narrow_and_wide(judgments, judgments.magnitudes).filter(topic_id="u", document_id="a")
    assert result.rows() == [("u", "a", 6.0, 8.0, 6.0, 2, 0)]


def test_gain_profile():
    """By N, which is 1: grade 0: 1, 1, 1; grade 2: 5, 7; grade 3: 2, 4, 10; ungraded b: 3, 6."""
    expected = {
        "anchors": [False, False, True, True, True, True],
        "grade": [2, None, 0, 2, 3, None],
        "judgments": [2, 2, 3, 2, 3, 2],
        "above": [1, 1, 0, 1, 1, 1],
        "low": [5, 3, 1, 5, 2, 3],
        "q1": [5.5, 3.75, 1, 5.5, 3, 3.75],
        "median": [6, 4.5, 1, 6, 4, 4.5],
        "q3": [6.5, 5.25, 1, 6.5, 7, 5.25],
        "high": [7, 6, 1, 7, 10, 6],
        "linear": [3, None, 1, 3, 4, None],
        "exponential": [8, None, 2, 8, 16, None],
    }
    # Every unit by a factor of its own: its N takes it out again.
    scaled = [(*row[:3], row[3] * 2 ** int(row[1]), row[4]) for row in ROWS]
    assert gain_profile(judgments_of(scaled), GRADES, limit=5).to_dict(as_series=False) == expected


def test_anchors_stand_where_the_check_puts_them_so_the_profile_is_shown_without():
    """Graded H: the anchors are 10 times N, the other document of the grade 2 times: 6 with, 2 without."""
    rows = [("t", "1", "n", 1, "N"), ("t", "1", "h", 10, "H"), ("t", "1", "other", 2, "")]
    grades = Gains.from_columns(["t"] * 3, ["n", "h", "other"], [0, 3, 3])
    result = gain_profile(judgments_of(rows), grades).filter(grade=3)
    assert result.select("anchors", "judgments", "median").rows() == [(False, 1, 2.0), (True, 2, 6.0)]


def test_whiskers_stop_short_of_what_lies_apart():
    """1, 1, 2, 2, 3, 30: quartiles 1.25 and 2.75, so that the whiskers reach for 0 … 5 at most."""
    values = [2, 1, 2, 3, 30]
    rows = [("t", "1", "n", 1, "N"), *(("t", "1", f"d{i}", value, "") for i, value in enumerate(values))]
    documents = [row[2] for row in rows]
    result = gain_profile(judgments_of(rows), Gains.from_columns(["t"] * 6, documents, [1] * 6))
    (row,) = result.filter("anchors").select("low", "q1", "q3", "high", "above").rows()
    assert row == (1, 1.25, 2.75, 3, 1)


def test_grade_ratios():
    """H worth 8 and 12, R 4, M 2: 8/4, 12/4, 8/2, 12/2. In the second topic 9/3; in the third no pair."""
    columns = [("t", "h", 8, 3), ("t", "i", 12, 3), ("t", "r", 4, 2), ("t", "m", 2, 1), ("t", "n", 1, 0)]
    columns += [("u", "h", 9, 3), ("u", "m", 3, 1), ("v", "h", 9, 3), ("v", "n", 0, 0), ("w", "x", 1, 0)]
    topics, documents, values, grades = zip(*columns, strict=True)
    values = Gains.from_columns([*topics, "z"], [*documents, "ungraded"], [*values, 0])
    grades = Gains.from_columns(topics, documents, grades)
    assert grade_ratios(values, grades).rows() == [
        ("t", 4, 3.5, 2),
        ("u", 1, 3.0, 0),
        ("v", 0, None, 0),
        ("w", 0, None, 0),
        ("all", 5, 3.0, 2),
    ]
    assert grade_ratios(values, grades, high=[2, 3], low=[1], limit=2).rows()[0] == ("t", 3, 4.0, 2)
    with refused("no-ratio-to-zero", "'n'", "'v'"):
        grade_ratios(values, grades, low=[0])
