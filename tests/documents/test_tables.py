"""The tables that come from the code: each stands on one page, and is current."""

from pathlib import Path

import pytest

from deploy import documents, tables
from deploy.documents import DOCS, write_tables

MARKED = [(page, name) for page in sorted(DOCS.rglob("*.md")) for name in tables.tables_in(page)]
PAGE = """# A page

<!-- generated table: limits -->
{}<!-- end of generated table -->

Text.
"""


@pytest.mark.parametrize(
    ("page", "name"), MARKED, ids=[f"{page.relative_to(DOCS)}: {name}" for page, name in MARKED]
)
def test_a_table_is_current(page: Path, name: str) -> None:
    assert tables.tables_in(page)[name] == tables.current(name), "run `python3 manage.py docs --tables`"


def test_every_table_stands_on_one_page() -> None:
    assert sorted(name for _, name in MARKED) == sorted(tables.TABLES)


def test_the_command_changes_only_what_is_between_the_comments(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    old, right = tmp_path / "old.md", tmp_path / "right.md"
    old.write_text(PAGE.format("an old table\n"))
    right.write_text(PAGE.format(tables.current("limits")))
    assert write_tables(tmp_path) == 0
    assert capsys.readouterr().out == f"{old}\n"
    assert old.read_text() == right.read_text() == PAGE.format(tables.current("limits"))


def test_the_command_builds_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(documents, "write_tables", lambda: 0)
    assert documents.run(["--tables", "--output", str(tmp_path / "site")]) == 0
    assert not (tmp_path / "site").exists()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (PAGE.replace(": limits", ": boundaries"), "“boundaries”"),
        (PAGE.replace("<!-- end of generated table -->", ""), "only one of its two comments"),
        (PAGE.replace("<!-- generated table: limits -->", ""), "only one of its two comments"),
        (PAGE.replace("Text.", "<!-- generated table: limits -->"), "only one of its two comments"),
    ],
)
def test_a_wrong_comment_is_named_and_nothing_is_written(
    text: str, message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    outdated, page = tmp_path / "a.md", tmp_path / "page.md"
    outdated.write_text(PAGE.format("an old table\n"))
    page.write_text(text.format(""))
    assert write_tables(tmp_path) == 1
    error = capsys.readouterr().err
    assert str(page) in error
    assert message in error
    assert outdated.read_text() == PAGE.format("an old table\n")
