"""`--changed` leaves no test out that a change can reach."""

from pathlib import Path

import pytest

from tests.support import sources
from tests.support.reach import PROGRAM, chosen
from tests.support.sources import Parts, digests, functions_of, importers

RULE = '''
LIMIT = 3

class Rule:
    """A rule."""

    def holds(self, value):
        return value < LIMIT

@cache
def table():
    return [1, 2]
'''
TESTS = ("tests/test_one.py", "tests/test_two.py")


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project of one rule, of a view that imports it, and of settings that name the view's module."""
    monkeypatch.setattr(sources, "ROOT", tmp_path)
    files = {
        "judging/rule.py": RULE,
        "judging/view.py": "from judging.rule import LIMIT\ndef view(): return LIMIT\n",
        "deploy/urls.py": "VIEWS = ['judging.view.view']\n",
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    monkeypatch.setattr(sources, "project_files", lambda: list(files))
    sources.files_along.cache_clear()
    return tmp_path


@pytest.mark.parametrize(
    ("old", "new", "parts"),
    [
        ("value < LIMIT", "value <= LIMIT", {"Rule.holds"}),
        ("LIMIT = 3", "LIMIT = 4", {""}),
        ("self, value", "self, value, other=1", {""}),
        ("[1, 2]", "[1, 3]", {""}),  # only its first caller runs it
        ("        return value", "        # why\n        return value", set()),
    ],
)
def test_a_change_belongs_to_the_function_that_it_is_in(
    project: Path, old: str, new: str, parts: set[str]
) -> None:
    before = digests("judging/rule.py")
    assert old in RULE
    (project / "judging/rule.py").write_text(RULE.replace(old, new))
    after = digests("judging/rule.py")
    assert {part for part in before | after if before.get(part) != after.get(part)} == parts


def test_lines_lead_to_their_function(project: Path) -> None:
    assert set(functions_of("judging/rule.py").values()) == {"Rule.holds"}


def test_imports_are_followed_through_texts_too(project: Path) -> None:
    assert importers({"judging/rule.py"}) == {"judging/rule.py", "judging/view.py", "deploy/urls.py"}


def memory(**reached: list[str]) -> dict[str, object]:
    files: Parts = {
        **{test: {"": "0"} for test in TESTS},
        "judging/rule.py": {"": "0", "Rule.holds": "0"},
        "docs/page.md": {"": "0"},
        "templates/page.html": {"": "0"},
        "tests/support/run.py": {"": "0"},
    }
    return {"files": files, "reached": {f"tests/test_{name}.py": keys for name, keys in reached.items()}}


@pytest.mark.parametrize(
    ("one", "change", "is_chosen"),
    [
        (["judging/rule.py::Rule.holds"], ("judging/rule.py", "Rule.holds"), True),
        (["judging/rule.py::Rule.other"], ("judging/rule.py", "Rule.holds"), False),
        (["judging/rule.py::Rule.other"], ("judging/rule.py", ""), True),
        (["judging/view.py::view"], ("judging/rule.py", ""), True),
        (["judging/elsewhere.py::view"], ("judging/rule.py", ""), True),  # it may have asked an address
        (["evaluation/scores.py::score"], ("judging/rule.py", ""), False),
        (["docs/page.md::"], ("docs/page.md", ""), True),
        (["docs/page.md::"], ("docs/new.md", ""), True),
        (["templates/page.html::"], ("docs/page.md", ""), False),
        ([PROGRAM], ("templates/page.html", ""), True),
        ([PROGRAM], ("docs/page.md", ""), False),
        ([], ("tests/test_one.py", ""), True),
        ([], ("tests/support/run.py", ""), True),
        ([], ("tests/conftest.py", ""), True),
    ],
)
def test_what_reaches_a_change_is_chosen(
    project: Path, one: list[str], change: tuple[str, str], is_chosen: bool
) -> None:
    known = memory(one=one)
    path, part = change
    now = {name: dict(parts) for name, parts in known["files"].items()}  # type: ignore[attr-defined]
    now.setdefault(path, {})[part] = "1"
    assert (TESTS[0] in chosen(known, now)) is is_chosen
    assert TESTS[1] in chosen(known, now)  # it has not run yet, or failed
