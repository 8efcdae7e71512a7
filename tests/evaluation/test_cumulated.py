"""The cumulated gain family on the worked vectors of its sources."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.measures import parse
from evaluation.scores import curves, score
from tests.evaluation.conftest import made
from tests.evaluation.refusals import refused

FOUND = [3, 2, 3, 0, 0, 1, 2, 2, 3, 0]  # G′ of Järvelin & Kekäläinen
MISSED = [1, 1, 1]  # what it does not retrieve of the recall base …
IDEAL = [3, 3, 3, 2, 2, 2, 1, 1, 1, 1]  # … whose ideal list is I′


@pytest.fixture
def vectors(collection):
    """The curves of G′ against I′."""
    gains, run = collection({"t": (FOUND, MISSED)})
    return lambda measure: curves(gains, [run], measure)


def test_cumulated_gain_of_the_source(vectors):
    result = vectors("CG@13")
    assert result.own[0, 0, :10].tolist() == [3, 5, 8, 8, 8, 9, 11, 13, 16, 16]
    assert result.ideal[0, 0].tolist() == [3, 6, 9, 11, 13, 15, 16, 17, 18, 19, 19, 19, 19]


def test_discounted_cumulated_gain_of_the_source(vectors):
    result = vectors('DCG(discount="jk", base=2)@13')
    # Rank 2: 2/log2(2) = 2; rank 3: 3/log2(3) = 1.89; rank 6: 1/2.585 = .387 …
    assert result.own[0, 0, :10] == pytest.approx(
        [3, 5, 6.89, 6.89, 6.89, 7.28, 7.99, 8.66, 9.61, 9.61], abs=0.005
    )
    # Two digits are cut, not rounded, in the source: 10.52, 11.21.
    assert result.ideal[0, 0, :11] == pytest.approx(
        [3, 6, 7.89, 8.89, 9.75, 10.53, 10.88, 11.22, 11.53, 11.83, 11.83], abs=0.006
    )


def test_normalised_vectors_of_the_source(vectors):
    assert vectors("nCG@10").normalised()[0, 0] == pytest.approx(
        [1, 0.83, 0.89, 0.73, 0.62, 0.6, 0.69, 0.76, 0.89, 0.84], abs=0.0051
    )
    assert vectors('nDCG(discount="jk", base=2)@10').normalised()[0, 0] == pytest.approx(
        [1, 0.83, 0.87, 0.78, 0.71, 0.69, 0.73, 0.77, 0.83, 0.81], abs=0.0051
    )


def test_ndcg_with_the_log2_discount(value):
    assert value("nDCG@10", FOUND, MISSED) == pytest.approx(0.8336, abs=5e-5)


def test_mean_over_ranks_is_the_mean_of_the_normalised_vector(value):
    # Gains ⟨0, 2⟩, ideal ⟨2, 0⟩: nCG ⟨0, 1⟩, nDCG ⟨0, 1/log2 3⟩.
    assert value("AnCG@2", [0, 2]) == pytest.approx(0.5)
    assert value("AnDCG@2", [0, 2]) == pytest.approx(1 / math.log2(3) / 2)
    # Past both ends the curves stay flat: ⟨0, 1, 1, 1⟩, and a far cut-off costs no memory.
    assert value("AnCG@4", [0, 2]) == pytest.approx(0.75)
    assert value("AnCG@1000000", [0, 2]) == pytest.approx(1 - 1e-6)
    assert value("AnCG@4", [0, 2], average="ratio_of_means") == pytest.approx(0.75)


def test_averages_over_topics(collection):
    """Lists ⟨3,0⟩ of ideal ⟨3,3⟩ and ⟨0,1⟩ of ⟨1,1⟩."""
    gains, run = collection({"a": ([3, 0], [3]), "b": ([0, 1], [1])})
    result = curves(gains, [run], "nCG@2")
    assert result.mean_of_ratios().tolist() == [[0.5, 0.5]]
    assert result.ratio_of_means().tolist() == [[0.75, 0.5]]
    by_ratio = score(gains, [run], ["nCG@1", "AnCG@2", "CG@1", "P@1"], average="ratio_of_means").means()
    # AnCG of the mean vectors: (.75 + .5)/2; CG and P have their mean over topics only.
    assert [row.value for row in by_ratio] == [0.75, 0.625, 1.5, 0.5]


def test_ratio_of_means_over_the_topics_a_run_answers(collection):
    gains, _ = collection({"a": ([3, 0], [3]), "b": ([0, 1], [1])})
    _, run = collection({"a": ([3, 0], ())})
    settings = {"average": "ratio_of_means", "missing": "skip"}
    assert score(gains, [run], ["nCG@2"], **settings).means()[0].value == 0.5
    # Counted as an empty list, topic b adds its ideal ⟨1, 2⟩: 3/(6 + 2).
    assert score(gains, [run], ["nCG@2"], average="ratio_of_means").means()[0].value == pytest.approx(3 / 8)


def test_empty_topics_leave_both_averages(collection):
    gains, run = collection({"a": ([1, 0], ()), "none": ([0, 0], ())})
    result = curves(gains, [run], "nDCG@2")
    assert result.empty.tolist() == [False, True]
    assert result.mean_of_ratios().tolist() == result.ratio_of_means().tolist() == [[1, 1]]
    nothing = curves(*_nothing(collection), "nDCG@2")
    assert np.isnan(nothing.mean_of_ratios()).all()
    assert np.isnan(nothing.ratio_of_means()).all()


def _nothing(collection):
    gains, run = collection({"none": ([0, 0], ())})
    return gains, [run]


@pytest.mark.parametrize(
    ("discount", "expected"),
    [
        ('discount="none"', 1 + 2 + 4),
        ('discount="rank"', 1 + 2 / 2 + 4 / 3),
        ('discount="log2"', 1 + 2 / math.log2(3) + 4 / 2),
        ('discount="jk", base=2', 1 + 2 + 4 / math.log2(3)),
        # No boost below the base: ranks 1 and 2 are < e, rank 3 is divided by ln 3.
        ('discount="jk", base=2.718281828459045', 1 + 2 + 4 / math.log(3)),
        ('discount="jk", base=10', 7),
    ],
)
def test_discounts(value, discount, expected):
    assert value(f"DCG({discount})@3", [1, 2, 4]) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("scheme", "expected"),
    [("linear", 5), ("exp", 0 + 3 + 7), ("pow2", 1 + 4 + 8), ("0-1-10-100", 110), ("0-1-2.5-4", 6.5)],
)
def test_gain_schemes(value, scheme, expected):
    assert value(f'CG(gain="{scheme}")@3', [0, 2, 3]) == pytest.approx(expected)


def test_an_unjudged_document_has_no_gain_under_any_scheme(collection):
    gains, _ = collection({"t": ([0, 2], ())})
    _, run = collection({"t": ([0, 0, 0], ())})  # retrieves t-0, t-1 and the unjudged t-2
    assert score(gains, [run], ['CG(gain="pow2")@3']).means()[0].value == 1 + 4


def test_a_judged_value_without_a_gain_is_refused(value):
    with refused("value-not-in-scheme", "4", "'0-1-2'", "'t-1'", "'t'", at="row 2"):
        value('nDCG(gain="0-1-2")@3', [2, 4])
    with refused("value-not-in-scheme", "1.5", at="row 1"):
        value('nDCG(gain="0-1-2")@3', [1.5])
    with refused("value-too-large-for-scheme", "2000", at="row 1"):
        value('nDCG(gain="exp")@3', [2000])


def test_gains_too_large_to_add_up(value, collection):
    assert value("CG@2", [8e307, 9e307]) == pytest.approx(1.7e308)
    for gains, rest in (([1e308, 1e308], ()), ([1e308], [1e308])):
        judged, run = collection({"t": (gains, rest)})
        with refused("gains-too-large-to-add", "nCG@2"):
            value("nCG@2", gains, rest)
        with refused("gains-too-large-to-add", "nCG@2"):
            curves(judged, [run], "nCG@2")


def test_ideals(value):
    # Retrieved ⟨1, 2⟩, a 3 not retrieved: 3/(3 + 2) of the recall base's best two, 3/(2 + 1) of its own.
    assert value("nCG@2", [1, 2], [3]) == pytest.approx(3 / 5)
    assert value('nCG(ideal="retrieved")@2', [1, 2], [3]) == 1
    # The retrieved ideal is that of the whole list, also below the cut-off.
    assert value('nCG(ideal="retrieved")@1', [1, 2], [3]) == pytest.approx(1 / 2)


def test_frozen_beyond_the_recall_base(value):
    """Five relevant of one grade, one retrieved at rank 5 or at rank 1000: nCG@1000 = .2 both times."""
    assert value("nCG@1000", [0] * 4 + [1], [1] * 4) == pytest.approx(0.2)
    assert value("nCG@1000", [0] * 999 + [1], [1] * 4) == pytest.approx(0.2)


def test_only_this_family_has_vectors(collection):
    gains, run = collection({"t": ([1], ())})
    with refused("measure-without-curves", "AP"):
        curves(gains, [run], parse("AP"))


def test_effort_of_the_source(vectors):
    """CG′ ⟨3,5,8,8,8,9,11,13,16,16⟩ first reaches 3, 6, 9, 11, 13 at the ranks 1, 3, 6, 7, 8; never 17."""
    result = vectors("CG@13")
    assert result.effort()[0, 0, :5].tolist() == [1, 3, 6, 7, 8]
    assert result.effort()[0, 0, 5:7].tolist() == [9, 9]  # 15 and 16
    assert np.isnan(result.effort()[0, 0, 7:]).all()
    assert result.relative_effort()[0, 0, :5] == pytest.approx([1, 1.5, 2, 1.75, 1.6])


def test_gap_to_the_ideal_of_the_source(vectors):
    assert vectors("CG@13").gap()[0, 0, :5].tolist() == [0, 1, 1, 3, 5]
    assert vectors("CG@13").gap()[0, 0, 9] == 19 - 16


def test_stopping_rank(collection):
    gains, run = collection({"t": (IDEAL, ())})
    assert curves(gains, [run], "CG@13").stop.tolist() == [[10]]
    # It is the ideal's, wherever the measure stops looking, and under a scheme that of its gains.
    assert curves(gains, [run], "nDCG@3").stop.tolist() == [[10]]
    assert curves(gains, [run], 'CG(gain="0-0-0-1")@13').stop.tolist() == [[3]]
    gains, run = collection({"t": ([1], [2])})
    assert curves(gains, [run], 'CG(ideal="retrieved")@13').stop.tolist() == [[1]]


def test_effort_by_topic_and_of_the_mean_curves(collection):
    gains, run = collection({"a": ([0, 3], ()), "b": ([1, 1], ()), "none": ([0], ())})
    result = curves(gains, [run], "CG@2")
    # a has CG ⟨0, 3⟩ of ⟨3, 3⟩, b is ideal; the topic without gain has no effort.
    assert result.effort()[0, :2].tolist() == [[2, 2], [1, 2]]
    assert np.isnan(result.effort()[0, 2]).all()
    means = result.over_topics()
    assert means.own[0].tolist() == [[0.5, 2.5]]
    assert means.ideal[0].tolist() == [[2, 2.5]]
    assert means.effort()[0].tolist() == [[2, 2]]
    assert means.gap()[0].tolist() == [[1.5, 0]]
    assert means.stop.tolist() == [[2]]
    nothing = result.over_topics(np.array([[False, False, True]]))
    assert np.isnan(nothing.effort()).all()
    assert nothing.empty.tolist() == [True]


def test_an_equal_sum_in_another_order_is_as_much(collection):
    # .1 + .2 + .3 is .6000000000000001, .3 + .2 + .1 is .6: rank 3 gives what the ideal gives by rank 3.
    gains, run = collection({"t": ([0.3, 0.1, 0.2], ()), "u": ([0.1, 0.2, 0.3], ())})
    assert curves(gains, [run], "CG@3").effort()[0, :, 2].tolist() == [3, 3]


@given(
    own=st.lists(st.integers(0, 3), min_size=1, max_size=8),
    rest=st.lists(st.integers(0, 3), max_size=4),
)
def test_effort_is_the_first_rank_that_gives_as_much(own, rest):
    judged, run = made({"t": (own, rest)})
    result = curves(judged, [run], "DCG")
    for r, wanted in enumerate(result.ideal[0, 0]):
        enough = [i for i, sum_ in enumerate(result.own[0, 0], 1) if sum_ >= wanted * (1 - 1e-12)]
        effort = result.effort()[0, 0, r]
        assert (effort == enough[0]) if enough and wanted > 0 else np.isnan(effort)


def test_a_cutoff_that_differs_from_topic_to_topic():
    """R is 3 in t and 1 in u: ⟨0,2,0⟩ of the ideal ⟨3,2,1⟩, and ⟨0⟩ of ⟨1⟩, whose document is at rank 2."""
    qrels = {"t": {"a": 3, "b": 2, "c": 1, "z": 0}, "u": {"a": 1}}
    run = {"t": {"z": 5, "b": 4, "x": 3, "a": 2}, "u": {"x": 3, "a": 2}}
    scores = score(qrels, run, ["nDCG@R", "nDCG(rel=2)@R", "CG@R"])
    log = math.log2(3)
    expected = (2 / log) / (3 + 2 / log + 1 / 2)
    rigid = (2 / log) / (3 + 2 / log)  # two documents are relevant
    assert scores.values[0, 0] == pytest.approx([expected, rigid, 2])
    assert scores.values[0, 1, [0, 2]].tolist() == [0, 0]
    assert curves(qrels, run, "nDCG@R").cutoffs.tolist() == [[3, 1]]
    pooled = score(qrels, run, ["nDCG@R"], average="ratio_of_means").means()[0].value
    assert pooled == scores.means()[0].value
