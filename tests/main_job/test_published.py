"""`docs/guides/published-judgments.md` says the truth: its files, its commands and their output."""

from pathlib import Path

import pytest

from tests.main_job.page import ROOT, Page

PAGE = Page(ROOT / "docs" / "guides" / "published-judgments.md")


@pytest.mark.long
def test_every_command_prints_what_the_page_says(tmp_path: Path, var: Path) -> None:
    folder = tmp_path / "published"
    folder.mkdir()
    for name, text in PAGE.files():
        (folder / name).write_text(text, encoding="utf-8")
    PAGE.check_commands(
        var,
        there=lambda command: command.replace("import_study published", f"import_study {folder}"),
        as_written=lambda printed: printed.replace(str(folder), "published"),
    )
