"""The page of a report that the library writes, in a browser."""

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page

from evaluation.report import build_report, write_report
from tests.evaluation.report_study import QUICK, study_of_everything
from tests.support.browser import axe


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder: Path = tmp_path_factory.mktemp("report")
    write_report(build_report(study_of_everything(), only=QUICK), folder)
    return (folder / "index.html").as_uri()


@pytest.mark.parametrize(("width", "scheme"), [(375, "dark"), (1280, "light")])
def test_the_page_is_accessible(address: str, new_page: Callable[..., Page], width: int, scheme: str) -> None:
    page = new_page(width=width, color_scheme=scheme)
    page.goto(address)
    axe(page)
