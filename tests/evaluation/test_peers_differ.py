"""Where a peer computes something else under the same name: one test each, with the reason.

ranx is not run here: it compiles itself anew for the better part of a minute in each fresh checkout. What it
gives was recorded from version 0.3.21, and every test shows the arithmetic that leads there.
"""

import math
import subprocess

import ir_measures
import pytest
import pytrec_eval
from sklearn import metrics

from evaluation.frames import Gains
from evaluation.runs import Run
from evaluation.scores import score
from tests.evaluation.refusals import refused
from tests.evaluation.test_peers import ir_measures_of, ours_of

ABC = {"a": 3.0, "b": 2.0, "c": 1.0}
LOG2_OF_3 = math.log2(3)


def ours(measure: str, qrels: dict, run: dict) -> float | None:
    """Our value of a measure in topic 1."""
    return ours_of({"1": qrels}, {"1": run}, [measure])["1", measure]


def pytrec_eval_of(measure: str, qrels: dict, run: dict) -> float:
    by_topic = pytrec_eval.RelevanceEvaluator({"1": qrels}, {measure}).evaluate({"1": run})
    return by_topic["1"][measure]


def ir_measure(measure: str, qrels: dict, run: dict) -> float:
    return ir_measures_of({"1": qrels}, {"1": run}, {measure: measure})["1", measure]


def dcg(*gains: float) -> float:
    return sum(gain / math.log2(rank + 1) for rank, gain in enumerate(gains, start=1))


# Real gains.


def test_real_gains_are_refused_by_pytrec_eval_and_ir_measures():
    """Their qrels hold whole numbers; relevance here is a real number everywhere."""
    gains = {"a": 0.5, "b": 2.7, "c": 1.2}
    with pytest.raises(TypeError):
        pytrec_eval_of("ndcg", gains, ABC)
    with pytest.raises(TypeError):
        ir_measure("nDCG@3", gains, ABC)
    assert ours("nDCG@3", gains, ABC) == pytest.approx(dcg(0.5, 2.7, 1.2) / dcg(2.7, 1.2, 0.5))


def test_real_gains_are_cut_to_whole_ones_by_trec_eval_and_ranx():
    """Both read the number before the point and drop the rest without a word: 0, 2 and 1 remain."""
    cut = dcg(0, 2, 1) / dcg(2, 1, 0)
    assert cut == pytest.approx(0.66967181649423)  # what ranx gives
    assert cut == pytest.approx(pytrec_eval_of("ndcg", {"a": 0, "b": 2, "c": 1}, ABC))
    gains = {"a": 0.5, "b": 2.7, "c": 1.2}
    assert abs(ours("nDCG", gains, ABC) - cut) > 0.05
    # A document that is worth less than 1 is not even relevant to them.
    assert ours("P@1", gains, ABC) == 1


# Ties.


def test_scores_apart_in_64_bits_alone_are_ties_as_in_pytrec_eval():
    """It compares 32-bit floats as trec_eval 9 does; scikit-learn and ranx (RR .5 below) all 64 bits."""
    judged, run = {"a": 1, "b": 0}, {"a": 1.0, "b": 1 - 1e-10}
    assert ours("RR", judged, run) == pytrec_eval_of("recip_rank", judged, run) == 1 / 2
    judged, run = {"b": 1}, {"a": 1 + 1e-10, "b": 1.0}
    assert ours("RR", judged, run) == 1
    assert metrics.ndcg_score([[0, 1]], [[1 + 1e-10, 1.0]]) == pytest.approx(1 / LOG2_OF_3)
    assert score({"1": judged}, {"1": run}, "RR").means()[0].value == 1 / 2


def test_ties_keep_their_order_in_ranx():
    """It sorts stably by score, so that the order in which documents were entered decides.

    With b relevant and a, b tied it gives P@1 = 0 where a was entered first, and 1 where b was. trec_eval
    and we order by document id, descending, whatever the order of rows.
    """
    assert ours("P@1", {"b": 1}, {"a": 1.0, "b": 1.0}) == 1
    assert ours("P@1", {"b": 1}, {"b": 1.0, "a": 1.0}) == 1


def test_reciprocal_rank_with_a_cutoff_has_ties_the_other_way_round_in_ir_measures():
    """RR without a cut-off is trec_eval's there, RR@k the program of MS MARCO: ids ascending."""
    judged, run = {"b": 1}, {"a": 1.0, "b": 1.0}
    assert ir_measure("RR", judged, run) == ours("RR", judged, run) == 1
    assert ir_measure("RR@10", judged, run) == 1 / 2
    assert ours("RR@10", judged, run) == 1


def test_ties_are_averaged_by_scikit_learn():
    """Every document of a tie gets the mean gain of the tie; its AP takes a tie as one threshold."""
    averaged = (0.5 * 1 + 0.5 / LOG2_OF_3) / 1
    assert metrics.ndcg_score([[0, 1]], [[1.0, 1.0]]) == pytest.approx(averaged)
    assert metrics.average_precision_score([0, 1], [1.0, 1.0]) == 1 / 2
    assert ours("nDCG@2", {"b": 1}, {"a": 1.0, "b": 1.0}) == 1
    assert ours('nDCG(ties="averaged")@2', {"b": 1}, {"a": 1.0, "b": 1.0}) == pytest.approx(averaged)
    assert ours("AP", {"b": 1}, {"a": 1.0, "b": 1.0}) == 1


# What stands in a list, and which topics count.


def test_a_document_twice_in_a_run_is_silently_dropped_by_ir_measures():
    """The last line stays, as in ranx: a, b, a by score is read as b, a. Here it is an error."""
    rows = (("a", 3.0), ("b", 2.0), ("a", 1.0))
    twice = [ir_measures.ScoredDoc("1", document, score) for document, score in rows]
    judged = [ir_measures.Qrel("1", "a", 1)]
    assert ir_measures.calc_aggregate([ir_measures.RR], judged, twice) == {ir_measures.RR: 1 / 2}
    with refused("document-retrieved-twice", "'a'", "'1'", at="row 3"):
        Run.from_columns("run", ["1"] * 3, *zip(*rows, strict=True))


def test_a_topic_with_nothing_relevant_counts_zero_in_the_peers():
    """It says nothing about a system, so here it has no value and enters no mean."""
    judged, run = {"a": 0}, {"a": 1.0, "b": 2.0}
    assert pytrec_eval_of("ndcg", judged, run) == ir_measure("AP", judged, run) == 0
    assert metrics.ndcg_score([[0, 0]], [[1.0, 2.0]]) == 0
    assert ours("nDCG", judged, run) is None
    assert ours("AP", judged, run) is None


def test_a_topic_without_a_list_is_left_out_by_pytrec_eval():
    """As by trec_eval without its option -c; ir_measures and we count an empty list, 0."""
    judged, run = {"1": {"a": 1}, "2": {"a": 1}}, {"1": {"a": 1.0}}
    assert set(pytrec_eval.RelevanceEvaluator(judged, {"map"}).evaluate(run)) == {"1"}
    assert ir_measures_of(judged, run, {"AP": "AP"}) == {("1", "AP"): 1, ("2", "AP"): 0}
    assert ours_of(judged, run, ["AP"]) == {("1", "AP"): 1, ("2", "AP"): 0}


def test_the_ideal_of_scikit_learn_holds_what_it_was_given():
    """It has no recall base: judged documents that were not retrieved must be passed in by hand."""
    judged, run = {"a": 1, "b": 0, "lost": 3}, {"a": 2.0, "b": 1.0}
    assert metrics.ndcg_score([[1, 0]], [[2.0, 1.0]]) == 1
    assert ours('nDCG(ideal="retrieved")@2', judged, run) == 1
    assert ours("nDCG@2", judged, run) == pytest.approx(dcg(1, 0) / dcg(3, 1))


def test_a_list_of_one_document_is_an_error_in_scikit_learn():
    with pytest.raises(ValueError, match="more than 1 document"):
        metrics.ndcg_score([[1]], [[1.0]])
    assert ours("nDCG@10", {"a": 1}, {"a": 1.0}) == 1


# Formulas.


def test_precision_of_a_short_list_without_a_cutoff():
    """set_P of trec_eval and SetP of ir_measures divide by L; P here by k = max(L, R)."""
    judged, run = {"a": 1, "b": 1, "c": 1}, {"a": 1.0}
    assert pytrec_eval_of("set_P", judged, run) == ir_measure("SetP", judged, run) == 1
    assert ours("P", judged, run) == pytest.approx(1 / 3)


def test_average_precision_with_a_cutoff_below_r():
    """By R in trec_eval, ranx and here; by min(k, R) in NTCIREVAL, which norm="min" gives."""
    judged, run = {"a": 1, "b": 0, "c": 1, "d": 1}, ABC
    assert pytrec_eval_of("map_cut_1", judged, run) == pytest.approx(1 / 3)
    assert ours("AP@1", judged, run) == pytest.approx(1 / 3)
    assert ours('AP(norm="min")@1', judged, run) == 1


def test_the_beta_of_f_is_squared_here_and_not_in_ir_measures():
    """SetF(beta=4) of ir_measures is trec_eval's set_F with x = 4, which is β²; so F(beta=2)."""
    judged, run = {"a": 1, "d": 1, "e": 1, "f": 1}, {"a": 4.0, "b": 3.0, "c": 2.0, "d": 1.0, "x": 0.5}
    precision, recall = 2 / 5, 2 / 4
    theirs = ir_measure("SetF(beta=4.0)", judged, run)
    assert theirs == pytest.approx(5 * precision * recall / (4 * precision + recall))
    assert ours("F(beta=2)@5", judged, run) == pytest.approx(theirs)
    assert ours("F(beta=4)@5", judged, run) != pytest.approx(theirs)


def test_err_has_a_largest_grade_of_four_in_gdeval():
    """Whatever the grades; a grade of 5 it refuses. Ours is the largest of the file, unless given.

    Grades 2, none, 1: with 4 3/16 + 1/3 · 13/16 · 1/16, with the file's 2 3/4 + 1/3 · 1/4 · 1/4.
    """
    judged, run = {"a": 2, "b": 0, "c": 1}, ABC
    assert ir_measure("ERR@3", judged, run) == pytest.approx(3 / 16 + 13 / 768, abs=1e-5)
    assert ours("ERR(gmax=4)@3", judged, run) == pytest.approx(3 / 16 + 13 / 768)
    assert ours("ERR@3", judged, run) == pytest.approx(3 / 4 + 1 / 48)
    with pytest.raises(subprocess.CalledProcessError):
        ir_measure("ERR@3", judged | {"a": 5}, run)
    # NTCIREVAL stops with g/(gmax + 1): 2/3 + 1/3 · 1/3 · 1/3.
    assert ours('ERR(stop="ntcireval")@3', judged, run) == pytest.approx(2 / 3 + 1 / 27)


def test_rank_biased_precision_takes_raw_grades_in_ranx():
    """(1 − p)·Σ p^(i−1)·g[i] can be above 1 there; cwl_eval behind ir_measures takes rel=, so 0 or 1."""
    judged, run = {"a": 3, "b": 2, "c": 1}, {"a": 3.0, "x": 2.0, "b": 1.0}
    theirs = 0.2 * (3 + 0.64 * 2)
    assert theirs == pytest.approx(0.856)  # what ranx gives
    assert ours("RBP(p=0.8)", judged, run) == pytest.approx(0.2 * (1 + 0.64))
    assert ours('RBP(p=0.8, gain="linear", gmax=3)', judged, run) == pytest.approx(theirs / 3)


def test_ndcg_of_gdeval_and_of_burges_has_exponential_gains():
    """2^g − 1 in gdeval and ndcg_burges of ranx, g itself in trec_eval, ranx's ndcg and here."""
    judged, run = {"a": 2, "b": 1}, {"b": 2.0, "a": 1.0}
    exponential = dcg(1, 3) / dcg(3, 1)
    assert exponential == pytest.approx(0.7967075809905066)  # what ranx gives
    assert ir_measure("nDCG(dcg='exp-log2')@10", judged, run) == pytest.approx(exponential, abs=1e-5)
    assert ours('nDCG(gain="exp")@10', judged, run) == pytest.approx(exponential)
    linear = dcg(1, 2) / dcg(2, 1)
    assert linear == pytest.approx(0.8597186998521972)  # what ranx gives
    assert ours("nDCG@10", judged, run) == pytest.approx(linear)


def test_ndcg_of_ntcireval_is_the_form_with_a_base():
    """Its nDCG leaves ranks below b alone and divides by log_b(i) from there; its MSnDCG by log2(i + 1).

    Gains 1, 2, 3 of the ideal 3, 2, 1 with b = 2: (1 + 2/1 + 3/log2 3) ÷ (3 + 2/1 + 1/log2 3).
    """
    judged = {"a": 1, "b": 2, "c": 3}
    with_base = (1 + 2 + 3 / LOG2_OF_3) / (3 + 2 + 1 / LOG2_OF_3)
    assert ours('nDCG(discount="jk", base=2)@3', judged, ABC) == pytest.approx(with_base)
    assert ours("nDCG@3", judged, ABC) == pytest.approx(dcg(1, 2, 3) / dcg(3, 2, 1))
    assert with_base != pytest.approx(dcg(1, 2, 3) / dcg(3, 2, 1))


def test_the_base_of_a_discount_moves_every_rank_in_scikit_learn():
    """dcg_score divides by log_b(i + 1) from rank 1; the jk discount by log_b(i), and never below rank b."""
    judged, run = {"a": 3, "b": 2, "c": 1}, ABC
    theirs = metrics.dcg_score([[3, 2, 1]], [[3, 2, 1]], log_base=3)
    assert theirs == pytest.approx(sum(g / math.log(i + 1, 3) for i, g in ((1, 3), (2, 2), (3, 1))))
    assert ours('DCG(discount="jk", base=3)@3', judged, run) == pytest.approx(3 + 2 + 1)


def test_interpolated_precision_counts_to_a_recall_level_in_three_ways():
    """R = 12, one relevant document retrieved, at rank 1: recall .083, so nothing at recall .1.

    pytrec_eval, with trec_eval 9 inside, takes ⌊.1·12 + .9⌋ = 2 documents and gives 0, as the definition
    does; trec_eval 10 takes 1, the nearest to 1.2, and gives 1.
    """
    judged = {f"d{i}": 1 for i in range(12)}
    assert pytrec_eval_of("iprec_at_recall_0.10", judged, {"d0": 1.0}) == 0
    assert ours("IPrec(recall=0.1)", judged, {"d0": 1.0}) == 0
    assert ours('IPrec(recall=0.1, levels="trec_eval9")', judged, {"d0": 1.0}) == 0
    assert ours('IPrec(recall=0.1, levels="trec_eval")', judged, {"d0": 1.0}) == 1


def test_judged_and_retrieved_documents_of_a_topic_without_relevance_count_in_ir_measures():
    """And its ties are the other way round: of the tied a and b it takes a, which is not judged."""
    judged, run = {"b": 0}, {"a": 1.0, "b": 1.0}
    assert ir_measure("Judged@1", judged, run) == 0
    assert ours("Judged@1", judged, run) is None
    assert ours('Judged(topics="judged")@1', judged, run) == 1
    assert pytrec_eval_of("num_ret", judged, run) == ir_measure("NumRet", judged, run) == 2
    assert ours("NumRet", judged, run) is None
    assert ours('NumRet(topics="judged")', judged, run) == 2


def test_subtopics_are_needed_here():
    """ndeval, and ir_measures through pyndeval, take such a topic as one subtopic; neither is run here."""
    with refused("subtopics-missing", "subtopic_id"):
        ours("alpha_nDCG@10", {"a": 1}, {"a": 1.0})


def test_codes_are_not_sampled_in_pytrec_eval():
    """ranx takes every judged document below its level for not relevant, as unsampled="none" does here."""
    judged, run = {"a": 1, "b": -1, "c": 0}, {"b": 2.0, "a": 1.0}
    assert pytrec_eval_of("bpref", judged, run) == 1
    gains = Gains.from_columns(["1"] * 3, list(judged), list(judged.values()), negative="zero")
    ranked = Run.from_columns("run", ["1"] * 2, list(run), list(run.values()))
    values = score(gains, [ranked], ["bpref", 'bpref(unsampled="none")']).values[0, 0]
    assert values.tolist() == [1, 0]
