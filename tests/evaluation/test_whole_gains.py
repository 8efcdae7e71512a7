"""Whole-number gains for other tools: times a factor, or as grades."""

import math

import pytest
import pytrec_eval
from hypothesis import given
from hypothesis import strategies as st

import evaluation as ev
from evaluation.magnitudes import gains_times, grades_from
from tests.evaluation.command_results import output_of
from tests.evaluation.refusals import assert_fault, refused

NORMALISED = "topic_id,unit_id,document_id,relevance_score,normalized_relevance_score\n"
ROWS = "t,u,a,1,12.34\nt,u,b,1,0.5\nt,u,c,1,0.004\n"


def values(gains):
    return gains.table["gain"].to_list()


def test_gains_times_a_factor():
    gains = {"t": {"a": 12.34, "b": 0.5, "c": 0.004, "d": 0.005, "e": 0.015}}
    assert values(gains_times(gains, 100)) == [1234, 50, 0, 0, 2]  # halves go to the even number
    assert values(gains_times(gains, 1)) == [12, 0, 0, 0, 0]


def test_grades_are_the_thresholds_that_a_gain_reaches():
    assert values(grades_from({"t": {"a": 0.5, "b": 1, "c": 9.9, "d": 10}}, [1, 10])) == [0, 1, 1, 2]


@given(st.dictionaries(st.sampled_from("abcdef"), st.floats(0.1, 10), min_size=1), st.permutations("abcdefg"))
def test_other_tools_then_agree_to_the_digits_of_the_factor(gains, ranked):
    """pytrec_eval refuses the gains themselves; times 1,000, its nDCG is ours but for the rounding."""
    run = {"t": {document: -float(place) for place, document in enumerate(ranked)}}
    whole = {"t": {d: int(gain) for _, d, gain in gains_times({"t": gains}, 1000).table.iter_rows()}}
    theirs = pytrec_eval.RelevanceEvaluator(whole, {"ndcg"}).evaluate(run)["t"]["ndcg"]
    ours = ev.score({"t": gains}, run, "nDCG").values[0, 0, 0]
    assert theirs == pytest.approx(ours, abs=0.01)


def test_what_cannot_be_whole_is_refused():
    for factor in (0, -1, math.inf, math.nan):
        with refused("invalid-factor"):
            gains_times({"t": {"a": 1}}, factor)
    with refused("factor-too-large", "a", "t", at="row 1"):
        gains_times({"t": {"a": 1e6}}, 1e6)
    for thresholds in ([], [2, 1], [1, 1], [math.nan], [math.inf]):
        with refused("invalid-thresholds"):
            grades_from({"t": {"a": 1}}, thresholds)


def test_the_command_writes_whole_numbers(shell, tmp_path):
    (tmp_path / "normalised.csv").write_text(NORMALISED + ROWS)
    done = shell("gains", "normalised.csv", "--factor", "100")
    assert (done.returncode, done.stdout) == (0, "t\t0\ta\t1234\nt\t0\tb\t50\nt\t0\tc\t0\n")
    assert "1 gains" in done.stderr
    assert (
        output_of(shell("gains", "normalised.csv", "--thresholds", ".5", "10"))
        == "t\t0\ta\t2\nt\t0\tb\t1\nt\t0\tc\t0\n"
    )
    assert_fault(shell("gains", "normalised.csv", "--factor", "0"), "0")
    assert_fault(shell("gains", "normalised.csv", "--factor", "1", "--thresholds", "1"), "--thresholds")
