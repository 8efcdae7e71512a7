"""`docs/guides/how-to-cranfield.md` says the truth: its files, its commands and their output."""

import shutil
from pathlib import Path

import pytest

from tests.main_job.page import ROOT, Page

PAGE = Page(ROOT / "docs" / "guides" / "how-to-cranfield.md")


@pytest.fixture
def folder(collections: Path, tmp_path: Path) -> Path:
    """The reader's folder `cranfield`, with the collection and the two files that the page gives."""
    folder = tmp_path / "cranfield"
    folder.mkdir()
    for name in ("cran.all.1400", "cran.qry", "cranqrel"):
        shutil.copy(collections / "cranfield" / name, folder / name)
    (script,), (study,) = PAGE.blocks("python"), PAGE.blocks("toml")
    (folder / "rank.py").write_text(script)
    (folder / "study.toml").write_text(study)
    return folder


@pytest.mark.long
def test_every_command_prints_what_the_page_says(folder: Path, var: Path) -> None:
    PAGE.check_commands(
        var,
        there=lambda command: command.replace("cranfield/", f"{folder}/"),
        as_written=lambda printed: printed.replace(f"{folder}/", "cranfield/"),
    )
