"""The command `conformance` on faulty evaluators, and on the example of `docs/reference/float-qrels.md`."""

import json
import re

import pytest

from evaluation import conformance
from evaluation.conformance import Outcome, check, load_cases
from evaluation.conformance.reports import markdown
from tests.evaluation.command_results import error_line, output_of
from tests.evaluation.conformance import page
from tests.evaluation.refusals import assert_fault

EXAMPLE = re.search(r'```python title="adapter.py"\n(.*?)```', page.PAGE.read_text(), re.DOTALL)[1]
RUN = re.search(r"```console\n\$ plumbline ([^\n]*)\n(.*?)```", page.PAGE.read_text(), re.DOTALL)


def outcomes(evaluator) -> dict[str, Outcome]:
    """What an evaluator does with the cases, by their rules."""
    return {result.case.name: result.outcome for result in check(evaluator, "tried")}


def changed(change):
    """An evaluator that changes the values of this library."""

    def evaluate(qrels, run, measures):
        return change(conformance.plumbline(qrels, run, measures))

    return evaluate


def test_the_example_of_the_page_prints_what_the_page_says(process, tmp_path):
    (tmp_path / "adapter.py").write_text(EXAMPLE)
    done = process(*RUN[1].split())
    assert done.returncode == 1
    assert done.stdout + done.stderr == RUN[2]


def test_this_library_is_checked_by_default(shell):
    assert output_of(shell("conformance")).count("\n") == 1


def test_a_value_is_right_within_the_tolerance():
    def shifted(values):
        return {t: {m: v and v + 1e-6 for m, v in by.items()} for t, by in values.items()}

    case = load_cases()[:1]
    (result,) = check(changed(shifted), "shifted", case)
    assert result.outcome is Outcome.WRONG
    assert re.search(r"topic 1, nDCG@3: 0\.7967085\d* instead of 0\.7967075\d*", result.detail)
    (result,) = check(changed(shifted), "shifted", case, tolerance=1e-5)
    assert result.outcome is Outcome.FOLLOWS


@pytest.mark.parametrize("nothing", [None, float("nan")])
def test_no_value_can_be_said_in_three_ways(nothing):
    def filled(values):
        return {t: {m: nothing if v is None else v for m, v in by.items()} for t, by in values.items()}

    def shortened(values):
        return {t: by for t, by in values.items() if None not in by.values()}

    assert set(outcomes(changed(filled)).values()) == set(outcomes(changed(shortened)).values()) == {"yes"}


def test_a_value_too_many_is_wrong():
    def extended(values):
        return {**values, "another": {"nDCG@3": 0.5}}

    assert outcomes(changed(extended))["columns"] is Outcome.WRONG


def test_an_evaluator_that_rejects_nothing_accepts_what_it_must_reject():
    def careless(qrels, run, measures):
        try:
            return conformance.plumbline(qrels, run, measures)
        except ValueError:
            return {}

    found = outcomes(careless)
    for case in load_cases():
        if case.values is None:
            assert found[case.name] is Outcome.ACCEPTS
    assert found["negative-gains"] is Outcome.WRONG


def test_a_measure_that_is_not_offered_counts_neither_way():
    def without_precision(qrels, run, measures):
        if any(measure.startswith("P@") for measure in measures):
            raise NotImplementedError
        return conformance.plumbline(qrels, run, measures)

    results = check(without_precision, "tried")
    assert {r.case.name for r in results if r.outcome is Outcome.NOT_OFFERED} == {
        case.name for case in load_cases() if any(measure.startswith("P@") for measure in case.measures)
    }
    (row,) = re.findall(r"^\| rules followed \| must \| (\d+) of (\d+) \|$", markdown(results), re.MULTILINE)
    assert row[0] == row[1]


def test_an_evaluator_that_does_not_work_is_no_result(shell, tmp_path, monkeypatch):
    (tmp_path / "broken_adapter.py").write_text("def evaluate(qrels, run, measures):\n    return qrels.zzz\n")
    monkeypatch.syspath_prepend(tmp_path)
    assert_fault(shell("conformance", "--with", "broken_adapter:evaluate"), "evaluate", "AttributeError")


@pytest.mark.parametrize("name", ["absent_module:evaluate", "json:absent", "json", ":", "json:"])
def test_an_evaluator_that_cannot_be_imported(shell, name):
    assert_fault(shell("conformance", "--with", name), f"'{name}'")


def test_evaluators_of_the_same_name_are_told_apart(shell, tmp_path, monkeypatch):
    for name in ("first_adapter", "second_adapter"):
        (tmp_path / f"{name}.py").write_text("from evaluation.conformance import plumbline as evaluate\n")
    monkeypatch.syspath_prepend(tmp_path)
    names = ["first_adapter:evaluate", "second_adapter:evaluate"]
    lines = output_of(shell("conformance", "--with", *names)).splitlines()
    assert [line.partition("\t")[0] for line in lines] == names


@pytest.mark.parametrize("tolerance", ["-1", "nan"])
def test_a_tolerance_that_is_none(shell, tolerance):
    assert_fault(shell("conformance", f"--tolerance={tolerance}"), "--tolerance")


def test_the_formats_have_the_same_results(shell):
    rows = json.loads(output_of(shell("conformance", "--format", "json")))
    assert [row["rule"] for row in rows] == [case.name for case in load_cases()]
    table = output_of(shell("conformance", "--format", "markdown")).splitlines()
    assert table[0] == "| rule | | plumbline |"
    assert [line.split("`")[1] for line in table if "`" in line] == [row["rule"] for row in rows]


def test_the_suite_can_be_copied(shell, tmp_path):
    assert output_of(shell("conformance", "--copy", "suite")) == ""
    described = json.loads((tmp_path / "suite" / "suite.json").read_text())
    for case in described["cases"]:
        for kind in ("qrels", "run"):
            original = conformance.FOLDER / case[kind]
            assert (tmp_path / "suite" / case[kind]).read_bytes() == original.read_bytes()
    assert "suite" in error_line(shell("conformance", "--copy", "suite"))
