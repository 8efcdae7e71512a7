"""The console in a real browser: accessible, and readable from a telephone to a wide screen."""

import re
from collections.abc import Callable

import pytest
from django.contrib.auth.base_user import AbstractBaseUser
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from tests.factories import answer_wrongly, judge_unit, make_study, make_worker
from tests.support.browser import axe, fits
from tests.support.people import PASSWORD


@pytest.mark.parametrize(("width", "scheme"), [(375, "light"), (1280, "dark")])
def test_a_researcher_logs_in_looks_and_pauses(
    live_server: LiveServer,
    transactional_db: None,
    researcher: AbstractBaseUser,
    new_page: Callable[..., Page],
    width: int,
    scheme: str,
) -> None:
    study = make_study(judgments_per_document=2)
    judge_unit(make_worker(study))
    answer_wrongly(make_worker(study, upto="question"))
    page = new_page(javascript=True, width=width, color_scheme=scheme)
    page.goto(f"{live_server.url}/console/")
    expect(page).to_have_title("Log in – Plumbline console")
    axe(page)
    page.get_by_label("Username").fill("ada")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Log in").click()
    expect(page).to_have_title("Studies – Plumbline console")
    axe(page)
    assert fits(page)
    page.get_by_role("link", name=study.title).click()
    expect(page).to_have_title(re.compile(re.escape(study.title)))
    axe(page)
    assert fits(page)
    page.get_by_role("link", name="Pause").click()
    axe(page)
    assert fits(page)
    page.get_by_role("button", name="Pause").click()
    expect(page.get_by_role("status")).to_have_text("The study is paused: nobody gets a new unit.")
    axe(page)
    with page.expect_download() as started:
        page.get_by_role("link", name="judgments as csv").click()
    assert started.value.suggested_filename == "study-judgments.csv"
    assert started.value.path().read_text().count("\n") == 9
    page.get_by_role("link", name="All studies").click()
    expect(page).to_have_title("Studies – Plumbline console")
    page.get_by_role("button", name="Log out").click()
    expect(page).to_have_title("Log in – Plumbline console")
