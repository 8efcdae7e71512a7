"""Columns are checked as they come in; the first row at fault is named."""

import numpy as np
import polars as pl
import pytest

from evaluation.frames import Gains, Judgments
from evaluation.runs import Run
from tests.evaluation.refusals import refused


@pytest.mark.parametrize(
    "bad", [0, -1.5, float("nan"), float("inf"), float("-inf"), 1e-101, 1e101, None, "2"]
)
def test_what_is_no_magnitude(bad):
    with refused(
        (
            "magnitude-not-finite",
            "magnitude-not-positive",
            "magnitude-out-of-bounds",
            "missing-number",
            "value-not-a-number",
        ),
        "relevance_score",
        at="row 2",
    ):
        Judgments.from_columns(["t"] * 3, ["1"] * 3, ["a", "b", "c"], [1, bad, 2])


def test_the_bounds_themselves_are_magnitudes():
    judged = Judgments.from_columns(["t", "t"], ["1", "1"], ["a", "b"], [1e-100, 1e100])
    assert judged.magnitudes.tolist() == [1e-100, 1e100]


@pytest.mark.parametrize("column", [["007", "1e5"], np.array(["007", "1e5"]), pl.Series(["007", "1e5"])])
def test_ids_stay_text(column):
    judged = Judgments.from_columns(column, column, column, (1, 2))
    assert judged.table["document_id"].to_list() == ["007", "1e5"]


@pytest.mark.parametrize("empty", ["", None])
def test_empty_ids_are_refused(empty):
    with refused("empty-cell", "document_id", at="row 1"):
        Gains.from_columns(["t"], [empty], [1])


def test_columns_of_one_length():
    with refused("columns-differ-in-length", "document_id", "gain"):
        Gains.from_columns(["t", "t"], ["a", "b"], [1])


def test_a_document_is_judged_and_retrieved_once():
    with refused("document-judged-twice", "'a'", "'t'", at="row 3"):
        Gains.from_columns(["t", "u", "t"], ["a", "a", "a"], [1, 1, 1])
    with refused("document-retrieved-twice", "'a'", "'t'", at="row 2"):
        Run.from_columns("run", ["t", "t"], ["a", "a"], [1, 2])


def test_scores_of_a_run():
    run = Run.from_columns("run", ["t", "t"], ["a", "b"], [float("inf"), float("-inf")], rank=[0, 1])
    assert run.table["score"].to_list() == [float("inf"), float("-inf")]
    with refused("score-is-nan", "score", "NaN", at="row 1"):
        Run.from_columns("run", ["t"], ["a"], [float("nan")])
    with refused("rank-not-whole", "rank", "1.5", at="row 1"):
        Run.from_columns("run", ["t"], ["a"], [1], rank=[1.5])
