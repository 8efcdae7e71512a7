"""The site of the documents in a real Chromium: wide and narrow, light and dark."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.support.browser import CHECKED_BY_AXE, LOOKS, axe, fits

SEEN = [
    "index.html",
    "start/first-study.html",
    "guides/index.html",
    "reference/commands.html",
    "reference/python/scores.html",
    "guides/paying.html",
    "reference/measures/index.html",
    "understanding/judging-a-sample.html",
]
"""Pages of each part and each kind: pictures, drawings, commands, tables, docstrings."""


@pytest.mark.parametrize("look", LOOKS, ids=lambda look: f"{look[0]} {look[1]}")
def test_pages_are_accessible_and_fit(
    look: tuple[int, str], address: str, new_page: Callable[..., Page]
) -> None:
    """That nothing comes from another host, and that no script fails, `new_page` checks at the end."""
    width, scheme = look
    # As high as the navigation is long: a link that its frame cuts off would count as too small to press.
    page = new_page(width=width, height=2000, color_scheme=scheme)
    for name in SEEN:
        page.goto(f"{address}/{name}")
        expect(page.locator("article h1")).to_be_visible()
        assert fits(page), name
        if look in CHECKED_BY_AXE:
            axe(page)


def test_the_search_finds_a_page(address: str, new_page: Callable[..., Page]) -> None:
    page = new_page()
    page.goto(f"{address}/index.html")
    page.locator("input.md-search__input").fill("anchor ties")
    expect(page.locator(".md-search-result__item").first).to_be_visible()
