"""docs/understanding/threats.md: every threat has a test that exists, or says that it stands open."""

import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "understanding" / "threats.md"
TEST = re.compile(r"`(tests/[\w/]+\.py)::(test_\w+)`")
OPEN = "stands open"


def rows(text: str) -> Iterator[list[str]]:
    """The rows of all tables of a page but their heads: cells as they are written."""
    for before, line in pairwise(text.splitlines()):
        if line.startswith("|") and before.startswith("|") and not line.startswith("|-"):
            yield [cell.strip() for cell in line.strip("|").split("|")]


def faults(text: str) -> list[str]:
    """What is wrong with a page of threats: rows without a test, and tests that there are not."""
    results = []
    for threat, defence, proof in rows(text):
        if not defence or not (TEST.search(proof) or OPEN in proof):
            results.append(f"neither a test nor “{OPEN}”: {threat}")
    for path, name in TEST.findall(text):
        file = ROOT / path
        if not file.is_file() or not re.search(rf"^def {name}\(", file.read_text(), re.MULTILINE):
            results.append(f"there is no {path}::{name}")
    return results


def test_every_threat_has_a_test_or_stands_open() -> None:
    text = PAGE.read_text()
    assert faults(text) == []
    assert list(rows(text))
    assert text.count("`tests/") == len(TEST.findall(text)), "a test is not written as `path::name`"


@pytest.mark.parametrize(
    "row",
    [
        "| a threat | a defence | none |",
        "| a threat |  | stands open |",
        "| a threat | a defence | `tests/house/test_threats.py::test_that_is_not_there` |",
        "| a threat | a defence | `tests/house/test_nowhere.py::test_x` |",
    ],
)
def test_a_row_without_proof_is_noticed(row: str) -> None:
    table = "| threat | defence | test |\n|---|---|---|\n"
    assert faults(f"{table}{row}\n")
    assert not faults(f"{table}| a threat | a defence | stands open: nothing can be done |\n")
