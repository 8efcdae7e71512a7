"""Every page of the way in Chromium: axe finds no fault, light or dark, and nothing scrolls sideways."""

from collections.abc import Callable

import pytest
from django.test import Client
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from judging.core.services.studies import close_study, pause_study
from judging.models import Assignment, Document, Participation, Question, Study, Topic
from judging.watching.services.workers import block_worker
from judging.worker.services.lapse import expire_assignments
from judging.worker.services.leaving import return_unit, withdraw
from tests.factories import (
    answer_wrongly,
    fail_practice,
    judge_unit,
    make_study,
    make_worker,
    send,
    tied,
)
from tests.support.browser import check_looks
from tests.worker.pages.browsing import press
from tests.worker.pages.conftest import Clock
from tests.worker.pages.tour import PLATFORM

pytestmark = pytest.mark.django_db(transaction=True)

LONG_WORD = "Pneumonoultramicroscopicsilicovolcanoconiosis"
TEXT = f"""A paragraph of some length about {LONG_WORD.lower()}, with an address in it that no line can hold:
https://example.org/{"a-long-way/" * 12}

A second paragraph.
"""
MARKDOWN = f"""{TEXT}
## A heading

| One column | Another column | And a third one | A fourth |
|---|---|---|---|
| {LONG_WORD} | **bold** | `code` | [a link](https://example.org/) |

- a list
- with two entries

```
a line of code that is longer than a phone is wide, by far, whatever the size of the type
```
"""
PARTS = ("information", "consent", "instructions_magnitude", "instructions_task")


@pytest.fixture
def wordy(transactional_db: None, clock: Clock) -> Study:
    """A study on a platform whose texts are as awkward as real ones."""
    texts = dict.fromkeys(PARTS, MARKDOWN) | {
        "title": f"On {LONG_WORD}",
        "contact": "x" * 60 + "@example.org",
    }
    study = make_study(topics=5, seconds_per_document=0, pay_per_unit="0.20", **PLATFORM, **texts)
    Topic.objects.update(title=f"What is {LONG_WORD}?", description=TEXT, narrative=TEXT)
    Document.objects.update(title=f"The word {LONG_WORD}", text=TEXT)
    Question.objects.update(text=TEXT, options=[TEXT, LONG_WORD, "Yes", "No"])
    return study


class Looker:
    """Looks at pages of a study in one page of the browser, as one worker after the other."""

    def __init__(self, page: Page, address: str, study: Study, clock: Clock) -> None:
        self.page = page
        self.address = address
        self.study = study
        self.clock = clock

    def open(self, path: str = "") -> None:
        self.page.goto(f"{self.address}/s/{self.study.slug}/{path}")

    def arrive(self) -> None:
        """Open the study as its platform sends a worker."""
        self.open(f"?{self.study.id_parameter}=looker")

    def become(self, upto: str) -> Participation:
        """A new worker at a step, whose page is opened."""
        worker = make_worker(self.study, upto=upto, now=self.clock.now)
        self.open(f"resume/{worker.token}/")
        return worker

    def check(self, heading: str) -> None:
        """Check the page that is open, which must have this heading, in each of the looks."""
        expect(self.page.locator("h1").first).to_contain_text(heading)
        check_looks(self.page)


@pytest.fixture
def looker(new_page: Callable[..., Page], live_server: LiveServer, wordy: Study, clock: Clock) -> Looker:
    return Looker(new_page(), live_server.url, wordy, clock)


def test_the_ways_in_and_out(looker: Looker) -> None:
    looker.page.goto(looker.address)
    looker.check("How relevant is it, really?")
    looker.page.goto(f"{looker.address}/no/such/page")
    looker.check("Page not found")
    looker.open()
    looker.check("This link does not open the study")
    looker.arrive()
    looker.check("On Pneumo")
    looker.page.get_by_role("button", name="I do not agree").click()
    looker.check("Thank you for reading")
    looker.arrive()
    pause_study(study=looker.study, now=looker.clock.now)
    looker.page.get_by_role("button", name="I agree and want to start").click()
    looker.check("You cannot start now")
    looker.arrive()
    looker.check("On Pneumo")


def test_coming_back_with_nothing_but_an_id(looker: Looker) -> None:
    make_worker(looker.study, platform_id="looker", now=looker.clock.now)
    looker.arrive()
    looker.check("Welcome back")
    looker.page.get_by_role("button", name="Continue").click()
    looker.check("Your task")
    looker.open("withdraw/")
    looker.check("Not possible in this browser")


def test_instructions_and_practice(looker: Looker) -> None:
    looker.become("consented")
    looker.check("How to answer with numbers")
    press(looker.page, "next")
    looker.check("How long does this line look")
    press(looker.page, "next")
    expect(looker.page.locator("#magnitude-fault")).to_be_visible()
    looker.check("How long does this line look")
    for _ in range(3):
        looker.page.fill("#magnitude", "5")
        press(looker.page, "next")
    looker.check("How long does this line look")
    looker.become("ready")
    looker.check("Your task")


def test_topic_and_documents(looker: Looker) -> None:
    looker.become("question")
    looker.check("What is Pneumo")
    press(looker.page, "next")
    looker.check("What is Pneumo")
    worker = looker.become("judging")
    looker.check("The word Pneumo")
    press(looker.page, "next")
    looker.check("The word Pneumo")
    for summary in looker.page.locator(".give-back summary").all():
        summary.click()
    looker.page.fill("#magnitude", "1/3")
    looker.check("The word Pneumo")
    send(worker)
    looker.page.fill("#justification", LONG_WORD)
    press(looker.page, "next")
    looker.check("That page is out of date")
    judge_unit(worker, seconds=0, magnitude=tied)
    looker.open()
    looker.check("The word Pneumo")
    press(looker.page, "finish")
    looker.check("The word Pneumo")


def test_between_units(looker: Looker) -> None:
    worker = looker.become("ready")
    judge_unit(worker, seconds=0)
    looker.open()
    looker.check("Thank you, this set is complete")
    looker.page.locator("details summary").last.click()
    looker.check("Thank you, this set is complete")
    looker.open("withdraw/")
    looker.check("Leave the study")
    worker = looker.become("question")
    answer_wrongly(worker)
    looker.open()
    looker.check("That was not the right answer")
    worker = looker.become("judging")
    return_unit(participation=worker, now=looker.clock.now)
    looker.open()
    looker.check("You gave the set back")
    worker = looker.become("judging")
    judge_unit(worker, seconds=0, magnitude=tied)
    Assignment.objects.filter(participation=worker).update(failed_digest="", failed_finishes=2)
    send(worker, action="finish")
    looker.open()
    looker.check("This set is over")


def test_lapse_and_the_end_of_work(looker: Looker) -> None:
    worker = looker.become("judging")
    send(worker)
    looker.clock.move(hours=2)
    expire_assignments(now=looker.clock.now)
    looker.open()
    looker.check("The time for this set ran out")
    cancelled = make_worker(looker.study, upto="judging", now=looker.clock.now)
    close_study(study=looker.study, now=looker.clock.now, force=True)
    looker.open()
    expect(looker.page.locator(".typed").first).to_be_visible()
    expect(looker.page.locator("[data-told=no_work]")).to_be_visible()
    looker.check("The time for this set ran out")
    looker.open(f"resume/{cancelled.token}/")
    looker.check("We stopped this set")


def test_the_ends(looker: Looker) -> None:
    worker = looker.become("practising")
    for _ in range(3):
        fail_practice(worker)
    looker.open()
    looker.check("Thank you for trying")
    worker = looker.become("ready")
    judge_unit(worker, seconds=0)
    block_worker(participation=worker, now=looker.clock.now)
    looker.open()
    looker.check("There is nothing more to do")
    worker = looker.become("ready")
    withdraw(participation=worker, delete_judgments=False, now=looker.clock.now)
    looker.open()
    looker.check("You have left the study")


def test_pages_for_what_went_wrong(looker: Looker) -> None:
    looker.become("judging")
    looker.page.context.clear_cookies(name="csrftoken")
    looker.page.fill("#justification", f"{LONG_WORD} " * 9)
    press(looker.page, "next")
    looker.check("Please send the form again")
    client = Client(raise_request_exception=False)
    Study.objects.update(platform="direct")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("judging.worker.pages.entry.platform_of", lambda study: None)
        page = client.get(f"/s/{looker.study.slug}/").content.decode()
    looker.page.set_content(page.replace('href="/', f'href="{looker.address}/'))
    looker.check("Something went wrong on our side")
