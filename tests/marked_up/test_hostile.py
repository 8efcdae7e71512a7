"""Hostile documents in a real browser: nothing runs, nothing is loaded, and the page stays what it is."""

from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page, Request

from judging.core.documents.allowed import SHOWN
from judging.models import Document, Participation
from tests.factories import make_study
from tests.marked_up.hostile import CASES
from tests.support.browser import axe, fits
from tests.worker.pages.conftest import Clock

pytestmark = pytest.mark.django_db(transaction=True)
WIDTHS = (375, 1440)
SEEN = """() => {
  const article = document.querySelector("article.document");
  const box = article.getBoundingClientRect();
  const parts = [...article.querySelectorAll(".document-text *")];
  const inScroller = (part) => part.parentElement.closest(".wide-part");
  return {
    tags: [...new Set(parts.map((part) => part.localName))],
    attributes: [...new Set(parts.flatMap((part) => part.getAttributeNames()))],
    ids: parts.filter((part) => part.id).map((part) => part.id),
    links: parts.filter((part) => part.href).length,
    outside: parts.filter((part) => {
      const own = part.getBoundingClientRect();
      const isWider = own.left < box.left - 1 || own.right > box.right + 1;
      const isHigher = own.top < box.top - 1 || own.bottom > box.bottom + 1;
      return own.width && ((isWider && !inScroller(part)) || isHigher);
    }).map((part) => part.outerHTML.slice(0, 80)),
    moved: parts.filter((part) => getComputedStyle(part).position !== "static").length,
    fields: [...document.querySelectorAll("input, textarea, select, button")].map((field) => field.name),
    inArticle: article.querySelectorAll("input, textarea, select, button, form").length,
    magnitude: document.getElementById("magnitude").localName,
    hacked: "hacked" in window,
    title: document.title,
    text: article.innerText,
    onTop: (() => {
      const field = document.getElementById("magnitude");
      field.scrollIntoView({ block: "center" });
      const own = field.getBoundingClientRect();
      return document.elementFromPoint(own.left + own.width / 2, own.top + own.height / 2) === field;
    })(),
  };
}"""
ATTRIBUTES = {
    "dir",
    "lang",
    "class",
    "tabindex",
    "role",
    "aria-label",
    "scope",
    "colspan",
    "rowspan",
    "start",
}
ATTRIBUTES |= {"type", "reversed", "value", "src", "alt"}


@pytest.fixture
def open_document(
    new_page: Callable[..., Page], transactional_db: None, clock: Clock, goto: Callable[..., Participation]
) -> Callable[..., tuple[Page, list[str]]]:
    """A function that opens a page of a worker who judges, and notes the path of each request."""

    def opened(**options: Any) -> tuple[Page, list[str]]:
        study = make_study(topics=1, seconds_per_document=0)
        page, paths = new_page(**options), []

        def note(request: Request) -> None:
            paths.append(urlsplit(request.url).path)

        page.on("request", note)
        page.on("dialog", lambda dialog: pytest.fail(f"a dialog opened: {dialog.message}"))
        goto(page, study)
        return page, paths

    return opened


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("part", range(4))
def test_a_hostile_document_is_text_and_nothing_else(
    open_document: Callable[..., tuple[Page, list[str]]], width: int, part: int
) -> None:
    page, paths = open_document(width=width)
    before: dict[str, Any] = page.evaluate(SEEN)
    address = page.url
    for markup, name, text in CASES[part::4]:
        Document.objects.update(markup=markup, text=text, title="A title")
        page.goto(address)
        seen = page.evaluate(SEEN)
        assert "KEPT" in seen["text"], name
        assert set(seen["tags"]) <= SHOWN, name
        assert set(seen["attributes"]) <= ATTRIBUTES, name
        assert (seen["ids"], seen["links"], seen["moved"], seen["inArticle"]) == ([], 0, 0, 0), name
        assert seen["outside"] == [], name
        assert not seen["hacked"], name
        assert (seen["magnitude"], seen["onTop"], seen["title"]) == ("input", True, before["title"]), name
        assert seen["fields"] == before["fields"], name
        assert fits(page), name
        axe(page)
    assert page.url == address
    assert {path for path in paths if not path.startswith(("/static/", "/s/study/"))} == set()


def test_a_hostile_document_is_text_without_scripts_too(
    open_document: Callable[..., tuple[Page, list[str]]],
) -> None:
    page, paths = open_document(width=375, javascript=False)
    address = page.url
    for markup, name, text in CASES:
        Document.objects.update(markup=markup, text=text)
        page.goto(address)
        assert "KEPT" in page.locator("article.document").inner_text(), name
        assert (
            page.locator(
                "article.document .document-text :is(form, input, button, a, iframe, script)"
            ).count()
            == 0
        ), name
    assert {path for path in paths if not path.startswith(("/static/", "/s/study/"))} == set()
