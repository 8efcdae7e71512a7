"""Magnitudes by grade: boxes, adjacent grades, exceptions and agreement of orders, by hand."""

import math
import re

import numpy as np
import pytest
from scipy import stats

from evaluation.analyses import (
    adjacent_grades,
    boxes,
    exceptions,
    exceptions_sentence,
    order_agreement,
    outliers,
    ratio_boxes,
)
from evaluation.frames import Gains
from tests.evaluation.analysed import gains_of, graded_values
from tests.evaluation.refusals import refused

# --- boxes -------------------------------------------------------------------------------------------------


def test_boxes_by_hand():
    # 1 2 3 4 100: quartiles at the 2nd, 3rd, 4th of five; fences 2 − 3 = −1 and 4 + 3 = 7.
    # 1 2 3 4: quartiles a quarter into each gap: 1.75, 2.5, 3.25; fences −.5 and 5.5.
    values, grades = graded_values({0: [1, 2, 3, 4, 100], 3: [4, 3, 2, 1], None: [7]})
    assert boxes(values, grades).rows() == [
        (0.0, 5, 1.0, 2.0, 3.0, 4.0, 4.0, 1),
        (3.0, 4, 1.0, 1.75, 2.5, 3.25, 4.0, 0),
        (None, 1, 7.0, 7.0, 7.0, 7.0, 7.0, 0),
    ]
    assert outliers(values, grades).rows() == [("t", "0-004", 100.0, 0.0)]
    # Fences at three times the distance end at 4 + 3·2 = 10: 100 is still beyond. At 60 times it is not.
    assert outliers(values, grades, reach=3).height == 1
    assert boxes(values, grades, reach=60)["high"][0] == 100


def test_a_whisker_never_ends_inside_its_box():
    # 1 10 10 10: quartiles 7.75, 10, 10; the fence 7.75 − 3.375 leaves 1 out, and 10 lies inside the box.
    values, grades = graded_values({0: [1, 10, 10, 10], 3: [10, 10, 10, 19]})
    assert boxes(values, grades).rows() == [
        (0.0, 4, 7.75, 7.75, 10.0, 10.0, 10.0, 1),
        (3.0, 4, 10.0, 10.0, 10.0, 12.25, 12.25, 1),
    ]
    assert outliers(values, grades)["value"].to_list() == [1.0, 19.0]


def test_outliers_of_both_ends_are_those_of_their_own_grade():
    # 1 10 11 12 13: quartiles 10 and 12, fences 7 and 15, 1 is below. Among all 26 documents the two 90s of
    # grade 3 would be outliers; among their own they are not.
    values, grades = graded_values({0: [1, 10, 11, 12, 13], 1: [11] * 19, 3: [90, 90]})
    assert outliers(values, grades).rows() == [("t", "0-000", 1.0, 0.0)]
    assert boxes(values, grades).row(0) == (0.0, 5, 10.0, 10.0, 11.0, 12.0, 13.0, 1)


def test_a_document_of_another_grade_or_topic_is_no_outlier_of_this_one():
    values = gains_of({"t": {"a": 1, "b": 1, "c": 2, "d": 2, "e": 9}, "u": {"a": 9, "b": 9, "c": 9}})
    grades = gains_of({"t": {"a": 1, "b": 1, "c": 1, "d": 1}, "u": {"a": 1, "b": 1}})
    by_topic = boxes(values, grades, by_topic=True)
    assert by_topic.columns[:3] == ["topic_id", "grade", "documents"]
    assert by_topic.select("topic_id", "grade", "documents", "median", "outliers").rows() == [
        ("t", 1.0, 4, 1.5, 0),
        ("t", None, 1, 9.0, 0),
        ("u", 1.0, 2, 9.0, 0),
        ("u", None, 1, 9.0, 0),
    ]
    assert outliers(values, grades, by_topic=True).is_empty()
    # Together: 1 1 2 2 9 9, quartiles 1.25 and 7.25.
    assert boxes(values, grades).row(0) == (1.0, 6, 1.0, 1.25, 2.0, 7.25, 9.0, 0)


def test_ungraded_outliers_are_listed_too():
    values, grades = graded_values({0: [1, 1], None: [1, 1, 1, 1, 50]})
    assert outliers(values, grades).rows() == [("t", "None-004", 50.0, None)]


def test_boxes_of_ratios_by_hand():
    # H 8 and 12, R 4, M 2: ratios 2, 3, 4 and 6. The second topic has no pair, the third has 9/3.
    topics = ["t"] * 4 + ["u"] * 2 + ["v"] * 2
    documents = list("hirmhnhm")
    values = Gains.from_columns(topics, documents, [8, 12, 4, 2, 9, 1, 9, 3])
    grades = Gains.from_columns(topics, documents, [3, 3, 2, 1, 3, 0, 3, 1])
    assert ratio_boxes(values, grades).rows() == [
        ("t", 4, 2.0, 2.75, 3.5, 4.5, 6.0, 0, 2),
        ("u", 0, None, None, None, None, None, 0, 0),
        ("v", 1, 3.0, 3.0, 3.0, 3.0, 3.0, 0, 0),
        ("all", 5, 2.0, 3.0, 3.0, 4.0, 4.0, 1, 2),
    ]
    assert ratio_boxes(values, grades, reach=2)["high"].to_list() == [6.0, None, 3.0, 6.0]
    assert ratio_boxes(values, grades, low=[2], limit=2).row(0)[1:] == (2, 2.0, 2.25, 2.5, 2.75, 3.0, 0, 1)


# --- adjacent grades ---------------------------------------------------------------------------------------


def test_welch_by_hand():
    # Means 2 and 6, variances 2 and 4: t = 4/√(2/2 + 4/3), freedom (7/3)² / (1²/1 + (4/3)²/2) = 49/17.
    values, grades = graded_values({1: [1, 3], 2: [4, 6, 8]})
    (row,) = adjacent_grades(values, grades).rows(named=True)
    assert (row["lower"], row["higher"], row["lower_documents"], row["higher_documents"]) == (1, 2, 2, 3)
    assert (row["lower_mean"], row["higher_mean"], row["method"]) == (2, 6, "Welch's t")
    assert row["t"] == pytest.approx(4 / math.sqrt(7 / 3))
    assert row["freedom"] == pytest.approx(49 / 17)
    assert row["p"] == pytest.approx(2 * stats.t.sf(row["t"], 49 / 17))


def test_student_by_hand():
    # The pooled variance is (1·2 + 2·4)/3 = 10/3: t = 4/√(10/3·(1/2 + 1/3)) = 2.4 with 3 degrees of freedom.
    values, grades = graded_values({1: [1, 3], 2: [4, 6, 8]})
    (row,) = adjacent_grades(values, grades, equal_variances=True).rows(named=True)
    assert (row["method"], row["freedom"]) == ("Student's t", 3)
    assert row["t"] == pytest.approx(2.4)
    assert row["p"] == pytest.approx(2 * stats.t.sf(2.4, 3))


def test_each_test_has_its_own_name():
    values, grades = graded_values({1: [1, 3], 2: [4, 6, 8]})
    choices = [{"log": log, "equal_variances": equal} for log in (False, True) for equal in (False, True)]
    tables = [adjacent_grades(values, grades, **choice) for choice in choices]
    assert [table["method"].item() for table in tables] == [
        "Welch's t",
        "Student's t",
        "Welch's t of logarithms",
        "Student's t of logarithms",
    ]
    assert len({table["p"].item() for table in tables}) == 4


def test_student_needs_one_grade_with_a_spread():
    (row,) = adjacent_grades(*graded_values({0: [1], 1: [2, 3]}), equal_variances=True).rows(named=True)
    # The variance of 2 and 3 is 1/2: t = 1.5/√(1/2·(1 + 1/2)) = √3.
    assert (row["t"], row["freedom"]) == (pytest.approx(math.sqrt(3)), 1)
    (row,) = adjacent_grades(*graded_values({0: [1], 1: [2]}), equal_variances=True).rows(named=True)
    assert (row["t"], row["freedom"], row["p"]) == (None, None, None)


def test_topics_are_pooled_and_only_neighbours_compared():
    values = gains_of({"t": {"a": 1, "b": 2}, "u": {"a": 3, "b": 5, "c": 8, "d": 9, "e": 4}})
    grades = gains_of({"t": {"a": 0, "b": 0}, "u": {"a": 1, "b": 1, "c": 3, "d": 3}})
    table = adjacent_grades(values, grades)
    assert table.select("lower", "higher", "lower_mean", "higher_mean").rows() == [
        (0, 1, 1.5, 4.0),
        (1, 3, 4.0, 8.5),
    ]


def test_on_logarithms():
    values, grades = graded_values({0: [1, 4], 1: [8, 32, 16]})
    (row,) = adjacent_grades(values, grades, log=True).rows(named=True)
    expected = stats.ttest_ind(np.log([8, 32, 16]), np.log([1, 4]), equal_var=False)
    assert (row["t"], row["p"]) == pytest.approx((expected.statistic, expected.pvalue))
    assert row["lower_mean"] == pytest.approx(math.log(2))
    with refused("no-logarithm-of-zero", "'0-000'", "'t'"):
        adjacent_grades(*graded_values({0: [0, 4], 1: [8, 9]}), log=True)


def test_a_value_of_nothing_has_a_mean():
    assert adjacent_grades(*graded_values({0: [0, 4], 1: [8, 9]}))["lower_mean"].to_list() == [2]


@pytest.mark.parametrize(
    ("groups", "expected"),
    [
        ({0: [1], 1: [2, 3]}, (None, None, None)),
        ({0: [2, 2], 1: [2, 2]}, (0, None, 1)),
        ({0: [1, 1], 1: [2, 2]}, (math.inf, None, 2.2250738585072014e-308)),
        ({0: [2, 2], 1: [1, 1]}, (-math.inf, None, 2.2250738585072014e-308)),
    ],
)
def test_where_welch_has_no_spread_or_no_value(groups, expected):
    (row,) = adjacent_grades(*graded_values(groups)).rows(named=True)
    assert (row["t"], row["freedom"], row["p"]) == expected


def test_one_grade_alone_has_no_neighbour():
    assert adjacent_grades(*graded_values({2: [1, 2, 3]})).is_empty()


# --- exceptions --------------------------------------------------------------------------------------------


def test_exceptions_by_hand():
    # Grades 0, 1, 2 have the medians 3, 2 and 4: of 0–1, 0–2, 1–2 the first is one. The binary judgments,
    # 1 and 2 not relevant, 3 and 4 relevant, have 1.5 and 3.5.
    values, grades = graded_values({0: [1, 3, 9], 1: [2], 2: [4]})
    binary = gains_of({"t": {"0-000": 0, "0-001": 1, "1-000": 0, "2-000": 1}})
    table = exceptions(values, {"grades": grades, "binary": binary})
    assert table.select("judgments", "lower", "higher", "adjacent", "exception").rows() == [
        ("grades", 0, 1, True, True),
        ("grades", 0, 2, False, False),
        ("grades", 1, 2, True, False),
        ("binary", 0, 1, True, False),
    ]
    assert table.row(0)[5:9] == (3, 1, 3.0, 2.0)
    assert numbers(exceptions_sentence(table)) == [1, 3, 2, 1, 1, 4, 3, 1, 1]


def test_equal_medians_are_no_exception():
    values, grades = graded_values({0: [5], 1: [5]})
    assert exceptions(values, {"grades": grades})["exception"].to_list() == [False]


def study_of(topics, inverted):
    """Four grades worth 1, 2, 3, 4 in every topic; in the first `inverted` H is worth less than R."""
    worth = [{"n": 1, "m": 2, "r": 3, "h": 2.5 if number < inverted else 4} for number in range(topics)]
    values = gains_of({f"t{number:02}": of for number, of in enumerate(worth)})
    grades = gains_of(
        {topic: {"n": 0, "m": 1, "r": 2, "h": 3} for topic in values.table["topic_id"].unique()}
    )
    binary = gains_of(
        {topic: {"n": 0, "m": 1, "r": 1, "h": 1} for topic in values.table["topic_id"].unique()}
    )
    return exceptions(values, {"grades": grades, "binary": binary})


def numbers(sentence):
    return [int(number) for number in re.findall(r"\d+", sentence)]


def test_the_sentence_of_the_source():
    # 18 topics: 3 adjacent pairs of grades and 1 of binary judgments, 3·18 + 18 = 72; all 6·18 + 18 = 126.
    table = study_of(18, 6)
    assert len(table) == 126
    assert numbers(exceptions_sentence(table)) == [6, 72, 3, 18, 18, 126, 6, 18, 18]


def test_the_sentence_counts_pairs_that_are_not_adjacent_and_topics_without_a_grade():
    # Grade 2 lacks in u; there 0 is above 3, which are not adjacent, though nothing lies between them in u.
    values = gains_of({"t": {"a": 1, "b": 2, "c": 3, "d": 4}, "u": {"a": 9, "b": 10, "d": 8}})
    grades = gains_of({"t": {"a": 0, "b": 1, "c": 2, "d": 3}, "u": {"a": 0, "b": 1, "d": 3}})
    table = exceptions(values, {"grades": grades})
    # t has 0–1, 1–2, 2–3 adjacent of 6; u 0–1 of 3; exceptions are 0–3 and 1–3 of u.
    assert numbers(exceptions_sentence(table)) == [0, 4, 2, 2, 1, 2, 9, 3, 2, 3, 1]
    assert numbers(exceptions_sentence(exceptions(values, {}))) == [0] * 5


# --- agreement of orders -----------------------------------------------------------------------------------


def test_order_agreement_by_hand():
    # Grades 0 0 2 2, magnitudes 2 5 5 1: of four pairs 2 < 5 agrees, 5 = 5 is tied. Binary 0 1 1 1: a–c and
    # a–d agree, b–c and b–d are tied. As the reference binary judgments order a–c and a–d alone, and a–b, of
    # one grade; of these two the magnitudes hold a–c.
    values = gains_of({"t": {"a": 2, "b": 5, "c": 5, "d": 1}})
    grades = gains_of({"t": {"a": 0, "b": 0, "c": 2, "d": 2}})
    binary = gains_of({"t": {"a": 0, "b": 1, "c": 1, "d": 1}})
    shares = {
        "magnitudes-grades": (4, 0.5, 0.375, 0.25),
        "binary-grades": (4, 1.0, 0.75, 0.5),
        "magnitudes-binary": (2, 0.5, 0.5, 0.5),
    }
    assert order_agreement(values, grades, binary).rows() == [
        (name, mean, 1, *row) for name, row in shares.items() for mean in ("cells", "pooled")
    ]
    assert order_agreement(values, grades, binary, by_pair=True).rows() == [
        (name, 0.0, 2.0, 1, *row) for name, row in shares.items()
    ]


def test_nothing_judged_gives_empty_tables():
    nothing = Gains.from_columns([], [], [])
    for table in (
        boxes(nothing, nothing),
        boxes(nothing, nothing, by_topic=True),
        outliers(nothing, nothing),
        adjacent_grades(nothing, nothing),
        exceptions(nothing, {"grades": nothing}),
    ):
        assert table.is_empty()
        assert table.columns
