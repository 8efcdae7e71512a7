"""Two documents on a page in a real Chromium: chosen, revised, reported, by keyboard, and without scripts."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from judging.models import Document, Event, Judgment, Participation, Study
from judging.protocol.scales.preference import longer_line
from tests.factories import Way, current, live_assignment, make_study, make_worker, right_place
from tests.support.browser import check_looks, fits
from tests.support.preferences import EQUAL, FIRST, SECOND, prefers, prefers_wrongly
from tests.worker.pages.actions import reason_for
from tests.worker.pages.browsing import press
from tests.worker.pages.conftest import Clock

pytestmark = pytest.mark.django_db(transaction=True)
NewPage = Callable[..., Page]
Goto = Callable[..., Participation]
LONG = "\n\n".join(
    f"Paragraph {place} of a long document. " + "It goes on for a while. " * 12 for place in range(8)
)


@pytest.fixture
def paired(transactional_db: None, clock: Clock) -> Study:
    """An open study of preferences with long documents, where check (d) asks for no time."""
    study = make_study(scale="preference", topics=2, seconds_per_document=0, pay_per_unit="0.20")
    for document in Document.objects.filter(study=study):
        document.text = f"Text of {document.title}.\n\n{LONG}"
        document.save()
    return study


def choose(page: Page, judgment: Judgment, value: str) -> None:
    page.check(f"input[name=magnitude][value='{value}']")
    page.fill("#justification", reason_for(judgment))


def checked(page: Page) -> list[str]:
    chosen = page.locator("input[name=magnitude]:checked")
    return [str(chosen.nth(place).get_attribute("value")) for place in range(chosen.count())]


@pytest.mark.parametrize("width", [375, 1440])
@pytest.mark.parametrize("javascript", [True, False], ids=["with JavaScript", "without JavaScript"])
def test_the_whole_way(
    javascript: bool, width: int, live_server: LiveServer, new_page: NewPage, paired: Study, clock: Clock
) -> None:
    page = new_page(javascript=javascript, width=width)
    page.goto(f"{live_server.url}/s/study/")
    page.locator("button[name=consent][value=yes]").click()
    press(page, "next")
    worker = Participation.objects.get()
    press(page, "next")  # nothing is chosen in advance
    expect(page.locator("#magnitude-fault")).to_be_visible()
    for line in range(3):
        lengths = worker.practice_attempts.get().lengths
        page.check(f"input[name=magnitude][value='{longer_line(lengths, line)}']")
        press(page, "next")
    expect(page.locator("table.recap tbody tr")).to_have_count(3)
    press(page, "next")
    page.locator("label.option").nth(right_place(live_assignment(worker))).click()
    press(page, "next")
    assert checked(page) == []
    press(page, "next")
    expect(page.locator("#magnitude-fault")).to_be_visible()
    for place in range(1, 9):
        expect(page.locator(".progress")).to_contain_text(f"{place} of 8")
        fits(page)
        choose(page, current(worker), prefers_wrongly(current(worker)))
        press(page, "finish" if place == 8 else "next")
    expect(page.get_by_role("alert")).to_be_visible()
    anchors = next(
        judgment.position
        for judgment in live_assignment(worker).judgments.all()
        if judgment.compared_with and judgment.pool_document.anchor and judgment.compared_with.anchor
    )
    if anchors != 7:
        page.locator(f"button[name=go][value='{anchors}']").click()
        expect(page.locator(".progress")).to_contain_text(f"{anchors + 1} of 8")
    choose(page, current(worker), prefers(current(worker)))
    press(page, "finish")
    page.wait_for_url("**/units/")
    unit = live_assignment(worker)
    assert (unit.state, unit.failed_checks, unit.judgment_count) == ("completed", {"c": 1}, 8)


def test_a_page_shows_both_documents_of_the_ring(new_page: NewPage, goto: Goto, paired: Study) -> None:
    page = new_page(width=1440)
    worker = goto(page, paired)
    expect(page.get_by_role("heading", level=1)).to_have_count(1)
    judgment = current(worker)
    assert judgment.compared_with
    names = [judgment.pool_document.document, judgment.compared_with.document]
    headings = page.get_by_role("heading", level=2).filter(has_text=re.compile("First|Second"))
    expect(headings).to_have_count(2)
    for place, document in enumerate(names):
        expect(headings.nth(place)).to_contain_text(document.title)
        expect(page.locator("article.document").nth(place)).to_contain_text(f"Text of {document.title}")
    articles = page.locator("article.document")
    boxes = [articles.nth(place).bounding_box() for place in range(2)]
    assert boxes[0]
    assert boxes[1]
    assert boxes[0]["x"] + boxes[0]["width"] < boxes[1]["x"]
    assert abs(boxes[0]["y"] - boxes[1]["y"]) < 2
    page.set_viewport_size({"width": 375, "height": 800})
    boxes = [articles.nth(place).bounding_box() for place in range(2)]
    assert boxes[0]
    assert boxes[1]
    assert boxes[0]["y"] + boxes[0]["height"] < boxes[1]["y"]


@pytest.mark.parametrize("width", [375, 1440])
def test_links_lead_between_the_documents_and_to_the_answer(
    width: int, new_page: NewPage, goto: Goto, paired: Study
) -> None:
    page = new_page(width=width)
    goto(page, paired)
    page.get_by_role("link", name="Go to the second document").click()
    second = page.get_by_role("heading", name="Second document")
    expect(second).to_be_in_viewport()
    covering = second.evaluate(
        "heading => { const box = heading.getBoundingClientRect();"
        " return heading.contains(document.elementFromPoint(box.x + 5, box.y + 5)); }"
    )
    assert covering, "something hides the heading"
    page.get_by_role("link", name="Go to the first document").click()
    expect(page.get_by_role("heading", name="First document")).to_be_in_viewport()
    page.get_by_role("link", name="Go to your answer").first.click()
    expect(page.locator("#magnitude")).to_be_in_viewport()


def test_a_pair_by_keyboard_alone(new_page: NewPage, goto: Goto, paired: Study) -> None:
    page = new_page()
    worker = goto(page, paired)
    for _ in range(20):
        page.keyboard.press("Tab")
        if page.locator("#magnitude").evaluate("element => element === document.activeElement"):
            break
    page.keyboard.press("Space")
    assert checked(page) == [FIRST]
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    assert checked(page) == [SECOND]
    page.keyboard.press("Tab")
    expect(page.locator("#justification")).to_be_focused()
    page.keyboard.type("By keyboard.")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.locator(".progress")).to_contain_text("2 of 8")
    stored = live_assignment(worker).judgments.get(position=0)
    assert (stored.raw_input, stored.number) == (SECOND, 0.0)


def test_answers_survive_going_back_and_drafts_a_reload(new_page: NewPage, goto: Goto, paired: Study) -> None:
    page = new_page()
    worker = goto(page, paired)
    choose(page, current(worker), EQUAL)
    press(page, "next")
    expect(page.locator(".progress")).to_contain_text("2 of 8")
    assert checked(page) == []
    page.check(f"input[name=magnitude][value='{FIRST}']")
    page.fill("#justification", "A draft.")
    page.reload()
    assert checked(page) == [FIRST]
    expect(page.locator("#justification")).to_have_value("A draft.")
    press(page, "back")
    expect(page.locator(".progress")).to_contain_text("1 of 8")
    assert checked(page) == [EQUAL]


def test_a_stale_page_shows_the_answer_in_words(new_page: NewPage, goto: Goto, paired: Study) -> None:
    page = new_page()
    worker = goto(page, paired)
    other = page.context.new_page()
    other.goto(page.url)
    choose(other, current(worker), SECOND)
    press(other, "next")
    expect(other.locator(".progress")).to_contain_text("2 of 8")
    choose(page, current(worker), FIRST)
    press(page, "next")
    expect(page.locator("[data-told=stale]")).to_contain_text("The first document")


@pytest.mark.parametrize("which", ["first", "second"])
def test_either_document_can_be_reported(which: str, new_page: NewPage, goto: Goto, paired: Study) -> None:
    page = new_page(javascript=False)
    worker = goto(page, paired)
    judgment = current(worker)
    page.locator("details.give-back summary").first.click()
    page.locator("button[value=report]").click()
    expect(page.locator("#which-fault")).to_be_visible()
    expect(page.locator("#fault-fault")).to_be_visible()
    page.check(f"input[name=which][value={which}]")
    page.locator("input[name=fault]").first.check()
    page.locator("button[value=report]").click()
    page.wait_for_url("**/units/")
    reported = judgment.pool_document if which == "first" else judgment.compared_with
    assert Event.objects.get(kind="reported").document == reported


@pytest.mark.parametrize("upto", ["practising", "judging"])
def test_pages_pass_axe_in_each_look(
    upto: Way, new_page: NewPage, live_server: LiveServer, paired: Study, clock: Clock
) -> None:
    page = new_page(width=1440)
    worker = make_worker(paired, upto=upto, now=clock.now)
    page.goto(f"{live_server.url}/s/study/resume/{worker.token}/")
    check_looks(page)
    press(page, "next")
    check_looks(page)


def test_earlier_answers_are_shown_in_words(new_page: NewPage, goto: Goto, paired: Study) -> None:
    Study.objects.update(show_previous="all")
    page = new_page(javascript=False)
    worker = goto(page, paired)
    choose(page, current(worker), EQUAL)
    press(page, "next")
    expect(page.locator("p.previous b")).to_have_text("Both equally")
