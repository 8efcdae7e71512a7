"""The fields of other scales than magnitudes in Chromium: by keyboard, by touch, and without scripts."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from judging.models import Participation, Study
from judging.protocol.anchor_pairs import gold
from judging.protocol.scales import judging_of
from judging.protocol.scales.scale import Judging
from tests.factories import current, live_assignment, make_study, right_place
from tests.support.browser import axe, fits
from tests.worker.pages.browsing import press
from tests.worker.pages.conftest import Clock

pytestmark = pytest.mark.django_db(transaction=True)
NewPage = Callable[..., Page]
Goto = Callable[..., Participation]
SCALES = ("0-100", "grades")
LOOKS: list[dict[str, Any]] = [
    {"width": 375, "height": 812, "color_scheme": "dark", "has_touch": True},
    {"width": 1440, "height": 900},
    {"width": 375, "height": 812, "javascript": False},
]


def study_on(scale: str, **settings: Any) -> Study:
    return make_study(scale=scale, unit_size=4, documents=2, pay_per_unit="0.20", **settings)


@pytest.fixture
def hundred(transactional_db: None, clock: Clock) -> Study:
    return study_on("0-100")


@pytest.fixture
def graded(transactional_db: None, clock: Clock) -> Study:
    return study_on("grades", labels=("useless", "useful", "perfect"))


def answer(page: Page, value: str) -> None:
    """Type a number, or choose the option with a number. Nothing is chosen before."""
    box = page.locator("input[name=magnitude][type=text]")
    if box.count():
        expect(box).to_have_value("")
        box.fill(value)
        return
    expect(page.locator("input[name=magnitude]:checked")).to_have_count(0)
    page.locator(f"label.option:has(input[value='{value}'])").click()


def practise(page: Page, worker: Participation, judging: Judging) -> None:
    assert judging.practice
    lengths = worker.practice_attempts.get().lengths
    for line in range(len(lengths)):
        expect(page.locator(".progress")).to_contain_text(f"Line {line + 1} of 3")
        axe(page)
        assert fits(page)
        answer(page, judging.practice.right(lengths, line, worker.study))
        press(page, "next")


@pytest.mark.parametrize("look", LOOKS, ids=["phone", "screen", "without JavaScript"])
@pytest.mark.parametrize("scale", SCALES)
def test_the_whole_way(
    scale: str,
    look: dict[str, Any],
    live_server: LiveServer,
    new_page: NewPage,
    transactional_db: None,
    clock: Clock,
) -> None:
    study = study_on(scale)
    judging = judging_of(study)
    page = new_page(**look)
    page.goto(f"{live_server.url}/s/study/")
    page.locator("button[name=consent][value=yes]").click()
    axe(page)
    press(page, "next")
    worker = Participation.objects.get()
    practise(page, worker, judging)
    axe(page)
    expect(page.locator(".recap tbody tr")).to_have_count(3)
    press(page, "next")
    page.locator("label.option").nth(right_place(live_assignment(worker))).click()
    press(page, "next")
    press(page, "next")
    expect(page.locator("#magnitude-fault")).to_be_visible()
    axe(page)
    for place in range(1, study.unit_size + 1):
        expect(page.locator(".progress")).to_contain_text(f"{place} of {study.unit_size}")
        clock.move(seconds=20)
        answer(page, "0")
        page.fill("#justification", f"The same for all, {place}")
        press(page, "finish" if place == study.unit_size else "next")
    revise = page.get_by_role("alert")
    expect(revise).to_be_visible()  # both anchors have the same number
    axe(page)
    assert fits(page)
    for place in range(study.unit_size, 0, -1):
        shown = "input[name=magnitude]:checked" if scale == "grades" else "#magnitude"
        expect(page.locator(shown)).to_have_value("0")
        anchor = gold(current(worker).pool_document.anchor)
        if anchor == "H":
            value = judging.examples[anchor]
            option = page.locator(f"label.option:has(input[value='{value}'])")
            option.click() if scale == "grades" else page.fill("#magnitude", value)
        press(page, "back" if place > 1 else "finish")
    page.wait_for_url("**/units/")
    unit = live_assignment(worker)
    assert (unit.state, unit.failed_checks) == ("completed", {"c": 1})
    numbers = set(unit.judgments.values_list("number", flat=True))
    assert numbers == {0.0, float(judging.examples["H"])}


def test_the_slider_shows_no_number_before_it_is_used(new_page: NewPage, goto: Goto, hundred: Study) -> None:
    page = new_page()
    goto(page, hundred)
    slider = page.get_by_role("slider")
    expect(slider).to_have_attribute("aria-valuetext", "No number yet")
    expect(page.locator("#magnitude")).to_have_value("")
    without_thumb = slider.screenshot()
    page.fill("#magnitude", "62,5")
    expect(slider).to_have_attribute("aria-valuetext", "62,5")
    assert slider.screenshot() != without_thumb
    for refused in ("101", "-1", "many", ""):
        page.fill("#magnitude", refused)
        expect(slider).to_have_attribute("aria-valuetext", "No number yet")
        assert slider.screenshot() == without_thumb
    assert page.locator("form [name=magnitude]").count() == 1
    assert slider.get_attribute("name") is None


def test_every_key_moves_the_slider_and_the_box(new_page: NewPage, goto: Goto, hundred: Study) -> None:
    page = new_page()
    worker = goto(page, hundred)
    box, slider = page.locator("#magnitude"), page.get_by_role("slider")
    box.focus()
    page.keyboard.press("Tab")
    expect(slider).to_be_focused()
    keys = {
        "ArrowRight": "50",
        "ArrowUp": "51",
        "ArrowLeft": "50",
        "PageUp": "60",
        "PageDown": "50",
        "End": "100",
        "Home": "0",
    }
    for key, shown in keys.items():
        page.keyboard.press(key)
        expect(box).to_have_value(shown)
        expect(slider).to_have_attribute("aria-valuetext", shown)
    for key, shown in {"Home": "0", "End": "100"}.items():  # from no number, too
        box.fill("")
        slider.press(key)
        expect(box).to_have_value(shown)
    page.keyboard.press("Tab")
    expect(page.locator("#justification")).to_be_focused()
    page.keyboard.type("By keyboard.")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.locator(".progress")).to_contain_text("2 of 4")
    assert live_assignment(worker).judgments.get(position=0).number == 100


@pytest.mark.parametrize("language", ["en", "ar"])
def test_a_tap_sets_the_number_and_a_swipe_scrolls_the_page(
    new_page: NewPage, goto: Goto, hundred: Study, language: str
) -> None:
    Study.objects.update(language=language)
    page = new_page(width=375, height=500, has_touch=True, is_mobile=True)
    goto(page, hundred)
    slider, box = page.locator("#slider"), page.locator("#magnitude")
    slider.scroll_into_view_if_needed()
    place = slider.bounding_box()
    assert place is not None
    assert place["height"] >= 44
    middle = place["y"] + place["height"] / 2
    for share in (0.5, 0.25, 0.9):
        page.touchscreen.tap(place["x"] + share * place["width"], middle)
        expected = 100 * (1 - share if language == "ar" else share)
        near = "|".join(str(number) for number in range(101) if abs(number - expected) < 6)
        expect(box).to_have_value(re.compile(f"^({near})$"))
    before, scrolled = box.input_value(), page.evaluate("scrollY")
    swipe(page, place["x"] + place["width"] / 2, middle, up=200)
    assert page.evaluate("scrollY") > scrolled + 50
    assert box.input_value() == before


def swipe(page: Page, x: float, y: float, *, up: float) -> None:
    """Move one finger upwards over the screen, as the browser's own gestures see it."""
    client = page.context.new_cdp_session(page)

    def touch(kind: str, *points: dict[str, float]) -> None:
        client.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [*points]})
        page.wait_for_timeout(20)

    touch("touchStart", {"x": x, "y": y})
    for moved in range(10, int(up) + 1, 10):
        touch("touchMove", {"x": x, "y": y - moved})
    touch("touchEnd")


def test_grades_are_chosen_by_keyboard(new_page: NewPage, goto: Goto, graded: Study) -> None:
    page = new_page()
    worker = goto(page, graded)
    expect(page.locator("label.option:has([name=magnitude])")).to_have_text(["useless", "useful", "perfect"])
    page.locator("#magnitude").focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    expect(page.get_by_label("perfect")).to_be_checked()
    page.keyboard.press("Tab")
    expect(page.locator("#justification")).to_be_focused()
    page.keyboard.type("By keyboard.")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.locator(".progress")).to_contain_text("2 of 4")
    judgment = live_assignment(worker).judgments.get(position=0)
    assert (judgment.raw_input, judgment.number) == ("2", 2.0)


@pytest.mark.parametrize("scale", SCALES)
def test_a_draft_survives_a_reload_and_going_back(
    new_page: NewPage, goto: Goto, transactional_db: None, clock: Clock, scale: str
) -> None:
    page = new_page()
    goto(page, study_on(scale))
    answer(page, "1")
    page.fill("#justification", "A draft")
    page.reload()
    shown = page.locator("input[name=magnitude]:checked" if scale == "grades" else "#magnitude")
    expect(shown).to_have_value("1")
    if scale == "0-100":
        expect(page.get_by_role("slider")).to_have_attribute("aria-valuetext", "1")
    expect(page.locator("#justification")).to_have_value("A draft")
    clock.move(seconds=20)
    press(page, "next")
    expect(page.locator(".progress")).to_contain_text("2 of 4")
    page.go_back()
    expect(page.locator(".progress")).to_contain_text("of 4")
    press(page, "back") if page.locator("button[value=back]").count() else None
    expect(page.locator(".progress")).to_contain_text("1 of 4")
    expect(shown).to_have_value("1")
