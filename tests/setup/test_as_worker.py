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
from judging.protocol.platforms.ids import IdFault
from tests.factories import make_study

Walk = Callable[..., tuple[str, str]]
HOME = "/console/studies/study/as-worker/"


def rows() -> dict[str, int]:
    return {model.__name__: model.objects.count() for model in apps.get_app_config("judging").get_models()}


@pytest.fixture
def study(db: None) -> Study:
    return make_study(opened=False)


@pytest.fixture
def walk(console: Client, study: Study) -> Walk:
    """Send the form of a page as it stands; return the template and the text of the next page."""

    def press(address: str, **fields: Any) -> tuple[str, str]:
        answer = console.post(address, fields, follow=True)
        assert answer.status_code == 200
        text = unescape(answer.content.decode())
        assert 'class="looking"' in text
        assert "/withdraw" not in text
        return answer.templates[0].name, text

    return press


def test_the_whole_way_is_walked_and_nothing_is_stored(walk: Walk, study: Study) -> None:
    before = rows()
    topic = Topic.objects.filter(study=study).order_by("place").first()
    right = topic.question.right_option
    judged = {"magnitude": "5", "justification": "since"}
    for address, form, template, holds in (
        ("information/", {"consent": "no"}, "worker/goodbye.html", ""),
        ("information/", {"consent": "yes"}, "worker/instructions.html", ""),
        ("instructions/", {"action": "next"}, "worker/practice.html", 'max="3" value="1"'),
        ("practice/?place=0", {"magnitude": "-1"}, "worker/practice.html", 'id="magnitude-fault"'),
        ("practice/?place=1", {"magnitude": "1/3"}, "worker/practice.html", 'max="3" value="3"'),
        ("practice/?place=2", {"magnitude": "7"}, "worker/task.html", ""),
        ("task/", {"action": "next"}, "worker/topic.html", topic.title),
        ("topic/", {"answer": str((right + 1) % 4)}, "worker/topic.html", 'id="answer-fault"'),
        ("topic/", {"answer": str(right)}, "worker/judge.html", 'max="8" value="1"'),
        ("judge/?place=0", {**judged, "justification": ""}, "worker/judge.html", 'id="justification-fault"'),
        ("judge/?place=0", {**judged, "action": "next"}, "worker/judge.html", 'max="8" value="2"'),
        (
            "judge/?place=1",
            {"action": "back", "justification": "x"},
            "worker/judge.html",
            'max="8" value="1"',
        ),
        ("judge/?place=7", {**judged, "action": "finish"}, "console/as_worker_end.html", ""),
    ):
        led_to, text = walk(f"{HOME}{address}", **form)
        assert led_to == template, address
        assert holds in text, address
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
    for value, parameter in (("TEST123", "PID"), ("VISIT1", "SID")):
        arrived = page.split(f'data-arrived="{value}"')[1].split("</p>")[0]
        assert f"<code>{parameter}</code>" in arrived
    assert "sub=VISIT1</code>" in page
    for query, fault in (("PID=", IdFault.MISSING), ("PID={{x}}", IdFault.PLACEHOLDER)):
        page = console.get(f"{HOME}information/?{query}").content.decode()
        assert ID_FAULTS[fault].why in page
        assert "data-arrived" not in page
    assert rows() == before
