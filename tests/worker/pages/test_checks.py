"""The checks at the end of a unit: a failure looks the same whichever check failed."""

import re
from collections.abc import Callable

import pytest
from django.utils.html import escape

from judging.models import Event, Judgment, Participation, Study, Visit
from judging.protocol.checks.seconds import CHECK as SECONDS
from judging.protocol.settings import FAILURE_MESSAGES
from tests.factories import current, honest, inverted, live_assignment, make_study, tied
from tests.support.problems import problems_in
from tests.support.visitor import Reply, Visitor, through_client
from tests.worker.pages.actions import REASON, consent, judge, judge_all, practise, stored, take_topic
from tests.worker.pages.conftest import Clock
from tests.worker.pages.replays import plain, replayed

Enter = Callable[..., tuple[Visitor, Participation]]
MESSAGE = "Your job is not accurate enough. You can revise your work to finish the task."
assert SECONDS.told is not None
TIME = str(SECONDS.told.fault(Study(seconds_per_document=20.0)))
SEED = 2
"""Draws an order of documents in which neither of the last two, which are seen again, is an anchor."""
FAILED = [("anchors_failed", "tied", None), ("time_failed", "", 8)]


def compared(reply: Reply) -> tuple[int, str, list[tuple[str, str]], bytes]:
    """Return a reply without the worker's own numbers, which the list of documents shows."""
    status, url, headers, body = plain(reply)
    own = re.compile(rb'(<p class="answer"><b><bdi>)[^<]*(</bdi></b>)')
    return status, url, [each for each in headers if each[0] != "Content-Length"], own.sub(rb"\1\2", body)


def walk(
    clock: Clock, *, magnitude: Callable[[Judgment], str], seconds: float, said: str = MESSAGE
) -> tuple[list[Reply], set[str]]:
    """The whole way up to the last try, with the last two documents looked at again before each further one.

    Each further try has another reason, because the checks do not run if nothing has changed.
    Returns every reply, and the checks that failed.
    """
    visitor = Visitor(through_client())
    consent(visitor, "/s/study/")
    worker = Participation.objects.get()
    practise(visitor)
    take_topic(visitor, worker)
    last_two = live_assignment(worker).judgments.filter(position__gte=6)
    assert not last_two.exclude(pool_document__anchor="").exists(), "choose another SEED"
    judge_all(visitor, worker, magnitude=magnitude, between=lambda: clock.move(seconds=seconds))
    while visitor.page.step == "judge":
        assert said in visitor.page.text
        visitor.send("back")
        visitor.send("next")
        visitor.send(go="6")
        visitor.send(go="7")
        visitor.send("finish", justification=f"Seen {len(visitor.seen)} pages.")
    return visitor.seen, set(Event.objects.exclude(check_name="").values_list("check_name", flat=True))


@pytest.mark.slow
@pytest.mark.parametrize("message", FAILURE_MESSAGES)
def test_failures_of_c_of_d_and_of_both_are_indistinguishable(clock: Clock, message: str) -> None:
    """Only a failure of (d) alone differs, and only in studies that name it."""
    make_study(topics=1, failure_message=message)
    with replayed(SEED):
        only_c, failed_c = walk(clock, magnitude=inverted, seconds=20)
    with replayed(SEED):
        said = MESSAGE if message == "paper" else TIME
        only_d, failed_d = walk(clock, magnitude=honest, seconds=19.9, said=said)
    with replayed(SEED):
        both, failed_both = walk(clock, magnitude=inverted, seconds=0)
    with replayed(SEED):
        tie, failed_tie = walk(clock, magnitude=lambda j: "5" if j.position < 6 else honest(j), seconds=20)
    assert (failed_c, failed_d, failed_both, failed_tie) == ({"c"}, {"d"}, {"c", "d"}, {"c"})
    assert sum(MESSAGE.encode() in reply.body for reply in only_c) == 2 * 5, "two tries of five pages"
    for ours in (both, tie):
        assert [compared(reply) for reply in ours] == [compared(reply) for reply in only_c]
    pairs = list(zip(map(compared, only_d), map(compared, only_c), strict=True))
    if message == "paper":
        assert all(ours == theirs for ours, theirs in pairs)
    else:
        told = [TIME.encode() in reply.body for reply in only_d]
        assert sum(told) == 2 * 5 + 1, "the pages of two tries, and the last page"
        assert not any(MESSAGE.encode() in reply.body for reply in only_d)
        assert all(ours == theirs for (ours, theirs), is_told in zip(pairs, told, strict=True) if not is_told)


def test_a_failed_check_leads_to_revising_and_the_mended_unit_passes(
    clock: Clock, enter: Enter, study: Study
) -> None:
    visitor, worker = enter(study, "judging")
    page = judge_all(visitor, worker, magnitude=inverted)
    assert (page.status, page.step) == (200, "judge")
    assert MESSAGE in page.text
    assert "8 of 8" in page.text
    unit = live_assignment(worker)
    assert (unit.state, unit.failed_checks, unit.back_uses) == ("revising", {"c": 1}, 0)
    while live_assignment(worker).cursor:
        visitor.send("back")
        assert MESSAGE in visitor.page.text
    page = judge_all(visitor, worker)
    assert page.step == "units"
    unit = live_assignment(worker)
    assert (unit.state, unit.revisions, unit.failed_finishes) == ("completed", 7, 1)
    assert unit.completion_code in page.text


def test_a_list_of_the_documents_leads_straight_to_each(enter: Enter, study: Study) -> None:
    visitor, worker = enter(study, "judging")
    assert not visitor.page.form_with("magnitude").offers("go")
    judge_all(visitor, worker, magnitude=inverted)
    for place in (0, 5, 3):
        buttons = visitor.page.form_with("magnitude").buttons
        listed = [int(value) for name, value in buttons if name == "go"]
        assert listed == [other for other in range(8) if other != live_assignment(worker).cursor]
        assert buttons[0][0] == "action", "Enter in a field presses the first button"
        page = visitor.send(go=place, justification=f"Left for {place}.")
        assert (page.step, page.value("position")) == ("judge", str(place))
    assert [reason for _, reason in stored(live_assignment(worker)) if not reason.startswith(REASON)] == [
        "Left for 5.",
        "Left for 3.",
        "Left for 0.",
    ]
    assert live_assignment(worker).revisions == 3


@pytest.mark.parametrize(
    ("most", "told"), [(4, ["4 failed attempts", "3 attempts", "2 attempts"]), (None, ["as often as"] * 3)]
)
def test_how_many_attempts_there_are_is_said_before_and_after_each(
    most: int | None, told: list[str], clock: Clock, enter: Enter
) -> None:
    study = make_study(topics=1, seconds_per_document=0, check_attempts=most, pay_per_unit="0.20")
    assert told[0] in Visitor(through_client()).open("/s/study/").text
    visitor, worker = enter(study)
    take_topic(visitor, worker)
    judge_all(visitor, worker, magnitude=tied)
    assert told[1] in visitor.page.text
    visitor.send("finish", justification="Another reason.")
    assert told[2] in visitor.page.text


def test_too_quick_a_worker_may_stay_longer_and_pass(clock: Clock, enter: Enter) -> None:
    study = make_study(topics=1)
    visitor, worker = enter(study, "judging")
    while live_assignment(worker).cursor < 7:
        clock.move(seconds=20)
        judge(visitor, worker)
    clock.move(seconds=19)
    page = judge(visitor, worker, press="finish")
    assert TIME in page.text
    assert MESSAGE not in page.text
    clock.move(seconds=20)
    page = visitor.send("finish")
    assert page.step == "units"
    assert live_assignment(worker).state == "completed"


def test_an_unchanged_resubmission_says_so_and_is_no_try(enter: Enter, study: Study) -> None:
    visitor, worker = enter(study, "judging")
    judge_all(visitor, worker, magnitude=tied)
    for _ in range(4):
        page = visitor.send("finish")
        assert len(problems_in(page.html)) == 1
        assert (page.status, page.step) == (200, "judge")
        assert (page.value("magnitude"), page.value("justification")) == ("5", f"{REASON} 8")
    assert live_assignment(worker).failed_finishes == 1
    assert Event.objects.filter(kind="anchors_failed").count() == 1
    assert MESSAGE in visitor.send("finish", magnitude="6").text
    assert live_assignment(worker).failed_finishes == 2


def test_the_message_is_about_the_last_attempt(clock: Clock, enter: Enter) -> None:
    """The time is named only if the anchors passed at the same attempt."""
    study = make_study(topics=1, check_attempts=None)
    visitor, worker = enter(study, "judging")
    anchor = live_assignment(worker).judgments.filter(pool_document__anchor="N").get()
    judge_all(visitor, worker, magnitude=inverted)
    assert MESSAGE in visitor.page.text
    for number, told in {"0.001": TIME, "1e9": MESSAGE, "0.002": TIME}.items():
        if current(worker).pk != anchor.pk:
            visitor.send(go=anchor.position)
        visitor.send("finish", magnitude=number)
        assert told in visitor.page.text
        assert ({TIME, MESSAGE} - {told}).pop() not in visitor.page.text


def test_the_list_shows_what_the_worker_typed(enter: Enter, study: Study) -> None:
    visitor, worker = enter(study, "judging")
    long = "A long reason with <b>many</b> words. " * 5
    while live_assignment(worker).cursor < 7:
        visitor.send("next", magnitude="2 1/2", justification=f"{long}{live_assignment(worker).cursor}")
    page = visitor.send("finish", magnitude="5", justification="Short.")
    listed = page.html.split('id="documents"')[1].split("</nav>")[0]
    assert listed.count("2 1/2") == 7
    for position in range(7):
        assert escape(f"{long}{position}") in listed, "in full on demand"
    assert listed.count("<details") == 7
    assert "Short." in listed


def test_unchanged_looks_the_same_whichever_check_failed(clock: Clock) -> None:
    make_study(topics=1, failure_message="paper")
    seen = []
    for magnitude, seconds in ((inverted, 20), (honest, 5)):
        with replayed(SEED):
            visitor = Visitor(through_client())
            consent(visitor, "/s/study/")
            worker = Participation.objects.get()
            practise(visitor)
            take_topic(visitor, worker)
            judge_all(visitor, worker, magnitude=magnitude, between=lambda s=seconds: clock.move(seconds=s))
            visitor.send("finish")
            seen.append(compared(visitor.seen[-1]))
    assert b"Nothing has changed" in seen[0][3]
    assert seen[0] == seen[1]


def test_the_last_try_ends_the_unit_and_deletes_its_answers(enter: Enter, study: Study) -> None:
    visitor, worker = enter(study, "judging")
    judge_all(visitor, worker, magnitude=tied)
    for number in ("6", "7"):
        page = visitor.send("finish", magnitude=number)
    assert page.step == "units"
    assert page.form_with("action", "next"), "another topic is offered"
    unit = live_assignment(worker)
    assert (unit.state, unit.unit.state, unit.completion_code) == ("checks_failed", "open", None)
    assert not Judgment.objects.exists()
    assert not Visit.objects.exists()
    assert take_topic(visitor, worker).step == "judge"
    assert live_assignment(worker).topic != unit.topic


def test_unlimited_tries_where_the_study_says_so(clock: Clock, enter: Enter) -> None:
    study = make_study(topics=1, seconds_per_document=0, check_attempts=None)
    visitor, worker = enter(study, "judging")
    judge_all(visitor, worker, magnitude=tied)
    for number in range(6, 16):
        assert MESSAGE in visitor.send("finish", magnitude=number).text
    assert live_assignment(worker).failed_finishes == 11


@pytest.mark.parametrize(("ties", "step"), [("pass", "units"), ("fail", "judge")])
def test_tied_anchors_as_the_study_says(ties: str, step: str, clock: Clock, enter: Enter) -> None:
    study = make_study(topics=1, seconds_per_document=0, anchor_ties=ties)
    visitor, worker = enter(study, "judging")
    assert judge_all(visitor, worker, magnitude=tied).step == step


def test_events_hold_nothing_that_a_worker_typed(clock: Clock, enter: Enter) -> None:
    study = make_study(topics=1)
    visitor, worker = enter(study, "judging")
    judge_all(visitor, worker, magnitude=lambda judgment: "7070.25")
    visitor.send("finish", magnitude="8080.5")
    kinds = sorted(Event.objects.values_list("kind", "attempt", "anchors", "short"))
    assert kinds == [(kind, attempt, *facts) for kind, *facts in FAILED for attempt in (1, 2)]
    for event in Event.objects.values():
        output = " ".join(str(value) for value in event.values())
        assert not any(typed in output for typed in ("7070", "8080", REASON))
