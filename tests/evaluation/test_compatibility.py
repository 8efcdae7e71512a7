"""Compat: its worked example, its definition depth by depth, and its highest value."""

import itertools
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

import evaluation as ev
from evaluation.rank_weights import weights_from
from tests.evaluation.refusals import refused

GRADES = st.dictionaries(st.sampled_from("abcdefgh"), st.sampled_from([0, 1, 1.5, 2]), min_size=1)
LISTS = st.lists(st.sampled_from("abcdefghxyz"), unique=True, min_size=1)


def compat(measure, grades, listed):
    run = {"t": {document: -float(place) for place, document in enumerate(listed)}}
    return ev.score({"t": grades}, run, measure).means()[0].value


def overlap(listed, ideal, p, deepest=1000):
    """Rank-biased overlap of two lists, down to the depth at which the authors' program ends."""
    common = [len({*listed[:depth]} & {*ideal[:depth]}) / depth for depth in range(1, deepest + 1)]
    return (1 - p) * math.fsum(p**place * share for place, share in enumerate(common))


def ideals_of(grades):
    """All orders of the relevant documents in which no gain rises."""
    relevant = sorted((document for document in grades if grades[document] > 0), key=grades.get, reverse=True)
    levels = [[*group] for _, group in itertools.groupby(relevant, key=grades.get)]
    for orders in itertools.product(*map(itertools.permutations, levels)):
        yield [document for order in orders for document in order]


def test_worked_value():
    """⟨c,a,x⟩ beside ⟨a,c,b⟩: 0, 2, 2 … in common; the ideal list beside itself: 1, 2, 3, 3 …"""
    ln2 = math.log(2)
    best = ln2 + (ln2 - 1 / 2) + (ln2 - 5 / 8)
    assert compat("Compat(p=0.5)", {"a": 2, "b": 1, "c": 1}, "cax") == pytest.approx(2 * (ln2 - 1 / 2) / best)
    assert compat("Compat(p=0.5)", {"a": 2, "b": 1, "c": 1}, "acb") == pytest.approx(1)
    # The list ends at rank 1, as does the best list.
    assert compat("Compat(p=0.5)@1", {"a": 2, "b": 1, "c": 1}, "ca") == pytest.approx((ln2 - 1 / 2) / ln2)


@given(grades=GRADES, listed=LISTS, p=st.sampled_from([0.3, 0.8, 0.95]))
def test_the_nearest_of_all_ideal_lists(grades, listed, p):
    nearest = max(overlap(listed, ideal, p) for ideal in ideals_of(grades))
    best = max(overlap(ideal, ideal, p) for ideal in ideals_of(grades))
    value = compat(f"Compat(p={p})", grades, listed)
    assert value == (pytest.approx(nearest / best) if best else None)


@given(grades=GRADES, listed=LISTS, power=st.sampled_from([0.5, 3]))
def test_only_the_order_of_gains_matters(grades, listed, power):
    changed = {document: gain**power for document, gain in grades.items()}
    assert compat("Compat", changed, listed) == compat("Compat", grades, listed)


def test_rounding_does_not_order_documents():
    """.1 + .2 is above .3 in floating point."""
    for listed in ("ab", "ba"):
        assert compat("Compat", {"a": 0.1 + 0.2, "b": 0.3}, listed) == pytest.approx(1)


@pytest.mark.parametrize("p", [0.1, 0.5, 0.95, 0.999])
def test_weights_are_those_of_all_deeper_ranks(p):
    terms = [(1 - p) * p ** (depth - 1) / depth for depth in range(1, 50_000)]
    expected = [math.fsum(terms[place:]) for place in range(21)]
    assert weights_from(p, 20).tolist() == pytest.approx(expected, abs=1e-12)


def test_what_it_cannot_be_combined_with():
    with refused("parameter-not-a-probability", "p", "Compat"):
        compat("Compat(p=1)", {"a": 1}, "a")
    with refused("unknown-parameter", "rel", "Compat"):
        compat("Compat(rel=1)", {"a": 1}, "a")
