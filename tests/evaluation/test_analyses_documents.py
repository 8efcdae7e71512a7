"""Documents that the crowd sees otherwise than their grades, and what judging them costs, by hand."""

import math

import polars as pl
import pytest

from evaluation.analyses import cost, disagreements
from evaluation.frames import Gains, Judgments
from tests.evaluation.analysed import gains_of, graded_values
from tests.evaluation.refusals import refused


def test_disagreements_by_hand():
    # t: N worth 1, 1, 8, of median 1, H 8 and 8. The third N is ln 8 from 1 and 0 from 8.
    # u: N 1 and 2, of median 1.5; R 6 and 4, of median 5; M 3: the N of 2 is ln 2/1.5 = .29 from its own and
    # ln 3/2 = .41 from M. M is its own median. Of the Rs 4 is ln 5/4 = .22 from 5, ln 4/3 = .29 from 3.
    # v: N 2 and 4, of median 3, H 4.2: 4 is ln 4/3 = .288 from its own, ln 4.2/4 = .049 from H.
    values = gains_of(
        {
            "t": {"a": 1, "b": 1, "c": 8, "d": 8, "e": 8, "x": 8},
            "u": {"a": 1, "b": 2, "m": 3, "p": 6, "q": 4},
            "v": {"a": 2, "b": 4, "h": 4.2},
        }
    )
    grades = gains_of(
        {
            "t": {"a": 0, "b": 0, "c": 0, "d": 3, "e": 3},
            "u": {"a": 0, "b": 0, "m": 1, "p": 2, "q": 2},
            "v": {"a": 0, "b": 0, "h": 3},
        }
    )
    table = disagreements(values, grades)
    first, second = table.rows(named=True)
    assert first == {
        "topic_id": "t",
        "document_id": "c",
        "grade": 0,
        "nearest": 3,
        "value": 8,
        "own_median": 1,
        "nearest_median": 8,
        "own_distance": pytest.approx(math.log(8)),
        "nearest_distance": 0,
        "difference": pytest.approx(math.log(8)),
    }
    assert (second["topic_id"], second["document_id"], second["nearest"]) == ("v", "b", 3)
    assert second["difference"] == pytest.approx(math.log(4 / 3) - math.log(4.2 / 4))


def test_the_nearest_of_several_grades_is_named_once():
    values, grades = graded_values({0: [1, 1, 10], 1: [5], 2: [9], 3: [20]})
    assert disagreements(values, grades).select("document_id", "nearest").rows() == [("0-002", 2.0)]


def test_equally_near_is_no_disagreement():
    # 2 is as far from 1 as from 4, in logs.
    values, grades = graded_values({0: [1, 1, 2], 1: [4]})
    assert disagreements(values, grades).is_empty()


def test_what_the_workers_said_stands_beside_them():
    values, grades = graded_values({0: [1, 1, 8, 7], 3: [8]})
    comments = pl.DataFrame(
        [
            ("t", "0-002", "names the very thing"),
            ("t", "0-000", "off topic"),
            ("t", "0-002", " "),
            ("t", "0-002", None),
            ("t", "0-002", "a whole page on it"),
            ("u", "0-002", "of another topic"),
        ],
        schema=["topic_id", "document_id", "comment"],
        orient="row",
    )
    table = disagreements(values, grades, comments)
    assert table.select("document_id", "comments").rows() == [
        ("0-002", ["names the very thing", "a whole page on it"]),
        ("0-003", []),
    ]
    with refused("comments-without-column", "comment", "topic_id", "document_id"):
        disagreements(values, grades, comments.drop("comment"))
    with refused("comments-not-text", "document_id", "Int64"):
        disagreements(values, grades, comments.with_columns(document_id=1).cast({"document_id": pl.Int64}))


def test_what_has_no_distance():
    nothing = Gains.from_columns([], [], [])
    assert disagreements(nothing, nothing).is_empty()
    with refused("no-logarithm-of-zero", "'1-000'", "'t'"):
        disagreements(*graded_values({0: [1], 1: [0]}))


# --- cost --------------------------------------------------------------------------------------------------


def test_cost_by_hand():
    # t: two units of two judgments on three documents; u: one unit of one. .24 each.
    judgments = Judgments.from_columns(
        ["t", "t", "t", "t", "u"], ["1", "1", "2", "2", "1"], ["a", "b", "b", "c", "a"], [1.0] * 5
    )
    table = cost(judgments, 0.20, fee=0.2)
    assert table.columns == [
        *("topic_id", "units", "documents", "judgments", "total", "per_unit", "per_document", "per_judgment")
    ]
    expected = [
        ("t", 2, 3, 4, 0.48, 0.24, 0.16, 0.12),
        ("u", 1, 1, 1, 0.24, 0.24, 0.24, 0.24),
        ("all", 3, 4, 5, 0.72, 0.24, 0.18, 0.144),
    ]
    for found, row in zip(table.rows(), expected, strict=True):
        assert found[:4] == row[:4]
        assert found[4:] == pytest.approx(row[4:])


def test_one_unit_done_by_two_workers_is_two():
    judgments = Judgments.from_columns(["t"] * 2, ["1"] * 2, ["a"] * 2, [1.0, 2.0], ["v", "w"])
    assert cost(judgments, 1)["units"].to_list() == [2, 2]


def test_excluded_units_are_paid_although_their_judgments_do_not_count():
    """Topic 1 has a unit of two documents and an excluded unit, topic 2 has an excluded unit alone."""
    judgments = Judgments.from_columns(["1", "1"], ["u", "u"], ["a", "b"], [1.0, 2.0])
    table = cost(judgments, 0.20, fee=0.5, excluded={"1": 1, "2": 1})
    assert table.select("topic_id", "units", "excluded", "judgments").rows() == [
        *(("1", 1, 1, 2), ("2", 0, 1, 0), ("all", 1, 2, 2))
    ]
    assert table["total"].to_list() == pytest.approx([0.6, 0.3, 0.9])
    assert table["per_unit"].to_list() == pytest.approx([0.3] * 3)
    assert table["per_judgment"].to_list() == [pytest.approx(0.3), None, pytest.approx(0.45)]


def test_cost_of_nothing_and_by_nothing():
    table = cost(Judgments.from_columns([], [], [], []), 0.2)
    assert table.rows() == [("all", 0, 0, 0, 0.0, None, None, None)]
    with refused("amount-out-of-bounds", "pay", "-1"):
        cost(Judgments.from_columns([], [], [], []), -1)
    with refused("amount-out-of-bounds", "fee", "nan"):
        cost(Judgments.from_columns([], [], [], []), 1, fee=math.nan)
