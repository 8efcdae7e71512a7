"""Documents with markup on the pages of workers and of the console, in a real browser."""

import re
from collections.abc import Callable

import pytest
from django.template.loader import render_to_string
from django.test import Client
from playwright.sync_api import Page, expect

from judging.core.pages.shown_documents import show_document
from judging.models import Document, Judgment, Participation, Picture, PoolDocument, Study
from tests.factories import NOW, make_study, make_worker
from tests.marked_up.drawing import bulges
from tests.support.browser import axe, check_looks
from tests.support.visitor import Visitor, through_client
from tests.worker.pages.browsing import press
from tests.worker.pages.conftest import Clock

NewPage = Callable[..., Page]
Goto = Callable[..., Participation]


def show(worker: Participation, document: str) -> None:
    """Put a document of the study on the worker's first page."""
    judgments = Judgment.objects.filter(assignment__participation=worker)
    wanted = PoolDocument.objects.get(document__document_id=document)
    first, other = judgments.get(position=0), judgments.get(pool_document=wanted)
    judgments.filter(pk=other.pk).update(position=100)
    judgments.filter(pk=first.pk).update(position=other.position if first.pk != other.pk else 100)
    judgments.filter(pk=other.pk).update(position=0)


@pytest.fixture
def at_document(
    transactional_db: None, clock: Clock, tides: Study, goto: Goto, new_page: NewPage
) -> Callable[..., tuple[Page, Participation]]:
    """A function that opens the page of a worker who judges a document of the study."""

    def opened(document: str, **options: object) -> tuple[Page, Participation]:
        Study.objects.update(seconds_per_document=0)
        page = new_page(**options)
        worker = goto(page, tides)
        show(worker, document)
        page.reload()
        return page, worker

    return opened


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("document", ["page", "notes"])
def test_tables_and_pictures_are_shown(
    at_document: Callable[..., tuple[Page, Participation]], document: str
) -> None:
    page, _worker = at_document(document)
    picture = page.locator("article img")
    assert picture.evaluate("picture => picture.complete && picture.naturalWidth") == 320
    expect(picture).to_have_attribute("alt", "The Earth between two bulges of water")
    expect(page.locator("article table th").first).to_be_visible()
    expect(page.locator("article table td").first).to_be_visible()
    levels = page.locator("h1, h2, h3").evaluate_all("all => all.map((heading) => heading.localName)")
    assert levels.count("h1") == 1
    assert page.locator("article a").count() == 0
    check_looks(page)


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("javascript", [True, False], ids=["with JavaScript", "without JavaScript"])
@pytest.mark.parametrize("width", [375, 1440])
def test_markers_lead_to_their_sources_and_back(
    at_document: Callable[..., tuple[Page, Participation]], javascript: bool, width: int
) -> None:
    page, _worker = at_document("answer-good", javascript=javascript, width=width)
    source = page.locator("#document-source-2")
    expect(source).to_be_hidden()
    address = page.url
    marker = page.get_by_role("link", name="2", exact=True)
    marker.focus()
    page.keyboard.press("Enter")
    expect(source).to_be_visible()
    expect(source).to_be_in_viewport()
    expect(source.locator("td").first).to_be_visible()
    source.get_by_role("link").press("Enter")
    expect(page.locator("#document-cite-2")).to_be_in_viewport()
    assert page.url.partition("#")[0] == address
    answer, sources = page.locator(".answer-text").bounding_box(), page.locator(".sources").bounding_box()
    assert answer is not None
    assert sources is not None
    is_beside = sources["x"] >= answer["x"] + answer["width"]
    assert is_beside == (width == 1440)
    check_looks(page, [(width, "light"), (width, "dark")])
    if javascript:
        axe(page)


@pytest.mark.django_db(transaction=True)
def test_a_url_of_a_source_is_text(at_document: Callable[..., tuple[Page, Participation]]) -> None:
    page, _worker = at_document("answer-good")
    expect(page.locator("#document-source-3")).to_contain_text("https://tides.example/sun")
    hrefs = page.locator("article a").evaluate_all("all => all.map((link) => link.getAttribute('href'))")
    assert all(href.startswith("#") for href in hrefs)


def select(page: Page, words: str) -> None:
    """Select words of the document, as a mouse, a finger or the keyboard does."""
    page.evaluate(
        """words => {
            const texts = document.createTreeWalker(document.querySelector("article"), NodeFilter.SHOW_TEXT);
            while (texts.nextNode()) {
                const start = texts.currentNode.data.indexOf(words);
                if (start < 0) continue;
                const text = texts.currentNode;
                return getSelection().setBaseAndExtent(text, start, text, start + words.length);
            }
        }""",
        words,
    )


@pytest.mark.django_db(transaction=True)
def test_a_selected_passage_is_marked_and_kept(
    at_document: Callable[..., tuple[Page, Participation]],
) -> None:
    page, worker = at_document("notes")
    expect(page.locator("#highlight")).to_have_value("")
    page.get_by_role("button", name="Mark this passage").click()
    expect(page.locator("#highlight")).to_have_value("")
    select(page, "The far side is pulled")
    page.get_by_role("button", name="Mark this passage").click()
    expect(page.locator("#highlight")).to_have_value("The far side is pulled")
    page.reload()
    expect(page.locator("#highlight")).to_have_value("The far side is pulled")
    check_looks(page)
    page.fill("#magnitude", "5")
    page.fill("#justification", "It says so.")
    press(page, "next")
    press(page, "back")
    expect(page.locator("#highlight")).to_have_value("The far side is pulled")
    judgment = Judgment.objects.get(assignment__participation=worker, position=0)
    assert judgment.highlight == "The far side is pulled"
    assert (judgment.highlight_start, judgment.highlight_end) == (36, 58)


@pytest.mark.django_db(transaction=True)
def test_without_javascript_a_passage_is_pasted(
    at_document: Callable[..., tuple[Page, Participation]],
) -> None:
    page, worker = at_document("notes", javascript=False)
    expect(page.get_by_role("button", name="Mark this passage")).to_be_hidden()
    page.fill("#magnitude", "5")
    page.fill("#justification", "It says so.")
    page.fill("#highlight", "Not in the document.")
    press(page, "next")
    expect(page.locator("#highlight-fault")).to_be_visible()
    expect(page.locator("#highlight")).to_have_value("Not in the document.")
    press(page, "next")
    expect(page.locator(".progress")).to_contain_text("2 of 4")
    judgment = Judgment.objects.get(assignment__participation=worker, position=0)
    assert (judgment.highlight, judgment.highlight_start) == ("Not in the document.", None)


def test_who_may_see_a_picture(
    tides: Study, clock: Clock, enter: Callable[..., tuple[Visitor, Participation]], console: Client
) -> None:
    checksum = Picture.objects.get().sha256
    address, in_console = f"/s/tides/pictures/{checksum}/", f"/console/studies/tides/pictures/{checksum}/"
    _visitor, worker = enter(tides, "judging")
    get = through_client(browser := Client())
    get("GET", f"/s/tides/resume/{worker.token}/", None)
    reply = get("GET", address, None)
    assert (reply.status, reply.body) == (200, bulges())
    assert reply.header("Content-Type") == "image/png"
    assert reply.header("X-Content-Type-Options") == "nosniff"
    assert "immutable" in reply.header("Cache-Control")
    assert "private" in reply.header("Cache-Control")
    seen = console.get(in_console)
    assert (seen.status_code, seen.content) == (200, bulges())
    stranger = Client()
    assert stranger.get(address).status_code == 404
    assert stranger.get(in_console).status_code == 302
    other = make_study(slug="other", seconds_per_document=0)
    _visitor, elsewhere = enter(other, "judging")
    browser.get(f"/s/other/resume/{elsewhere.token}/")
    assert browser.get(f"/s/other/pictures/{checksum}/").status_code == 404
    assert browser.get("/s/tides/pictures/other/").status_code == 404


def test_a_plain_document_asks_for_no_pictures(
    tides: Study, clock: Clock, enter: Callable[..., tuple[Visitor, Participation]]
) -> None:
    Document.objects.update(markup="text", text="<img src=pictures/bulges.png>", sources=[])
    visitor, _worker = enter(tides, "judging")
    body = visitor.seen[-1].body.decode()
    assert "&lt;img src=pictures/bulges.png&gt;" in body
    assert not re.search(r"<img\b", body)


def test_two_documents_can_stand_on_one_page(tides: Study) -> None:
    document = tides.documents.get(document_id="answer-good")
    pages = [
        render_to_string(
            "worker/_document.html",
            {
                "document": show_document(document, tides, prefix=f"{place}-", level=2),
                "name": "Document",
                "answer": "magnitude",
            },
        )
        for place in ("first", "second")
    ]
    ids = [re.findall(r'\bid="([^"]+)"', page) for page in pages]
    assert ids[0]
    assert not set(ids[0]) & set(ids[1])
    for page, own in zip(pages, ids, strict=True):
        targets = re.findall(r'href="#([^"]+)"', page)
        assert set(targets) <= {*own, "magnitude"}
        assert "<h1" not in page


@pytest.mark.django_db(transaction=True)
def test_the_console_shows_them_too(tides: Study, open_console: Callable[..., Page]) -> None:
    make_worker(tides, upto="judging", now=NOW)
    page = open_console("/console/studies/tides/understanding/document/?topic=1&id=page")
    expect(page.locator(".reading-text table td").first).to_be_visible()
    picture = page.locator(".reading-text img")
    assert picture.evaluate("picture => picture.complete && picture.naturalWidth") == 320
    check_looks(page)
    page.goto(page.url.replace("id=page", "id=answer-good"))
    page.locator(".reading-text summary").first.click()
    expect(page.locator("#document-source-1")).to_be_visible()
    check_looks(page)
