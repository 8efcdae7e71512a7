"""Forms that a worker forges, swaps or sends again, over real HTTP: nobody's rows and no count change."""

from collections.abc import Callable

import pytest

from judging.models import Assignment, Event, Judgment, Study
from judging.worker.services.lapse import expire_assignments
from judging.worker.services.reservation import reserve_unit
from tests.factories import current, dice, honest, live_assignment, make_study, make_worker
from tests.safety.conftest import Person, kept_of
from tests.support.integrity import broken_invariants
from tests.worker.pages.actions import REASON, reason_for
from tests.worker.pages.conftest import Clock

Enter = Callable[..., Person]
STEPS = {"practising": "practice", "question": "topic", "judging": "judge"}


@pytest.fixture
def study(clock: Clock) -> Study:
    return make_study(topics=3, seconds_per_document=0, judgments_per_document=2, pay_per_unit="0.20")


def judge(person: Person, clock: Clock, *, seconds: float = 25, press: str = "next", **more: str) -> None:
    """Answer the document on the page, after so many seconds."""
    clock.move(seconds=seconds)
    judgment = current(person.worker)
    person.press(press, magnitude=honest(judgment), justification=reason_for(judgment), **more)


def judge_all(person: Person, clock: Clock, *, seconds: float = 25) -> None:
    for _ in range(7):
        judge(person, clock, seconds=seconds)
    judge(person, clock, seconds=seconds, press="finish")


@pytest.mark.parametrize("upto", STEPS)
def test_every_hidden_field_swapped_with_another_worker_s_touches_neither(
    upto: str, study: Study, person: Enter, clock: Clock
) -> None:
    victim, thief = person(study, upto), person(study, upto)
    if upto == "judging":
        judge(victim, clock)
        judge(victim, clock)
    before = kept_of(victim.worker), kept_of(thief.worker)
    form = thief.page.forms[0]
    foreign = victim.page.forms[0].hidden
    keys = [rows[-1]["id"] for rows in before[0] if rows]
    names = form.hidden.keys() - {"csrfmiddlewaretoken", "action", "visible_seconds"}  # which name no row
    assert names
    for name in sorted(names):
        others = {*map(str, keys), foreign[name], "7", "-1"} - {form.hidden[name]}
        for value in sorted(others):
            sent = thief.filled(form) | {name: value, "magnitude": "66", "justification": "x", "answer": "0"}
            assert thief.request("POST", f"/s/study/{STEPS[upto]}/", sent).status in (200, 302)
    for name in sorted(names):
        assert form.hidden[name] == thief.open(f"/s/study/{STEPS[upto]}/").forms[0].hidden[name]
    assert kept_of(victim.worker) == before[0]
    after = kept_of(thief.worker)
    for rows in (*before[1:], after):  # a page that is shown again may open its visit, and nothing else
        for row in rows[4]:
            row.pop("opened_at")
    assert after == before[1]


def test_a_form_sent_to_another_study_finds_nobody(study: Study, person: Enter, clock: Clock) -> None:
    other = make_study(slug="other", topics=2)
    there = make_worker(other, upto="judging", now=clock.now)
    thief = person(study)
    before = kept_of(there)
    signed = thief.http.cookies["plumbline_study"]
    thief.http.cookies.set("plumbline_other", signed, path="/s/other/")
    form = thief.filled(thief.page.form_with("magnitude"), "next", magnitude="66", justification="x")
    for step in ("judge", "topic", "practice", "units", "task", "instructions", "end"):
        assert thief.request("POST", f"/s/other/{step}/", form).status == 403
        assert thief.request("GET", f"/s/other/{step}/").header("Location") == "/s/other/"
    token = thief.worker.token
    assert thief.request("GET", f"/s/other/resume/{token}/").header("Location") == "/s/other/"
    assert kept_of(there) == before


FORGED = {
    "state": "completed",
    "failed_checks": "{}",
    "failed_finishes": "-9",
    "cursor": "7",
    "completion_code": "AAAA-BBBB-CCCC",
    "pay": "99.00",
    "lapses_at": "2999-01-01T00:00:00Z",
    "opened_at": "2020-01-01T00:00:00Z",
    "now": "2999-01-01T00:00:00Z",
    "seconds": "9999",
    "participation": "1",
    "assignment": "1",
    "anchor": "H",
    "kind": "simulated",
    "behaviour": "careful",
}


def test_seconds_are_the_server_s_whatever_is_sent_along(clock: Clock, person: Enter) -> None:
    """A unit sent off faster than anybody reads fails (d); the same forms pass when the time has gone by."""
    hasty = person(make_study(topics=2, pay_per_unit="0.20"))
    hasty.http.headers["Date"] = "Fri, 01 Jan 2999 00:00:00 GMT"
    for place in range(8):
        clock.move(seconds=1)
        form = hasty.page.form_with("magnitude")
        sent = hasty.filled(form, "finish" if place == 7 else "next", justification=f"{REASON} {place}")
        answer = {"magnitude": honest(current(hasty.worker)), "visible_seconds": "999999"}
        hasty.post(hasty.page.path, sent | answer | FORGED)
    unit = live_assignment(hasty.worker)
    assert (unit.state, unit.failed_checks, unit.completion_code) == ("revising", {"d": 1}, None)
    assert Event.objects.get().short == 8
    for _ in range(7):
        clock.move(seconds=20)
        hasty.press("back", magnitude=honest(current(hasty.worker)), justification=REASON)
    clock.move(seconds=20)
    hasty.press("finish", magnitude=honest(current(hasty.worker)), justification=REASON)
    unit.refresh_from_db()
    assert unit.state == "completed"
    assert unit.completion_code != FORGED["completion_code"]
    assert str(unit.pay) == "0.20"
    assert not hasty.worker.behaviour


def test_every_form_of_a_unit_sent_again_after_the_finish(study: Study, person: Enter, clock: Clock) -> None:
    worker = person(study)
    judge_all(worker, clock)
    unit = live_assignment(worker.worker)
    assert unit.state == "completed"
    replay(worker, study)
    assert Assignment.objects.count() == 1


def test_every_form_of_a_unit_sent_again_after_it_lapsed_and_was_taken(
    study: Study, person: Enter, clock: Clock
) -> None:
    worker = person(study)
    for _ in range(3):
        judge(worker, clock)
    clock.move(hours=2)
    expire_assignments(now=clock.now)
    unit = live_assignment(worker.worker).unit
    while live := make_worker(study, now=clock.now):
        if reserve_unit(participation=live, now=clock.now, rng=dice(live, clock.now)).unit == unit:
            break
    before = kept_of(live)
    for path, form in worker.posted * 2:
        worker.post(path, form | {"magnitude": "66"})
    assert kept_of(live) == before
    lapsed = live_assignment(worker.worker)
    assert (lapsed.state, lapsed.cursor, lapsed.completion_code) == ("lapsed", 3, None)
    assert broken_invariants(study) == []


def test_every_form_of_a_unit_sent_again_while_the_next_is_judged(
    study: Study, person: Enter, clock: Clock
) -> None:
    worker = person(study)
    judge_all(worker, clock)
    first = worker.posted[:]
    worker.press("next")
    worker.press("next", answer=place_of(worker))
    judge(worker, clock)
    worker.posted = first
    replay(worker, study)
    second = live_assignment(worker.worker)
    assert (second.number, second.state, second.cursor) == (2, "judging", 1)


def place_of(person: Person) -> int:
    unit = live_assignment(person.worker)
    return unit.option_order.index(unit.topic.question.right_option)


def replay(person: Person, study: Study) -> None:
    """Send every form again, as it was and with other content, by other buttons: nothing at all changes."""
    before, events = kept_of(person.worker), Event.objects.count()
    for path, form in person.posted[:]:
        for change in ({}, {"magnitude": "66", "action": "back"}, {"magnitude": "66", "action": "finish"}):
            assert person.request("POST", path, form | change).status in (200, 302)
    assert kept_of(person.worker) == before
    assert Event.objects.count() == events
    assert not Judgment.objects.filter(raw_input="66").exists()
    assert broken_invariants(study) == []
