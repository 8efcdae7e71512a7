"""Looking at a study as a worker: the workers' own pages, and not a row is written."""

from collections.abc import Callable
from html import unescape
from typing import Any

import pytest
from django.apps import apps
from django.contrib.auth.base_user import AbstractBaseUser
from django.test import Client

from judging.models import Study, Topic
from judging.pages.console.as_worker import PAGES
from judging.pages.worker.door import ID_FAULTS
from judging.protocol.platform_ids import IdFault
from tests.factories import make_study

HOME = "/console/studies/study/as-worker/"


def rows() -> dict[str, int]:
    return {model.__name__: model.objects.count() for model in apps.get_app_config("judging").get_models()}


@pytest.fixture
def study(db: None) -> Study:
    return make_study(opened=False)


@pytest.fixture
def walk(console: Client, study: Study) -> Callable[..., str]:
    """Send the form of a page as it stands; returns the page that it leads to."""

    def press(address: str, **fields: Any) -> str:
        answer = console.post(address, fields, follow=True)
        assert answer.status_code == 200
        text = unescape(answer.content.decode())
        assert "You are only looking." in text
        assert "Leave the study" not in text
        return text

    return press


def test_the_whole_way_is_walked_and_nothing_is_stored(walk: Callable[..., str], study: Study) -> None:
    before = rows()
    topic = Topic.objects.filter(study=study).order_by("place").first()
    assert "Nothing about you was stored" in walk(f"{HOME}information/", consent="no")
    assert "Before you begin" in walk(f"{HOME}information/", consent="yes")
    assert "Line 1 of 3" in walk(f"{HOME}instructions/", action="next")
    assert 'id="magnitude-fault"' in walk(f"{HOME}practice/?place=0", magnitude="-1")
    assert "Line 3 of 3" in walk(f"{HOME}practice/?place=1", magnitude="1/3")
    assert "Your task" in walk(f"{HOME}practice/?place=2", magnitude="7")
    assert topic.title in walk(f"{HOME}task/", action="next")
    wrong = str((topic.question.right_option + 1) % 4)
    assert "not the right option" in walk(f"{HOME}topic/", answer=wrong)
    assert "1 of 8" in walk(f"{HOME}topic/", answer=str(topic.question.right_option))
    assert 'id="justification-fault"' in walk(f"{HOME}judge/?place=0", magnitude="5", justification="")
    assert "2 of 8" in walk(f"{HOME}judge/?place=0", magnitude="5", justification="since", action="next")
    assert "1 of 8" in walk(f"{HOME}judge/?place=1", action="back", justification="x")
    text = walk(f"{HOME}judge/?place=7", magnitude="5", justification="since", action="finish")
    assert "That was a unit" in text
    assert rows() == before


@pytest.mark.parametrize("page", PAGES)
def test_every_page_is_for_those_who_see_the_study(
    client: Client, console: Client, study: Study, outsider: AbstractBaseUser, page: str
) -> None:
    assert console.get(f"{HOME}{page}/").status_code == 200
    assert client.get(f"{HOME}{page}/").status_code == 302
    client.force_login(outsider)
    assert client.get(f"{HOME}{page}/").status_code == 403
    assert console.get(f"{HOME}{page}/?topic=none").status_code == 404
    assert console.get(f"{HOME}end/").status_code == 404
    assert "plumbline" not in client.cookies


def test_no_draft_is_kept_in_the_browser_either(console: Client, study: Study) -> None:
    assert "data-draft" not in console.get(f"{HOME}judge/").content.decode()


def test_a_test_visit_shows_what_becomes_of_the_ids(console: Client, study: Study) -> None:
    Study.objects.update(
        platform="generic",
        id_parameter="PID",
        submission_parameter="SID",
        completion_url="https://platform.example/done?cc={code}&sub={submission}",
    )
    before = rows()
    page = console.get("/console/studies/study/way-in/").content.decode()
    assert "http://testserver/s/study/?PID=WORKER_ID&amp;SID=VISIT_ID" in page
    assert f'action="{HOME}information/"' in page
    page = console.get(f"{HOME}information/?PID=TEST123&SID=VISIT1").content.decode()
    assert "<code>TEST123</code> arrived as <code>PID</code>" in page
    assert "<code>VISIT1</code> arrived as <code>SID</code>" in page
    assert "sub=VISIT1</code>" in page
    for query, fault in (("PID=", IdFault.MISSING), ("PID={{x}}", IdFault.PLACEHOLDER)):
        page = console.get(f"{HOME}information/?{query}").content.decode()
        assert ID_FAULTS[fault].why in page
        assert "arrived as" not in page
    assert rows() == before
