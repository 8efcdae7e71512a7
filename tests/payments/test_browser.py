"""The pages of payments in a real browser: accessible, and readable from a telephone to a wide screen."""

import re

from django.contrib.auth import get_user_model
from django.test import Client
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from tests.factories import later
from tests.payments.conftest import fill, paying_study
from tests.support.browser import check_looks, log_in, open_place


def test_a_superuser_takes_the_list_pays_and_looks_a_code_up(
    live_server: LiveServer, transactional_db: None, chromium_page: Page
) -> None:
    people = fill(paying_study())
    client = Client()
    client.force_login(get_user_model().objects.create_superuser("root"))
    page = chromium_page
    log_in(page, live_server, client)
    page.goto(f"{live_server.url}/console/studies/study/")
    open_place(page, "Settings", "Payments")
    check_looks(page)
    with page.expect_download() as started:
        page.get_by_role("link", name="payments as csv").click()
    assert started.value.path().read_text().count("\n") == 5
    page.get_by_label("The list that you sent to the platform").set_input_files(
        {"name": "list.csv", "mimeType": "text/csv", "buffer": started.value.path().read_bytes()}
    )
    page.get_by_role("button", name="Mark as paid").click()
    expect(page.get_by_role("status")).to_contain_text(re.compile(r"\b4\b.*\b0\.55 USD"))
    check_looks(page)
    page.get_by_role("link", name="Look up a code").click()
    page.get_by_label("Code", exact=True).fill("nonsense")
    page.get_by_role("button", name="Look up").click()
    expect(page.get_by_role("alert")).to_be_visible()
    check_looks(page)
    code = people["judge"].assignments.filter(ended_at__lt=later(hours=1)).get().completion_code
    page.get_by_label("Code", exact=True).fill(code.lower().replace("-", " "))
    page.get_by_role("button", name="Look up").click()
    expect(page.get_by_role("heading", name=code)).to_be_visible()
    check_looks(page)
    page.goto(f"{live_server.url}/s/study/resume/{people['late'].token}/")
    expect(page.locator("main")).to_contain_text("0.10 USD")
    check_looks(page)
