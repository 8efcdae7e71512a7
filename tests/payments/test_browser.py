"""The pages of payments in a real browser: accessible, and readable from a telephone to a wide screen."""

from collections.abc import Callable

import pytest
from django.contrib.auth import get_user_model
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from tests.factories import later
from tests.payments.conftest import fill, paying_study
from tests.support.browser import axe


def judged(page: Page) -> None:
    axe(page)
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")


@pytest.mark.parametrize(("width", "scheme"), [(375, "light"), (1280, "dark")])
def test_a_superuser_takes_the_list_pays_and_looks_a_code_up(
    live_server: LiveServer,
    transactional_db: None,
    new_page: Callable[..., Page],
    width: int,
    scheme: str,
) -> None:
    people = fill(paying_study())
    get_user_model().objects.create_superuser("root", password="a-plumb-line-of-93")
    page = new_page(width=width, color_scheme=scheme)
    page.goto(f"{live_server.url}/console/")
    page.get_by_label("Username").fill("root")
    page.get_by_label("Password").fill("a-plumb-line-of-93")
    page.get_by_role("button", name="Log in").click()
    page.goto(f"{live_server.url}/console/studies/study/")
    page.get_by_role("link", name="Payments").click()
    judged(page)
    with page.expect_download() as started:
        page.get_by_role("link", name="payments as csv").click()
    assert started.value.path().read_text().count("\n") == 5
    page.get_by_label("The list that was handed over").set_input_files(
        {"name": "list.csv", "mimeType": "text/csv", "buffer": started.value.path().read_bytes()}
    )
    page.get_by_role("button", name="Mark as paid").click()
    expect(page.get_by_role("status")).to_contain_text("4 payments marked as handed over, 0.55 USD")
    judged(page)
    page.get_by_role("link", name="Look up a code").click()
    page.get_by_label("Code", exact=True).fill("nonsense")
    page.get_by_role("button", name="Look up").click()
    expect(page.get_by_role("alert")).to_contain_text("no completion code")
    judged(page)
    code = people["judge"].assignments.filter(ended_at__lt=later(hours=1)).get().completion_code
    page.get_by_label("Code", exact=True).fill(code.lower().replace("-", " "))
    page.get_by_role("button", name="Look up").click()
    expect(page.get_by_role("heading", name=code)).to_be_visible()
    judged(page)
    page.goto(f"{live_server.url}/s/study/resume/{people['late'].token}/")
    assert "You are paid 0.10 USD" in page.inner_text("main")
    judged(page)
