"""Workers' pages follow the language of their study, and say which language each text is in."""

from collections.abc import Callable

import pytest
from django.conf import settings
from django.test import override_settings
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from judging.models import Participation, Study
from tests.factories import live_assignment, make_study, right_place
from tests.support.browser import check_looks
from tests.support.visitor import Visitor
from tests.worker.pages.browsing import length_of_line, press
from tests.worker.pages.conftest import Clock

TWO = [("en", "English"), ("de", "Deutsch")]
Enter = Callable[..., tuple[Visitor, Participation]]


def html_of(visitor: Visitor) -> str:
    return visitor.seen[-1].body.decode()


@pytest.mark.parametrize(
    ("tag", "shown"), [("en", "en"), ("de", "de"), ("de-CH", "de"), ("pt-BR", "en"), ("x" * 8, "en")]
)
def test_a_page_is_in_the_language_of_the_study(study: Study, enter: Enter, tag: str, shown: str) -> None:
    Study.objects.update(language=tag)
    with override_settings(LANGUAGES=TWO):
        visitor, _ = enter(study, "judging")
        page = html_of(visitor)
    assert f'<html lang="{shown}"' in page
    assert f'<h1 id="document-title" dir="auto" lang="{tag}">' in page
    assert f'<bdi lang="{tag}">' in page


def test_the_information_is_in_it_too(study: Study, visitor: Visitor) -> None:
    Study.objects.update(language="de")
    with override_settings(LANGUAGES=TWO):
        visitor.open(f"/s/{study.slug}/")
        page = html_of(visitor)
    assert '<html lang="de"' in page
    assert '<h1 dir="auto" lang="de">' in page


def test_numbers_for_programs_stay_as_they_are(study: Study, enter: Enter) -> None:
    """The position of a line is a number with a decimal point in every language."""
    Study.objects.update(language="de")
    with override_settings(LANGUAGES=TWO):
        visitor, worker = enter(study, "practising")
        attempt = worker.practice_attempts.get()
        attempt.lengths[0] = 101.5
        attempt.save()
        visitor.open(visitor.page.path)
        page = html_of(visitor)
    left = page.split('x1="')[1].split('"')[0]
    assert float(left) >= 0
    assert "." in left


LONGEST_AND_TURNED = {"de", "ar"}
"""The language with the longest words, and the one that is written from right to left."""
LOOKS = [(375, "dark"), (1440, "light")]


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    "language",
    [
        code if code in LONGEST_AND_TURNED else pytest.param(code, marks=pytest.mark.long)
        for code, _ in settings.LANGUAGES
    ],
)
def test_the_way_fits_in_every_language(
    live_server: LiveServer, new_page: Callable[..., Page], clock: Clock, language: str
) -> None:
    make_study(language=language, unit_size=4, documents=2)
    page = new_page()
    page.goto(f"{live_server.url}/s/study/")
    look_at(page, language)
    page.locator("button[name=consent][value=yes]").click()
    look_at(page, language)
    press(page, "next")
    for line in range(3):
        if not line:
            look_at(page, language)
        page.fill("#magnitude", f"{length_of_line(page):.2f}")
        press(page, "next")
    look_at(page, language)
    press(page, "next")
    look_at(page, language)
    worker = Participation.objects.get()
    page.locator("label.option").nth(right_place(live_assignment(worker))).click()
    press(page, "next")
    press(page, "next")
    expect(page.locator("#magnitude-fault")).to_be_visible()
    look_at(page, language)


def look_at(page: Page, language: str) -> None:
    """Check that the page is accessible, and fits on a phone and a screen, in its direction."""
    page.wait_for_load_state()
    direction = "rtl" if language in settings.LANGUAGES_BIDI else "ltr"
    assert page.locator("html").get_attribute("dir") == direction
    check_looks(page, LOOKS)
