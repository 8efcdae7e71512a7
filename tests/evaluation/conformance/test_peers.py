"""The page of the specification repeats the suite and the stored results, and these are still true."""

import re

import pytest

from evaluation.conformance import LEVELS, check
from evaluation.conformance.reports import by_evaluator, count
from tests.evaluation.conformance import page, peers

TEXT = page.PAGE.read_text()
STORED = by_evaluator(page.stored_results())


@pytest.mark.parametrize("section", page.rules())
def test_the_page_lists_the_rules(section):
    heading, rules = f"### {section}\n\n", page.rules()[section]
    assert f"{heading}{rules}\n" in TEXT, f"copy this into the page:\n{heading}{rules}"


def test_the_page_shows_the_stored_results():
    assert page.table() in TEXT, f"copy this into the page:\n{page.table()}"
    assert page.versions() in TEXT


def test_every_evaluator_was_run_on_every_rule():
    assert list(STORED) == ["plumbline", *peers.NAMES]
    rules = [case for section in page.rules().values() for case in re.findall(r"^- `([^`]+)`", section, re.M)]
    assert all([result.case.name for result in results] == rules for results in STORED.values())
    assert all(followed == tested for followed, tested in (count(STORED["plumbline"], n) for n in LEVELS))


@pytest.mark.parametrize("name", [name for name in peers.NAMES if name != "ranx"])
def test_the_stored_results_of_an_evaluator_are_true(name):
    """ranx is not installed here: it compiles itself for a minute."""
    results = check(getattr(peers, name), name)
    assert {result.case.name: result.outcome for result in results} == {
        result.case.name: result.outcome for result in STORED[name]
    }
