"""Pairwise agreement by hand, and against every pair counted one by one."""

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.analyses import order_agreement
from evaluation.frames import Gains
from evaluation.magnitudes import agreement_by_pair, overall_agreement, pairwise_agreement

ROWS = st.lists(
    st.tuples(st.sampled_from("tu"), st.integers(0, 3), st.integers(0, 1), st.integers(1, 4)), max_size=25
)


def gains_of(rows):
    """Rows of (topic, value), documents by their place."""
    return Gains.from_columns(
        [row[0] for row in rows], [f"d{i}" for i in range(len(rows))], [row[1] for row in rows]
    )


def cells_of(topics):
    """Per topic grades and the magnitudes beside them."""
    grades = [(topic, grade) for topic, (of_topic, _) in topics.items() for grade in of_topic]
    values = [(topic, value) for topic, (_, of_topic) in topics.items() for value in of_topic]
    return pairwise_agreement(gains_of(values), gains_of(grades))


FOUR = {"t": ([0, 0, 2, 2], [2, 5, 5, 1])}


def test_four_documents():
    """N 2, N 5, R 5, R 1: 2 < 5 agrees, 5 and 5 tie, 2 and 5 against 1 do not: 1 + tie of 4."""
    assert cells_of(FOUR).rows(named=True) == [
        {
            "topic_id": "t",
            "lower": 0.0,
            "higher": 2.0,
            "pairs": 4,
            "agreeing": 1,
            "tied": 1,
            "agree": 0.5,
            "half": 0.375,
            "disagree": 0.25,
        }
    ]


def test_values_that_differ_by_rounding_are_tied():
    cells = cells_of({"t": ([0, 1, 1], [0.3, 0.1 + 0.2, 0.3 * (1 + 1e-9)])})
    assert cells.select("pairs", "agreeing", "tied").rows() == [(2, 1, 1)]


def test_means_over_topics_cells_and_pairs():
    """In a second topic N 1, R 3, H 2: N-R and N-H agree, R-H does not.

    N-R: (.375 + 1)/2; N-H: 1; R-H: 0. Cells: (.375 + 1 + 1 + 0)/4; pooled: (1 + ½ + 1 + 1 + 0)/7.
    """
    cells = cells_of({**FOUR, "u": ([0, 2, 3], [1, 3, 2])})
    by_pair = agreement_by_pair(cells)
    assert by_pair.select("lower", "higher", "topics", "pairs").rows() == [
        (0, 2, 2, 5),
        (0, 3, 1, 1),
        (2, 3, 1, 1),
    ]
    assert by_pair["half"].to_list() == pytest.approx([(0.375 + 1) / 2, 1, 0])
    overall = overall_agreement(cells)
    assert overall.select("mean", "cells", "pairs").rows() == [("cells", 4, 7), ("pooled", 4, 7)]
    assert overall["agree"].to_list() == pytest.approx([(0.5 + 1 + 1 + 0) / 4, 4 / 7])
    assert overall["half"].to_list() == pytest.approx([(0.375 + 1 + 1 + 0) / 4, 3.5 / 7])
    assert overall["disagree"].to_list() == pytest.approx([(0.25 + 1 + 1 + 0) / 4, 3 / 7])


def test_nothing_to_compare():
    cells = cells_of({"t": ([1, 1], [2, 5])})
    assert cells.is_empty()
    assert agreement_by_pair(cells).is_empty()
    assert overall_agreement(cells).rows() == [
        ("cells", 0, 0, None, None, None),
        ("pooled", 0, 0, None, None, None),
    ]


def test_documents_that_one_side_does_not_know_take_no_part():
    grades = Gains.from_columns(["t"] * 3 + ["u"], ["a", "b", "c", "a"], [0, 1, 3, 1])
    values = Gains.from_columns(["t"] * 3, ["a", "b", "d"], [1, 2, 9])
    assert pairwise_agreement(values, grades).select("lower", "higher", "pairs").rows() == [(0, 1, 1)]


@pytest.mark.parametrize("counted", ["untied", "all"])
@given(ROWS)
def test_every_pair_counted(counted, rows):
    """By grades, the order of pairs taken from a binary reference that need not follow them."""
    judged, reference, grades = (gains_of([(row[0], row[i]) for row in rows]) for i in (3, 2, 1))
    expected = {}
    for first, second in combinations(rows, 2):
        is_tied = first[2] == second[2]
        if first[0] != second[0] or first[1] == second[1] or (is_tied and counted == "untied"):
            continue
        cell = (first[0], *sorted((first[1], second[1])))
        below, above = (first, second) if first[2] < second[2] else (second, first)
        pairs, agreeing, tied = expected.get(cell, (0, 0, 0))
        is_tied = is_tied or below[3] == above[3]
        expected[cell] = (pairs + 1, agreeing + (not is_tied and below[3] < above[3]), tied + is_tied)
    cells = pairwise_agreement(judged, reference, grades, counted)
    assert [(row[:3], row[3:6]) for row in cells.iter_rows()] == sorted(expected.items())


def test_all_pairs_of_different_grades_count_and_ties_of_either_side_are_half():
    """The grades 0, 1, 2, 2 in binary 0, 0, 1, 1, with the magnitudes 3, 2, 2, 9."""
    grades, binary, judged = (
        gains_of([("t", value) for value in of]) for of in ((0, 1, 2, 2), (0, 0, 1, 1), (3, 2, 2, 9))
    )
    cells = (
        pairwise_agreement(judged, binary, grades, "all").select("lower", "higher", "pairs", "half").rows()
    )
    # 0 and 1 are tied in binary; of 0 and 2, one pair agrees; of 1 and 2, one pair agrees and one is tied.
    assert cells == [(0, 1, 1, 0.5), (0, 2, 2, 0.5), (1, 2, 2, 0.75)]
    table = order_agreement(judged, grades, binary, counted="all").filter(mean="cells")
    assert dict(table.select("comparison", "half").rows())["magnitudes-binary"] == pytest.approx(1.75 / 3)
    untied = order_agreement(judged, grades, binary).filter(mean="cells")
    assert dict(untied.select("comparison", "half").rows())["magnitudes-binary"] == pytest.approx(0.625)
