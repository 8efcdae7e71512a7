"""The way in a real Chromium, with JavaScript and without: what people see, type and press."""

from collections.abc import Callable
from itertools import pairwise

import pytest
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from judging.models import Document, Participation, Study, Topic
from tests.factories import current, inverted, live_assignment, make_study, right_place
from tests.support.browser import axe, fits
from tests.worker.pages.browsing import fill_in, length_of_line, press
from tests.worker.pages.conftest import Clock

pytestmark = pytest.mark.django_db(transaction=True)
NewPage = Callable[..., Page]
Goto = Callable[..., Participation]


def practise(page: Page) -> None:
    for line in range(3):
        expect(page.locator(".progress")).to_contain_text(f"Line {line + 1} of 3")
        page.fill("#magnitude", f"{length_of_line(page):.2f}")
        press(page, "next")


@pytest.mark.parametrize("javascript", [True, False], ids=["with JavaScript", "without JavaScript"])
def test_the_whole_way(
    javascript: bool, live_server: LiveServer, new_page: NewPage, transactional_db: None, clock: Clock
) -> None:
    size = 4
    make_study(unit_size=size, documents=2)
    page = new_page(javascript=javascript)
    page.goto(f"{live_server.url}/s/study/")
    page.locator("button[name=consent][value=yes]").click()
    press(page, "next")
    practise(page)
    press(page, "next")
    worker = Participation.objects.get()
    page.locator("label.option").nth(right_place(live_assignment(worker))).click()
    press(page, "next")
    press(page, "next")
    expect(page.locator("#magnitude-fault")).to_be_visible()
    expect(page.locator("#justification-fault")).to_be_visible()
    for place in range(1, size + 1):
        expect(page.locator(".progress")).to_contain_text(f"{place} of {size}")
        clock.move(seconds=20)
        fill_in(page, worker, inverted(current(worker)))
        press(page, "finish" if place == size else "next")
    expect(page.get_by_role("alert")).to_be_visible()
    for _ in range(size - 1):
        press(page, "back")
    for place in range(1, size + 1):
        expect(page.locator(".progress")).to_contain_text(f"{place} of {size}")
        fill_in(page, worker)
        press(page, "finish" if place == size else "next")
    page.wait_for_url("**/units/")
    unit = live_assignment(worker)
    assert (unit.state, unit.failed_checks, unit.revisions) == ("completed", {"c": 1}, size - 1)
    assert unit.completion_code in page.locator("main").inner_text()
    press(page, "next")
    expect(page.locator("label.option")).to_have_count(4)


def test_a_unit_is_given_back_by_a_second_press(new_page: NewPage, goto: Goto, browsed: Study) -> None:
    page = new_page(javascript=False)
    worker = goto(page, browsed)
    button = page.get_by_role("button", name="Yes, give it back")
    expect(button).to_be_hidden()
    page.get_by_text("Give this set back").click()
    button.click()
    page.wait_for_url("**/units/")
    assert live_assignment(worker).state == "returned"


def test_practice_lines_are_drawn_true_to_each_other(new_page: NewPage, goto: Goto, browsed: Study) -> None:
    page = new_page()
    lengths = goto(page, browsed, "practising").practice_attempts.get().lengths
    drawn: dict[int, list[float]] = {375: [], 1280: []}
    frames: dict[int, list[float]] = {375: [], 1280: []}
    for place in range(1, len(lengths) + 1):
        expect(page.locator(".progress")).to_contain_text(f"{place} of")
        for width in drawn:
            page.set_viewport_size({"width": width, "height": 800})
            drawn[width].append(length_of_line(page))
            frame = page.locator("svg.frame")
            frames[width].append(frame.evaluate("frame => frame.getBoundingClientRect().width"))
        page.fill("#magnitude", "5")
        press(page, "next")
    for width in drawn:
        assert len(set(frames[width])) == 1
        ratios = [a / b for a, b in pairwise(drawn[width])]
        assert ratios == pytest.approx([a / b for a, b in pairwise(lengths)], rel=0.005)
        assert max(drawn[width]) < min(frames[width])
        assert min(drawn[width]) > 20


def test_a_whole_document_by_keyboard_alone(new_page: NewPage, goto: Goto, browsed: Study) -> None:
    page = new_page()
    worker = goto(page, browsed)
    page.keyboard.press("Tab")
    expect(page.get_by_text("Skip to the content")).to_be_focused()
    tab_to(page, "#magnitude")
    page.keyboard.type("2 1/2")
    page.keyboard.press("Tab")
    expect(page.locator("#justification")).to_be_focused()
    page.keyboard.type("By keyboard.")
    page.keyboard.press("Tab")
    expect(page.get_by_role("button", name="Next", exact=True)).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator(".progress")).to_contain_text("2 of 8")
    assert live_assignment(worker).judgments.get(position=0).raw_input == "2 1/2"


def tab_to(page: Page, selector: str) -> None:
    for _ in range(10):
        page.keyboard.press("Tab")
        if page.locator(selector).evaluate("element => element === document.activeElement"):
            return
    raise AssertionError(f"the keyboard does not reach {selector}")


def test_enter_in_the_box_presses_next_and_not_back(new_page: NewPage, goto: Goto, browsed: Study) -> None:
    page = new_page(javascript=False)
    worker = goto(page, browsed)
    for place in (2, 3):
        fill_in(page, worker)
        page.locator("#magnitude").press("Enter")
        expect(page.locator(".progress")).to_contain_text(f"{place} of 8")
    assert live_assignment(worker).back_uses == 0


def test_a_topic_above_the_document_folds_away_and_opens_within_reach(
    new_page: NewPage, goto: Goto, browsed: Study
) -> None:
    Topic.objects.update(narrative="A long narrative. " * 200)
    Document.objects.update(text="A long document. " * 400)
    page = new_page()
    goto(page, browsed)
    for width, height in ((375, 740), (768, 1024), (720, 450)):
        page.set_viewport_size({"width": width, "height": height})
        page.reload()
        check_topic(page, height)


def check_topic(page: Page, height: int) -> None:
    """Open the topic from the end of the document: it takes 60 % of the screen, and the answer the rest."""
    topic = page.locator("[data-topic]")
    page.evaluate("scrollTo(0, document.body.scrollHeight)")
    summary = topic.locator("summary")
    expect(summary).to_be_in_viewport()
    summary.click()
    expect(topic.locator("p").last).to_be_visible()
    box = topic.bounding_box()
    assert box is not None
    assert (box["y"], box["height"]) == (0, pytest.approx(0.6 * height, abs=1))
    topic.evaluate("topic => topic.scrollTo(0, topic.scrollHeight)")
    expect(summary).to_be_in_viewport()
    page.locator("#justification").focus()
    assert page.locator("#justification").bounding_box()["y"] >= 0.6 * height


def test_a_preformatted_document_scrolls_in_its_own_box(
    new_page: NewPage, goto: Goto, browsed: Study
) -> None:
    Study.objects.update(layout="preformatted")
    Document.objects.update(text="    first line\n" + "a very long line " * 20)
    page = new_page(width=375, height=812)
    goto(page, browsed)
    box = page.locator("article pre")
    assert box.inner_text().startswith("    first line\na very long line")
    assert box.evaluate("box => box.scrollWidth > box.clientWidth")
    assert fits(page)
    axe(page)
    box.focus()
    box.evaluate("box => { box.onscroll = () => { box.dataset.scrolled = box.scrollLeft > 0; }; }")
    page.keyboard.press("ArrowRight")
    expect(box).to_have_attribute("data-scrolled", "true")


@pytest.mark.parametrize("javascript", [True, False], ids=["with JavaScript", "without JavaScript"])
def test_what_is_wrong_is_seen_and_reached_at_once(
    javascript: bool, new_page: NewPage, goto: Goto, browsed: Study
) -> None:
    page = new_page(width=375, height=812, javascript=javascript)
    goto(page, browsed)
    press(page, "next")
    expect(page.locator("#problems")).to_be_focused()
    expect(page.locator("#problems")).to_be_in_viewport(ratio=1)
    for field in ("magnitude", "justification"):
        page.locator(f"#problems a[href='#{field}']").click()
        expect(page.locator(f"#{field}")).to_be_focused()
        expect(page.locator(f"#{field}")).to_be_in_viewport(ratio=1)
        shown = page.locator(f"#{field}").evaluate("field => getComputedStyle(field).borderColor")
        assert shown == page.locator(f"#{field}-fault").evaluate("fault => getComputedStyle(fault).color")


def test_on_a_wide_screen_the_topic_stands_beside_the_document(
    new_page: NewPage, goto: Goto, browsed: Study
) -> None:
    Document.objects.update(text="A paragraph of a long document. " * 40 + ("\n\nAnother one." * 60))
    page = new_page()
    worker = goto(page, browsed)
    page.locator("#justification").scroll_into_view_if_needed()
    expect(page.get_by_text(live_assignment(worker).topic.narrative)).to_be_in_viewport()


def test_the_reading_place_is_kept_for_whoever_comes_back(
    new_page: NewPage, goto: Goto, browsed: Study
) -> None:
    Document.objects.update(text="Another line of a long document.\n\n" * 200)
    page = new_page(width=375, height=812)
    goto(page, browsed)
    page.evaluate("scrollTo(0, 1500)")
    address = page.url
    page.goto("about:blank")
    page.goto(address)
    expect(page.locator("#justification")).not_to_be_in_viewport()
    assert page.evaluate("scrollY") == 1500
    page.get_by_role("link", name="Go to your answer").click()
    expect(page.locator("#magnitude")).to_be_in_viewport()
    fill_in(page, Participation.objects.latest("pk"))
    press(page, "next")
    expect(page.locator(".progress")).to_contain_text("2 of 8")
    assert page.evaluate("scrollY") == 0
