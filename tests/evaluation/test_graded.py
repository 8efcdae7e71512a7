"""Generalisations of precision to gains, on the worked values of their sources."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.frames import Gains
from evaluation.measures import RankedLists, parse
from evaluation.measures.lists import ScoreTies
from evaluation.runs import Run
from evaluation.scores import curves, score
from tests.evaluation.conftest import made
from tests.evaluation.refusals import refused

FOUND = [3, 2, 3, 0, 0, 1, 2, 2, 3, 0]  # G′ of Järvelin & Kekäläinen
USER = [0.6, 0.5, 0.4, 0.3, 0.1]
SYSTEMS = [
    [0.6, 0.5, 0.3, 0.2, 0.1],
    [0.5, 0.3, 0.4, 0.2, 0.1],
    [0.4, 0.6, 0.2, 0.3, 0.1],
    [0.1, 0.2, 0.2, 0.4, 0.5],
]


class AgainstAnother(RankedLists):
    """Lists held against an ideal of other gains than their own, as Zhou & Yao do: systems against a user."""

    another: list[float] = USER

    def ideal(self, gain="linear"):
        return np.array([self.another])

    def recall(self, rel):
        return np.array([len(self.another)])


class AgainstAdjusted(AgainstAnother):
    """The user's gains adjusted: each .02 less (see the test that uses it)."""

    another = [0.58, 0.48, 0.38, 0.28, 0.08]


def systems(gains, kind=AgainstAnother):
    """One run a row of gains, one topic, every list five documents long."""
    ranks = np.tile(np.arange(1, 6), len(gains))
    column = np.array(gains).ravel()
    return kind(
        runs=tuple(f"IRS{i}" for i, _ in enumerate(gains, 1)),
        topics=("t",),
        length=np.full((len(gains), 1), 5),
        cell=np.repeat(np.arange(len(gains)), 5),
        rank=ranks,
        document=np.arange(len(column)),
        score_ties=ScoreTies.of(ranks, ranks - 1, np.ones_like(ranks)),
        topic=np.zeros_like(ranks),
        gain=column,
        level=column,
    )


@pytest.mark.parametrize(
    ("measure", "printed"),
    [
        ("MSR", [0.95, 0.79, 0.80, 0.43]),
        ('nDCG(discount="jk", base=2)@5', [0.93, 0.77, 0.85, 0.54]),
        ('AnDCG(discount="jk", base=2)@5', [0.96, 0.78, 0.82, 0.34]),
        ("WAP", [0.94, 0.79, 0.81, 0.40]),
        ("Q", [0.98, 0.93, 0.94, 0.80]),
    ],
)
def test_table_2_of_zhou_and_yao(measure, printed):
    assert parse(measure).values(systems(SYSTEMS))[:, 0] == pytest.approx(printed, abs=0.005)


def test_agr_of_table_2_of_zhou_and_yao():
    """The printed column, .94 .78 .80 .36: it counts the documents of a level in each ranking itself.

    On the declared scale 0, .1, … .6, a document of level l is worth l − R_l/5 · .1. Each level occurs once,
    except .2 in the ranking of IRS4, which has two documents of this level: .2 − 2/5 · .1 = .16.
    """
    adjusted = [[gain - row.count(gain) / 5 * 0.1 for gain in row] for row in SYSTEMS]
    assert adjusted[3] == pytest.approx([0.08, 0.16, 0.16, 0.38, 0.48])
    result = parse("WAP").values(systems(adjusted, AgainstAdjusted))[:, 0]
    assert result == pytest.approx([0.941, 0.776, 0.802, 0.359], abs=0.0005)
    assert result == pytest.approx([0.94, 0.78, 0.80, 0.36], abs=0.005)


def test_agr_of_the_same_rankings_with_levels_of_the_recall_base():
    """Sakai counts the documents of a level in the recall base, and so does AGR.

    On the declared scale 0, .1, … .6 the next level down is .1 less, and each of the user's five levels has
    one of the five relevant documents: l − 1/5 · .1 = l − .02. No document has the level .2: it stays .2.
    """
    lowered = [[gain if gain == 0.2 else gain - 0.02 for gain in row] for row in SYSTEMS]
    # IRS1: .58/.58, 1.06/1.06, 1.34/1.44, 1.54/1.72, 1.62/1.80; their mean is .9452.
    result = parse("WAP").values(systems(lowered, AgainstAdjusted))[:, 0]
    assert result == pytest.approx([0.945, 0.781, 0.810, 0.396], abs=0.0005)


def test_agr_by_its_name_on_the_declared_scale(value):
    """The same levels declared by a mapping: the user's own list is ideal, and a list in another order."""
    scale = "0:0,0.1:0.1,0.2:0.2,0.3:0.3,0.4:0.4,0.5:0.5,0.6:0.6"
    assert value(f'AGR(gain="{scale}")', USER) == pytest.approx(1)
    # ⟨.1, .6⟩ is worth ⟨.08, .58⟩: (.08/.58 + .66/1.06)/5.
    result = value(f'AGR(gain="{scale}")@2', [0.1, 0.6], [0.5, 0.4, 0.3])
    assert result == pytest.approx((0.08 / 0.58 + 0.66 / 1.06) / 5)


@pytest.mark.parametrize(
    ("measure", "gains", "rest", "expected"),
    [
        # Ideal ⟨3, 2, 1, 0, 0⟩, R = 3 [ZY10, ex. 5]: 1/3 · 2/6, and 1/3 · (2 + 1)/(6 + n).
        ("WAP", [0, 0, 2, 0, 0], [3, 1], 1 / 9),
        ("WAP", [0, 0, 0, 0, 2], [3, 1], 1 / 9),
        ("Q", [0, 0, 2, 0, 0], [3, 1], 1 / 9),
        ("Q", [0, 0, 0, 0, 2], [3, 1], 1 / 11),
        # Ideal ⟨3, 2, 1, 1, 1, 1⟩: (2 + 1)/(5 + 2) + (5 + 2)/(7 + 4).
        ("Q@5", [0, 2, 0, 3, 0], [1, 1, 1, 1], (3 / 7 + 7 / 11) / 6),
        ('Q(norm="min")@5', [0, 2, 0, 3, 0], [1, 1, 1, 1], (3 / 7 + 7 / 11) / 5),
        ("Q(beta=10)@5", [0, 2, 0, 3, 0], [1, 1, 1, 1], (21 / 52 + 52 / 74) / 6),
        # The cumulated gains 2 and 5 of 5 and 7.
        ("WAP@5", [0, 2, 0, 3, 0], [1, 1, 1, 1], (2 / 5 + 5 / 7) / 6),
        ('WAP(norm="min")@5', [0, 2, 0, 3, 0], [1, 1, 1, 1], (2 / 5 + 5 / 7) / 5),
        ("WAP@3", [0, 2, 0, 3, 0], [1, 1, 1, 1], 2 / 5 / 6),
        # Relevant from 2 up: R = 2, the gains stay.
        ("WAP(rel=2)", [0, 2, 1, 3, 0], [1, 1, 1], (2 / 5 + 6 / 7) / 2),
        ("Q(rel=2)", [0, 2, 1, 3, 0], [1, 1, 1], (3 / 7 + 8 / 11) / 2),
        # Of its own list's ideal ⟨3, 2⟩.
        ('WAP(ideal="retrieved")', [0, 2, 0, 3], [1, 1], (2 / 5 + 5 / 5) / 4),
        # At rank R = 6, past the list's end: (5 + 2)/(9 + 6).
        ("R_measure", [0, 2, 0, 3, 0], [1, 1, 1, 1], 7 / 15),
        ("R_measure(beta=2)", [0, 2, 0, 3, 0], [1, 1, 1, 1], 12 / 24),
        ("R_measure(rel=2)", [0, 2, 0, 3, 0], [1, 1, 1, 1], (2 + 1) / (5 + 2)),
        ("R_measure@3", [0, 2, 0, 3, 0], [1, 1, 1, 1], (2 + 1) / (9 + 6)),
        # Gains 12, 7, 7, 3 are worth 10.75, 5, 5, 2.25: (5/10.75 + 15.75/15.75)/4.
        ("AGR", [7, 12], [7, 3], (5 / 10.75 + 1) / 4),
        ('AGR(norm="min")@2', [7, 12], [7, 3], (5 / 10.75 + 1) / 2),
    ],
)
def test_worked_values(value, measure, gains, rest, expected):
    assert value(measure, gains, rest) == pytest.approx(expected)


def test_worked_values_as_they_are_printed(value):
    assert value("Q@5", [0, 2, 0, 3, 0], [1] * 4) == pytest.approx(0.177, abs=0.0005)
    assert value('Q(norm="min")@5', [0, 2, 0, 3, 0], [1] * 4) == pytest.approx(0.213, abs=0.0005)


@pytest.mark.parametrize(
    ("gains", "sr", "msr"),
    [([0.3, 0.2, 0.1, 0.1, 0], 0.78, 0.90), ([0.1, 0.1, 0.2, 0.3, 0], 0.78, 0.57)],
)
def test_sliding_ratios(value, gains, sr, msr):
    """The ideal is ⟨.3, .2, .2, .1, .1⟩: one .2 is missing from each list."""
    assert value("SR", gains, [0.2]) == pytest.approx(sr, abs=0.005)
    assert value("MSR", gains, [0.2]) == pytest.approx(msr, abs=0.005)


def test_sliding_ratios_are_ndcg_by_other_names(value):
    assert value("SR@3", FOUND) == value("nCG@3", FOUND)
    assert value("MSR@3", FOUND) == value('nDCG(discount="rank")@3', FOUND)
    # Of the retrieved list [JK02, 2.4]: ⟨1, 3⟩ in ideal order is ⟨3, 1⟩; (1 + 3/2)/(3 + 1/2).
    assert value('SR(ideal="retrieved")', [1, 3], [2]) == 1
    assert value('MSR(ideal="retrieved")', [1, 3], [2]) == pytest.approx(2.5 / 3.5)


def test_sliding_ratios_have_curves_and_both_averages(collection):
    gains, run = collection({"a": ([3, 0], [3]), "b": ([0, 1], [1])})
    # Discounted ⟨3, 3⟩ of ⟨3, 4.5⟩ and ⟨0, .5⟩ of ⟨1, 1.5⟩.
    result = curves(gains, [run], "MSR@2")
    assert result.own[0].tolist() == [[3, 3], [0, 0.5]]
    assert result.normalised()[0, :, 1] == pytest.approx([2 / 3, 1 / 3])
    pooled = score(gains, [run], ["MSR@2", "SR@1"], average="ratio_of_means").means()
    assert [row.value for row in pooled] == pytest.approx([3.5 / 6, 3 / 4])


def test_graded_precision_and_recall(value):
    # 16 of the largest possible 30, and of the 19 that the recall base holds: three 1s were not retrieved.
    assert value("gP(gmax=3)@10", FOUND, [1, 1, 1]) == pytest.approx(0.533, abs=0.0005)
    assert value("gR@10", FOUND, [1, 1, 1]) == pytest.approx(0.842, abs=0.0005)
    assert value("gP@2", [1], [4]) == 1 / 4 / 2  # divided by k though the list is shorter
    assert value('gP(gain="0-1-10-100")@2', [1, 2], [3]) == pytest.approx(11 / 100 / 2)
    with refused("gain-above-gmax", "3", "gmax=2"):
        value("gP(gmax=2)@1", [3])


def test_largest_gain_of_the_topic(collection):
    gains, run = collection({"large": ([20], ()), "small": ([2], [4])})
    assert score(gains, [run], ['gP(gmax="topic")@1']).values[0, :, 0].tolist() == [1, 0.5]
    assert score(gains, [run], ["gP@1"]).values[0, :, 0].tolist() == [1, 0.1]


def test_binary_gains_make_them_the_binary_measures(value):
    gains, rest = [1, 0, 0, 1, 1, 0], [1, 0]
    for graded, binary in [("R_measure", "Rprec"), ("Q(beta=0)", "AP"), ("gR@5", "R@5"), ("gP@5", "P@5")]:
        assert value(graded, gains, rest) == pytest.approx(value(binary, gains, rest)), graded
    # With gains as well, β = 0 leaves the counts alone.
    assert value("Q(beta=0)", [3, 0, 2], [9]) == pytest.approx(value("AP", [3, 0, 2], [9]))
    assert value('R_measure(gain="binary")', [3, 0, 2], [9]) == pytest.approx(value("Rprec", [3, 0, 2], [9]))


def test_scaling_the_gains(value):
    """WAP and AGR are means of ratios of gains; Q and R_measure add gains to counts and change."""
    gains, rest = [0, 2, 0, 3], [1, 1]
    tenfold = [[10 * gain for gain in part] for part in (gains, rest)]
    for measure in ("WAP", "AGR", "SR", "MSR", "gR@3", "gP@3"):
        assert value(measure, *tenfold) == pytest.approx(value(measure, gains, rest)), measure
    for measure in ("Q", "R_measure"):
        assert value(measure, *tenfold) != pytest.approx(value(measure, gains, rest)), measure
        weighed = f"{measure}(beta=10)"
        assert value(measure, *tenfold) == pytest.approx(value(weighed, gains, rest)), measure


def test_relevant_documents_without_gain_count_and_add_nothing(value):
    # Under 0-0-0-1 the 1 at rank 1 is relevant: WAP 0/1, Q (0 + 1)/(1 + 1), then 1/1 and (1 + 2)/(1 + 2).
    assert value('WAP(gain="0-0-0-1")', [1, 3]) == pytest.approx((0 + 1) / 2)
    assert value('Q(gain="0-0-0-1")', [1, 3]) == pytest.approx((1 / 2 + 1) / 2)
    # No gain at all: relevant documents are there, so WAP has a value.
    assert value('WAP(gain="0-0-0-1")', [1]) == 0
    assert value('SR(gain="0-0-0-1")', [1]) is None


def test_gains_too_large_to_add_up(value):
    for measure in ("WAP", "Q", "gR", "SR"):
        with refused("gains-too-large-to-add", measure):
            value(measure, [0, 1e308], [1e308])


def test_relevance_of_judgments_of_its_own():
    """A document that only `rel` knows has gain 0; one that only the gains know is not relevant."""
    gains = Gains.from_columns(["t", "t"], ["a", "b"], [5.0, 2.0])
    rel = Gains.from_columns(["t", "t"], ["b", "c"], [1.0, 1.0])
    run = Run.from_columns("run", ["t"] * 3, ["a", "c", "b"], [3, 2, 1])
    # c at rank 2: 5/7; b at rank 3: 7/7; R = 2.
    assert score(gains, [run], ["WAP"], rel=rel).means()[0].value == pytest.approx((5 / 7 + 1) / 2)


GAINS = st.lists(st.one_of(st.integers(0, 4), st.floats(0.01, 100)), min_size=1, max_size=12)


@given(
    ranked=GAINS,
    rest=GAINS,
    rel=st.sampled_from([None, 1, 2.5]),
    cutoff=st.sampled_from([None, 1, 4, 30]),
    ideal=st.sampled_from(["recall_base", "retrieved"]),
    norm=st.sampled_from(["R", "min"]),
)
def test_the_formulas_taken_literally(ranked, rest, rel, cutoff, ideal, norm):
    """Rank by rank, as the docstrings write them, with no array in sight."""
    judged, run = made({"t": (ranked, rest)})
    flags = [gain > 0 if rel is None else gain >= rel for gain in [*ranked, *rest]]
    R = sum(flags)
    if not R:
        return
    k = cutoff or max(len(ranked), R)
    n_best = sorted([*ranked, *rest] if ideal == "recall_base" else ranked, reverse=True)
    results = {"WAP": 0.0, "Q": 0.0}
    for n in range(1, min(k, len(ranked)) + 1):
        cg, best, count = sum(ranked[:n]), sum(n_best[:n]), sum(flags[:n])
        if flags[n - 1]:
            results["WAP"] += cg / best / (min(k, R) if norm == "min" else R)
            results["Q"] += (cg + count) / (best + n) / (min(k, R) if norm == "min" else R)
    read = min(k, R, len(ranked))
    results["R_measure"] = (sum(ranked[:read]) + sum(flags[:read])) / (sum(n_best[:R]) + R)
    at = "" if cutoff is None else f"@{cutoff}"
    given_rel = "" if rel is None else f", rel={rel}"
    for measure, expected in results.items():
        normed = "" if measure == "R_measure" else f", norm={norm}"
        name = f"{measure}(ideal={ideal}{normed}{given_rel}){at}"
        assert score(judged, [run], [name]).means()[0].value == pytest.approx(expected, rel=1e-12), name
