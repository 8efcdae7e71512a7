"""The P–R curve and interpolated precision: worked values, and how peers count recall levels."""

import math
from fractions import Fraction

import numpy as np
import pytest
import pytrec_eval
from hypothesis import given
from hypothesis import strategies as st

from evaluation.measures import recall_curves
from evaluation.ranking import rank
from evaluation.scores import score
from tests.evaluation.conftest import made
from tests.evaluation.refusals import OPTION, refused

LEVELS = [tenths / 10 for tenths in range(11)]
RELEVANT = st.lists(st.integers(0, 1), min_size=1, max_size=25)


def test_worked_eleven_points(value):
    """rel ⟨1,0,1⟩, R = 2: 1 at the levels 0 … .5 and 2/3 at .6 … 1, (6·1 + 5·2/3)/11 = .848."""
    results = [value(f"IPrec(recall={level})", [1, 0, 1]) for level in LEVELS]
    assert results == pytest.approx([1] * 6 + [2 / 3] * 5)
    assert value("11pt_avg", [1, 0, 1]) == pytest.approx((6 * 1 + 5 * 2 / 3) / 11)
    assert value("11pt_avg", [1, 0, 1]) == pytest.approx(0.848, abs=5e-4)


def test_recall_that_is_never_reached_counts_zero(value):
    # One of R = 2 found, at rank 2: .5 at the 6 levels 0 … .5, 0 above.
    assert value("IPrec(recall=0.5)", [0, 1], [1]) == 0.5
    assert value("IPrec(recall=0.6)", [0, 1], [1]) == 0
    assert value("11pt_avg", [0, 1], [1]) == pytest.approx(6 * 0.5 / 11)


def test_a_larger_precision_at_higher_recall_counts_for_lower_ones(value):
    # Precision 1/2 at recall 1/3, 2/3 at 2/3, 3/4 at 1: interpolated, 3/4 throughout.
    assert value("IPrec(recall=0)", [0, 1, 1, 1]) == value("11pt_avg", [0, 1, 1, 1]) == 0.75


def test_relevance_levels_and_cutoffs(value):
    assert value("IPrec(recall=1, rel=2)", [1, 2]) == 0.5
    assert value("11pt_avg(rel=2)", [1, 2]) == 0.5
    # Down to rank 1 only the first of R = 2 is found.
    assert value("IPrec(recall=1)@1", [1, 1]) == 0
    assert value("11pt_avg@1", [1, 1]) == pytest.approx(6 / 11)


def test_three_ways_of_counting_a_level(value):
    """rel ⟨1,1,0,1⟩, R = 3: precision 1 at recall 1/3 and 2/3, 3/4 at recall 1."""
    ranked = [1, 1, 0, 1]

    def counted(level):
        ways = ("exact", "trec_eval", "trec_eval9")
        return [value(f'IPrec(recall={level}, levels="{way}")', ranked) for way in ways]

    # .8·3 = 2.4: at least 3, rounded 2, ⌊3.3⌋ = 3.
    assert counted(0.8) == [0.75, 1, 0.75]
    # .7·3 is 2.0999999999999996 in floating point: ⌊2.0999999999999996 + .9⌋ is 2, where ⌊2.1 + .9⌋ = 3.
    assert counted(0.7) == [0.75, 1, 1]
    # .35·3 = 1.05, of ranks 1, 3 and 4: at least 2, rounded 1, ⌊1.95⌋ = 1.
    assert value("IPrec(recall=0.35)", [1, 0, 1, 1]) == 0.75
    assert value('IPrec(recall=0.35, levels="trec_eval9")', [1, 0, 1, 1]) == 1
    # 0 … .6 reach 2 documents or fewer exactly, 0 … .8 by rounding, 0 … .7 by nine tenths.
    for way, ones in (("exact", 7), ("trec_eval", 9), ("trec_eval9", 8)):
        mean = (ones + (11 - ones) * 0.75) / 11
        assert value(f'11pt_avg(levels="{way}")', ranked) == pytest.approx(mean)


def test_halves_are_rounded_up_as_trec_eval_rounds_them(value):
    # .5·3 = 1.5 takes 2, the second at rank 3.
    assert value('IPrec(recall=0.5, levels="trec_eval")', [1, 0, 1, 0], [1]) == pytest.approx(2 / 3)
    assert value('IPrec(recall=0.49, levels="trec_eval")', [1, 0, 1, 0], [1]) == 1
    # 0 documents are reached anywhere, so at the best precision of all.
    assert value('IPrec(recall=0.1, levels="trec_eval")', [0, 1, 1], [1]) == pytest.approx(2 / 3)


def scored(ranked, missed, measure):
    gains, run = made({"t": (ranked, [1] * missed)})
    return score(gains, [run], [measure]).means()[0].value


@given(ranked=RELEVANT, missed=st.integers(0, 40), level=st.sampled_from([*LEVELS, 0.25, 0.07, 1 / 3]))
def test_exact_levels_are_the_definition(ranked, missed, level):
    """max P at recall ≥ r over all ranks, recall as a fraction of whole numbers."""
    relevant = sum(ranked) + missed
    if not relevant:
        return
    wanted = Fraction(level).limit_denominator(1000)
    results = [sum(ranked[:n]) for n in range(1, len(ranked) + 1)]
    reached = [c / n for n, c in enumerate(results, start=1) if Fraction(c, relevant) >= wanted]
    assert scored(ranked, missed, f"IPrec(recall={level})") == pytest.approx(max(reached, default=0))


@given(ranked=RELEVANT, missed=st.integers(0, 40))
def test_levels_as_pytrec_eval_counts_them(ranked, missed):
    """Its code is that of trec_eval 9; R up to 65, among them those where it is not the definition."""
    if not sum(ranked) + missed:
        return
    documents = [f"d{place:02}" for place in range(len(ranked) + missed)]
    qrels = {"t": dict(zip(documents, [*ranked, *[1] * missed], strict=True))}
    run = {"t": {documents[place]: -float(place) for place in range(len(ranked))}}
    theirs = pytrec_eval.RelevanceEvaluator(qrels, {"iprec_at_recall", "11pt_avg"}).evaluate(run)["t"]
    ours = [scored(ranked, missed, f'IPrec(recall={level}, levels="trec_eval9")') for level in LEVELS]
    assert ours == pytest.approx([theirs[f"iprec_at_recall_{level:.2f}"] for level in LEVELS], abs=1e-15)
    assert scored(ranked, missed, '11pt_avg(levels="trec_eval9")') == pytest.approx(
        theirs["11pt_avg"], abs=1e-15
    )


def test_the_curve_has_a_point_for_every_relevant_document(collection):
    gains, run = collection({"t": ([1, 0, 1], [1, 1]), "u": ([0, 1], ()), "v": ([0], [0])})
    curves = recall_curves(rank(gains, [run]).lists)
    none = math.nan
    # t: ranks 1 and 3 of R = 4; u: rank 2 of R = 1; v has nothing relevant.
    recall = [[1 / 4, 2 / 4], [1, none], [none, none]]
    precision = [[1, 2 / 3], [1 / 2, none], [none, none]]
    np.testing.assert_allclose(curves.recall, [recall])
    np.testing.assert_allclose(curves.precision, [precision])
    assert recall_curves(rank(gains, [run]).lists, cutoff=1).recall.shape == (1, 3, 1)


def test_average_precision_is_the_mean_of_the_curve(collection, value):
    gains, run = collection({"t": ([1, 0, 1, 0, 0, 1], [1])})
    result = recall_curves(rank(gains, [run]).lists).precision
    assert np.nansum(result) / 4 == pytest.approx(value("AP", [1, 0, 1, 0, 0, 1], [1]))


def test_the_level_is_asked_for(value):
    with refused("iprec-without-recall", "IPrec", "recall", "IPrec(recall=0.1)"):
        value("IPrec", [1])
    for bad in ("IPrec(recall=1.1)", "IPrec(recall=-0.1)", 'IPrec(recall=1, levels="about")'):
        with refused((*OPTION, "parameter-not-a-share"), "IPrec"):
            value(bad, [1])
