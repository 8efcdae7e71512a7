"""Pages of a new study say that they are empty, and what to do next."""

import re
from pathlib import Path
from typing import Final

import pytest
from django.contrib.auth.base_user import AbstractBaseUser
from django.test import Client
from pytest_django import Settings

from judging.core.clock import now
from judging.models import Study
from judging.setup.making import begin_setup
from tests.factories import make_study
from tests.support.headings import Page

STUDY: Final = "/console/studies/study/"
FIRST: Final = {
    "draft": {"state/open/", "set-up/#way-in"},
    "open": {"set-up/#way-in"},
    "paused": {"state/open/", "set-up/#way-in"},
    "closed": {"set-up/#ways"},
}
"""State → where the next step is."""
PAGES: Final = (
    "",
    "quality/",
    "table1/",
    "events/",
    "workers/",
    "worker-statistics/",
    "payments/",
    "understanding/",
    "understanding/documents/?topic=401",
    "understanding/document/?topic=401&id=D401-H",
    "understanding/grades/",
    "understanding/results/",
    "understanding/systems/",
    "understanding/figures/",
    "understanding/figures/magnitudes-by-grade/",
)
OTHERS: Final = ("members/", "audit/", "jobs/")


def empty_in(console: Client, address: str) -> list[str]:
    """Return why each empty list of a page is empty: `new`, `narrowed` and so on."""
    answer = console.get(address)
    assert answer.status_code == 200, address
    return re.findall(r'data-empty="(\w+)"', answer.content.decode())


def test_a_page_without_anything_leads_to_what_to_do_first(console: Client, db: None) -> None:
    make_study(topics=1, opened=False)
    for state, places in FIRST.items():
        Study.objects.update(state=state)
        for page in PAGES:
            below_frame = console.get(STUDY + page).content.decode().split("<h1")[1]
            steps = re.findall(rf'href="{STUDY}(set-up/#[\w-]+|state/\w+/)"', below_frame)
            assert set(steps) == places, (page, state)


def test_what_it_leads_to_is_there(console: Client, db: None) -> None:
    make_study(topics=1, opened=False)
    text = console.get(f"{STUDY}set-up/").content.decode()
    for place in ("way-in", "ways"):
        assert f'id="{place}"' in text
    assert console.get(f"{STUDY}state/open/").status_code == 200


@pytest.mark.parametrize("page", OTHERS)
def test_lists_that_fill_otherwise_say_by_what(console: Client, db: None, page: str) -> None:
    make_study(topics=1, opened=False)
    assert empty_in(console, STUDY + page) == ["new"]


def test_a_study_without_topics_leads_to_its_set_up(console: Client, db: None) -> None:
    make_study(topics=0, opened=False)
    for page in ("", "understanding/"):
        output = console.get(STUDY + page).content.decode().split("data-empty=")[1].split("</p>")[0]
        assert f'href="{STUDY}set-up/' in output, page


def test_a_site_without_studies(console: Client, db: None) -> None:
    assert empty_in(console, "/console/") == ["new"]
    assert 'href="/console/setup/"' in console.get("/console/").content.decode()


def test_a_member_whose_studies_are_gone_is_told_whom_to_ask(
    console: Client, researcher: AbstractBaseUser, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("judging.core.access.may_set_up", lambda user: False)
    assert empty_in(console, "/console/") == ["uninvited"]
    assert 'href="/console/setup/"' not in console.get("/console/").content.decode()


def test_a_set_up_without_topics_leads_to_its_files(
    console: Client, researcher: AbstractBaseUser, settings: Settings, tmp_path: Path
) -> None:
    settings.DRAFTS_FOLDER = tmp_path
    begin_setup(title="New", owner=researcher, now=now())
    for step in ("topics", "anchors"):
        answer = console.get(f"/console/studies/new/setup/{step}/")
        section = answer.content.decode().split("<section>")[1]
        assert 'href="/console/studies/new/setup/files/"' in section


def test_an_empty_list_has_no_form_and_no_table(console: Client, db: None) -> None:
    make_study(topics=1, opened=False)
    for page in ("events/", "workers/", "worker-statistics/", "audit/", "members/"):
        text = console.get(STUDY + page).content.decode()
        assert 'class="filter"' not in text, page
        assert not Page(text).tables, page
