"""A study with the preset for Prolific, as a worker and a researcher see it."""

from typing import Any

import pytest
from django.test import Client

from judging.models import PlatformSubmission, Study
from judging.protocol.platforms.prolific import COMPLETE
from tests.factories import fail_practice, judge_unit, later, make_study, make_worker
from tests.people.conftest import browser_of, make_people, text_of
from tests.platforms.conftest import prolific_study
from tests.support.visitor import Visitor, through_client
from tests.worker.pages.actions import come_back, consent
from tests.worker.pages.conftest import clock, visitor

__all__ = ["clock", "visitor"]

LINK = "/s/study/?PROLIFIC_PID={}&SESSION_ID={}&STUDY_ID=study-1"
PASTE = "&amp;".join(
    ("/s/study/?PROLIFIC_PID={{%PROLIFIC_PID%}}", "SESSION_ID={{%SESSION_ID%}}", "STUDY_ID={{%STUDY_ID%}}")
)


@pytest.fixture
def with_codes(clock: object) -> Study:
    return prolific_study(no_work_code="NONE1", screen_out_code="OUT1")


def test_the_three_ids_are_kept(with_codes: Study, visitor: Visitor) -> None:
    assert consent(visitor, LINK.format("P1", "S1")).step == "instructions"
    kept = PlatformSubmission.objects.get()
    assert (kept.identity.platform_id, kept.submission_id, kept.platform_study) == ("P1", "S1", "study-1")


def test_a_worker_comes_back_from_any_browser(with_codes: Study, visitor: Visitor) -> None:
    consent(visitor, LINK.format("P1", "S1"))
    again = Visitor(through_client())
    assert come_back(again, LINK.format("P1", "S2")).step == "instructions"
    assert {row.submission_id for row in PlatformSubmission.objects.all()} == {"S1", "S2"}


@pytest.mark.parametrize("pid", ["", "{{%PROLIFIC_PID%}}"])
def test_a_link_without_ids_is_refused(with_codes: Study, visitor: Visitor, pid: str) -> None:
    visitor.open(LINK.format(pid, "S1"))
    assert visitor.seen[-1].status == 403
    assert not PlatformSubmission.objects.exists()


def test_each_end_leads_back_with_its_own_code(with_codes: Study) -> None:
    completed = make_worker(with_codes, platform_id="P1", submission_id="S1")
    judge_unit(completed, now=later(hours=1))
    out = make_worker(with_codes, platform_id="P2", submission_id="S2", upto="practising")
    fail_practice(out)
    assert f"{COMPLETE}DONE1234" in end_of("P1")
    assert f"{COMPLETE}OUT1" in end_of("P2", "S2")
    declined = Client().post(LINK.format("P3", "S3"), {"consent": "no"})
    assert f"{COMPLETE}NONE1" in declined.content.decode()


def end_of(person: str, visit: str = "S1") -> str:
    visitor = Visitor(through_client())
    come_back(visitor, LINK.format(person, visit))
    visitor.open("/s/study/end/")
    return visitor.seen[-1].body.decode()


def test_a_code_can_contain_nothing_but_letters_and_digits(with_codes: Study) -> None:
    Study.objects.update(completion_code="a&b=c")
    judge_unit(make_worker(with_codes, platform_id="P1", submission_id="S1"), now=later(hours=1))
    assert f"{COMPLETE}a%26b%3Dc" in end_of("P1")


def test_the_console_shows_the_link_to_paste_and_what_is_left_to_do(study: Study) -> None:
    browser = browser_of(make_people(study, make_study(slug="other", opened=False))["owner"])
    page = text_of(browser.get("/console/studies/study/way-in/"))
    assert PASTE in page
    assert all(key in page for key in ("no_work_code", "screen_out_code", "max_units_per_visit"))
    Study.objects.filter(slug="study").update(
        no_work_code="NONE1", screen_out_code="OUT1", max_units_per_visit=1
    )
    page = text_of(browser.get("/console/studies/study/way-in/"))
    assert not any(key in page for key in ("no_work_code", "screen_out_code", "max_units_per_visit"))


def test_a_test_visit_shows_all_three_ids(study: Study) -> None:
    browser: Any = browser_of(make_people(study, make_study(slug="other", opened=False))["owner"])
    answer = browser.post(
        "/console/studies/study/as-worker/", {"worker_id": "TEST-P", "visit_id": "TEST-S"}, follow=True
    )
    page = text_of(answer)
    assert all(f'data-arrived="{arrived}"' in page for arrived in ("TEST-P", "TEST-S", "STUDY1"))
