"""`docs/start/first-study.md` says the truth: its commands and their output."""

from pathlib import Path

import pytest

from tests.main_job.page import ROOT, Page

PAGE = Page(ROOT / "docs" / "start" / "first-study.md")


@pytest.mark.slow
def test_every_command_prints_what_the_page_says(tmp_path: Path, var: Path) -> None:
    PAGE.check_commands(
        var,
        there=lambda command: command.replace("my-study", f"{tmp_path}/my-study"),
        as_written=lambda printed: printed.replace(f"{tmp_path}/", ""),
    )
