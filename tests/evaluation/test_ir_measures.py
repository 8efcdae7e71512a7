"""Our measures inside ir_measures: chosen by name, on real-valued gains, beside the measures of others."""

import os
import subprocess
import sys

import ir_measures
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from ir_measures import (
    AP,
    AP_IA,
    ERR,
    ERR_IA,
    NRBP,
    P_IA,
    RR,
    Bpref,
    IPrec,
    Judged,
    NumRel,
    NumRet,
    P,
    R,
    Rprec,
    SetAP,
    SetF,
    SetP,
    SetR,
    StRecall,
    Success,
    alpha_DCG,
    alpha_nDCG,
    infAP,
    nDCG,
    nERR_IA,
    nNRBP,
)

import evaluation as ev
from evaluation.ir_measures import OurMeasure, OurProvider, measure, provider
from tests.evaluation.refusals import refused

QRELS = {"q1": {"a": 2.5, "b": 0.25, "c": 1.0}, "q2": {"a": 4.0}, "q3": {"b": 0.0}}
RUN = {"q1": {"a": 1.0, "b": 2.0, "d": 0.5}, "q2": {"d": 3.0, "a": 2.0}}
GRADED = st.dictionaries(
    st.sampled_from(["q1", "q2", "q3"]),
    st.dictionaries(st.sampled_from("abcdefgh"), st.integers(0, 3), min_size=1),
    min_size=1,
)
SCORED = st.dictionaries(
    st.sampled_from(["q1", "q2", "q3", "q4"]),
    st.dictionaries(st.sampled_from("abcdefghij"), st.integers(-5, 5).map(float), min_size=1),
    min_size=1,
)
SHARED = (
    AP, AP @ 3, AP(rel=2), P @ 1, P @ 5, P(rel=2) @ 3, R @ 5, RR, RR(rel=2), Rprec, Success @ 2,
    nDCG, nDCG @ 3, *(IPrec @ recall for recall in (0.0, 0.1, 0.33, 0.5, 0.7, 1.0)), Bpref, infAP,
    infAP(rel=2), NumRet, NumRet(rel=2), NumRel,
    SetP, SetP(rel=2), SetP(relative=True), SetR, SetR(rel=2), SetF, SetF(beta=0.5), SetAP,
)  # fmt: skip
JUDGED_ONLY = (
    *(of(judged_only=True) for of in (AP, AP @ 3, P @ 2, R @ 2, RR, Rprec, Success @ 1, nDCG, SetP, SetAP)),
    AP(rel=2, judged_only=True), SetF(beta=2.0, judged_only=True),
)  # fmt: skip
"""Computed apart: in one call with these, their NumRet counts only judged documents."""
FORMS = {
    "dicts": lambda rows, make: rows,
    "rows": lambda rows, make: [make(q, d, value) for q, of in rows.items() for d, value in of.items()],
    "pandas": lambda rows, make: pd.DataFrame(FORMS["rows"](rows, make)),
}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("notation", ["nDCG@10", 'ERR(gmax="topic")@10', "Q@5", "AP"])
def test_a_measure_object_has_our_values(form, notation):
    qrels, run = FORMS[form](QRELS, ir_measures.Qrel), FORMS[form](RUN, ir_measures.ScoredDoc)
    ours = ev.score(QRELS, RUN, notation)
    aggregated, metrics = ir_measures.calc([measure(notation)], qrels, run)
    assert aggregated[measure(notation)] == pytest.approx(ours.means()[0].value)
    values = {metric.query_id: metric.value for metric in metrics}
    assert values == pytest.approx(dict(zip(ours.topics, ours.values[0, :, 0], strict=True)), nan_ok=True)


def test_ours_and_theirs_stand_side_by_side():
    whole = {"q1": {"a": 2, "b": 0}}
    values = ir_measures.calc_aggregate([measure("nDCG@10"), nDCG @ 10, measure("nDCG") @ 10], whole, RUN)
    assert len(values) == 2
    assert values[nDCG @ 10] == pytest.approx(values[measure("nDCG@10")])


@pytest.mark.parametrize("shared", [SHARED, JUDGED_ONLY], ids=["all documents", "judged documents"])
@given(qrels=GRADED, run=SCORED)
def test_the_provider_agrees_with_theirs(shared, qrels, run):
    """pytrec_eval leaves out topics that the run does not answer, and counts those without relevance as 0."""
    theirs = {
        (metric.query_id, metric.measure): metric.value
        for metric in ir_measures.iter_calc(shared, qrels, run)
    }
    ours = {
        (metric.query_id, metric.measure): metric.value
        for metric in OurProvider(empty="zero").iter_calc(shared, qrels, run)
    }
    assert ours == pytest.approx(theirs, abs=1e-9)


@given(qrels=GRADED, run=SCORED, gains=st.dictionaries(st.integers(0, 3), st.integers(-1, 9), max_size=3))
def test_a_grade_that_is_not_listed_is_its_own_gain(qrels, run, gains):
    """pytrec_eval is given the gains as grades: in one process, it can mix up several grades of a topic."""
    replaced = {q: {d: max(0, gains.get(grade, grade)) for d, grade in of.items()} for q, of in qrels.items()}
    for cutoff in (None, 2):
        theirs = nDCG if cutoff is None else nDCG @ cutoff
        mapped = nDCG(gains=gains) if cutoff is None else nDCG(gains=gains) @ cutoff
        ours = OurProvider(empty="zero").calc_aggregate([mapped], qrels, run)[mapped]
        assert ours == pytest.approx(ir_measures.calc_aggregate([theirs], replaced, run)[theirs], abs=1e-9)


def test_gains_beside_other_measures_are_theirs():
    qrels, run = {"q1": {"a": 2, "b": 1, "c": 0}}, {"q1": {"c": 3.0, "b": 2.0, "a": 1.0}}
    mapped = nDCG(gains={0: 1, 1: 4})
    assert provider.calc_aggregate([mapped], qrels, run) == pytest.approx(
        ir_measures.calc_aggregate([mapped], qrels, run)
    )


def test_every_shared_measure_is_supported():
    assert all(provider.supports(theirs) for theirs in (*SHARED, *JUDGED_ONLY, IPrec(judged_only=True) @ 0.5))


def test_scores_tied_in_32_bits_alone_follow_the_rule_that_is_asked_for():
    qrels, run = {"q1": {"a": 1, "b": 0}}, {"q1": {"a": 1 + 1e-10, "b": 1.0}}
    theirs = ir_measures.calc_aggregate([AP], qrels, run)
    assert OurProvider(ties="trec_eval9").calc_aggregate([AP], qrels, run) == theirs == {AP: 0.5}
    assert provider.calc_aggregate([AP], qrels, run) == {AP: 1}


def test_totals_and_topics_without_relevance():
    qrels, run = {"q1": {"a": 1, "b": 2}, "q2": {"a": 0}}, {"q1": {"a": 2.0, "c": 1.0}, "q2": {"a": 1.0}}
    values = provider.calc_aggregate([NumRel, SetP, SetR], qrels, run)
    assert values == {NumRel: 2, SetP: 0.5, SetR: 0.5}  # the topic without relevance has no value


@given(GRADED, SCORED)
def test_judged_documents_without_ties_agree_with_theirs(qrels, run):
    """Of tied documents, theirs takes the one with the smallest id first."""
    run = {q: dict(zip(sorted(of), map(float, range(len(of))), strict=True)) for q, of in run.items()}
    for cutoff in (Judged @ 1, Judged @ 3, Judged):
        assert provider.calc_aggregate([cutoff], qrels, run) == pytest.approx(
            ir_measures.calc_aggregate([cutoff], qrels, run)
        )


def test_the_number_retrieved_is_a_total():
    qrels, run = {"q1": {"a": 1}, "q2": {"a": 1}}, {"q1": {"a": 2.0, "b": 1.0}, "q2": {"c": 1.0}}
    theirs = ir_measures.calc_aggregate([NumRet, measure("NumRet")], qrels, run)
    assert theirs == provider.calc_aggregate([NumRet, measure("NumRet")], qrels, run)
    assert set(theirs.values()) == {3}


def test_subtopics_are_the_iterations_of_their_qrels():
    rows = [("q1", "a", 1, "1"), ("q1", "a", 1, "2"), ("q1", "b", 1, "1"), ("q1", "c", 1, "3")]
    qrels = [ir_measures.Qrel(*row) for row in rows]
    run = {"q1": {"a": 3.0, "b": 2.0, "c": 1.0}}
    ours = ev.score(qrels, run, "alpha_nDCG@3").means()[0].value
    assert ours == pytest.approx(0.9772764758652748)
    assert provider.calc_aggregate([alpha_nDCG @ 3], qrels, run) == {alpha_nDCG @ 3: pytest.approx(ours)}
    assert ir_measures.calc_aggregate([measure("alpha_nDCG@3")], qrels, run).popitem()[1] == ours
    names = {
        ERR_IA @ 3: "ERR_IA@3",
        nERR_IA @ 2: "nERR_IA@2",
        alpha_DCG(alpha=0.9) @ 3: "alpha_DCG(alpha=0.9)@3",
        NRBP(alpha=0.9, beta=0.8): "NRBP(alpha=0.9, p=0.8)",
        nNRBP: "nNRBP",
        AP_IA: "AP_IA",
        P_IA @ 3: "P_IA@3",
        StRecall @ 1: "StRecall@1",
    }
    theirs = provider.calc_aggregate(names, qrels, run)
    rows = ev.score(qrels, run, [*names.values()]).means()
    assert theirs == pytest.approx(dict(zip(names, [row.value for row in rows], strict=True)))


def test_gains_that_theirs_refuse():
    values = provider.calc_aggregate([nDCG @ 10, AP], QRELS, RUN)
    ours = ev.score(QRELS, RUN, ["nDCG@10", "AP(rel=1)"])
    assert list(values.values()) == pytest.approx([row.value for row in ours.means()])
    with pytest.raises(TypeError):
        ir_measures.calc_aggregate([nDCG @ 10], QRELS, RUN)


def test_topics_without_relevance_are_left_out_or_count_as_zero():
    both = [measure("RR"), measure("RR", empty="zero")]
    values = ir_measures.calc_aggregate(both, QRELS, RUN)
    assert [values[object] for object in both] == [0.75, 0.5]
    assert OurProvider(empty="zero").calc_aggregate([RR(rel=1)], QRELS, RUN) != provider.calc_aggregate(
        [RR(rel=1)], QRELS, RUN
    )


def test_gains_of_grades_are_a_scheme():
    gains, exponential = nDCG(gains={1: 5, 2: 20}) @ 10, nDCG(dcg="exp-log2") @ 10
    qrels, run = {"q1": {"a": 2, "b": 1, "c": 0}}, {"q1": {"c": 3.0, "b": 2.0, "a": 1.0}}
    values = provider.calc_aggregate([gains, exponential, ERR @ 5], qrels, run)
    ours = ev.score(qrels, run, ['nDCG(gain="0:0,1:5,2:20")@10', 'nDCG(gain="exp")@10', "ERR(gmax=4)@5"])
    assert [values[object] for object in (gains, exponential, ERR @ 5)] == [row.value for row in ours.means()]


def test_what_has_no_counterpart_is_refused():
    for unknown in (ir_measures.Compat(p=0.9), ir_measures.Accuracy()):
        assert not provider.supports(unknown)
        with pytest.raises(ValueError, match=unknown.NAME):
            provider.calc_aggregate([unknown], QRELS, RUN)
    with refused("misspelt-measure", "nDGC"):
        measure("nDGC@10")


def test_importing_it_adds_names_and_changes_nothing():
    code = """
import ir_measures
before = dict(ir_measures.providers.registry), dict(ir_measures.measures.registry)
pipeline = repr(ir_measures.DefaultPipeline.providers)
import evaluation.ir_measures as ours
after = ir_measures.providers.registry, ir_measures.measures.registry
assert after == (before[0] | {"plumbline": ours.provider}, before[1] | {"Plumbline": ours.OurMeasure})
assert repr(ir_measures.DefaultPipeline.providers) == pipeline
"""
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.parametrize("provided", [(), ("--provider", "plumbline")])
def test_the_command_line_of_ir_measures_finds_our_measures(tmp_path, provided):
    (tmp_path / "qrels").write_text("1 0 a 1\n1 0 b 0\n1 0 c 2\n")
    (tmp_path / "run").write_text("1 Q0 b 1 3 tag\n1 Q0 c 2 2 tag\n1 Q0 a 3 1 tag\n")
    notation = 'nDCG(discount="jk",base=2)@2'
    words = ["qrels", "run", "AP", f"Plumbline(notation={notation!r})", *provided]
    done = subprocess.run(
        [sys.executable, "-m", OurMeasure.__module__, *words],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        text=True,
        check=True,
    )
    scores = ev.score({"1": {"a": 1, "b": 0, "c": 2}}, {"1": {"b": 3, "c": 2, "a": 1}}, ["AP", notation])
    printed = [line.split("\t")[1] for line in done.stdout.splitlines()]
    assert printed == [f"{row.value:.4f}" for row in scores.means()]
