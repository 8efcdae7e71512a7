"""Whether runs fit judgments: each finding where it belongs, and nowhere else."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

import evaluation as ev
from evaluation.fit import SPELLINGS, Fit
from tests.evaluation.command_results import output_of
from tests.evaluation.refusals import assert_fault, refused

QRELS = {"1": {"d1": 1, "d2": 0}, "2": {"d3": 2, "d4": 0}}
WHOLE = {"1": {"d1": 2.0, "d2": 1.0}, "2": {"d3": 2.0, "d4": 1.0}}


def codes(fit: Fit, *, warnings: bool = True) -> list[str]:
    return [finding.code for finding in (fit.warnings if warnings else fit.findings)]


def test_a_run_that_fits_has_no_warning():
    fit = ev.check(QRELS, {"whole": WHOLE})
    assert codes(fit) == []
    assert codes(fit, warnings=False) == ["qrels", "run", "judged-share"]
    assert [finding.run for finding in fit.findings] == ["", "whole", "whole"]


@pytest.mark.parametrize(
    ("qrels", "run", "code", "count"),
    [
        ({"1": {"d1": 1}, "2": {"d3": 2}}, WHOLE, "positives-only", 2),
        (QRELS, {**WHOLE, "3": {"d1": 1.0}, "4": {"d1": 1.0}}, "topics-not-judged", 2),
        (QRELS, {"1": WHOLE["1"]}, "topics-not-answered", 1),
        (QRELS, {"7": {"d1": 1.0}}, "no-topic-judged", 1),
        (QRELS, {"1": {"x": 1.0}, "2": {"y": 2.0}}, "no-document-judged", 2),
        (QRELS, {**WHOLE, "1": {"d1": 2.0, "x": 1.0, "y": 0.5}}, "judged-share", 3),
        (QRELS, {**WHOLE, "1": {"d1": 1.0, "d2": 1.0}}, "tied-scores", 1),
        (QRELS, {**WHOLE, "1": {"d1": 1.0, "d2": 1.0 + 1e-12}}, "close-scores", 1),
    ],
)
def test_what_does_not_fit_is_found(qrels, run, code, count):
    fit = ev.check(qrels, {"run": run})
    (found,) = [finding for finding in fit.warnings if finding.code == code]
    assert found.count == count
    assert found.run == ("" if code == "positives-only" else "run")
    assert str(found) in fit.sentences()


def test_ranks_against_the_scores_are_found(file):
    text = "1 Q0 d1 1 1 tag\n1 Q0 d2 2 2 tag\n2 Q0 d3 1 2 tag\n2 Q0 d4 2 1 tag\n"
    (found,) = ev.check(QRELS, [file(text)]).warnings
    assert (found.code, found.count) == ("ranks-against-scores", 1)


@pytest.mark.parametrize(
    ("ours", "theirs", "reason"),
    [
        ("D1", "d1", "upper and lower case differ"),
        ("007", "7", "one of them has zeros at its beginning"),
        ("msmarco:17", "17", "one of them has a prefix"),
        ("17", "doc_17", "one of them has a prefix"),
        ("17.html", "17", "one of them has a suffix"),
        ("LA-0101", "LA0101", "one of them has an ending of letters or punctuation"),
    ],
)
def test_the_likeliest_cause_is_named_with_an_example(ours, theirs, reason):
    assert reason in SPELLINGS
    for qrels, run, code in (
        ({"t": {theirs: 1}}, {"t": {ours: 1.0}}, "no-document-judged"),
        ({theirs: {"d": 1}}, {ours: {"d": 1.0}}, "no-topic-judged"),
    ):
        (found,) = [finding for finding in ev.check(qrels, run).warnings if finding.code == code]
        assert reason in found.text
        assert repr(ours) in found.text
        assert repr(theirs) in found.text


def test_ids_that_nothing_makes_alike_are_of_another_collection():
    (found,) = [f for f in ev.check(QRELS, {"1": {"x9": 1.0}, "2": {"x8": 1.0}}).warnings if f.count == 2]
    assert not any(reason in found.text for reason in SPELLINGS)
    assert repr("x9") in found.text


IDS = st.text("abAB01:-. ", min_size=1, max_size=4).filter(str.strip)
LISTS = st.dictionaries(
    IDS, st.dictionaries(IDS, st.floats(0, 3), min_size=1, max_size=4), min_size=1, max_size=3
)


@given(qrels=LISTS, run=LISTS)
def test_every_pair_is_checked_and_nothing_in_common_is_always_said(qrels, run):
    fit = ev.check(qrels, run)
    found = {*codes(fit)}
    topics = qrels.keys() & run.keys()
    assert ("no-topic-judged" in found) == (not topics)
    common = any(qrels[topic].keys() & run[topic].keys() for topic in topics)
    assert ("no-document-judged" in found) == bool(topics and not common)


def test_the_command_writes_the_findings(shell, file):
    qrels, run = file("1 0 d1 1\n1 0 d2 0\n", "qrels"), file("1 Q0 d1 1 2 tag\n1 Q0 d2 2 1 tag\n", "run")
    assert output_of(shell("check", qrels, run, "--strict")).count("\n") == 3
    rows = json.loads(output_of(shell("check", qrels, run, "--format", "json")))
    assert [row["code"] for row in rows] == ["qrels", "run", "judged-share"]
    other = file("1 Q0 D1 1 2 tag\n", "other")
    assert shell("check", qrels, other).returncode == 0
    assert_fault(shell("check", qrels, other, "--strict", "-o", "findings"), "1", "--strict")


def test_a_document_that_is_retrieved_twice_is_refused(file):
    path = file("1 Q0 d1 1 2 tag\n1 Q0 d1 2 1 tag\n")
    with refused("document-retrieved-twice", "d1", at=f"{path}:2"):
        ev.check(QRELS, [path])
