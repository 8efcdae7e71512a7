"""Unjudged documents with the gain of a document that is not relevant: `unjudged="N"`."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

import evaluation as ev
from evaluation.measures.unjudged import floors_of_grades
from tests.evaluation.every_measure import EVERY
from tests.evaluation.refusals import refused

GAINS = {"t": {"a": 8.0, "b": 4.0, "c": 2.0}}
GRADES = {"t": {"a": 2, "b": 1, "c": 0}}
OF_GAINS = [
    "CG@3",
    "DCG@3",
    "nCG@3",
    "nDCG@3",
    "nDCG",
    "AnDCG@3",
    "MSR@3",
    'ERR(gmax="topic")@3',
    'gP(gmax="topic")@3',
]
OF_GAINS += ['nERR(gmax="topic")@3', 'RBP(gain="linear", gmax="topic")@3', 'nDCG(ideal="retrieved")@3']
DOCUMENTS = st.sampled_from("abcdefgh")
JUDGED = st.dictionaries(DOCUMENTS, st.integers(1, 6).map(float), min_size=1)
LISTS = st.lists(DOCUMENTS, unique=True, min_size=1)


def ranked(documents):
    return {"t": {document: -float(place) for place, document in enumerate(documents)}}


def value(measure, gains, run, **conventions):
    return ev.score(gains, run, measure, unjudged="N", **conventions).values[0, 0, 0]


def test_the_floor_is_the_median_gain_of_the_lowest_grade():
    gains = {"t": {"a": 8, "b": 2, "c": 3, "d": 7}, "u": {"a": 5}, "v": {"a": 1}}
    grades = {"t": {"a": 3, "b": 1, "c": 1, "e": 0}, "u": {"a": 2}}
    assert floors_of_grades(ev.Gains(gains), ev.Gains(grades)) == {"t": 2.5, "u": 5}


def test_an_unjudged_document_is_worth_the_floor():
    """The list x, a, c has the gains 2, 8, 2; the ideal 8, 4, 2."""
    own, ideal = 2 + 8 / math.log2(3) + 2 / 2, 8 + 4 / math.log2(3) + 2 / 2
    assert value("nDCG@3", GAINS, ranked("xac"), rel=GRADES) == pytest.approx(own / ideal)
    assert value("nDCG@3", GAINS, ranked("xac"), floors={"t": 2}) == pytest.approx(own / ideal)
    assert value("CG@3", GAINS, ranked("xac"), floors={"t": 0.5}) == 10.5


def test_the_ideal_list_goes_on_with_unjudged_documents():
    """One judged document of gain 4, and another that is worth less than an unjudged one."""
    gains, floors = {"t": {"a": 4.0, "b": 0.25}}, {"t": 1.0}
    assert value("nCG@3", gains, ranked("a"), floors=floors) == pytest.approx(4 / 6)
    assert value("nCG@3", gains, ranked("axy"), floors=floors) == 1
    assert value("nCG@3", gains, ranked("abx"), floors=floors) == pytest.approx(5.25 / 6)
    # Without a cut-off, k is the length of the list or the number of relevant documents.
    assert value("nCG", gains, ranked("axyz"), floors=floors) == 1


def test_without_a_floor_nothing_changes():
    for measure in OF_GAINS:
        zero = ev.score(GAINS, ranked("xac"), measure).values
        assert ev.score(GAINS, ranked("xac"), measure, unjudged="N", floors={"t": 0}).values == pytest.approx(
            zero
        )


@given(JUDGED, LISTS, LISTS, st.sampled_from(OF_GAINS))
def test_a_run_has_the_same_value_beside_any_other(judged, documents, others, measure):
    alone = value(measure, {"t": judged}, ranked(documents), floors={"t": 1.5})
    beside = ev.score(
        {"t": judged}, {"a": ranked(documents), "b": ranked(others)}, measure, unjudged="N", floors={"t": 1.5}
    )
    assert beside.values[0, 0, 0] == pytest.approx(alone, nan_ok=True)
    if not measure.startswith(("CG", "DCG")):
        assert 0 <= alone <= 1 + 1e-12


@given(JUDGED, LISTS, st.sampled_from(["nDCG@3", "nCG@5", "CG@4"]))
def test_judging_a_document_that_is_not_relevant_changes_nothing(judged, documents, measure):
    """That is what the convention is for: a document at the floor may be judged or not."""
    judged = judged | {"a": 4.0}
    fewer = {document: gain for document, gain in judged.items() if gain != 1}
    both = [value(measure, {"t": of}, ranked(documents), floors={"t": 1}) for of in (judged, fewer)]
    assert both[0] == pytest.approx(both[1])


def test_relevance_does_not_change():
    definitions = {name: ev.parse(name).definition for name in EVERY}
    counting = [
        name
        for name, definition in definitions.items()
        if definition.counts != "gain" and not definition.whole_base and not definition.by_subtopic
    ]
    grades = {"t": {"a": 2, "b": 1, "c": 0}}
    plain = ev.score(GAINS, ranked("xac"), counting, rel=grades)
    floored = ev.score(GAINS, ranked("xac"), counting, rel=grades, unjudged="N")
    assert len(counting) > 10
    assert floored.values == pytest.approx(plain.values, nan_ok=True)


@pytest.mark.parametrize("measure", ["AGR", "Compat", "Q", "R_measure", "WAP", "gR", 'nDCG(adjust="agr")@3'])
def test_measures_of_the_whole_recall_base_are_refused(measure):
    with refused("measure-without-floor", measure.partition("(")[0]):
        value(measure, GAINS, ranked("xac"), rel=GRADES)


def test_what_is_missing_or_wrong_is_named():
    with refused("topic-without-floor", "t"):
        value("nDCG@3", GAINS, ranked("xac"))
    with refused("topic-without-floor", "t"):
        value("nDCG@3", GAINS, ranked("xac"), rel={"t": {"unknown": 1}})
    for floor in (-1, math.inf, math.nan):
        with refused("invalid-floor", "t"):
            value("nDCG@3", GAINS, ranked("xac"), floors={"t": floor})
    with refused("floor-with-averaged-ties", "nDCG"):
        value('nDCG(ties="averaged")@3', GAINS, ranked("xac"), rel=GRADES)
