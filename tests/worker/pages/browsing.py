"""What a visitor does on the pages in a browser."""

from playwright.sync_api import Page

from judging.models import Participation
from tests.factories import current, honest
from tests.worker.pages.actions import reason_for


def press(page: Page, action: str) -> None:
    page.locator(f"form:not(.give-back form) button[name=action][value={action}]").click()


def fill_in(page: Page, worker: Participation, typed: str | None = None) -> None:
    judgment = current(worker)
    page.fill("#magnitude", typed or honest(judgment))
    page.fill("#justification", reason_for(judgment))


def length_of_line(page: Page) -> float:
    return float(page.locator("svg line").evaluate("line => line.getBoundingClientRect().width"))
