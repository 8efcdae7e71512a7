"""bpref, infAP, Judged, NumRet and the residual of RBP: worked lists, laws, and the programs behind them."""

import random

import ir_measures
import pytest
import pytrec_eval
from hypothesis import given
from hypothesis import strategies as st

from evaluation.files import read_gains
from evaluation.frames import Gains
from evaluation.runs import Run
from evaluation.scores import score
from evaluation.transformations import Transformation
from tests.evaluation.refusals import refused
from tests.evaluation.test_peers import CUTOFFS, SCORES, own_score, random_study

SAMPLED = {"a": 1, "b": 0, "c": -1, "d": 1, "f": 1, "g": 1, "h": 0, "i": 0}
"""Judgments of one topic: c was pooled but not sampled, and e is outside the pool."""

LISTED = "abcdef"


def scored(measures, judged=SAMPLED, listed=LISTED, **settings):
    """Each measure of one list, given the judgments of its topic and its documents by rank."""
    gains = Gains.from_columns(["t"] * len(judged), list(judged), list(judged.values()), negative="zero")
    run = Run.from_columns("run", ["t"] * len(listed), list(listed), [-float(i) for i in range(len(listed))])
    return {row.measure: row.value for row in score(gains, [run], measures, **settings).means()}


def random_sample(seed, scores=SCORES):
    """A study of which a part of the pool was not sampled; some of its codes are −2."""
    rng = random.Random(seed)
    qrels, run = random_study(seed, scores)
    for judged in qrels.values():
        for document in judged:
            if rng.random() < 0.3:
                judged[document] = rng.choice([-1, -1, -2])
        judged["d0"] = 2
    return qrels, run


def rows_of(qrels, run, measures, **settings):
    """The rows and the means of a study as the peers take it."""
    rows = zip(*((t, d, g) for t in qrels for d, g in qrels[t].items()), strict=True)
    ranked = Run.from_columns("run", *zip(*((t, d, s) for t in run for d, s in run[t].items()), strict=True))
    scores = score(Gains.from_columns(*rows, negative="zero"), [ranked], measures, **settings)
    return scores.rows, scores.means()


def test_worked_values():
    """R = 4; b, h and i are judged not relevant; relevant at ranks 1, 4 and 6, below b from rank 4."""
    result = scored(["bpref", 'bpref(divisor="R")', "infAP", "Judged@6", "NumRet", "NumRet(rel=1)"])
    assert result == {
        "bpref": pytest.approx((1 + 2 * (1 - 1 / 3)) / 4),
        'bpref(divisor="R")': pytest.approx((1 + 2 * (1 - 1 / 4)) / 4),
        "infAP": pytest.approx(
            (1 + (1 / 4 + 3 / 4 * 3 / 3 * 1 / 2) + (1 / 6 + 5 / 6 * 4 / 5 * 2 / 3)) / 4, abs=1e-5
        ),
        "Judged@6": pytest.approx(5 / 6),
        "NumRet": 6,
        "NumRet(rel=1)": 3,
    }


def test_codes_mean_what_unsampled_says():
    """Judged by any code but −2, c is one more document that is not relevant; N is then 4."""
    inferred = (1 + (1 / 4 + 3 / 4 * 1 / 3) + (1 / 6 + 5 / 6 * 4 / 5 * 2 / 4)) / 4
    for unsampled in ('"none"', -2):
        result = scored([f"bpref(unsampled={unsampled})", f"infAP(unsampled={unsampled})"])
        assert [*result.values()] == pytest.approx([(1 + 2 * (1 - 2 / 4)) / 4, inferred], abs=1e-5)
    assert [*scored(["infAP", "infAP(unsampled=-1)"]).values()] == [scored(["infAP"])["infAP"]] * 2
    unsampled = ('Judged(unsampled="negative")@6', "Judged(unsampled=-1)@6", "Judged(unsampled=-2)@6")
    assert [*scored(unsampled).values()] == pytest.approx([4 / 6, 4 / 6, 5 / 6])
    for bad in ("bpref(unsampled=1)", "infAP(unsampled=some)"):
        with refused("parameter-not-a-code", "unsampled"):
            scored([bad])


def test_other_measures_see_a_zero():
    names = ["AP", "nDCG@10", "P@3", "RBP", "Q", "NumRet(rel=0)"]
    assert scored(names) == scored(names, {**SAMPLED, "c": 0})


def test_codes_come_from_the_file_that_decides_relevance(tmp_path):
    (tmp_path / "qrels").write_text("".join(f"t 0 {d} {g}\n" for d, g in SAMPLED.items()))
    qrels = read_gains(tmp_path / "qrels", negative="zero")
    gains = Gains.from_columns(["t"] * 2, ["a", "x"], [7.5, 2.5])
    run = Run.from_columns("run", ["t"] * 6, list(LISTED), [-float(i) for i in range(6)])
    alone, beside = (score(g, [run], ["infAP", "bpref"], rel=r) for g, r in ((qrels, None), (gains, qrels)))
    assert alone.rows == beside.rows
    assert score(Transformation("10C")(qrels), [run], ["infAP"]).rows == alone.rows[:1]


def test_a_document_judged_for_one_of_its_subtopics_was_sampled():
    rows = [("t", "a", 1, "1"), ("t", "b", -1, "1"), ("t", "b", 0, "2"), ("t", "c", 1, "1")]
    sampled = Gains.from_columns(*zip(*rows, strict=True), negative="zero")
    run = Run.from_columns("run", ["t"] * 3, list("abc"), [3, 2, 1])
    judged, plain = score(sampled, [run], ["bpref", 'bpref(unsampled="none")']).values[0, 0]
    assert judged == plain == 1 / 2


def test_a_list_shorter_than_the_cutoff_is_judged_by_its_length():
    assert scored(["Judged@4", "Judged@100", "Judged"], {"a": 1}, "ax") == pytest.approx(
        {"Judged@4": 1 / 2, "Judged@100": 1 / 2, "Judged": 1 / 2}
    )


def test_topics_without_a_relevant_document_can_be_counted():
    judged, run = {"a": 0, "b": 0}, "abxy"
    names = ["Judged@4", "NumRet", "RBP_residual(p=0.5)@4"]
    assert [*scored(names, judged, run).values()] == [None] * 3
    names = ['Judged(topics="judged")@4', 'NumRet(topics="judged")', 'RBP_residual(p=0.5, topics="judged")@4']
    assert [*scored(names, judged, run).values()] == [1 / 2, 4, 1 / 4]


def test_the_number_retrieved_is_a_total_unless_its_mean_is_asked_for():
    gains = Gains.from_columns(["t", "u", "v"], ["a", "a", "a"], [1, 1, 0])
    run = Run.from_columns("run", ["t", "t", "u", "v"], ["a", "b", "a", "a"], [2, 1, 1, 1])
    names = ["NumRet", 'NumRet(over_topics="mean")', "AP"]
    assert [row.value for row in score(gains, [run], names).means()] == [3, 1.5, 1]
    assert [row.value for row in score(gains, [run], names[:1], empty="zero").means()] == [3]
    none = Gains.from_columns(["t"], ["a"], [0])
    assert [row.value for row in score(none, [run], names).means()] == [None] * 3


@pytest.mark.parametrize("seed", range(20))
def test_trec_evals_bpref_infap_and_counts_to_the_last_bit(seed):
    qrels, run = random_sample(seed)
    names = {"bpref": "bpref", "infAP": "infAP", "NumRet": "num_ret", "NumRet(rel=1)": "num_rel_ret"}
    by_topic = pytrec_eval.RelevanceEvaluator(qrels, set(names.values())).evaluate(run)
    rows, _ = rows_of(qrels, run, list(names), ties="trec_eval9")
    assert {(row.topic, row.measure): row.value for row in rows} == {
        (topic, ours): by_topic[topic][theirs] for topic in qrels for ours, theirs in names.items()
    }


@pytest.mark.parametrize("seed", range(6))
def test_ir_measures(seed):
    """Its Judged has ties the other way round, so it is compared without; every judged topic has a value."""
    qrels, run = random_sample(seed)
    run = {topic: {d: own_score(d) for d in retrieved} for topic, retrieved in run.items()}
    qrels["401"] = dict.fromkeys(qrels["401"], 0)
    cutoffs = ("", *(f"@{k}" for k in CUTOFFS))
    names = {f'Judged(topics="judged"){k}': f"Judged{k}" for k in cutoffs}
    names |= {'NumRet(topics="judged")': "NumRet", 'NumRet(rel=2, topics="judged")': "NumRet(rel=2)"}
    parsed = {ir_measures.parse_measure(theirs): ours for ours, theirs in names.items()}
    rows, means = rows_of(qrels, run, list(names))
    theirs = {(m.query_id, parsed[m.measure]): m.value for m in ir_measures.iter_calc(parsed, qrels, run)}
    assert {(row.topic, row.measure): row.value for row in rows} == pytest.approx(theirs)
    totals = ir_measures.calc_aggregate(list(parsed), qrels, run)
    assert {row.measure: row.value for row in means} == pytest.approx(
        {parsed[m]: v for m, v in totals.items()}
    )


def test_where_bpref_and_infap_differ_in_a_topic_without_relevance():
    """0 in trec_eval; here it has no value, like every measure."""
    by_topic = pytrec_eval.RelevanceEvaluator({"t": {"a": 0}}, {"bpref", "infAP"}).evaluate({"t": {"a": 1.0}})
    assert by_topic == {"t": {"bpref": 0, "infAP": 0}}
    assert scored(["bpref", "infAP"], {"a": 0}, "a") == {"bpref": None, "infAP": None}


def test_residual_in_the_words_of_its_source():
    """Ranks 2 and 4 and all from 6 on are unknown: .2·(.8 + .8³) + .8⁵; cut at 3, all from 4 on are."""
    judged = dict.fromkeys("ace", 0) | {"z": 1}
    result = scored(["RBP_residual", "RBP_residual@3", "RBP_residual(p=0.5)@1"], judged, "abcde")
    assert [*result.values()] == pytest.approx([0.2 * (0.8 + 0.512) + 0.8**5, 0.2 * 0.8 + 0.8**3, 0.5])


@given(st.lists(st.sampled_from([0, 1, None]), min_size=1, max_size=30), st.sampled_from([0.5, 0.8, 0.95]))
def test_rbp_and_its_residual_are_the_bounds_of_what_may_be_true(kinds, p):
    """The residual is what RBP gains if each unknown document is relevant, here down to rank 3,000."""
    known = {f"d{i}": kind for i, kind in enumerate(kinds) if kind is not None} | {"z": 1}
    listed = [f"d{i}" for i in range(len(kinds))]
    lower, residual = scored([f"RBP(p={p})", f"RBP_residual(p={p})"], known, listed).values()
    further = [f"x{i}" for i in range(3000)]
    all_relevant = dict.fromkeys([*listed, *further], 1) | known
    upper = scored([f"RBP(p={p})"], all_relevant, [*listed, *further])[f"RBP(p={p})"]
    assert lower + residual == pytest.approx(upper)


def test_the_residual_of_a_long_judged_list_is_tiny_and_not_noise():
    listed = [f"d{i}" for i in range(1000)]
    result = scored(["RBP_residual(p=0.9)"], dict.fromkeys(listed, 1), listed)
    assert result["RBP_residual(p=0.9)"] == pytest.approx(0.9**1000, rel=1e-9, abs=0)
