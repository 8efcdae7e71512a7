"""The console in a real browser is accessible, and readable on phones and wide screens."""

from django.contrib.auth.base_user import AbstractBaseUser
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from tests.factories import answer_wrongly, judge_unit, make_study, make_worker
from tests.support.browser import check_looks
from tests.support.people import PASSWORD


def test_a_researcher_logs_in_looks_and_pauses(
    live_server: LiveServer, transactional_db: None, researcher: AbstractBaseUser, chromium_page: Page
) -> None:
    study = make_study(judgments_per_document=2)
    judge_unit(make_worker(study))
    answer_wrongly(make_worker(study, upto="question"))
    page = chromium_page
    page.goto(f"{live_server.url}/console/")
    page.wait_for_url("**/console/login/**")
    check_looks(page)
    page.get_by_label("Username").fill("ada")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Log in").click()
    page.wait_for_url("**/console/")
    check_looks(page)
    page.get_by_role("link", name=study.title).click()
    page.wait_for_url("**/studies/study/")
    check_looks(page)
    page.get_by_role("link", name="Pause").click()
    page.wait_for_url("**/pause/")
    check_looks(page)
    page.get_by_role("button", name="Pause").click()
    page.wait_for_url("**/studies/study/")
    expect(page.get_by_role("status")).to_be_visible()
    check_looks(page)
    study.refresh_from_db()
    assert study.state == "paused"
    with page.expect_download() as started:
        page.get_by_role("link", name="judgments as csv").click()
    assert started.value.suggested_filename == "study-judgments.csv"
    assert started.value.path().read_text().count("\n") == 9
    page.get_by_role("link", name="All studies").click()
    page.wait_for_url("**/console/")
    page.get_by_role("button", name="Log out").click()
    page.wait_for_url("**/console/login/")
