"""Whether runs fit judgments: each finding where it belongs, and nowhere else."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

import evaluation as ev
from evaluation.notices import Notices
from evaluation.run_notices import SPELLINGS
from tests.evaluation.command_results import output_of
from tests.evaluation.refusals import refused

QRELS = {"1": {"d1": 1, "d2": 0}, "2": {"d3": 2, "d4": 0}}
WHOLE = {"1": {"d1": 2.0, "d2": 1.0}, "2": {"d3": 2.0, "d4": 1.0}}


def codes(notices: Notices) -> list[str]:
    return [notice.code for notice in notices]


def test_a_run_that_fits_has_no_warning():
    fit = ev.check(QRELS, {"whole": WHOLE})
    assert codes(fit.warnings) == []
    assert codes(fit) == ["qrels", "run", "judged-share"]
    assert [notice.run for notice in fit] == ["", "whole", "whole"]


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
    if code not in ("judged-share",):
        assert code in codes(ev.score(qrels, {"run": run}, "P").notices)


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
        assert reason in str(found.text)
        assert repr(ours) in str(found)
        assert repr(theirs) in str(found)


def test_ids_that_nothing_makes_alike_are_of_another_collection():
    (found,) = [f for f in ev.check(QRELS, {"1": {"x9": 1.0}, "2": {"x8": 1.0}}).warnings if f.count == 2]
    assert not any(reason in str(found) for reason in SPELLINGS)
    assert repr("x9") in str(found)


IDS = st.text("abAB01:-. ", min_size=1, max_size=4).filter(str.strip)
LISTS = st.dictionaries(
    IDS, st.dictionaries(IDS, st.floats(0, 3), min_size=1, max_size=4), min_size=1, max_size=3
)


@given(qrels=LISTS, run=LISTS)
def test_every_pair_is_checked_and_nothing_in_common_is_always_said(qrels, run):
    fit = ev.check(qrels, run)
    found = {*codes(fit)}
    assert {*codes(ev.score(qrels, run, "P").notices.warnings)} >= found - {"qrels", "run", "judged-share"}
    topics = qrels.keys() & run.keys()
    assert ("no-topic-judged" in found) == (not topics)
    common = any(qrels[topic].keys() & run[topic].keys() for topic in topics)
    assert ("no-document-judged" in found) == bool(topics and not common)


def test_the_command_writes_the_facts_and_warns_of_the_rest(shell, file):
    qrels, run = file("1 0 d1 1\n1 0 d2 0\n", "qrels"), file("1 Q0 d1 1 2 tag\n1 Q0 d2 2 1 tag\n", "run")
    assert output_of(shell("check", qrels, run, "--strict")).count("\n") == 3
    rows = json.loads(output_of(shell("check", qrels, run, "--format", "json")))
    assert [row["code"] for row in rows] == ["qrels", "run", "judged-share"]


@pytest.mark.parametrize("command", [("check",), ("score", "-m", "P")])
def test_with_strict_a_warning_is_an_error(shell, file, command):
    qrels, other = file("1 0 d1 1\n1 0 d2 0\n", "qrels"), file("1 Q0 D1 1 2 tag\n", "other")
    lenient, strict = shell(*command, qrels, other), shell(*command, qrels, other, "--strict")
    assert (lenient.returncode, strict.returncode) == (0, 1)
    warnings, errors = (done.stderr.splitlines() for done in (lenient, strict))
    assert warnings
    assert errors[:-1] == warnings
    assert "--strict" in errors[-1]


MANY = [{"t": {f"d{number}": 1.0 for number in range(run + 1)}, f"of {run}": {"x": 1.0}} for run in range(9)]


def test_each_kind_of_notice_is_said_once():
    """With all its runs: the first by name, the others by number."""
    notices = ev.check({"t": {"d0": 1, "d1": 0}}, {f"run {place}": run for place, run in enumerate(MANY)})
    assert len(notices.topics("topics-not-judged")) == len(MANY)
    (said,) = [sentence for sentence in notices.warnings.sentences() if "of 0" in sentence]
    assert all(f"run {place}" in said for place in range(3))
    assert "run 3" not in said
    assert str(len(MANY) - 3) in said
    assert len(notices.warnings.sentences()) == len({notice.code for notice in notices.warnings})


def test_a_document_that_is_retrieved_twice_is_refused(file):
    path = file("1 Q0 d1 1 2 tag\n1 Q0 d1 2 1 tag\n")
    with refused("document-retrieved-twice", "d1", at=f"{path}:2"):
        ev.check(QRELS, [path])
