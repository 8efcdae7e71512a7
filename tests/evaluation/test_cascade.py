"""ERR and RBP on worked lists, and where a naive form of ERR would overflow."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.errors import InputError
from evaluation.frames import Gains
from evaluation.measures import parse
from evaluation.ranking import rank as rank_lists
from evaluation.scores import score
from tests.evaluation.conftest import made
from tests.evaluation.every_measure import with_parameter
from tests.evaluation.refusals import OPTION, refused

FOUND = [3, 2, 3, 0, 0, 1, 2, 2, 3, 0]


def test_worked_value(value):
    """Stops with probability 7/8, 3/8, 7/8, 0, …: 7/8 + 1/2·3/8·1/8 + 1/3·7/8·1/8·5/8 + … = .9225."""
    assert value("ERR(gmax=3)@10", FOUND) == pytest.approx(0.9225, abs=5e-5)
    assert value("ERR@10", FOUND) == value('ERR(gmax="topic")@10', FOUND) == value("ERR(gmax=3)@10", FOUND)


def test_largest_gain_of_the_file_or_of_the_topic(collection):
    gains, run = collection({"small": ([8], ()), "large": ([20], ())})
    by_file, by_topic = score(gains, [run], ["ERR@1", 'ERR(gmax="topic")@1']).values[0].T
    # Topics are sorted: large, small. R = 2^(8 − 20) − 2^(−20) = .0002 makes the small one weightless.
    assert by_file == pytest.approx([1 - 2**-20, 2**-12 - 2**-20])
    assert by_topic == pytest.approx([1 - 2**-20, 1 - 2**-8])


OPEN = ["ERR@2", 'ERR(adjust="agr")@2', "gP@2", 'gP(gain="exp")@2', 'RBP(gain="linear")@2']


@pytest.mark.parametrize("measure", OPEN)
def test_gains_that_are_not_whole_have_no_default_for_the_largest(collection, measure):
    """Grades have one scale, so the file's largest serves; magnitudes of topics differ in size."""
    grades, run = collection({"t": ([2, 0], ()), "u": ([1], [4])})
    by_file = with_parameter(measure, gmax="file")
    assert score(grades, [run], [measure]).values.tolist() == score(grades, [run], [by_file]).values.tolist()
    magnitudes, run = collection({"t": ([2, 0], ()), "u": ([2.5], [4])})
    with pytest.raises(InputError) as refusal:
        score(magnitudes, [run], [measure])
    by_topic = with_parameter(measure, gmax="topic")
    assert refusal.value.where == "row 3"
    assert by_topic in refusal.value.what
    assert np.isfinite(score(magnitudes, [run], [by_topic, by_file]).values).all()
    with refused("gains-need-gmax", by_topic):
        parse(measure).values(rank_lists(magnitudes, [run]).lists)


def test_gains_that_a_measure_counts_or_lists_may_be_any(collection):
    halves = {"t": ([0.5, 2], ())}
    gains, run = collection(halves)
    listed = 'RBP(p=0.5, gain="0:0,0.5:1,2:10")'
    assert score(gains, [run], ["RBP", listed]).values[0, 0, 1] == pytest.approx(0.5 * (1 + 0.5 * 10) / 10)
    # Relevance judged apart from the gains leaves gaps among these, which are no gains.
    rel = Gains.from_columns(["t", "t"], ["t-0", "other"], [1, 1])
    grades, run = collection({"t": ([2, 1], ())})
    assert np.isfinite(score(grades, [run], ["ERR@2"], rel=rel).values).all()


def test_magnitudes_neither_overflow_nor_vanish(value):
    assert value("ERR@2", [1e100, 5]) == 1
    # 2^g − 1 = g·ln 2 for tiny g: R = g·ln 2/2^gmax.
    assert value("ERR(gmax=1)@1", [1e-30]) == pytest.approx(1e-30 * math.log(2) / 2)


def test_a_gain_above_the_stated_largest_is_refused(value):
    with refused("gain-above-gmax", "5", "gmax=3"):
        value("ERR(gmax=3)@10", [5])


def test_rank_biased_precision_worked(value):
    """rel ⟨1,0,1⟩, p = .8: (1 − .8)·(.8⁰ + .8²) = .2·1.64 = .328."""
    assert value("RBP(p=0.8)", [1, 0, 1]) == pytest.approx(0.328)
    assert value("RBP", [1, 0, 1]) == value("RBP(p=0.8)", [1, 0, 1])
    assert value("RBP(p=0.8)@2", [1, 0, 1]) == pytest.approx(0.2)
    # Binary whatever the grades, with relevance at the level asked for: the 3 at rank 3 alone, .2·.64.
    assert value("RBP(p=0.8)", [2, 0, 3]) == pytest.approx(0.328)
    assert value("RBP(p=0.8, rel=3)", [2, 0, 3]) == pytest.approx(0.128)


def test_rank_biased_precision_of_grades(value):
    """Gains ⟨2,0,4⟩, p = .5: .5·(2/4 + .25·4/4) = .375."""
    assert value('RBP(p=0.5, gain="linear")', [2, 0, 4]) == pytest.approx(0.375)
    assert value('RBP(p=0.5, gain="linear", gmax=8)', [2, 0, 4]) == pytest.approx(0.375 / 2)
    # Under 0-1-5 the largest gain is 5, wherever it stands: .5·(1/5 + .5·5/5).
    assert value('RBP(p=0.5, gain="0-1-5")', [1, 2]) == pytest.approx(0.35)
    assert value('RBP(p=0.5, gain="0-1-5")', [1], [2]) == pytest.approx(0.1)


def test_rank_biased_precision_by_the_largest_gain_of_file_or_topic(collection):
    gains, run = collection({"small": ([8], ()), "large": ([20], ())})
    measures = ['RBP(p=0.5, gain="linear")', 'RBP(p=0.5, gain="linear", gmax="topic")']
    by_file, by_topic = score(gains, [run], measures).values[0].T
    # Topics are sorted: large, small.
    assert by_file == pytest.approx([0.5, 0.5 * 8 / 20])
    assert by_topic == pytest.approx([0.5, 0.5])


def test_graded_rank_biased_precision_adds_gains(collection):
    """Empty is a topic without gain then, not one without a relevant document, and no warning is due."""
    gains, run = collection({"t": ([2.5], ()), "u": ([1.0], [4.0])})
    rel = Gains.from_columns(["t", "u"], ["t-0", "u-0"], [0, 1])
    scores = score(gains, [run], ["RBP(p=0.5)", 'RBP(p=0.5, gain="linear", gmax="file")'], rel=rel)
    assert [row.value for row in scores.rows] == pytest.approx([None, 0.5 * 2.5 / 4, 0.5, 0.5 * 1 / 4])
    measures = ["RBP", 'RBP(gain="linear", gmax="topic")']
    assert score(gains, [run], measures).notices.topics("positives-only") == {"": ("t", "u")}
    # 0-0-1 gives a 1 no gain.
    flat, run = collection({"t": ([1.0], ())})
    assert score(flat, [run], ["RBP", 'RBP(gain="0-0-1")']).rows[1].value is None


def test_what_belongs_to_graded_gains_is_refused_with_binary_ones(value):
    for measure in ("RBP(gmax=3)", 'RBP(gain="binary", gmax="topic")', 'RBP(adjust="agr")'):
        with refused("binary-gains-with-gmax-or-adjust"):
            value(measure, [1])
    with refused("gain-above-gmax", "5", "gmax=3", "RBP"):
        value('RBP(gain="linear", gmax=3)', [5])
    for bad in ("RBP(p=0)", "RBP(p=1)", "RBP(p=high)"):
        with refused("parameter-not-a-probability", "p", "RBP"):
            value(bad, [1])


@given(ranked=st.lists(st.integers(0, 4), min_size=1, max_size=20), p=st.sampled_from([0.5, 0.8, 0.95]))
def test_a_reader_who_stops_in_the_end(ranked, p):
    """RBP in the words of its source: the reader sees rank i with p^(i−1), at an effort of 1/(1 − p)."""
    if not any(ranked):
        return
    gains, run = made({"t": (ranked, ())})
    binary, graded = score(gains, [run], [f"RBP(p={p})", f'RBP(p={p}, gain="linear", gmax=4)']).values[0, 0]
    seen = [p**i for i in range(len(ranked))]
    effort = 1 / (1 - p)
    assert binary == pytest.approx(sum(s for s, g in zip(seen, ranked, strict=True) if g) / effort)
    assert graded == pytest.approx(sum(s * g / 4 for s, g in zip(seen, ranked, strict=True)) / effort)


@given(ranked=st.lists(st.integers(0, 4), min_size=1, max_size=12))
def test_err_in_the_words_of_its_source(ranked):
    """A reader goes down the list and stops at a document with (2^g − 1)/2^gmax; 1/r for stopping at r."""
    if not any(ranked):
        return
    gains, run = made({"t": (ranked, ())})
    still_reading, expected = 1.0, 0.0
    for rank, gain in enumerate(ranked, start=1):
        stops = (2**gain - 1) / 2**4
        expected += still_reading * stops / rank
        still_reading *= 1 - stops
    assert score(gains, [run], ["ERR(gmax=4)"]).values[0, 0, 0] == pytest.approx(expected)


# Other probabilities of stopping, and the share of the best ERR.

IDEAL_REST = [3, 1, 1]
"""Judged documents that FOUND does not hold."""


def test_worked_probabilities_of_stopping(value):
    """⟨2,0,1⟩ of the file's largest gain 2: 3/4 and 1/4; 2/3 and 1/3; 15/16 and 15/32."""
    expected = {
        "ERR@3": 3 / 4 + 1 / 3 * 1 / 4 * 1 / 4,
        'ERR(stop="exp")@3': 3 / 4 + 1 / 3 * 1 / 4 * 1 / 4,
        'ERR(stop="ntcireval")@3': 2 / 3 + 1 / 3 * 1 / 3 * 1 / 3,
        'ERR(stop="share")@3': 15 / 16 + 1 / 3 * 1 / 16 * 15 / 32,
        'ERR(stop="share", factor=0.5)@3': 1 / 2 + 1 / 3 * 1 / 2 * 1 / 4,
        'ERR(gmax=4, stop="share", factor=1)@3': 2 / 4 + 1 / 3 * 1 / 2 * 1 / 4,
    }
    assert {measure: value(measure, [2, 0, 1]) for measure in expected} == pytest.approx(expected)


def test_values_of_ntcireval(value):
    """Recorded from pyNTCIREVAL 0.0.3 with the grades 1, 2 and 3."""
    recorded = {10: 0.8479468936011905, 3: 0.84375}
    normalised = {1: 1, 3: 0.9818181818181818, 10: 0.983011101573414}
    for k, err in recorded.items():
        assert value(f'ERR(stop="ntcireval")@{k}', FOUND, IDEAL_REST) == pytest.approx(err)
    for k, nerr in normalised.items():
        assert value(f'nERR(stop="ntcireval")@{k}', FOUND, [1, 1, 1]) == pytest.approx(nerr)
    assert value('ERR(stop="ntcireval")@5', [0, 1, 2, 0, 3], [1]) == pytest.approx(0.30625)
    assert value('nERR(stop="ntcireval")@5', [0, 1, 2, 0, 3], [1]) == pytest.approx(0.36952081696779265)


def test_worked_share_of_the_best(value):
    """⟨2,0,3⟩ with the recall base 3, 2, 1: stops of 3/8 and 7/8, and 7/8, 3/8, 1/8 in the ideal list."""
    own = 3 / 8 + 1 / 3 * 5 / 8 * 7 / 8
    best = 7 / 8 + 1 / 2 * 1 / 8 * 3 / 8 + 1 / 3 * 1 / 8 * 5 / 8 * 1 / 8
    assert value("nERR@3", [2, 0, 3], [1]) == pytest.approx(own / best)
    assert value("nERR@1", [2, 0, 3], [1]) == pytest.approx(3 / 7)
    retrieved = own / (7 / 8 + 1 / 2 * 1 / 8 * 3 / 8)
    assert value('nERR(ideal="retrieved")@3', [2, 0, 3], [1]) == pytest.approx(retrieved)


def test_a_share_needs_no_gmax_and_the_others_do(collection):
    gains, run = collection({"t": ([0.5, 2.5], ()), "u": ([1], [4])})
    values = score(gains, [run], ['ERR(stop="share")@1', 'nERR(stop="share")@1']).values[0]
    assert values == pytest.approx(np.array([[15 / 16 / 5, 1 / 5], [15 / 16 / 4, 1 / 4]]))
    for measure in ("ERR", "nERR", 'ERR(stop="ntcireval")', 'nERR(stop="ntcireval")@3'):
        with refused("gain-not-whole", "0.5", measure, at="row 1"):
            score(gains, [run], [measure])


@pytest.mark.parametrize("name", ["ERR", "nERR"])
def test_a_factor_is_of_a_share(value, name):
    for bad in (f"{name}(factor=0.5)", f'{name}(stop="exp", factor=0.5)'):
        with refused("factor-without-share", "factor"):
            value(bad, [1])
    for bad in (0, 1.5, "half"):
        with refused("parameter-not-a-factor", "factor"):
            value(f'{name}(stop="share", factor={bad})', [1])
    with refused(OPTION, "stop", '"exp"', '"ntcireval"', '"share"'):
        value(f'{name}(stop="never")', [1])


def test_a_gain_of_the_ideal_list_above_the_stated_largest_is_refused(value):
    with refused("gain-above-gmax", "5", "gmax=3", "nERR"):
        value("nERR(gmax=3)@10", [3], [5])
    assert value('nERR(gmax=3, ideal="retrieved")@10', [3], [5]) == 1


@given(
    ranked=st.lists(st.integers(0, 4), min_size=1, max_size=8),
    rest=st.lists(st.integers(0, 4), max_size=4),
    stop=st.sampled_from(["exp", "ntcireval", "share"]),
    k=st.integers(1, 10),
)
def test_nerr_divides_by_the_err_of_a_run_in_the_best_order(ranked, rest, stop, k):
    if not any(ranked + rest):
        return
    gains, run = made({"t": (ranked, rest)})
    best, best_run = made({"t": (sorted(ranked + rest, reverse=True), ())})
    names = [f'ERR(stop="{stop}")@{k}', f'nERR(stop="{stop}")@{k}']
    own, normalised = score(gains, [run], names).values[0, 0]
    assert normalised == pytest.approx(own / score(best, [best_run], names[:1]).values[0, 0, 0])
