"""Limits of pace on the pages of workers: generous, kind, and never in the way when the cache is."""

import re
from collections.abc import Callable
from ipaddress import IPv6Address, IPv6Network
from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client, RequestFactory
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from judging.core.observing.address import address_of
from judging.core.services.pace import (
    ARRIVALS_FROM_ADDRESS,
    FORMS_OF_WORKER,
    RESERVATIONS_FROM_ADDRESS,
    AddressPace,
    Pace,
)
from judging.models import Participation, Study
from judging.worker.pages import slowing
from judging.worker.services.leaving import return_unit
from tests.factories import live_assignment, make_study, make_worker, right_place
from tests.support.browser import axe
from tests.support.visitor import Visitor, through_client
from tests.worker.pages.actions import judge, stored
from tests.worker.pages.conftest import Clock, enter, goto

__all__ = ["enter", "goto"]

Enter = Callable[..., tuple[Visitor, Participation]]
TEXT = 'Two lines,\nand <b>"quotes"</b>.'


def at_limit(pace: Pace | AddressPace, of: str) -> None:
    cache.set(Pace(*pace)._key(of), pace.most, pace.seconds)


@pytest.fixture
def study(clock: Clock) -> Study:
    return make_study(seconds_per_document=0)


# --- counting ----------------------------------------------------------------------------------------------


def test_so_many_and_no_more() -> None:
    pace = Pace("test", 3, 60)
    assert [pace.exceeded("one") for _ in range(5)] == [False, False, False, True, True]
    assert not pace.exceeded("another")
    pace.forget("one")
    assert not pace.exceeded("one")


def test_addresses_of_one_ipv6_network_are_one() -> None:
    """A network of that size is given to a single customer; of IPv4 each address stands for itself."""
    request = RequestFactory().get

    def of(address: str) -> str:
        return address_of(request("/", REMOTE_ADDR=address))

    assert of("2001:db8:1:2::1") == of("2001:db8:1:2:ffff::9") == "2001:db8:1:2::/64"
    assert of("2001:db8:1:3::1") != of("2001:db8:1:2::1")
    assert of("2001:0DB8:1:2:0:0:0:1") == of("2001:db8:1:2::1%eth0") == of("2001:db8:1:2::1")
    assert {of("192.0.2.7"), of("::ffff:192.0.2.7"), of("2002:c000:207::1")} == {"192.0.2.7"}
    assert of("") == ""


def test_the_networks_around_an_address_have_larger_limits() -> None:
    """A customer can have 256 or 65,536 networks of 64 bits, and must not get the limit for each."""
    pace = AddressPace("test", 3, 60)

    def allowed(first: int, step: int) -> int:
        """How many attempts are accepted from ever new networks before the first that is not."""
        networks = (IPv6Network((IPv6Address(first + number * step).packed, 64)) for number in range(100))
        return next(number for number, network in enumerate(networks) if pace.exceeded(str(network)))

    assert allowed(int(IPv6Address("2001:db8::")), 1 << 64) == 12, "in one /56 network"
    assert allowed(int(IPv6Address("2001:db8:1::")), 1 << 72) == 48, "in one /48 network"
    assert not pace.exceeded("2001:db8:2::/64")
    assert [pace.exceeded("192.0.2.1") for _ in range(4)] == [False, False, False, True]
    pace.subtract("2001:db8:3::/64")
    assert not pace.used_up("2001:db8:3::/64")
    assert pace.used_up("2001:db8::/64")


def test_a_window_has_an_end(monkeypatch: pytest.MonkeyPatch) -> None:
    from django.core.cache.backends import locmem

    pace = Pace("test", 1, 60)
    assert [pace.exceeded("one") for _ in range(2)] == [False, True]
    now = locmem.time.time()
    monkeypatch.setattr(locmem.time, "time", lambda: now + 61)
    assert not pace.exceeded("one"), "counting on does not lengthen it"


def test_one_step_of_the_cache_for_each_form(monkeypatch: pytest.MonkeyPatch) -> None:
    pace, steps = Pace("test", 3, 60), list[str]()
    pace.exceeded("one")

    def counted(name: str) -> Callable[..., Any]:
        inner = getattr(cache, name)

        def step(*given: Any, **named: Any) -> Any:
            steps.append(name)
            return inner(*given, **named)

        return step

    backend = cache._connections[cache._alias]
    for name in ("get", "set", "add", "incr"):
        monkeypatch.setattr(backend, name, counted(name))
    pace.exceeded("one")
    assert steps == ["incr"]


def test_many_others_push_nothing_out() -> None:
    pace = Pace("test", 1, 60)
    assert not pace.exceeded("somebody")
    for number in range(2000):
        Pace("other", 1, 60).count(str(number))
    assert pace.exceeded("somebody")


def test_with_a_real_server_and_while_it_is_away(valkey_server: str, settings: Any) -> None:
    options = {"IGNORE_EXCEPTIONS": True, "SOCKET_CONNECT_TIMEOUT": 1, "SOCKET_TIMEOUT": 2}
    backend = {"BACKEND": "django_redis.cache.RedisCache", "OPTIONS": options}
    settings.CACHES = {"default": backend | {"LOCATION": valkey_server}}
    pace = Pace("test", 2, 60)
    assert [pace.exceeded("one") for _ in range(4)] == [False, False, True, True]
    assert 0 < cache.ttl(pace._key("one")) <= 60
    settings.CACHES = {"default": backend | {"LOCATION": "redis://127.0.0.1:1/0"}}
    assert [pace.exceeded("one") for _ in range(4)] == [False] * 4


# --- forms of one worker -----------------------------------------------------------------------------------


def test_a_form_too_many_is_given_back_whole_and_can_be_sent_again(enter: Enter, study: Study) -> None:
    visitor, worker = enter(study, "judging")
    at_limit(FORMS_OF_WORKER, str(worker.pk))
    page = judge(visitor, worker, reason=TEXT)
    assert page.status == 429
    assert page.reply.header("Retry-After") == "60"
    assert "Two lines, and <b>" in page.text
    assert live_assignment(worker).cursor == 0
    assert stored(live_assignment(worker))[0] == ("", "")
    cache.clear()
    visitor.post("/s/study/judge/", visitor.filled(page.forms[0]))
    assert live_assignment(worker).cursor == 1
    assert stored(live_assignment(worker))[0][1] == TEXT


def test_looking_and_leaving_are_never_stopped(enter: Enter, study: Study) -> None:
    visitor, worker = enter(study, "judging")
    at_limit(FORMS_OF_WORKER, str(worker.pk))
    assert visitor.open("/s/study/judge/").status == 200
    visitor.open("/s/study/withdraw/")
    assert visitor.send("next").step == "end"


def test_looking_costs_no_step_of_the_cache(
    enter: Enter, study: Study, monkeypatch: pytest.MonkeyPatch
) -> None:
    visitor, _ = enter(study, "judging")
    monkeypatch.setattr(Pace, "count", lambda *_: pytest.fail("a look was counted"))
    assert visitor.open("/s/study/judge/").status == 200


def test_neighbours_behind_one_address_share_nothing(enter: Enter, study: Study) -> None:
    _, greedy = enter(study, "judging")
    at_limit(FORMS_OF_WORKER, str(greedy.pk))
    visitor, worker = enter(study, "judging")
    assert judge(visitor, worker).step == "judge"
    assert live_assignment(worker).cursor == 1


@pytest.mark.parametrize("step", ["practising", "ready", "question"])
def test_every_form_of_the_way_counts(enter: Enter, study: Study, step: str) -> None:
    visitor, worker = enter(study, step)
    at_limit(FORMS_OF_WORKER, str(worker.pk))
    values = {"magnitude": "3"} if step == "practising" else {"answer": "0"} if step == "question" else {}
    assert visitor.send("next", **values).status == 429


def test_a_unit_in_the_least_time_is_far_below_the_limit(study: Study) -> None:
    forms = 2 + study.unit_size + 2
    assert forms * 60 / (20 * study.unit_size) < FORMS_OF_WORKER.most / 40


@pytest.mark.django_db(transaction=True)
def test_the_page_in_a_browser(
    live_server: LiveServer, clock: Clock, chromium_page: Page, goto: Callable[..., Participation]
) -> None:
    study = make_study(seconds_per_document=0)
    worker = goto(chromium_page, study)
    at_limit(FORMS_OF_WORKER, str(worker.pk))
    chromium_page.get_by_label("Your number").fill("12")
    chromium_page.get_by_label("Why this number?").fill("Line one\nline two")
    chromium_page.get_by_role("button", name="Next").click()
    expect(chromium_page.get_by_role("heading", name="Please wait a moment")).to_be_visible()
    expect(chromium_page.get_by_text("Line one")).to_be_visible()
    axe(chromium_page)
    cache.clear()
    chromium_page.get_by_role("button", name="Send it again").click()
    expect(chromium_page.get_by_text("2 of 8")).to_be_visible()
    assert stored(live_assignment(worker))[0] == ("12", "Line one\nline two")


def test_who_is_asked_to_take_their_time_loses_nothing(enter: Enter, clock: Clock) -> None:
    study = make_study(pay_screened_out="0.05")
    visitor, _ = enter(study, "practising")
    page = visitor.send("next", magnitude="5")
    assert (page.step, page.value("magnitude")) == ("practice", "5")
    clock.move(seconds=2)
    assert "Line 2" in visitor.send("next", magnitude="5").text
    study.pay_screened_out = 0
    visitor, worker = enter(study, "question")
    place = right_place(live_assignment(worker))
    page = visitor.send("next", answer=place)
    assert page.step == "topic"
    assert re.findall(r'value="(\d)" checked', page.html) == [str(place)]
    clock.move(seconds=5)
    assert visitor.send("next", answer=place).step == "judge"


# --- units from one address ---------------------------------------------------------------------------------


def test_who_meets_the_limit_of_an_address_is_told_when_to_try_again(enter: Enter, clock: Clock) -> None:
    study = make_study(seconds_per_document=0, reservations_per_address=1)
    first, worker = enter(study, "ready")
    assert first.send("next").step == "topic"
    clock.move(minutes=10)
    second, late = enter(study, "ready")
    page = second.send("next")
    assert (page.status, page.reply.header("Retry-After")) == (429, "3000")
    assert not late.assignments.exists()
    return_unit(participation=worker, now=clock.now)
    assert second.post("/s/study/task/", second.filled(page.forms[0])).step == "topic"


def test_a_lapsed_unit_waits_for_room_at_the_address(enter: Enter, clock: Clock) -> None:
    """By a look, by the button, and by a form, which is given back whole."""
    study = make_study(seconds_per_document=0, reservations_per_address=1)
    visitor, worker = enter(study, "judging")
    visitor.open("/s/study/judge/")
    clock.move(minutes=60)
    enter(study, "ready")[0].send("next")
    page = judge(visitor, worker, reason=TEXT)
    assert page.status == 429
    assert "Two lines, and <b>" in page.text
    assert visitor.open("/s/study/judge/").status == 429
    clock.move(minutes=60)
    visitor.post("/s/study/judge/", visitor.filled(page.forms[0]))
    assert (live_assignment(worker).state, live_assignment(worker).cursor) == ("judging", 1)
    assert stored(live_assignment(worker))[0][1] == TEXT


def test_reservations_from_one_address_are_counted(
    enter: Enter, study: Study, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert RESERVATIONS_FROM_ADDRESS == ("reservations-from", 1000, 3600)
    monkeypatch.setattr(slowing, "RESERVATIONS_FROM_ADDRESS", Pace("few", 2, 3600))
    visitors = [enter(study, "ready")[0] for _ in range(3)]
    pages = [visitor.send("next") for visitor in visitors]
    assert [page.status for page in pages] == [200, 200, 429]
    assert pages[-1].reply.header("Retry-After") == "3600"


# --- workers from one address ------------------------------------------------------------------------------


def test_hundreds_behind_one_address_may_begin() -> None:
    assert ARRIVALS_FROM_ADDRESS == ("arrivals-from", 1000, 3600)


def test_beyond_that_somebody_is_asked_to_wait_and_gets_no_cookie(
    study: Study, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(slowing, "ARRIVALS_FROM_ADDRESS", Pace("few", 3, 3600))

    def comes(address: str) -> Visitor:
        visitor = Visitor(through_client(Client(enforce_csrf_checks=True, REMOTE_ADDR=address)))
        visitor.open("/s/study/")
        visitor.send(consent="yes")
        return visitor

    assert [comes("192.0.2.1").page.status for _ in range(3)] == [200] * 3
    late = comes("192.0.2.1")
    assert late.page.status == 429
    assert late.page.reply.header("Retry-After") == "3600"
    assert not any(reply.cookies for reply in late.seen)
    assert Participation.objects.count() == 3
    assert comes("192.0.2.2").page.step == "instructions"
    cache.clear()
    assert late.post("/s/study/", late.filled(late.page.forms[0])).step == "instructions"


def test_who_has_begun_comes_back_from_there_as_before(study: Study) -> None:
    worker = make_worker(study)
    at_limit(ARRIVALS_FROM_ADDRESS, "127.0.0.1")
    visitor = Visitor(through_client())
    assert visitor.open(f"/s/study/resume/{worker.token}/").step == "task"


@pytest.mark.parametrize(("proxies", "counted"), [(0, "192.0.2.1"), (1, "203.0.113.9")])
def test_the_address_is_believed_of_the_proxy_alone(
    study: Study, settings: Any, proxies: int, counted: str
) -> None:
    settings.REST_FRAMEWORK = settings.REST_FRAMEWORK | {"NUM_PROXIES": proxies}
    browser = Client(REMOTE_ADDR="192.0.2.1", headers={"X-Forwarded-For": "198.51.100.1, 203.0.113.9"})
    assert browser.post("/s/study/", {"consent": "yes"}).status_code == 302
    assert cache.get(Pace(*ARRIVALS_FROM_ADDRESS)._key(counted)) == 1
