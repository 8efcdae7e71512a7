"""The settings of a sample in a real Chromium, on a telephone and on a wide screen."""

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from judging.models import Setup, Study
from tests.setup.driving import Driver, zipped
from tests.setup.sampling.folder import BUDGET, sampled_folder
from tests.support.browser import axe, check_looks

pytestmark = pytest.mark.django_db(transaction=True)
WIDTHS = (375, 1440)


def look(page: Page) -> None:
    for width in WIDTHS:
        check_looks(page, [(width, "light"), (width, "dark")])
        axe(page)


def test_the_sample_is_a_group_of_the_form(
    open_console: Callable[..., Page], live_server: LiveServer, driver: Driver, tmp_path: Path
) -> None:
    folder = sampled_folder(tmp_path / "small")
    folder.replace("study.toml", f"\nsample = {{ budget = {BUDGET} }}", "")
    setup = driver.upload_study("small.zip", zipped(folder.path))
    assert setup is not None
    page = open_console(width=375)
    page.goto(f"{live_server.url}/console/studies/small/setup/terms/")
    budget = page.locator("[name='pool.sample.budget']")
    group = page.locator("details.group", has=budget)
    expect(budget).to_be_hidden()
    group.locator("summary").click()
    expect(budget).to_be_visible()
    look(page)
    budget.fill("0")
    page.locator("form[data-estimated] [name=continue]").click()
    expect(budget).to_have_attribute("aria-invalid", "true")
    look(page)
    budget.fill(str(BUDGET))
    page.locator("form[data-estimated] [name=continue]").click()
    page.wait_for_url("**/setup/")
    study = Study.objects.get(setup=Setup.objects.get(pk=setup.pk))
    assert study.sample_budget == BUDGET
    assert study.draws.count() == 1
    page.goto(f"{live_server.url}/console/studies/small/setup/terms/")
    expect(budget).to_be_visible()
    look(page)
