"""Every error has a code of its own and one text, both written out so that translators find them."""

import ast
import re
from pathlib import Path

import pytest

import evaluation
from evaluation.errors import InputError

ROOT = Path(__file__).parents[2]
LIBRARY = Path(evaluation.__file__).parent
RAISED = ("InputError", "TextFaultError")
PASSED_ON = {LIBRARY / "errors.py", LIBRARY / "parsing/text.py"}
"""The files in which an error is made anew from the code and the text of another."""


def errors() -> list[tuple[str, ast.Call]]:
    """The place of every error that is made, and the call that makes it."""
    return [
        (f"{path.relative_to(folder.parent)}:{node.lineno}", node)
        for folder in (LIBRARY, ROOT / "judging")
        for path in sorted(folder.rglob("*.py"))
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in RAISED
        if not (path in PASSED_ON and not isinstance(node.args[0], ast.Constant))
    ]


ERRORS = errors()


def literal(node: ast.expr) -> str:
    assert isinstance(node, ast.Constant)
    assert isinstance(node.value, str)
    return node.value


@pytest.mark.parametrize(("place", "call"), ERRORS, ids=[place for place, _ in ERRORS])
def test_code_and_text_are_literal_and_every_place_is_filled(place: str, call: ast.Call) -> None:
    code, text = (literal(argument) for argument in call.args[:2])
    assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", code)
    places = set(re.findall(r"\{(\w*)\}", text))
    assert text.count("{") == len(re.findall(r"\{\w+\}", text)), "a place has a name and no format"
    given = {keyword.arg for keyword in call.keywords} - {"where", "undecodable"}
    assert given - {None} <= places
    assert None in given or given == places


def test_one_code_has_one_text() -> None:
    texts: dict[str, set[str]] = {}
    for _, call in ERRORS:
        texts.setdefault(literal(call.args[0]), set()).add(literal(call.args[1]))
    assert {code: found for code, found in texts.items() if len(found) > 1} == {}


def test_one_text_has_one_code() -> None:
    codes: dict[str, set[str]] = {}
    for _, call in ERRORS:
        codes.setdefault(literal(call.args[1]), set()).add(literal(call.args[0]))
    assert {text: found for text, found in codes.items() if len(found) > 1} == {}


def test_an_error_carries_what_another_language_needs() -> None:
    error = InputError("rank-not-whole", "rank {rank} is not whole", "a.run:3", rank="1.5")
    assert str(error) == "a.run:3: rank 1.5 is not whole"
    assert (error.code, error.text, error.where) == ("rank-not-whole", "rank {rank} is not whole", "a.run:3")
    assert (error.what, error.values) == ("rank 1.5 is not whole", {"rank": "1.5"})


def test_an_error_can_be_told_of_another_place() -> None:
    error = InputError("rank-not-whole", "rank {rank} is not whole", "a.run:3", rank="1.5").at("b.run:3")
    assert (str(error), error.code) == ("b.run:3: rank 1.5 is not whole", "rank-not-whole")
