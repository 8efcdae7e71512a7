"""A page of the console has at most one primary button: the others are plain, or look like links."""

from html.parser import HTMLParser
from typing import Final

import pytest
from django.test import Client

from tests.house.test_console_pages import PAGES, ROUTES
from tests.house.walk import World

QUIET: Final = {"plain", "link"}


class Buttons(HTMLParser):
    """The texts of the primary buttons of a page."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.primary: list[str] = []
        self._inside = False
        self.feed(html)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        classes = set((dict(attributes).get("class") or "").split())
        if (tag == "button" or (tag == "a" and "button" in classes)) and not classes & QUIET:
            self.primary.append("")
            self._inside = True

    def handle_endtag(self, tag: str) -> None:
        if tag in {"a", "button"}:
            self._inside = False

    def handle_data(self, data: str) -> None:
        if self._inside:
            self.primary[-1] += data.strip()


@pytest.mark.parametrize("name", sorted(PAGES))
def test_each_page_has_at_most_one_primary_button(world: World, name: str) -> None:
    anonymous = name in {"login", "password_ask", "password_asked", "password_set", "invitation"}
    browser = Client() if anonymous else world.browser("admin")
    answer = browser.get(world.address(f"console:{name}", ROUTES[name]), follow=True)
    primary = Buttons(answer.content.decode()).primary
    assert len(primary) <= 1, primary
