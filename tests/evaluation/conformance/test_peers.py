"""The results of other evaluators that the page of the specification shows are still true."""

import pytest

from evaluation.conformance import LEVELS, check, load_cases
from evaluation.conformance.reports import by_evaluator, count
from tests.evaluation.conformance import page, peers

STORED = by_evaluator(page.stored_results())


def test_every_evaluator_was_run_on_every_rule():
    assert list(STORED) == ["plumbline", *peers.NAMES]
    rules = [case.name for case in load_cases()]
    assert all([result.case.name for result in results] == rules for results in STORED.values())
    assert all(followed == tested for followed, tested in (count(STORED["plumbline"], n) for n in LEVELS))


@pytest.mark.parametrize("name", [name for name in peers.NAMES if name != "ranx"])
def test_the_stored_results_of_an_evaluator_are_true(name):
    """ranx is not installed here: it compiles itself for a minute."""
    results = check(getattr(peers, name), name)
    assert {result.case.name: result.outcome for result in results} == {
        result.case.name: result.outcome for result in STORED[name]
    }
