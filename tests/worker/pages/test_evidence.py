"""Evidence from the browser: what a real Chromium says of typing, pasting, dictation and input methods."""

from collections.abc import Callable
from dataclasses import replace

import pytest
from playwright.sync_api import Page

from judging.models import Judgment, Participation, Study
from judging.protocol.evidence import PASTED
from tests.factories import form, judge_unit, later, make_study, make_worker, send
from tests.people.conftest import browser_of, make_people, text_of
from tests.support.visitor import Visitor
from tests.worker.pages.browsing import press
from tests.worker.pages.conftest import Clock

NewPage = Callable[..., Page]
Goto = Callable[..., Participation]
Enter = Callable[..., tuple[Visitor, Participation]]
REASON = "It says a little about the topic."


def first_judgment() -> Judgment:
    return Judgment.objects.get(position=0)


def paste(page: Page, text: str) -> None:
    """Paste as people do: from the clipboard, with the keys for it."""
    page.evaluate(
        """text => { const box = document.createElement("textarea"); box.value = text;
        document.body.append(box); box.select(); document.execCommand("copy"); box.remove(); }""",
        text,
    )
    page.locator("#justification").focus()
    page.keyboard.press("Control+V")


def compose(page: Page, text: str) -> None:
    """Enter a text as an input method or a swiping keyboard does."""
    page.locator("#justification").focus()
    session = page.context.new_cdp_session(page)
    session.send("Input.imeSetComposition", {"text": text, "selectionStart": 0, "selectionEnd": len(text)})
    session.send("Input.insertText", {"text": text})


def dictate(page: Page, text: str) -> None:
    """Enter a whole text at once, as dictation does."""
    page.locator("#justification").focus()
    page.keyboard.insert_text(text)


def fill_silently(page: Page, text: str) -> None:
    """Change the value without any event, as some extensions do."""
    page.locator("#justification").evaluate("(box, text) => { box.value = text; }", text)


@pytest.fixture
def judging(browsed: Study, new_page: NewPage, goto: Goto) -> Page:
    """The first document of a study that keeps the evidence."""
    Study.objects.update(evidence="input")
    page = new_page()
    goto(page, browsed)
    page.fill("#magnitude", "5")
    return page


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    ("enter", "share"),
    [
        (lambda page: page.locator("#justification").press_sequentially(REASON), 0.0),
        (lambda page: paste(page, REASON), 1.0),
        (lambda page: compose(page, REASON), 0.0),
        (lambda page: dictate(page, REASON), 0.0),
        (lambda page: fill_silently(page, REASON), None),
    ],
    ids=["typed", "pasted", "composed", "dictated", "silent"],
)
def test_how_a_reason_was_entered(judging: Page, enter: Callable[[Page], None], share: float | None) -> None:
    enter(judging)
    assert judging.locator("#justification").input_value() == REASON
    press(judging, "next")
    judging.wait_for_load_state()
    assert (first_judgment().justification, first_judgment().pasted) == (REASON, share)


@pytest.mark.django_db(transaction=True)
def test_what_was_pasted_over_or_removed_does_not_count(judging: Page) -> None:
    paste(judging, "Something else that was pasted first.")
    judging.keyboard.press("Control+A")
    judging.keyboard.press("Delete")
    judging.locator("#justification").press_sequentially(REASON)
    press(judging, "next")
    judging.wait_for_load_state()
    assert first_judgment().pasted == 0.0
    press(judging, "back")
    judging.locator("#justification").focus()
    judging.keyboard.press("Control+A")
    paste(judging, REASON.upper())
    press(judging, "next")
    judging.wait_for_load_state()
    pasted = first_judgment().pasted
    assert pasted is not None
    assert pasted >= PASTED


@pytest.mark.django_db(transaction=True)
def test_the_evidence_outlives_a_reload(judging: Page) -> None:
    paste(judging, REASON)
    judging.reload()
    press(judging, "next")
    judging.wait_for_load_state()
    assert first_judgment().pasted == 1.0


def test_nothing_is_asked_or_kept_without_the_setting(study: Study, enter: Enter) -> None:
    visitor, worker = enter(study, "judging")
    assert b'name="evidence"' not in visitor.seen[-1].body
    send(worker, replace(form(worker), evidence="1 99 0"), now=later(hours=1))
    assert first_judgment().justification
    assert first_judgment().pasted is None


@pytest.mark.parametrize(("evidence", "told"), [("none", False), ("input", True)])
def test_people_are_told_before_they_agree(visitor: Visitor, study: Study, evidence: str, told: bool) -> None:
    Study.objects.update(evidence=evidence)
    visitor.open(f"/s/{study.slug}/")
    assert (b'data-told="evidence"' in visitor.seen[-1].body) is told


def test_the_console_shows_it_and_does_nothing(clock: Clock, db: None) -> None:
    study = make_study(evidence="input", seconds_per_document=0)
    worker = make_worker(study)
    judge_unit(worker, now=later(hours=1))
    browser = browser_of(make_people(study, make_study(slug="other", opened=False))["owner"])
    address = f"/console/studies/study/workers/{worker.pseudonym}/"
    page = text_of(browser.get(address))
    assert 'id="evidence"' in page
    assert 'data-evidence="pasted"' not in page
    Judgment.objects.update(pasted=PASTED)
    assert 'data-evidence="pasted"' in text_of(browser.get(address))
    worker.refresh_from_db()
    assert worker.state == "ready"
    Study.objects.update(evidence="none")
    assert 'id="evidence"' not in text_of(browser.get(address))
