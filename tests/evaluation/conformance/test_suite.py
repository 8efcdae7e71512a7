"""The suite is what its rules generate, without the library, and this library follows every rule."""

import ast
import math
from pathlib import Path

import pytest

from evaluation.conformance import FOLDER, LEVELS, Case, Outcome, check, load_cases, plumbline
from tests.evaluation.conformance import generate
from tests.evaluation.conformance.arithmetic import Topic, value

CASES = load_cases()
GENERATOR = ("arithmetic", "case", "gains", "generate", "layout", "lists")


def test_the_shipped_files_are_those_that_are_generated():
    shipped = {
        path.relative_to(FOLDER).as_posix(): path.read_bytes()
        for path in [FOLDER / "suite.json", *(FOLDER / "files").iterdir()]
    }
    assert shipped == generate.suite(), "run python -m tests.evaluation.conformance.generate"


@pytest.mark.parametrize("name", GENERATOR)
def test_the_generator_uses_no_evaluation_tool(name):
    tree = ast.parse(Path(generate.__file__).with_name(f"{name}.py").read_text())
    modules = {
        module.partition(".")[0]
        for node in ast.walk(tree)
        for module in (
            [alias.name for alias in node.names]
            if isinstance(node, ast.Import)
            else [node.module]
            if isinstance(node, ast.ImportFrom)
            else []
        )
    }
    standard = {
        "dataclasses",
        "decimal",
        "enum",
        "fractions",
        "gzip",
        "io",
        "json",
        "pathlib",
        "shutil",
        "typing",
    }
    assert modules <= standard | {"tests"}


@pytest.mark.parametrize(
    ("measure", "expected"),
    [
        ("P@1", 1),
        ("P@5", 2 / 5),
        ("RR", 1),
        ("AP", (1 / 1 + 2 / 3) / 3),
        ("nDCG@1", 0.5 / 2.7),
        ("nDCG@3", (0.5 + 1.2 / 2) / (2.7 + 1.2 / math.log2(3) + 0.5 / 2)),
    ],
)
def test_the_arithmetic_on_a_list_by_hand(measure, expected):
    """The gains .5, 0 and 1.2; a document of gain 2.7 is not retrieved."""
    assert value(measure, Topic("0.5 0 1.2", "2.7 1.2 0.5 0")) == pytest.approx(expected, rel=1e-15)


@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
def test_this_library_follows_every_rule(case: Case):
    (result,) = check(plumbline, "plumbline", [case])
    assert result.outcome is Outcome.FOLLOWS, result.detail


@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
def test_a_rule_says_how_binding_it_is(case: Case):
    first, _, _ = case.rule.partition(". ")
    assert [level for level in LEVELS if f" {level} " in first] == [case.level]
    assert (case.values is None) == ("reject" in first and "or count" not in first)


def test_every_case_has_a_name_of_its_own():
    assert len({case.name for case in CASES}) == len(CASES)
