"""Pages of a study in which nothing has happened say so, and what to do next."""

import re
from html import unescape
from pathlib import Path
from typing import Final

import pytest
from django.contrib.auth.base_user import AbstractBaseUser
from django.test import Client
from pytest_django import Settings

from judging.intake.drafting import begin_draft
from judging.models import Study
from judging.selectors.clock import now
from tests.console.headings import Page
from tests.factories import make_study

STUDY: Final = "/console/studies/study/"
FIRST: Final = {
    "draft": "Open the study , and hand its way in to the workers.",
    "open": "Hand its way in to the workers.",
    "paused": "Open the study , and hand its way in to the workers.",
    "closed": "The study is closed: copy it to begin anew.",
}
PAGES: Final = {
    "": "Failed checks, lapses and returned units will stand here once workers come.",
    "watch/": "Nobody has begun a unit yet.",
    "quality/": "Nothing has happened yet.",
    "table1/": "No unit counts yet.",
    "events/": "Nothing has happened yet.",
    "workers/": "Nobody has come yet.",
    "worker-figures/": "figures are of workers who have begun a unit, and nobody has.",
    "payments/": "Nobody is to be paid yet.",
    "understanding/": "No judgment counts yet: there is little to report.",
    "understanding/documents/?topic=401": "No judgment counts yet: there is little to report.",
    "understanding/document/?topic=401&id=D401-H": "No judgment of this document counts yet.",
    "understanding/grades/": "No judgment counts yet: there is little to report.",
    "understanding/scores/": "No judgment counts yet: there is little to report.",
    "understanding/figures/": "No judgment counts yet, and figures are drawn of judgments.",
    "understanding/figures/magnitudes-by-grade/": "It needs judgments: none count yet.",
}
OTHERS: Final = {
    "members/": "This study has no members: the whole staff of the site may see, open, pause and close it.",
    "audit/": "Opening the study, changing its members and taking its data home will stand here: begin on",
    "jobs/": "Nothing yet. Make a file, or score the runs, above: it is listed here then.",
}


def words_of(console: Client, address: str) -> str:
    answer = console.get(address)
    assert answer.status_code == 200, address
    main = answer.content.decode().split("<main")[1]
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", main)).split())


@pytest.mark.parametrize("state", FIRST)
@pytest.mark.parametrize("page", PAGES)
def test_a_page_without_anything_says_what_to_do_first(
    console: Client, db: None, page: str, state: str
) -> None:
    make_study(topics=1, opened=False)
    Study.objects.update(state=state)
    words = words_of(console, STUDY + page)
    assert PAGES[page] in words
    assert FIRST[state] in words.split(PAGES[page])[1]


def test_what_it_leads_to_is_there(console: Client, db: None) -> None:
    make_study(topics=1, opened=False)
    text = console.get(STUDY).content.decode()
    for place in ("moves", "way-in", "ways"):
        assert f'id="{place}"' in text


@pytest.mark.parametrize("page", OTHERS)
def test_lists_that_fill_otherwise_say_by_what(console: Client, db: None, page: str) -> None:
    make_study(topics=1, opened=False)
    assert OTHERS[page] in words_of(console, STUDY + page)


def test_a_study_without_topics_leads_to_its_set_up(console: Client, db: None) -> None:
    make_study(topics=0, opened=False)
    for page in ("", "understanding/"):
        assert "The study has no topics. Bring some in by its" in words_of(console, STUDY + page)


def test_a_site_without_studies(console: Client, db: None) -> None:
    assert "There is no study yet. Set one up, or have this command" in words_of(console, "/console/")
    assert "None yet: begin one above." in words_of(console, "/console/setup/")


def test_a_member_whose_studies_are_gone_is_told_whom_to_ask(
    console: Client, researcher: AbstractBaseUser, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("judging.access.may_set_up", lambda user: False)
    words = words_of(console, "/console/")
    assert "No study is open to you. Ask whoever invited you for a role in theirs." in words
    assert "Set up a study" not in words


def test_a_set_up_without_topics_leads_to_its_files(
    console: Client, researcher: AbstractBaseUser, settings: Settings, tmp_path: Path
) -> None:
    settings.DRAFTS_FOLDER = tmp_path
    draft = begin_draft(owner=researcher, slug="new", title="New", now=now())
    for step in ("topics", "anchors"):
        answer = console.get(f"/console/setup/{draft.pk}/{step}/")
        section = answer.content.decode().split("<section>")[1]
        assert f'<a href="/console/setup/{draft.pk}/files/">Files and pool</a>' in section


def test_an_empty_list_has_no_form_and_no_table(console: Client, db: None) -> None:
    make_study(topics=1, opened=False)
    for page in ("events/", "workers/", "worker-figures/", "audit/", "jobs/", "members/"):
        text = console.get(STUDY + page).content.decode()
        assert 'aria-label="Narrow the list"' not in text, page
        assert not Page(text).tables, page
