"""A study in MTurk's frame: a preview, a link that works once, and the form at the end."""

import re
from html import unescape
from typing import Any

import pytest
from django.core import signing
from django.test import Client

from judging.models import Participation, PlatformMessage, PlatformSubmission, Study
from judging.protocol.platforms.mturk import NOT_ACCEPTED, PLATFORM
from judging.worker.pages.frame import ENTRY
from tests.factories import fail_practice, judge_unit, later, make_study, make_worker
from tests.support.visitor import Visitor, through_client
from tests.worker.pages.actions import come_back, consent
from tests.worker.pages.conftest import Clock, clock

__all__ = ["clock"]

PREVIEW = f"/s/study/?assignmentId={NOT_ACCEPTED}&hitId=H1"
ACCEPTED = "/s/study/?assignmentId=A1&hitId=H1&workerId=W1&turkSubmitTo=https%3A%2F%2Fwww.mturk.com"


@pytest.fixture
def mturk_study(clock: Clock) -> Study:
    return make_study(platform="mturk", practice_attempts=1, seconds_per_document=0)


def get(address: str) -> Any:
    return Client().get(address)


def told(answer: Any) -> str:
    found = re.search(r'data-told="(\w+)"', answer.content.decode())
    return found[1] if found else ""


def link_in(answer: Any) -> str:
    found = re.search(rf'href="(/s/study/\?{ENTRY}=[^"]+)"', answer.content.decode())
    assert found
    return unescape(found[1])


@pytest.mark.parametrize("address", [PREVIEW, "/s/study/?assignmentId=", ACCEPTED])
def test_the_frame_stores_nothing(mturk_study: Study, address: str) -> None:
    answer = get(address)
    assert answer.status_code == 200
    assert not answer.cookies
    assert not Participation.objects.exists()
    assert not PlatformMessage.objects.exists()


def test_a_preview_can_be_read_but_not_started(mturk_study: Study) -> None:
    answer = get(PREVIEW)
    assert told(answer) == "preview"
    page = answer.content.decode()
    assert mturk_study.information in page
    assert "<form" not in page
    assert ENTRY not in page


def test_only_the_framed_page_can_be_framed_and_only_by_mturk(mturk_study: Study) -> None:
    for address in (PREVIEW, ACCEPTED, ACCEPTED.replace("www.mturk", "evil"), f"{ACCEPTED}&workerId="):
        answer = get(address)
        policy = answer["Content-Security-Policy"]
        (ancestors,) = re.findall(r"frame-ancestors ([^;]*)", policy)
        assert ancestors.split() == ["https://worker.mturk.com", *PLATFORM.submits_to]
        (targets,) = re.findall(r"form-action ([^;]*)", policy)
        assert targets.split() == list(PLATFORM.submits_to)
        assert "X-Frame-Options" not in answer
    for address in ("/s/study/", link_in(get(ACCEPTED)), "/s/study/units/"):
        answer = get(address)
        assert answer["X-Frame-Options"] == "DENY"
        assert "frame-ancestors 'none'" in answer["Content-Security-Policy"]


def test_other_studies_cannot_be_framed(mturk_study: Study) -> None:
    Study.objects.update(platform="generic", id_parameter="workerId", submission_parameter="assignmentId")
    answer = get(ACCEPTED)
    assert answer["X-Frame-Options"] == "DENY"
    assert "frame-ancestors 'none'" in answer["Content-Security-Policy"]


@pytest.mark.parametrize(
    "host",
    [
        "https://evil.example",
        "http://www.mturk.com",
        "https://www.mturk.com.evil.example",
        "https://www.mturk.com@evil.example",
        "javascript:alert(1)//https://www.mturk.com",
        "",
    ],
)
def test_the_form_goes_to_mturk_alone(mturk_study: Study, host: str) -> None:
    answer = Client().get("/s/study/", {"assignmentId": "A1", "workerId": "W1", "turkSubmitTo": host})
    assert answer.status_code == 403
    assert not host or host not in answer.content.decode()


def test_the_link_opens_the_study_once(mturk_study: Study) -> None:
    answer = get(ACCEPTED)
    assert told(answer) == "accepted"
    link = link_in(answer)
    visitor = Visitor(through_client())
    assert consent(visitor, link).step == "instructions"
    kept = PlatformSubmission.objects.get()
    assert (kept.identity.platform_id, kept.submission_id, kept.platform_study) == ("W1", "A1", "H1")
    assert visitor.open(link).step == "instructions", "the same browser goes on"
    assert get(link).status_code == 403, "another one does not"
    assert told(get(ACCEPTED)) == "begun"
    assert come_back(Visitor(through_client()), link_in(get(ACCEPTED))).step == "instructions", (
        "a new link does"
    )
    assert Participation.objects.count() == 1


def test_the_consent_sent_twice_is_one_participation(mturk_study: Study) -> None:
    link = link_in(get(ACCEPTED))
    page = get(link).content.decode()
    (key,) = re.findall(r'name="arrival" value="([^"]+)"', page)
    answers = [Client().post(link, {"consent": "yes", "arrival": key}) for _ in range(2)]
    assert [answer.status_code for answer in answers] == [302, 302]
    assert Participation.objects.count() == 1
    other = re.findall(r'name="arrival" value="([^"]+)"', get("/s/study/").content.decode())
    assert Client().post(link, {"consent": "yes", "arrival": "".join(other)}).status_code == 403


def test_a_refused_consent_does_not_use_up_the_link(mturk_study: Study) -> None:
    link = link_in(get(ACCEPTED))
    Study.objects.update(state="paused")
    assert Client().post(link, {"consent": "yes"}).status_code == 409
    Study.objects.update(state="open")
    assert Client().post(link, {"consent": "yes"}).status_code == 302


def test_a_changed_or_old_link_is_refused(mturk_study: Study, monkeypatch: pytest.MonkeyPatch) -> None:
    link = link_in(get(ACCEPTED))
    assert get(f"{link}x").status_code == 403
    assert get("/s/study/?enter=").status_code == 403
    make_study(slug="other", platform="mturk")
    assert get(link.replace("/s/study/", "/s/other/")).status_code == 403
    real = signing.time.time
    monkeypatch.setattr(signing.time, "time", lambda: real() + 25 * 3600)
    assert get(link).status_code == 403
    assert not Participation.objects.exists()


def test_a_completed_unit_shows_the_form(mturk_study: Study) -> None:
    worker = make_worker(mturk_study, platform_id="W1", submission_id="A1")
    unit = judge_unit(worker, now=later(hours=1))
    answer = get(ACCEPTED)
    page = answer.content.decode()
    assert told(answer) == "completed"
    assert f'action="{PLATFORM.submits_to[0]}/mturk/externalSubmit"' in page
    assert 'name="assignmentId" value="A1"' in page
    assert f'name="completion_codes" value="{unit.completion_code}"' in page
    sandbox = get(ACCEPTED.replace("www.mturk.com", "workersandbox.mturk.com"))
    assert f'action="{PLATFORM.submits_to[1]}/mturk/externalSubmit"' in sandbox.content.decode()
    assert told(get(ACCEPTED.replace("A1", "A2"))) == "accepted", "another HIT needs another unit"
    assert told(get(ACCEPTED.replace("W1", "W2"))) == "accepted"


def test_without_a_completed_unit_the_task_is_returned(mturk_study: Study) -> None:
    fail_practice(make_worker(mturk_study, platform_id="W1", submission_id="A1", upto="practising"))
    answer = get(ACCEPTED)
    assert told(answer) == "over"
    assert "<form" not in answer.content.decode()


def test_the_tab_sends_workers_back_to_the_frame(mturk_study: Study) -> None:
    judge_unit(make_worker(mturk_study, platform_id="W1", submission_id="A1"), now=later(hours=1))
    visitor = Visitor(through_client())
    come_back(visitor, link_in(get(ACCEPTED)))
    visitor.open("/s/study/units/")
    assert 'data-told="back_to_frame"' in visitor.seen[-1].body.decode()


@pytest.mark.parametrize("worker", ["", "${workerId}"])
def test_a_frame_without_an_id_is_refused(mturk_study: Study, worker: str) -> None:
    answer = Client().get("/s/study/", {"assignmentId": "A1", "workerId": worker})
    assert answer.status_code == 403
