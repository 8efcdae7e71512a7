"""Back, forward and reload in a real Chromium: no field is ever filled with the text of another step."""

from collections.abc import Callable
from time import monotonic
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Error, Page, expect
from pytest_django.live_server_helper import LiveServer

from judging.models import Participation, PracticeAttempt, Study
from tests.factories import current, live_assignment, make_study, right_place
from tests.support.visitor import Visitor, through_client
from tests.worker.pages.actions import consent, judge, practise, take_topic
from tests.worker.pages.browsing import length_of_line, press
from tests.worker.pages.conftest import Clock

pytestmark = pytest.mark.django_db(transaction=True)
NewPage = Callable[..., Page]
Goto = Callable[..., Participation]
Enter = Callable[..., tuple[Visitor, Participation]]

BACK = "history.back()"
MOVES = {
    "back": [BACK],
    "two back": ["history.go(-2)"],
    "back and forward": [BACK, "history.forward()"],
    "back and reload": [BACK, "location.reload()"],
    "reload": ["location.reload()"],
    "back three times": [BACK] * 3,
    "back fast": ["for (let n = 0; n < 4; n += 1) history.back()"],
}
FILLED = """() => [...document.querySelectorAll("main input:not([type=hidden]), main textarea")].filter(
  (field) => ["radio", "checkbox"].includes(field.type) ? field.checked : field.value
).map((field) => `${field.name}=${field.value}`)"""
DOCUMENT = "`${performance.timeOrigin} ${location.href} ${document.readyState}`"
STILL = 0.3
"""Seconds."""
PERSISTED = """addEventListener("pageshow", (event) => { window.isPersisted = event.persisted; })"""


def move(page: Page, moves: list[str]) -> None:
    """Move in the browser's history, wait until the page stands still, and return if it left the site."""
    for script in moves:
        page.evaluate(f"() => {{ setTimeout(() => {{ {script}; }}, 0); }}")
        stand_still(page)
    if page.url == "about:blank":
        page.go_forward()


def stand_still(page: Page) -> None:
    """Wait until one document has been there for a while: on a busy machine, a move can begin late."""
    document, since = "", monotonic()
    while monotonic() - since < STILL:
        page.wait_for_timeout(50)
        try:
            found = str(page.evaluate(DOCUMENT))
        except Error:  # the document goes at this moment
            found = ""
        if found != document or not found.endswith("complete"):
            document, since = found, monotonic()


def filled(page: Page) -> list[str]:
    return list(page.evaluate(FILLED))


def answer(page: Page, place: int) -> None:
    """Type an answer that names its document, and send it."""
    expect(page.locator(".progress")).to_contain_text(f"{place + 1} of")
    assert filled(page) == []
    page.fill("#magnitude", f"{100 + place}")
    page.fill("#justification", f"Reason of document {place}.")
    press(page, "next")
    expect(page.locator(".progress")).to_contain_text(f"{place + 2} of")


def stored(worker: Participation) -> list[tuple[str, str]]:
    return list(
        live_assignment(worker).judgments.order_by("position").values_list("raw_input", "justification")
    )


def answers(number: int) -> list[tuple[str, str]]:
    """What `answer` has typed for the first documents."""
    return [(f"{100 + place}", f"Reason of document {place}.") for place in range(number)]


def test_each_document_keeps_its_own_answer(new_page: NewPage, goto: Goto) -> None:
    page = new_page()
    worker = goto(page, make_study(topics=1, documents=10, unit_size=12, seconds_per_document=0))
    for place in range(3):
        answer(page, place)
    for place, moves in enumerate(MOVES.values(), 3):
        move(page, moves)
        answer(page, place)
    assert stored(worker) == answers(10) + [("", "")] * 2
    assert (current(worker).position, live_assignment(worker).back_uses) == (10, 0)


def test_each_document_keeps_its_own_answer_without_javascript(new_page: NewPage, goto: Goto) -> None:
    page = new_page(javascript=False)
    worker = goto(page, make_study(topics=1, seconds_per_document=0))
    for place in range(3):
        answer(page, place)
    page.go_back()
    answer(page, 3)
    assert stored(worker) == answers(4) + [("", "")] * 4


def test_what_is_typed_but_not_sent_stays_with_its_document(new_page: NewPage, goto: Goto) -> None:
    page = new_page()
    worker = goto(page, make_study(topics=1, seconds_per_document=0))
    answer(page, 0)
    page.fill("#magnitude", "7")
    page.fill("#justification", "Half of a reason.")
    move(page, [BACK, "location.reload()"])
    assert filled(page) == ["magnitude=7", "justification=Half of a reason."]
    press(page, "back")
    expect(page.locator(".progress")).to_contain_text("1 of 8")
    assert filled(page) == ["magnitude=100", "justification=Reason of document 0."]
    press(page, "next")
    expect(page.locator(".progress")).to_contain_text("2 of 8")
    move(page, ["history.go(-2)"])
    assert filled(page) == ["magnitude=7", "justification=Half of a reason."]
    assert stored(worker)[:3] == [("100", "Reason of document 0."), ("7", "Half of a reason."), ("", "")]
    assert live_assignment(worker).back_uses == 1


def test_no_answer_is_chosen_for_the_next_question(new_page: NewPage, goto: Goto) -> None:
    questions = len(MOVES) + 1
    study = make_study(topics=questions, seconds_per_document=0, comprehension_attempts=questions)
    page = new_page()
    worker = goto(page, study, "question")
    for name, moves in MOVES.items():
        page.locator("label.option").nth((right_place(live_assignment(worker)) + 1) % 4).click()
        press(page, "next")
        page.wait_for_url("**/units/")
        press(page, "next")
        expect(page.locator("label.option")).to_have_count(4)
        title = page.locator("h1").inner_text()
        move(page, moves)
        assert (page.locator("h1").inner_text(), filled(page)) == (title, []), name


def test_no_number_of_a_line_is_filled_in_for_the_next(
    live_server: LiveServer, new_page: NewPage, clock: Clock
) -> None:
    make_study(seconds_per_document=0)
    page = new_page()
    page.goto(f"{live_server.url}/s/study/")
    page.locator("button[name=consent][value=yes]").click()
    page.wait_for_url("**/instructions/")
    for name in ("reload", "back and forward", "two back"):
        move(page, MOVES[name])
        assert urlsplit(page.url).path == "/s/study/instructions/"
    assert Participation.objects.count() == 1
    press(page, "next")
    typed = []
    for number, moves in enumerate([[], *MOVES.values(), []]):  # the lines of three attempts
        expect(page.locator(".progress")).to_contain_text(f"{number % 3 + 1} of 3")
        move(page, moves)
        assert filled(page) == [], moves
        length = round(length_of_line(page), 2)
        typed.append(length if number >= 6 else 1000 - length)  # two attempts fail
        page.fill("#magnitude", str(typed[-1]))
        press(page, "next")
    page.wait_for_url("**/task/")
    attempts = PracticeAttempt.objects.order_by("number")
    assert [magnitude for attempt in attempts for magnitude in attempt.magnitudes] == typed


def test_a_page_from_the_browsers_memory_shows_and_sends_its_own_document(
    new_page: NewPage, goto: Goto
) -> None:
    """Pages are not stored, but some browsers keep them in memory. Such a page is an old form, no more."""
    page = new_page()
    page.add_init_script(PERSISTED)
    worker = goto(page, make_study(topics=1, seconds_per_document=0))
    for place in range(2):
        answer(page, place)
    old = page.url
    page.evaluate("dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true }))")
    page.goto("about:blank")
    page.go_back()
    assert not page.evaluate("isPersisted"), "a page that must not be stored was kept"
    assert (page.url, filled(page)) == (old, [])
    assert stored(worker)[2] == ("", "")


def test_an_earlier_page_leads_to_the_current_one_and_says_so(enter: Enter, study: Study) -> None:
    visitor, worker = enter(study, "judging")
    first = visitor.page
    judge(visitor, worker)
    here = visitor.page.path
    assert not any("data-moved" in attributes for _, attributes in visitor.page.tags)
    page = visitor.open(first.path)
    assert page.path == here != first.path
    assert any("data-moved" in attributes for _, attributes in page.tags)
    assert not any("data-moved" in attributes for _, attributes in visitor.open("/s/study/judge/").tags)


def test_a_form_sent_to_the_address_of_another_is_an_old_form(enter: Enter, study: Study) -> None:
    visitor, worker = enter(study, "judging")
    fields = visitor.filled(visitor.page.forms[0], "next", magnitude="7", justification="Elsewhere.")
    for address in ("judge/1/1/", "judge/2/0/"):
        page = visitor.post(f"/s/study/{address}", fields)
        assert page.told() == ["stale"]
        assert "Elsewhere." in page.text
    assert stored(worker) == [("", "")] * 8
    assert visitor.post("/s/study/judge/1/0/", fields).path == "/s/study/judge/1/1/"


def test_a_line_or_an_answer_sent_to_the_address_of_another_changes_nothing(
    enter: Enter, study: Study
) -> None:
    visitor, worker = enter(study, "practising")
    fields = visitor.filled(visitor.page.forms[0], "next", magnitude="7.25")
    page = visitor.post("/s/study/practice/1/1/", fields)
    assert (page.told(), "7.25" in page.text) == (["stale"], True)
    assert worker.practice_attempts.get().magnitudes == []
    visitor, worker = enter(study, "question")
    right = str(right_place(live_assignment(worker)))
    fields = visitor.filled(visitor.page.forms[0], "next", answer=right)
    assert visitor.post("/s/study/topic/2/", fields).path == "/s/study/topic/1/"
    assert visitor.post("/s/study/topic/1/", fields).step == "judge"


def test_no_two_forms_of_the_way_share_an_address_and_none_is_completed(study: Study) -> None:
    visitor = Visitor(through_client())
    consent(visitor, "/s/study/")
    worker = Participation.objects.get()
    practise(visitor)
    take_topic(visitor, worker)
    for _ in range(7):
        judge(visitor, worker)
    shown = [reply for reply in visitor.seen if reply.status == 200]
    assert len({reply.url for reply in shown}) == len(shown) > 12
    for reply in shown:
        for tag in reply.body.decode().split("<")[1:]:
            if tag.startswith(("form", "textarea")) or 'type="radio"' in tag or 'type="text"' in tag:
                assert 'autocomplete="off"' in tag, (reply.url, tag)
        assert "no-store" in reply.header("Cache-Control")
