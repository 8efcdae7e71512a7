"""A job's page in a real Chromium, while a real worker does the job."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from django.contrib.auth import get_user_model
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from judging.models import Job
from tests.exports.conftest import add_run, judge
from tests.factories import make_study
from tests.jobs.workers import working
from tests.support.browser import axe
from tests.support.people import PASSWORD

WAIT = 30_000


@pytest.mark.parametrize("database", ["sqlite"], indirect=True)
@pytest.mark.parametrize("javascript", [True, False])
def test_the_page_tells_by_itself_when_the_file_is_there(
    database: str,
    folder: Path,
    broker: str,
    live_server: LiveServer,
    new_page: Callable[..., Page],
    javascript: bool,
) -> None:
    study = make_study(judgments_per_document=1)
    judge(study, workers=1)
    add_run(study, "right")
    get_user_model().objects.create_user("ada", password=PASSWORD, is_staff=True)
    page = new_page(javascript=javascript, width=375)
    page.goto(f"{live_server.url}/console/studies/study/jobs/")
    page.get_by_label("Username").fill("ada")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Log in").click()
    if javascript:
        axe(page)
    page.get_by_label("Data").select_option("judgments as csv")
    page.get_by_role("button", name="Make the file").click()
    expect(page.get_by_role("status")).to_contain_text("queued")
    if javascript:
        axe(page)
    with working(folder, broker):
        expect(page.get_by_role("link", name="Download")).to_be_visible(timeout=WAIT)
        with page.expect_download() as started:
            page.get_by_role("link", name="Download").click()
        assert started.value.suggested_filename == "study-judgments.csv"
        assert started.value.path().read_text().count("\n") == 17
        page.get_by_role("link", name="Files and scores").click()
        page.get_by_role("button", name="Score the runs").click()
        expect(page.get_by_role("rowheader", name="right")).to_be_visible(timeout=WAIT)
    expect(page).to_have_title(re.compile("done"))
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    if javascript:
        axe(page)
    assert [job.attempts for job in Job.objects.all()] == [1, 1]
