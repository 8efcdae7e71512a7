"""Measures that count relevant documents, on lists small enough to count by hand."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.frames import Gains
from evaluation.runs import Run
from evaluation.scores import score
from tests.evaluation.conftest import made
from tests.evaluation.refusals import refused


def test_a_small_list_by_hand(value):
    # Relevant at ranks 1 and 3, R = 2.
    assert value("P@3", [1, 0, 1]) == pytest.approx(2 / 3)
    assert value("R@1", [1, 0, 1]) == pytest.approx(1 / 2)
    assert value("AP", [1, 0, 1]) == pytest.approx((1 / 1 + 2 / 3) / 2)
    assert value("Rprec", [1, 0, 1]) == 1 / 2
    assert value("RR", [0, 0, 1]) == pytest.approx(1 / 3)
    assert value("RR@2", [0, 0, 1]) == 0


@pytest.mark.parametrize(("norm", "expected"), [("R", 1 / 6), ("min", 1 / 5)])
def test_what_average_precision_is_divided_by(value, norm, expected):
    """g ⟨0,2,0,3,0⟩, ideal ⟨3,2,1,1,1,1⟩: (1/2 + 2/4) over R = 6, or over min(5, 6)."""
    assert value(f'AP(norm="{norm}")@5', [0, 2, 0, 3, 0], [1, 1, 1, 1]) == pytest.approx(expected)


def test_relevance_levels(value):
    # Rigid: only the 3 counts, at rank 2.
    assert value("P(rel=3)@2", [1, 3], [2]) == 0.5
    assert value("R(rel=2)@2", [1, 3], [2]) == 0.5
    assert value("RR(rel=0.5)", [0.4, 0.5]) == 0.5
    # The 3s at ranks 2 and 4 alone, R = 2: one of them in the first 2; AP (1/2 + 2/4)/2.
    graded = [1, 3, 2, 3]
    assert value("Rprec(rel=3)", graded) == value("AP(rel=3)", graded) == 0.5
    assert value("Success(rel=3)@1", graded) == 0
    assert value("F(rel=3)@4", graded) == pytest.approx(2 * 0.5 * 1 / 1.5)
    # N − R = 10 − 2 documents are below 3, two of them retrieved.
    assert value("Fallout(N=10, rel=3)@4", graded) == 2 / 8


def test_fallout_worked(value):
    """L = 3, k = 10, N = 100, R = 5, one relevant retrieved: (min(10, 3) − 1)/(100 − 5) = .021."""
    assert value("Fallout(N=100)@10", [0, 1, 0], [1] * 4) == pytest.approx(2 / 95)
    assert value("Fallout(N=100)@10", [0, 1, 0], [1] * 4) == pytest.approx(0.021, abs=5e-4)
    # Without a cut-off k = max(L, R) = 5 reaches no further than the list; @2 sees one irrelevant document.
    assert value("Fallout(N=100)", [0, 1, 0], [1] * 4) == pytest.approx(2 / 95)
    assert value("Fallout(N=100)@2", [0, 1, 0], [1] * 4) == pytest.approx(1 / 95)


@pytest.mark.parametrize(
    ("beta", "expected"),
    [
        (1, 2 * (2 / 3) * 1 / (2 / 3 + 1)),  # .8
        (2, 5 * (2 / 3) * 1 / (4 * (2 / 3) + 1)),  # .909
        (0.5, 1.25 * (2 / 3) * 1 / (0.25 * (2 / 3) + 1)),  # .714
        (0, 2 / 3),  # precision
        (1e200, 1),  # recall, and β² too large for a floating-point number
    ],
)
def test_f_of_precision_two_thirds_and_recall_one(value, beta, expected):
    assert value(f"F(beta={beta})@3", [1, 0, 1]) == pytest.approx(expected, abs=1e-15)


def test_f_where_precision_and_recall_are_zero(value):
    assert value("F@3", [0, 0, 0], [1]) == 0
    # Of an empty list too, whatever P is divided by.
    assert value("F", [], [1]) == value("F(beta=0)", [], [1]) == 0


def test_r_precision(value):
    # Relevant at ranks 1, 3 and 5, R = 4: 2 of the first 4; a cut-off at 2 leaves one of them.
    assert value("Rprec", [1, 0, 1, 0, 1], [1]) == 2 / 4
    assert value("Rprec@2", [1, 0, 1, 0, 1], [1]) == 1 / 4
    # A list shorter than R is padded with irrelevant documents.
    assert value("Rprec", [1], [1, 1]) == pytest.approx(1 / 3)


def test_success(value):
    assert value("Success@2", [0, 0, 1]) == 0
    assert value("Success@3", [0, 0, 1]) == value("Success", [0, 0, 1]) == 1


@pytest.mark.parametrize("name", ["Fallout", "NR"])
def test_the_size_of_the_collection_is_asked_for(value, name):
    with refused("collection-size-missing", name, "N", f"{name}(N=1400)"):
        value(name, [1, 0])


def test_a_collection_smaller_than_what_is_known_of_it_is_refused():
    # Topic u: two retrieved, one of them judged, and two judged that were not retrieved.
    judged = Gains.from_columns(["t", "u", "u", "u"], ["a", "a", "b", "c"], [1, 1, 0, 0])
    run = Run.from_columns("bm25", ["t", "u", "u"], ["a", "a", "x"], [1, 2, 1])
    for measure in ("Fallout(N=3)@10", "NR(N=3)", "ASL(N=3)", "ESL(N=3)"):
        with refused("collection-too-small", "N=3", "'u'", "4", "'bm25'"):
            score(judged, [run], [measure])
    assert score(judged, [run], ["Fallout(N=4)@10"]).values[0, 1, 0] == pytest.approx(1 / 3)


def test_a_collection_of_relevant_documents_alone_is_refused(value):
    for measure in ("Fallout(N=2)@1", "NR(N=2)"):
        with refused("collection-all-relevant", "N=2", "'t'"):
            value(measure, [1, 1])


@pytest.mark.parametrize("bad", ["F(beta=-1)", "Fallout(N=0)", "Fallout(N=9.5)", "Fallout(N=many)"])
def test_parameters_out_of_range(value, bad):
    with refused(("parameter-negative", "parameter-not-a-count"), bad.partition("(")[0]):
        value(bad, [1, 0])


def test_a_number_of_any_length_ends_in_a_sentence(value):
    with refused("parameter-not-a-number", "rel", "P"):
        value(f"P(rel={'9' * 400})", [1])


@given(ranked=st.lists(st.sampled_from([0, 0.5, 2, 70]), min_size=1, max_size=12), missed=st.integers(0, 5))
def test_graded_measures_of_binary_gains_are_these(ranked, missed):
    """Any value above 0 gains 1 under "binary", also where no written scheme could list the values."""
    if not any(ranked):
        return
    gains, run = made({"t": (ranked, [1.5] * missed)})
    graded = [
        'R_measure(gain="binary")',
        'Q(gain="binary", beta=0)',
        'CG(gain="binary")@3',
        'gR(gain="binary")@3',
    ]
    binary = ["Rprec", "AP", "P@3", "R@3"]
    result = score(gains, [run], [*graded, *binary]).values[0, 0]
    assert result[:4] / [1, 1, 3, 1] == pytest.approx(result[4:])


@given(
    ranked=st.lists(st.integers(0, 3), min_size=1, max_size=12),
    missed=st.integers(0, 5),
    k=st.integers(1, 15),
)
def test_the_binary_measures_count_by_hand(ranked, missed, k):
    """Each formula in a loop over ranks, at two levels of relevance."""
    gains, run = made({"t": (ranked, [3] * missed)})
    for rel in (1, 3):
        flags = [gain >= rel for gain in ranked]
        relevant = sum(flags) + missed
        if not relevant:
            continue
        found, size = sum(flags[:k]), 40
        wanted = {
            f"P(rel={rel})@{k}": found / k,
            f"R(rel={rel})@{k}": found / relevant,
            f"Fallout(N={size}, rel={rel})@{k}": (min(k, len(ranked)) - found) / (size - relevant),
            f"F(rel={rel})@{k}": 2 * found / (k + relevant),
            f"F(beta=2, rel={rel})@{k}": 5 * found / (k + 4 * relevant),
            f"AP(rel={rel})@{k}": sum(
                sum(flags[:n]) / n for n in range(1, k + 1) if flags[n - 1 : n] == [True]
            )
            / relevant,
            f"Rprec(rel={rel})": sum(flags[:relevant]) / relevant,
            f"RR(rel={rel})@{k}": 1 / (flags.index(True) + 1) if any(flags[:k]) else 0,
            f"Success(rel={rel})@{k}": float(any(flags[:k])),
        }
        scores = score(gains, [run], list(wanted)).values[0, 0]
        assert dict(zip(wanted, scores, strict=True)) == pytest.approx(wanted)
