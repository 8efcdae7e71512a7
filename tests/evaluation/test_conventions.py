"""The table of conventions, line by line, over every measure it concerns."""

import math

import pytest

from evaluation import analyses
from evaluation.comparison.agreement import alpha_of_magnitudes
from evaluation.distances import distances
from evaluation.distances.ratings import Ratings
from evaluation.frames import Gains, Judgments
from evaluation.magnitudes import gains as gains_from
from evaluation.magnitudes import normalise
from evaluation.magnitudes.profiles import grade_ratios
from evaluation.measures import DEFINITIONS, parse
from evaluation.runs import Run
from evaluation.scores import score
from tests.evaluation.every_measure import SIZE, gains_for_every, spelled, with_parameter
from tests.evaluation.refusals import refused

EVERY = [spelled(name) for name in DEFINITIONS]
COUNTING = [spelled(name) for name, found in DEFINITIONS.items() if found.counts == "relevant"]
ADDING = [spelled(name) for name, found in DEFINITIONS.items() if found.counts == "gain"]
WITH_IDEAL = [name for name, found in DEFINITIONS.items() if "ideal" in found.defaults]
IDEALS = ("recall_base", "retrieved")
WITH_NORM = [name for name, found in DEFINITIONS.items() if "norm" in found.defaults]

EMPTY_LIST = {
    spelled("NR"): 1 / 2,
    spelled("ASL"): (SIZE + 1) / 2,
    spelled("ESL"): (SIZE - 1) / 2,
    spelled("RBP_residual"): 1,
    spelled("NumRel"): 1,
    spelled("GMAP"): math.log(1e-5),
}
"""Of an empty list and R = 1, what is not 0: the whole collection lies on one level, in any order; nothing is
known of any rank. NumRel does not ask for the list, and GMAP has logarithms."""

NOTHING = {spelled("GMAP"): math.log(1e-5)}
"""What a topic counts with `empty="zero"`, if it is not 0."""


def over_topics(measure, *values):
    """What a measure has for all topics: its total, the mean, or e to the mean of logarithms."""
    name = parse(measure).name
    total = sum(values)
    if name == "GMAP":
        return pytest.approx(math.exp(total / len(values)))
    return total / (1 if name in ("NumRet", "NumRel") else len(values))


def run_of(*rows, tag="run", rank=None):
    topics, documents, scores = zip(*rows, strict=True)
    return Run.from_columns(tag, topics, documents, scores, rank)


def gains_of(*rows):
    return gains_for_every(*zip(*rows, strict=True))


def means(gains, run, measures, **settings):
    return {row.measure: row.value for row in score(gains, [run], measures, **settings).means()}


def test_ideal_list_from_the_recall_base(value):
    # Perfect order of what was retrieved, but the 2 of the recall base is missing: 1/2.
    assert value("nDCG@1", [1], [2]) == 0.5
    assert value('nDCG(ideal="retrieved")@1', [1], [2]) == 1


@pytest.mark.parametrize("name", WITH_IDEAL)
def test_the_ideal_of_every_measure_that_has_one(value, name):
    """⟨3,0,2⟩ and a 3 not retrieved: the ideal is ⟨3,3,2⟩, or ⟨3,2⟩ of what the list holds, which is less."""
    own, retrieved = (value(with_parameter(spelled(name), ideal=i), [3, 0, 2], [3]) for i in IDEALS)
    assert value(spelled(name), [3, 0, 2], [3]) == own
    assert own == retrieved if name in ("CG", "DCG") else own < retrieved


def test_relevance_is_tested_on_the_judged_value_before_any_scheme(value):
    # Under 0-0-0-1 a grade of 1 is worth nothing, and still makes a topic that AP has a value for.
    assert value("AP", [1]) == 1
    assert value('nDCG(gain="0-0-0-1")@1', [1]) is None
    # "pow2" makes an irrelevant document worth 1; it is not relevant for that: k = max(L, R) stays 1.
    assert value('CG(gain="pow2")', [1], [0, 0, 0]) == 2
    assert value("P(rel=2)@2", [1, 2]) == 0.5


def test_unjudged_documents():
    gains = gains_of(("t", "b", 1.0), ("t", "z", 0.0))
    run = run_of(("t", "unknown", 9), ("t", "b", 8), ("t", "z", 7))
    assert means(gains, run, ["RR", "P@1", "nCG@1"]) == {"RR": 0.5, "P@1": 0, "nCG@1": 0}
    condensed = means(gains, run, ["RR", "P@1", "nCG@1"], unjudged="drop")
    assert condensed == {"RR": 1, "P@1": 1, "nCG@1": 1}


def test_a_list_of_unjudged_documents_alone_is_answered_when_condensed():
    gains = gains_of(("t", "b", 1.0), ("t", "z", 0.0))
    run = run_of(("t", "unknown", 9))
    scores = score(gains, [run], EVERY, unjudged="drop", missing="skip")
    assert {row.measure: row.value for row in scores.rows} == pytest.approx(
        {measure: EMPTY_LIST.get(measure, 0) for measure in EVERY}
    )


def test_ties_as_trec_eval_breaks_them():
    gains = gains_of(("t", "b", 1.0), ("t", "a", 0.0))
    # Tied scores: the greater document id first.
    assert means(gains, run_of(("t", "a", 1), ("t", "b", 1)), ["P@1"]) == {"P@1": 1}
    # 1e-10 apart is a tie in 32 bits, as trec_eval 9 compares; 1e-3 apart is not.
    close, apart = (run_of(("t", "a", 1 + difference), ("t", "b", 1)) for difference in (1e-10, 1e-3))
    assert means(gains, close, ["P@1"]) == means(gains, apart, ["P@1"]) == {"P@1": 0}
    assert means(gains, close, ["P@1"], ties="trec_eval9") == {"P@1": 1}
    assert means(gains, apart, ["P@1"], ties="trec_eval9") == {"P@1": 0}
    # −0 and 0 are one number; ids are compared as bytes, so lower case is greater.
    assert means(gains, run_of(("t", "a", 0.0), ("t", "b", -0.0)), ["P@1"]) == {"P@1": 1}
    assert means(gains, run_of(("t", "B", 1), ("t", "b", 1)), ["P@1"]) == {"P@1": 1}
    # Infinite scores have their place, too large ones for 32 bits are infinite there.
    ends = run_of(("t", "b", float("inf")), ("t", "a", float("-inf")), ("t", "c", 1e300))
    assert means(gains, ends, ["P@1"]) == {"P@1": 1}
    assert means(gains, ends, ["P@1"], ties="trec_eval9") == {"P@1": 0}


def test_as_ranked_follows_the_rank_column():
    gains = gains_of(("t", "b", 1.0), ("t", "a", 0.0))
    run = run_of(("t", "a", 9), ("t", "b", 1), rank=[1, 0])
    assert means(gains, run, ["P@1"]) == {"P@1": 0}
    assert means(gains, run, ["P@1"], ties="as_ranked") == {"P@1": 1}
    with refused("run-without-ranks", "'run'"):
        means(gains, run_of(("t", "a", 9)), ["P@1"], ties="as_ranked")


@pytest.mark.parametrize("measure", EVERY)
def test_a_topic_with_nothing_relevant_has_no_value(measure):
    gains = gains_of(("t", "a", 1.0), ("u", "a", 0.0))
    run = run_of(("t", "a", 1), ("u", "a", 1))
    scores = score(gains, [run], [measure])
    assert [row.value for row in scores.rows] == [scores.rows[0].value, None]
    assert scores.means()[0].value == over_topics(measure, scores.rows[0].value)
    assert scores.notices.topics("topics-without-value") == {measure: ("u",)}
    counted = score(gains, [run], [measure], empty="zero")
    nothing = NOTHING.get(measure, 0)
    assert counted.rows[1].value == nothing
    assert counted.means()[0].value == over_topics(measure, scores.rows[0].value, nothing)


def test_no_topic_with_anything_relevant_has_no_mean():
    gains = gains_of(("t", "a", 0.0))
    assert set(means(gains, run_of(("t", "a", 1)), EVERY).values()) == {None}


@pytest.mark.parametrize("measure", EVERY)
def test_a_judged_topic_that_a_run_does_not_answer(measure):
    gains = gains_of(("t", "a", 1.0), ("u", "a", 1.0))
    run = run_of(("t", "a", 1))
    scores = score(gains, [run], [measure])
    assert scores.rows[1].value == pytest.approx(EMPTY_LIST.get(measure, 0))
    assert scores.means()[0].value == over_topics(measure, *(row.value for row in scores.rows))
    assert scores.notices.topics("topics-not-answered") == {"run": ("u",)}
    skipped = score(gains, [run], [measure], missing="skip")
    assert skipped.rows[1].value is None
    assert skipped.means()[0].value == over_topics(measure, scores.rows[0].value)


@pytest.mark.parametrize("measure", EVERY)
def test_a_topic_in_the_run_alone_is_ignored_and_counted(measure):
    gains = gains_of(("t", "a", 1.0))
    alone = score(gains, [run_of(("t", "a", 1))], [measure])
    more = score(gains, [run_of(("t", "a", 1), ("x", "a", 1), ("w", "b", 1))], [measure])
    assert more.rows == alone.rows
    assert more.notices.topics("topics-not-judged") == {"run": ("w", "x")}


def test_lists_shorter_than_the_cutoff(value):
    assert value("P@10", [1]) == 0.1
    # nCG stays flat past both ends.
    assert value("nCG@10", [1], [1]) == value("nCG@2", [1], [1]) == 0.5


def test_no_cutoff_given(value):
    # L = 2, R = 3: k = 3, so P = 2/3; nDCG is measured where the ideal is complete.
    assert value("P", [1, 1], [1]) == pytest.approx(2 / 3)
    assert value("nCG", [1, 1], [1]) == pytest.approx(2 / 3)
    # L = 4, R = 1: k = 4.
    assert value("P", [0, 0, 0, 1]) == 1 / 4
    for measure in ("AnCG", "AnDCG"):
        with refused("cutoff-missing", measure):
            value(measure, [1])


@pytest.mark.parametrize("name", WITH_NORM)
def test_a_sum_over_relevant_ranks_is_divided_by_r_or_by_what_fits_above_the_cutoff(value, name):
    """R = 6 and k = 5: by 6, or by 5."""
    lists = [0, 2, 0, 3, 0], [2, 1, 1, 1]
    by_r = value(f"{name}@5", *lists)
    assert value(f'{name}(norm="R")@5', *lists) == by_r
    assert value(f'{name}(norm="min")@5', *lists) == pytest.approx(by_r * 6 / 5)


def test_the_norm_of_q(value):
    """cg ⟨0,2,2,5,5⟩, cgI ⟨3,5,6,7,8⟩: (2 + 1)/(5 + 2) + (5 + 2)/(7 + 4) = 1.065."""
    assert value("Q@5", [0, 2, 0, 3, 0], [1, 1, 1, 1]) == pytest.approx((3 / 7 + 7 / 11) / 6)
    assert value('Q(norm="min")@5', [0, 2, 0, 3, 0], [1, 1, 1, 1]) == pytest.approx((3 / 7 + 7 / 11) / 5)


@pytest.mark.parametrize("bad", [-1.0, float("nan"), float("inf")])
def test_gains_are_finite_and_not_negative(bad):
    with refused(("gain-not-finite", "negative-gain"), "gain", at="row 2"):
        gains_of(("t", "a", 1.0), ("t", "b", bad))


def test_negative_codes_count_zero_where_asked():
    gains = Gains.from_columns(["t", "t"], ["a", "b"], [-2, 1.5], negative="zero")
    assert gains.values.tolist() == [0, 1.5]


@pytest.mark.parametrize("measure", EVERY)
def test_runs_topics_and_ranks_in_one_call(measure):
    """A batch gives what each run and topic gives alone."""
    judged = [("t", "a", 1.0), ("t", "b", 0.5), ("u", "a", 2.0), ("u", "c", 0.0), ("u", "d", 1.0)]
    judged.append(("v", "a", 1.0))
    one = run_of(("t", "a", 1), ("t", "c", 2), ("u", "d", 3), tag="one")
    two = run_of(("t", "b", 1), ("u", "a", 2), ("u", "c", 3), ("u", "b", 1), ("v", "a", 1), tag="two")
    # A number for gmax, as the largest gain of the file differs between a file and its parts.
    measure = measure.replace('gmax="file"', "gmax=2")
    together = {row[:2]: row.value for row in score(gains_of(*judged), [one, two], [measure]).rows}
    assert len(together) == 6
    for run in (one, two):
        for topic in "tuv":
            part = gains_of(*(row for row in judged if row[0] == topic))
            assert score(part, [run], [measure]).rows[0].value == together[run.tag, topic]


def test_relevance_from_judgments_of_its_own():
    gains = gains_of(("t", "a", 5.0), ("t", "b", 2.0))
    rel = gains_of(("t", "b", 1.0), ("t", "c", 1.0), ("u", "a", 1.0))
    run = run_of(("t", "a", 3), ("t", "c", 2), ("t", "b", 1))
    scores = score(gains, [run], ["P@1", "R@2", "CG@1", "CG@2", "nCG@2"], rel=rel)
    by_topic = {(row.topic, row.measure): row.value for row in scores.rows}
    # a has gain alone, c relevance alone; R = 2.
    assert by_topic["t", "P@1"] == 0
    assert by_topic["t", "R@2"] == 0.5
    assert by_topic["t", "CG@1"] == by_topic["t", "CG@2"] == 5
    assert by_topic["t", "nCG@2"] == pytest.approx(5 / 7)
    # Topic u is judged for relevance alone: no gain, so no value for what adds gains.
    assert (by_topic["u", "P@1"], by_topic["u", "CG@1"]) == (0, None)


@pytest.mark.parametrize("measure", COUNTING)
def test_warning_where_every_judged_document_is_relevant(measure):
    gains = gains_of(("t", "a", 0.2), ("t", "b", 7.0), ("u", "a", 0.0), ("u", "b", 1.0))
    run = run_of(("t", "a", 1))
    assert score(gains, [run], [measure]).notices.topics("positives-only") == {"": ("t",)}
    result = with_parameter(measure, rel=1)
    assert score(gains, [run], [result]).notices.topics("positives-only") == {}


def test_measures_that_add_gains_give_no_such_warning():
    gains = gains_of(("t", "a", 0.2))
    assert score(gains, [run_of(("t", "a", 1))], ADDING).notices.topics("positives-only") == {}


def test_one_tag_is_one_run():
    gains = gains_of(("t", "a", 1.0))
    with refused("tag-used-twice", "'run'"):
        score(gains, [run_of(("t", "a", 1)), run_of(("t", "a", 1))], ["AP"])


def test_measures_keep_the_names_they_were_asked_for_by():
    gains = gains_of(("t", "a", 1.0))
    measures = ["nDCG( discount=jk,base=2 )@10", "nDCG@10"]
    assert list(score(gains, [run_of(("t", "a", 1))], measures).measures) == measures


def test_a_single_measure_needs_no_list():
    gains, run = gains_of(("t", "a", 1.0)), run_of(("t", "a", 1))
    for alone in ("nDCG@10", parse("nDCG@10")):
        assert score(gains, [run], alone).rows == score(gains, [run], ["nDCG@10"]).rows


def test_a_topic_named_like_the_mean_is_refused():
    gains = gains_of(("all", "a", 1.0), ("t", "b", 1.0))
    for call in (
        lambda: score(gains, [run_of(("t", "a", 1))], "AP"),
        lambda: score(gains_of(("t", "a", 1.0)), [run_of(("t", "a", 1))], "AP", rel=gains),
    ):
        with refused("topic-named-all", at="row 1"):
            call()
    # A topic of the run alone is ignored, whatever its name.
    assert means(gains_of(("t", "a", 1.0)), run_of(("all", "a", 1), ("t", "a", 1)), ["AP"]) == {"AP": 1}


def test_a_topic_named_all_is_refused_wherever_rows_of_all_are_written():
    rows = [("all", "u", "a", 2.0), ("all", "u", "b", 4.0), ("all", "v", "a", 1.0), ("t", "v", "b", 3.0)]
    judgments = Judgments(rows)
    ratings = Ratings.from_columns(["all"] * 2, ["a", "b"], [1, 2])
    grades = gains_of(("all", "a", 0.0), ("all", "b", 3.0))
    for call in (
        lambda: distances(ratings, ratings, "ndpm"),
        lambda: analyses.cost(judgments, pay=1),
        lambda: alpha_of_magnitudes(judgments, normalise(judgments)),
        lambda: grade_ratios(gains_from(judgments), grades, low=(0,)),
    ):
        with refused("topic-named-all", at="row 1"):
            call()
    assert len(analyses.cost(Judgments(rows[:2]), pay=1)) == 2  # alone, it is the same as all topics


def test_a_run_without_one_judged_document_is_named():
    judged = gains_of(("t", "DOC-1", 1.0), ("u", "DOC-2", 1.0))
    apart, near = run_of(("t", "doc-1", 2), ("u", "doc-2", 1)), run_of(("t", "DOC-1", 2), ("u", "x", 1))
    for unjudged in ("zero", "drop"):
        notices = score(judged, [apart.replaced()], "AP", unjudged=unjudged).notices
        assert "run" in notices.topics("no-document-judged")
        near_notices = score(judged, [near], "AP", unjudged=unjudged).notices
        assert not near_notices.topics("no-document-judged")
    notices = score(judged, [run_of(("v", "a", 1))], "AP").notices
    assert notices.topics("no-topic-judged") == {"run": ("v",)}
    assert not notices.topics("no-document-judged")
