"""A job's page in a real Chromium, while a real worker does the job."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from django.test import Client
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from judging.models import Job
from tests.archive.exports.conftest import add_run, judge
from tests.factories import make_study
from tests.jobs.workers import working
from tests.support.browser import axe, fits, log_in

WAIT = 30_000


@pytest.mark.django_db(transaction=True)
def test_the_page_tells_by_itself_when_the_file_is_there(
    folder: Path, broker: str, live_server: LiveServer, console: Client, new_page: Callable[..., Page]
) -> None:
    """With scripts and without them; the worker is started when both pages wait."""
    study = make_study(judgments_per_document=1)
    judge(study, workers=1)
    add_run(study, "right")
    scripted, plain = (new_page(javascript=javascript, width=375) for javascript in (True, False))
    for page in (scripted, plain):
        log_in(page, live_server, console)
        page.goto(f"{live_server.url}/console/studies/study/jobs/")
    axe(scripted)
    scripted.locator("button[value='judgments.csv']").click()
    plain.get_by_role("button", name="Score the runs").click()
    for page in (scripted, plain):
        expect(page.locator("[data-job=live]")).to_be_visible()
    axe(scripted)
    with working(folder, broker):
        with scripted.expect_download(timeout=WAIT) as started:
            scripted.get_by_role("link", name="Download").click(timeout=WAIT)
        assert started.value.suggested_filename == "study-judgments.csv"
        assert started.value.path().read_text().count("\n") == 17
        expect(plain.get_by_role("rowheader", name="right")).to_be_visible(timeout=WAIT)
    for page in (scripted, plain):
        expect(page).to_have_title(re.compile("done"))
        assert fits(page)
    axe(scripted)
    assert [job.attempts for job in Job.objects.all()] == [1, 1]
