"""Clients that drop in the middle, that send the same twenty times at once, that come from two devices."""

import socket
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from functools import cache
from threading import Barrier
from urllib.parse import urlencode, urlsplit

import pytest

from judging.models import Assignment, Event, Judgment, Participation, Study
from tests.factories import honest, reason
from tests.jobs.workers import database_url
from tests.support.databases import ON_SQLITE
from tests.support.http_client import HttpClient
from tests.support.integrity import broken_invariants
from tests.support.quick_sample import SECONDS
from tests.support.visitor import Form, Page, Reply, Visitor, through_http
from tests.support.website import Website, served

AT_ONCE = 20
pytestmark = ON_SQLITE


@pytest.fixture(scope="module")
def sites(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[], Website]]:
    """Give the site on the database in use, started once for all tests of this module."""
    with ExitStack() as stack:

        @cache
        def site_on(url: str) -> Website:
            return stack.enter_context(served(tmp_path_factory.mktemp("site"), url))

        yield lambda: site_on(database_url())


@pytest.fixture
def site(study: Study, sites: Callable[[], Website]) -> Website:
    return sites()


class Judge(Visitor):
    """A worker at a real site, with the cookies at hand."""

    def __init__(self, site: Website, slug: str) -> None:
        self.http = HttpClient(timeout=30)
        super().__init__(through_http(site.address, self.http))
        self.site, self.slug = site, slug

    def reach_the_first_document(self) -> "Judge":
        self.open(f"/s/{self.slug}/")
        self.send(consent="yes")
        self.send("next")
        for _ in range(3):
            self.send("next", magnitude=self.page.line())
        self.send("next")
        question = self.attempt.topic.question
        place = self.attempt.option_order.index(question.right_option)
        self.send("next", answer=place)
        assert self.page.step == "judge"
        return self

    @property
    def attempt(self) -> Assignment:
        token = Participation.objects.latest("pk")
        return Assignment.objects.select_related("topic__question").filter(participation=token).latest("pk")

    def form(self, press: str) -> tuple[Form, dict[str, str]]:
        """The form of the document shown, filled in so that the checks will pass."""
        form = self.page.form_with("action", press)
        answer = self.attempt.judgments.select_related("pool_document").get(
            position=int(form.fields["position"])
        )
        return form, self.filled(form, press, magnitude=honest(answer), justification=reason(answer))

    def raw(self, form: Form, data: dict[str, str]) -> bytes:
        """The request that a browser would send."""
        body = urlencode(data).encode()
        cookies = "; ".join(f"{name}={value}" for name, value in self.http.cookies.items())
        head = (
            f"POST {self.target(form)} HTTP/1.1\r\nHost: {urlsplit(self.site.address).netloc}\r\n"
            f"Cookie: {cookies}\r\nReferer: {self.site.address}/\r\nConnection: close\r\n"
            f"Content-Type: application/x-www-form-urlencoded\r\nContent-Length: {len(body)}\r\n\r\n"
        )
        return head.encode() + body

    def judge_on(self, until: int = 8) -> Page:
        """Judge from the document shown to that place, and finish after the eighth."""
        while self.page.step == "judge":
            place = int(self.page.value("position"))
            if place >= until:
                break
            press = "finish" if place == 7 else "next"
            self.open(self.page.path)
            pause(SECONDS)
            form, data = self.form(press)
            self.post(self.target(form), data)
        return self.page


def pause(seconds: float) -> None:
    """A little longer, since the site counts milliseconds."""
    time.sleep(2 * seconds)


def whole(study: Study) -> None:
    assert broken_invariants(study) == []


def drop(site: Website, request: bytes) -> None:
    """Send this much, and be gone before there is an answer."""
    with socket.create_connection(("127.0.0.1", site.port)) as client:
        client.sendall(request)


def test_half_a_request_changes_nothing(site: Website, study: Study) -> None:
    judge = Judge(site, study.slug).reach_the_first_document()
    request = judge.raw(*judge.form("next"))
    for share in (0.2, 0.5, 0.9, 0.99):
        drop(site, request[: int(share * len(request))])
        judge.open(judge.page.path)
        assert judge.page.value("position") == "0"
    assert not judge.attempt.judgments.exclude(raw_input="").exists()
    judge.judge_on()
    assert judge.attempt.state == "completed"
    whole(study)


def test_a_client_that_does_not_wait_for_the_answer(site: Website, study: Study) -> None:
    """Whether what it sent was taken in or not, sent again it counts once."""
    judge = Judge(site, study.slug).reach_the_first_document()
    for place in range(8):
        pause(SECONDS)
        form, data = judge.form("finish" if place == 7 else "next")
        drop(site, judge.raw(form, data))
        judge.post(judge.target(form), data)
        if place < 7:
            assert judge.page.value("position") == str(place + 1)
    attempt = judge.attempt
    assert (attempt.state, attempt.judgments.count()) == ("completed", 8)
    assert not Event.objects.exists()
    assert judge.page.step == "units"
    whole(study)


def test_the_same_request_twenty_times_at_once(site: Website, study: Study) -> None:
    judge = Judge(site, study.slug).reach_the_first_document()
    statuses = Counter(reply.status for reply in at_once(judge, "next"))
    assert set(statuses) <= {302, 303}, statuses
    attempt = judge.attempt
    assert attempt.cursor == 1
    assert [judgment.is_complete for judgment in attempt.judgments.order_by("position")] == [True] + [
        False
    ] * 7
    judge.open(judge.page.path)
    judge.judge_on(until=7)
    statuses = Counter(reply.status for reply in at_once(judge, "finish"))
    assert set(statuses) <= {302, 303}, statuses
    assert judge.attempt.state == "completed"
    assert Assignment.objects.filter(participation=attempt.participation).count() == 1
    assert not Event.objects.exists()
    judge.open(judge.page.path)
    assert judge.attempt.completion_code in judge.page.text
    whole(study)


def at_once(judge: Judge, press: str) -> list[Reply]:
    """The form of the document shown, sent by as many connections at the same moment."""
    pause(SECONDS)
    form, data = judge.form(press)
    together = Barrier(AT_ONCE)

    def send(number: int) -> Reply:
        client = HttpClient(timeout=60, cookies=judge.http.cookies)
        together.wait()
        return through_http(judge.site.address, client)("POST", judge.target(form), data)

    with ThreadPoolExecutor(AT_ONCE) as pool:
        return list(pool.map(send, range(AT_ONCE)))


def test_two_devices_on_one_assignment(site: Website, study: Study) -> None:
    """They share one cursor: what the other has sent meanwhile is told, and nothing is overwritten."""
    phone = Judge(site, study.slug).reach_the_first_document()
    desk = Judge(site, study.slug)
    desk.open(f"/s/{study.slug}/resume/{phone.attempt.participation.token}/")
    assert desk.page.step == "judge"
    pause(SECONDS)
    form, data = phone.form("next")
    phone.post(phone.target(form), data)
    assert int(phone.page.value("position")) == 1
    other = desk.filled(desk.page.form_with("action", "next"), "next", magnitude="77", justification="Other.")
    desk.post(desk.page.path, other)
    assert "77" in desk.page.html
    assert "Other." in desk.page.html
    first = Judgment.objects.get(assignment=phone.attempt, position=0)
    assert (first.raw_input, first.justification) == (data["magnitude"], data["justification"])
    desk.open(phone.page.path)
    for item in (desk, phone) * 3:
        item.open(phone.page.path)
        pause(SECONDS)
        item.judge_on(until=int(item.page.value("position")) + 1)
    phone.open(phone.page.path)
    phone.judge_on()
    assert phone.attempt.state == "completed"
    desk.open(desk.page.path)
    assert phone.attempt.completion_code in desk.page.text
    whole(study)
