"""Cohen's kappa beside that of scikit-learn."""

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from sklearn.metrics import cohen_kappa_score

import evaluation as ev
from tests.evaluation.refusals import refused

GRADES = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=1, max_size=30)


def both(pairs):
    sides = zip(*pairs, strict=True)
    return [{"t": {str(place): grade for place, grade in enumerate(side)}} for side in sides]


def test_the_worked_example():
    first, second = both([(1, 1)] * 4 + [(0, 0)] * 3 + [(1, 0)] + [(0, 1)] * 2)
    assert ev.kappa(first, second) == pytest.approx(0.4)


@given(pairs=GRADES)
@pytest.mark.parametrize("weights", ["none", "linear", "quadratic"])
def test_it_is_that_of_scikit_learn(pairs, weights):
    """Which weighs by the places of the grades that occur; so all grades occur here."""
    pairs = [*pairs, *((grade, grade) for grade in range(4))]
    peer = cohen_kappa_score(*zip(*pairs, strict=True), weights=None if weights == "none" else weights)
    assert ev.kappa(*both(pairs), weights) == pytest.approx(peer, abs=1e-12)


@given(pairs=GRADES)
def test_it_is_symmetric_and_1_for_equal_sets(pairs):
    first, second = both(pairs)
    assert ev.kappa(first, second) == pytest.approx(ev.kappa(second, first))
    assume(len({grade for grade, _ in pairs}) > 1)
    assert ev.kappa(first, first) == 1


def test_documents_of_one_set_alone_do_not_count_and_chance_alone_gives_nothing():
    assert ev.kappa({"t": {"a": 1, "b": 0}, "u": {"a": 0}}, {"t": {"a": 1, "b": 0}, "v": {"a": 5}}) == 1
    assert ev.kappa({"t": {"a": 1}}, {"t": {"a": 1}}) is None
    with refused("no-document-in-both-sets"):
        ev.kappa({"t": {"a": 1}}, {"t": {"b": 1}})
