"""`docs/guides/worked-study.md` says the truth: its script, its commands and their output."""

import re
from pathlib import Path

import pytest

from tests.main_job.page import ROOT, Page

PAGE = Page(ROOT / "docs" / "guides" / "worked-study.md")
FOLDER = re.compile(r"(?<!\S)study(?=/|$)|(?<=\")study(?=/)", re.MULTILINE)
"""The reader's folder, in a command or in quotes in the script; not the file `study.toml`."""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The reader's folder `study`, with the script that the page gives."""
    folder = tmp_path / "study"
    folder.mkdir()
    (script,) = PAGE.blocks("python")
    (folder / "findings.py").write_text(FOLDER.sub(str(folder), script))
    return folder


@pytest.mark.long
def test_every_command_prints_what_the_page_says(folder: Path, var: Path) -> None:
    PAGE.check_commands(
        var,
        there=lambda command: FOLDER.sub(str(folder), command),
        as_written=lambda printed: printed.replace(f"{folder.parent}/", ""),
    )
    shown = re.findall(r"^!\[.+\]\((.+)\)$", PAGE.path.read_text(), re.MULTILINE)
    assert shown
    for figure in shown:
        assert (PAGE.path.parent / figure).is_file()
        assert (folder / Path(figure).name).is_file(), "a figure that the script does not make"
