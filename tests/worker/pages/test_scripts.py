"""What the little JavaScript of the judging page adds: comforts, and nothing that the server relies on."""

import re
import sys
import unicodedata
from collections.abc import Callable
from random import Random

import pytest
from playwright.sync_api import Page, expect

from judging.limits import LONGEST_REASON
from judging.models import Participation, Study
from judging.protocol import magnitude
from tests.factories import live_assignment
from tests.protocol.test_magnitude import READ, REFUSED
from tests.worker.pages.browsing import fill_in, press

pytestmark = pytest.mark.django_db(transaction=True)
NewPage = Callable[..., Page]
Goto = Callable[..., Participation]


SHOWN = {"1/3": "= 0.333333", "2 1/2": "= 2.5", "1e3": "= 1000", "0,5": "= 0.5", "0,12": "= 0.12"}
NOT_SHOWN = [
    "",
    "12",
    " 7 ",
    "1,000",
    "1.000",
    "0.125",
    "1,2,3",
    "0",
    "0/5",
    "-4",
    "ten",
    "1/0",
    "1e-101",
    "1e101",
    "5 %",
    "NaN",
]


def test_how_a_number_is_read_stands_beside_the_box(new_page: NewPage, goto: Goto, browsed: Study) -> None:
    page = new_page()
    goto(page, browsed)
    for typed, shown in {**SHOWN, **dict.fromkeys(NOT_SHOWN, "")}.items():
        page.fill("#magnitude", typed)
        expect(page.locator("output")).to_have_text(shown)
        read = magnitude.parse(typed).value
        if shown:
            assert float(shown.removeprefix("= ")) == pytest.approx(read, rel=1e-5)
        elif typed.strip() not in {"12", "7", "0.125"}:
            assert read is None, "what the server takes as another number than typed is to be shown"
    page.fill("#magnitude", "1/3")
    press(page, "next")
    expect(page.locator("output")).to_have_text("= 0.333333")  # It stands there after a fault as well.


ALPHABET = "0123456789" * 2 + ".,/ eE+-½⅓⅟⁄−１٣٫٬،²①\u200b\u200f\u00a0\u00ad\u2063–"
DIGITS = [chr(code) for code in range(sys.maxunicode) if unicodedata.decimal(chr(code), None) is not None]


def many_inputs() -> list[str]:
    """Return the forms that the tests of the server try, every digit of every script, and random texts."""
    rng = Random(7)
    texts = ["".join(rng.choices(ALPHABET, k=rng.randint(1, 7))) for _ in range(4000)]
    numbers = [repr(rng.lognormvariate(0, 20)) for _ in range(300)]
    mixed = [f"{rng.randint(0, 99)} {rng.randint(1, 999)}/{rng.randint(1, 999)}" for _ in range(300)]
    longest = ["1e" + "0" * 197 + "3", "1e" + "0" * 199 + "3"]
    # A single line of text has no line ends: browsers remove them.
    forms = [text for text in (*READ, *REFUSED) if not set(text) & set("\n\r")]
    return [*forms, *DIGITS, *texts, *numbers, *mixed, *longest]


@pytest.mark.parametrize("language", ["en", "de"])
def test_the_script_reads_numbers_as_the_server_does(
    new_page: NewPage, goto: Goto, browsed: Study, language: str
) -> None:
    Study.with_hidden.filter(pk=browsed.pk).update(language=language)
    page = new_page()
    goto(page, browsed)
    shown = page.locator("#magnitude").evaluate(
        """(box, texts) => texts.map((text) => {
            box.value = text;
            box.dispatchEvent(new Event("input"));
            return document.querySelector("[data-parsed]").value;
        })""",
        many_inputs(),
    )
    mark = {"en": ".", "de": ","}[language]
    expected = {text: magnitude.parse(text, mark=mark).echo for text in many_inputs()}
    assert dict(zip(many_inputs(), shown, strict=True)) == expected


def test_a_fraction_has_a_field_of_its_own(new_page: NewPage, goto: Goto, browsed: Study) -> None:
    page = new_page(width=375, has_touch=True, is_mobile=True)
    worker = goto(page, browsed)
    expect(page.locator("#magnitude")).to_have_attribute("inputmode", "decimal")
    page.fill("#magnitude", "2")
    page.locator(".fraction summary").click()
    expect(page.locator("#fraction")).to_be_focused()
    page.locator("#fraction").press_sequentially("1/2")
    expect(page.locator("output")).to_have_text("= 2.5")
    page.reload()
    expect(page.locator("#fraction")).to_have_value("1/2")
    page.fill("#justification", "Half of it")
    page.locator("#fraction").press("Enter")
    expect(page.locator(".progress")).to_contain_text("2 of 8")
    judgment = live_assignment(worker).judgments.get(position=0)
    assert (judgment.raw_input, judgment.number) == ("2 1/2", 2.5)
    press(page, "back")
    expect(page.locator("#magnitude")).to_have_value("2 1/2")
    expect(page.locator("#magnitude")).to_have_attribute("inputmode", "text")
    expect(page.locator("#fraction")).to_have_value("")


def test_a_long_reason_is_counted_and_not_cut(new_page: NewPage, goto: Goto, browsed: Study) -> None:
    page = new_page()
    worker = goto(page, browsed)
    counter = page.locator("#justification-count")
    page.fill("#magnitude", "5")
    page.fill("#justification", "short")
    expect(counter).to_have_text("")
    longest = "👍\nab" * 9 + "a" * (LONGEST_REASON - 36)
    page.fill("#justification", longest[:-10])
    expect(counter).to_have_text(re.compile(r"\b10$"))
    page.fill("#justification", f"{longest}abc")
    expect(counter).to_have_text(re.compile(r"\b3$"))
    press(page, "next")
    expect(page.locator("#justification-fault")).to_be_visible()
    expect(page.locator("#justification")).to_have_value(f"{longest}abc")
    expect(counter).to_have_text(re.compile(r"\b3$"))
    page.fill("#justification", longest)
    expect(counter).to_have_text(re.compile(r"\b0$"))
    press(page, "next")
    expect(page.locator(".progress")).to_contain_text("2 of 8")
    assert live_assignment(worker).judgments.get(position=0).justification == longest


def test_a_draft_survives_a_closed_tab(new_page: NewPage, goto: Goto, browsed: Study) -> None:
    page = new_page()
    worker = goto(page, browsed)
    page.fill("#magnitude", "2 1/2")
    page.locator("#justification").press_sequentially("Half a thought")
    address, context = page.url, page.context
    page.close()
    page = context.new_page()
    page.goto(address)
    expect(page.locator("#magnitude")).to_have_value("2 1/2")
    expect(page.locator("#justification")).to_have_value("Half a thought")
    expect(page.locator("output")).to_have_text("= 2.5")
    press(page, "next")
    expect(page.locator(".progress")).to_contain_text("2 of 8")
    expect(page.locator("#magnitude")).to_have_value("")
    assert live_assignment(worker).judgments.get(position=0).justification == "Half a thought"
    press(page, "back")
    expect(page.locator("#magnitude")).to_have_value("2 1/2")
    page.get_by_text("Give this set back").click()
    page.get_by_role("button", name="Yes, give it back").click()
    page.wait_for_url("**/units/")
    assert page.evaluate("localStorage.length") == 0, "drafts of an ended unit are not kept"


def test_a_draft_does_not_show_to_the_next_worker_at_the_computer(
    new_page: NewPage, goto: Goto, browsed: Study
) -> None:
    page = new_page()
    goto(page, browsed)
    page.fill("#magnitude", "77")
    goto(page, browsed)
    expect(page.locator("#magnitude")).to_have_value("")


def test_seconds_are_counted_while_the_page_is_visible(new_page: NewPage, goto: Goto, browsed: Study) -> None:
    page = new_page()
    page.clock.install()
    worker = goto(page, browsed)
    fill_in(page, worker)
    show = """state => {
        Object.defineProperty(document, "visibilityState", { value: state, configurable: true });
        document.dispatchEvent(new Event("visibilitychange"));
    }"""
    page.clock.run_for(7_000)
    page.evaluate(show, "hidden")
    page.clock.run_for(30_000)
    page.evaluate(show, "visible")
    page.clock.run_for(2_000)
    press(page, "next")
    expect(page.locator(".progress")).to_contain_text("2 of 8")
    assert 9 <= live_assignment(worker).judgments.get(position=0).visible_seconds <= 15
