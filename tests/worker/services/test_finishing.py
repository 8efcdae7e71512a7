"""Finish: the first gap, the checks (c) and (d), revising, and the completion code."""

from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from random import Random

import pytest
from django.db import transaction
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import kendalltau

from judging.models import Event, Judgment, Participation, Visit
from judging.worker.services.lapse import expire_assignments
from judging.worker.services.leaving import return_unit
from judging.worker.services.outcome import Kind, Outcome
from judging.worker.services.submitting import Answer, submit_answer
from tests.factories import (
    current,
    form,
    honest,
    inverted,
    judge_unit,
    later,
    live_assignment,
    make_study,
    make_worker,
    see,
    send,
    tied,
)
from tests.support.integrity import broken_invariants

pytestmark = pytest.mark.django_db

Typed = Callable[[Judgment], str]


def finish_again(worker: Participation, justification: str = "", *, after: float = 300) -> Outcome:
    """Press finish on the document at the cursor, with the number given before, staying no time at all.

    `justification` is new; by default it is the old one, so that nothing changes.
    """
    here = current(worker)
    sent = form(worker, here.raw_input, justification or here.justification)
    return send(worker, sent, action="finish", now=later(after))


def walk_back(worker: Participation, *, to: int, now: float) -> None:
    while live_assignment(worker).cursor > to:
        here = current(worker)
        see(worker, now=later(now))
        send(worker, form(worker, here.raw_input, here.justification), action="back", now=later(now))


def revise(worker: Participation, magnitude: Typed, *, start: float, seconds: float) -> None:
    """Go back to the first document, and through all of them again with other numbers."""
    walk_back(worker, to=0, now=start)
    for position in range(8):
        see(worker, now=later(start + seconds * position))
        send(
            worker,
            form(worker, magnitude(current(worker))),
            action="finish" if position == 7 else "next",
            now=later(start + seconds * (position + 1)),
        )


def events() -> list[str]:
    return list(Event.objects.values_list("kind", flat=True))


def test_checks_pass() -> None:
    worker = make_worker(make_study())
    done = judge_unit(worker)
    assert (done.state, done.ended_at, done.unit.state) == ("completed", later(200), "done")
    assert done.completion_code
    assert (done.failed_finishes, done.failed_checks) == (0, {})
    assert (done.back_uses, done.revisions) == (0, 0)
    assert done.judgments.count() == 8
    assert not Visit.objects.filter(closed_at=None).exists()
    assert not Event.objects.exists()


def test_checks_pass_each_unit_has_a_code_of_its_own() -> None:
    study = make_study()
    done = [judge_unit(make_worker(study)) for _ in range(4)]
    assert len({item.completion_code for item in done}) == 4


def test_finish_with_something_missing_goes_to_the_first_gap() -> None:
    worker = make_worker(make_study())
    judge_unit(worker, magnitude=inverted)
    for text in ("", "some", "0"):
        send(worker, form(worker, text, "Not sure."), action="back", now=later(210))
    assert finish_again(worker).kind == Kind.MOVED
    assert (live_assignment(worker).cursor, live_assignment(worker).failed_finishes) == (5, 1)
    assert events() == ["anchors_failed"]


@pytest.mark.parametrize(
    ("ties", "magnitude", "passes"),
    [
        ("fail", honest, True),
        ("fail", tied, False),
        ("fail", inverted, False),
        ("pass", honest, True),
        ("pass", tied, True),
        ("pass", inverted, False),
    ],
)
def test_check_c(ties: str, magnitude: Typed, passes: bool) -> None:
    worker = make_worker(make_study(anchor_ties=ties))
    assignment = judge_unit(worker, magnitude=magnitude)
    assert assignment.state == ("completed" if passes else "revising")
    if not passes:
        event = Event.objects.get()
        assert (event.kind, event.check_name, event.attempt, event.tau) == ("anchors_failed", "c", 1, None)
        assert event.anchors == magnitude.__name__
        assert assignment.failed_checks == {"c": 1}


@pytest.mark.parametrize(("seconds", "passes"), [(20, True), (19.9, False), (0, False), (901, True)])
def test_check_d(seconds: float, passes: bool) -> None:
    worker = make_worker(make_study(lapse_minutes=600))
    assignment = judge_unit(worker, seconds=seconds)
    assert assignment.state == ("completed" if passes else "revising")
    if not passes:
        event = Event.objects.get()
        assert (event.kind, event.check_name, event.attempt, event.short) == ("time_failed", "d", 1, 8)
        assert assignment.failed_checks == {"d": 1}


def test_check_d_needs_the_seconds_on_every_document() -> None:
    """An hour on one document does not make up for two seconds on another."""
    worker = make_worker(make_study(), upto="judging")
    clock = 0.0
    for position, seconds in enumerate([600, 20, 20, 2, 20, 20, 20, 20]):
        see(worker, now=later(clock))
        clock += seconds
        send(worker, action="finish" if position == 7 else "next", now=later(clock))
    assert live_assignment(worker).state == "revising"
    assert Event.objects.get().short == 1


def test_check_d_is_summed_over_visits() -> None:
    worker = make_worker(make_study())
    judge_unit(worker, seconds=12)
    revise(worker, honest, start=100, seconds=8)
    assert live_assignment(worker).state == "completed"


@pytest.mark.parametrize("attempts", [1, 3])
def test_failures_of_c_of_d_and_of_both_look_the_same(attempts: int) -> None:
    study = make_study(check_attempts=attempts)
    seen = []
    for magnitude, seconds in [(inverted, 25), (honest, 1), (inverted, 1)]:
        worker = make_worker(study, upto="judging")
        for position in range(8):
            see(worker, now=later(seconds * position))
            outcome = submit_answer(
                participation=worker,
                answer=form(worker, magnitude(current(worker))),
                action="next",
                now=later(seconds * (position + 1)),
                rng=Random(1),
            )
        after = live_assignment(worker)
        seen.append(
            (
                *(outcome, after.state, after.cursor, after.serial, after.failed_finishes, after.unit.state),
                *(after.completion_code, after.judgments.count()),
            )
        )
    assert seen[0] == seen[1] == seen[2]
    assert seen[0][0] == Outcome(Kind.MOVED)
    assert events().count("anchors_failed") == 2
    assert events().count("time_failed") == 2


def test_checks_fail_finish_is_offered_everywhere_while_revising() -> None:
    worker = make_worker(make_study())
    judge_unit(worker, seconds=25, magnitude=inverted)
    walk_back(worker, to=3, now=210)
    finish_again(worker, "Seen again.", after=220)
    assert live_assignment(worker).failed_finishes == 2
    assert (live_assignment(worker).revisions, live_assignment(worker).back_uses) == (4, 0)


def test_checks_fail_and_mended_is_completed() -> None:
    worker = make_worker(make_study())
    judge_unit(worker, magnitude=tied)
    revise(worker, honest, start=210, seconds=1)
    done = live_assignment(worker)
    assert (done.state, done.failed_finishes, done.failed_checks) == ("completed", 1, {"c": 1})
    assert events() == ["anchors_failed"]


def test_checks_fail_unchanged_resubmission_runs_no_check_and_says_so() -> None:
    worker = make_worker(make_study())
    judge_unit(worker, magnitude=inverted)
    before = events()
    for _ in range(5):
        see(worker, now=later(300))
        assert finish_again(worker).kind == Kind.UNCHANGED
    assert (live_assignment(worker).failed_finishes, events()) == (1, before)


def tries(worker: Participation) -> int | None:
    return live_assignment(worker).failed_finishes


@pytest.mark.parametrize("seconds", [25, 1])
def test_a_document_that_is_open_long_enough_now_is_a_change(seconds: float) -> None:
    """Only if it was open too briefly at the last attempt."""
    worker = make_worker(make_study())
    judge_unit(worker, magnitude=inverted, seconds=seconds)
    see(worker, now=later(300))
    assert finish_again(worker, after=318.9).kind == Kind.UNCHANGED
    again = finish_again(worker, after=319)
    assert (again.kind, tries(worker)) == ((Kind.UNCHANGED, 1) if seconds == 25 else (Kind.MOVED, 2))
    see(worker, now=later(320))
    assert finish_again(worker, after=500).kind == Kind.UNCHANGED, "it was long enough before"


def test_seconds_count_for_the_next_attempt_wherever_they_were_spent() -> None:
    worker = make_worker(make_study())
    judge_unit(worker, seconds=1)
    see(worker, now=later(100))
    send(worker, replace(answer_again(worker), go=3), now=later(101))
    see(worker, now=later(101))
    send(worker, replace(answer_again(worker), go=5), now=later(119))
    assert finish_again(worker, after=119).kind == Kind.UNCHANGED, "19 seconds at the third document"
    send(worker, replace(answer_again(worker), go=3), now=later(120))
    see(worker, now=later(120))
    send(worker, replace(answer_again(worker), go=5), now=later(121))
    assert (finish_again(worker, after=121).kind, tries(worker)) == (Kind.MOVED, 2)


def answer_again(worker: Participation) -> Answer:
    here = current(worker)
    return form(worker, here.raw_input, here.justification)


@pytest.mark.parametrize(
    ("number", "why", "kind"),
    [
        ("9.5", "", Kind.MOVED),
        ("", "Another reason.", Kind.MOVED),
        ("{}.0", "", Kind.UNCHANGED),
        ("", "  {} ", Kind.UNCHANGED),
    ],
)
def test_only_another_number_or_reason_is_a_changed_answer(number: str, why: str, kind: Kind) -> None:
    worker = make_worker(make_study())
    judge_unit(worker, magnitude=tied)
    old = answer_again(worker)
    changed = form(
        worker,
        (number or "{}").format(old.raw_input),
        (why or "{}").format(old.justification),
    )
    assert send(worker, changed, action="finish", now=later(210)).kind == kind
    assert tries(worker) == (2 if kind == Kind.MOVED else 1)


@pytest.mark.parametrize("other", ["77", "none", ""])
def test_a_number_changed_and_changed_back_is_no_change(other: str) -> None:
    worker = make_worker(make_study())
    judge_unit(worker, magnitude=inverted)
    old = answer_again(worker)
    send(worker, replace(old, raw_input=other, go=2), now=later(210))
    send(worker, replace(answer_again(worker), go=7), now=later(220))
    back = replace(answer_again(worker), raw_input=old.raw_input)
    assert send(worker, back, action="finish", now=later(230)).kind == Kind.UNCHANGED
    assert tries(worker) == 1


STEPS = st.one_of(
    st.tuples(st.just("wait"), st.integers(0, 60)),
    st.tuples(st.just("go"), st.integers(0, 7)),
    st.tuples(st.sampled_from(["see", "next", "back", "finish"]), st.just(0)),
)


@settings(deadline=None, max_examples=25)
@given(steps=st.lists(STEPS, max_size=20), seconds=st.sampled_from([25, 2]))
def test_without_a_change_no_sequence_of_steps_costs_an_attempt(
    steps: list[tuple[str, int]], seconds: int
) -> None:
    """Where time is short, all the waiting together stays below what a document lacks."""
    with transaction.atomic():
        worker = make_worker(make_study(lapse_minutes=600))
        judge_unit(worker, magnitude=inverted, seconds=seconds)
        clock, left = 300, 1_000 if seconds == 25 else 17
        for step, value in steps:
            if step == "wait":
                clock, left = clock + min(value, left), left - min(value, left)
            elif step == "see":
                see(worker, now=later(clock))
            else:
                answer = replace(answer_again(worker), go=value if step == "go" else None)
                send(worker, answer, action=step, now=later(clock))
            assert (live_assignment(worker).state, tries(worker)) == ("revising", 1)
        transaction.set_rollback(True)


def test_try_limit_reached() -> None:
    study = make_study()
    worker = make_worker(study)
    judge_unit(worker, magnitude=inverted)
    finish_again(worker, "Second thoughts.")
    assert live_assignment(worker).state == "revising"
    assert finish_again(worker, "Third thoughts.").kind == Kind.MOVED
    ended = live_assignment(worker)
    assert (ended.state, ended.unit.state, ended.completion_code) == ("checks_failed", "open", None)
    assert (ended.failed_finishes, ended.failed_checks) == (3, {"c": 3})
    assert not ended.judgments.exists()
    assert not Visit.objects.exists()
    assert events() == ["anchors_failed"] * 3 + ["checks_failed"]
    assert worker.assignments.get().topic_id == ended.topic_id
    assert judge_unit(make_worker(study)).state == "completed"


def test_check_attempts_none_is_unlimited() -> None:
    worker = make_worker(make_study(check_attempts=None))
    judge_unit(worker, magnitude=inverted)
    for place in range(30):
        finish_again(worker, f"Thought {place}.")
    assert (live_assignment(worker).state, live_assignment(worker).failed_finishes) == ("revising", 31)


def test_turning_the_order_round_raises_an_event_and_never_a_rejection() -> None:
    worker = make_worker(make_study())
    judge_unit(worker, magnitude=lambda one: str(1 / float(honest(one))))
    revise(worker, honest, start=210, seconds=1)
    assert live_assignment(worker).state == "completed"
    failed, turned = Event.objects.all()
    assert (failed.kind, failed.tau) == ("anchors_failed", None)
    assert (turned.kind, turned.check_name, turned.attempt, turned.tau) == ("order_inverted", "c", 2, -1.0)


def test_an_order_turned_round_after_a_try_of_ties_is_seen() -> None:
    """1 … 8, then 5 throughout, then 8 … 1: the last turns round the first, whatever came in between."""
    worker = make_worker(make_study(check_attempts=4))
    judge_unit(worker, magnitude=lambda one: str(one.position + 1), seconds=1)
    revise(worker, tied, start=20, seconds=1)
    assert live_assignment(worker).failed_numbers == [[1, 2, 3, 4, 5, 6, 7, 8], [5] * 8]
    revise(worker, lambda one: str(8 - one.position), start=40, seconds=1)
    turned = Event.objects.get(kind="order_inverted")
    assert (turned.attempt, turned.tau) == (3, -1.0)
    last = Event.objects.filter(kind="anchors_failed").last()
    assert last is None or last.tau is None, "5 throughout has no order to compare with"
    assert broken_invariants(worker.study) == []


def test_an_order_neither_kept_nor_turned_round_raises_no_event() -> None:
    """τ = 0: 14 of the 28 pairs of documents change their order."""
    worker = make_worker(make_study(check_attempts=4))
    judge_unit(worker, magnitude=lambda one: str(one.position + 1), seconds=1)
    second = [8, 7, 1, 2, 3, 4, 6, 5]
    assert kendalltau(range(8), second).statistic == 0
    revise(worker, lambda one: str(second[one.position]), start=20, seconds=1)
    assert live_assignment(worker).failed_finishes == 2
    assert "order_inverted" not in events()


@pytest.mark.parametrize("end", ["completed", "checks_failed", "returned", "lapsed"])
def test_numbers_of_failed_tries_go_when_the_unit_ends(end: str) -> None:
    worker = make_worker(make_study(check_attempts=2))
    judge_unit(worker, magnitude=inverted)
    if end == "returned":
        return_unit(participation=worker, now=later(210))
    elif end == "lapsed":
        expire_assignments(now=later(hours=2))
        assert live_assignment(worker).failed_numbers, "kept as long as the answers are"
        expire_assignments(now=later(hours=27))
    else:
        revise(worker, honest if end == "completed" else tied, start=210, seconds=1)
    assert (live_assignment(worker).state, live_assignment(worker).failed_numbers) == (end, None)


def test_tau_between_tries_stands_in_the_event_of_the_later_try() -> None:
    worker = make_worker(make_study())

    def numbers() -> list[float]:
        return list(live_assignment(worker).judgments.values_list("number", flat=True))

    judge_unit(worker, magnitude=inverted)
    earlier = numbers()
    revise(worker, lambda one: str(float(inverted(one)) + one.position * 5 % 7), start=210, seconds=1)
    first, second = Event.objects.all()
    assert (first.attempt, first.tau, second.attempt) == (1, None, 2)
    assert second.tau == pytest.approx(kendalltau(earlier, numbers()).statistic, abs=1e-12)
    assert second.tau != 1


def test_same_form_again_after_finishing_counts_once() -> None:
    worker = make_worker(make_study(), upto="judging")
    for position in range(8):
        see(worker, now=later(25 * position))
        sent = form(worker)
        send(worker, sent, now=later(25 * (position + 1)))
    code = live_assignment(worker).completion_code
    assert send(worker, sent, action="finish").kind == Kind.MOVED
    assert send(worker, replace(sent, raw_input="8"), action="finish").kind == Kind.STALE
    assert live_assignment(worker).completion_code == code


def test_same_form_again_after_a_failed_finish_is_no_second_try() -> None:
    worker = make_worker(make_study(), upto="judging")
    for position in range(8):
        see(worker, now=later(25 * position))
        sent = form(worker, inverted(current(worker)))
        send(worker, sent, now=later(25 * (position + 1)))
    for _ in range(4):
        assert send(worker, sent, action="finish").kind == Kind.MOVED
    assert live_assignment(worker).failed_finishes == 1


def test_serials_only_grow() -> None:
    worker = make_worker(make_study())
    serials = [0]
    judge_unit(worker, magnitude=inverted)
    serials.append(live_assignment(worker).serial)
    walk_back(worker, to=5, now=300)
    serials.append(live_assignment(worker).serial)
    finish_again(worker, "Seen again.")
    serials.append(live_assignment(worker).serial)
    assert all(earlier < later_ for earlier, later_ in pairwise(serials))


def test_the_form_that_used_up_the_last_try_pressed_twice_leads_on() -> None:
    worker = make_worker(make_study(check_attempts=1), upto="judging")
    for _ in range(7):
        send(worker, form(worker, "5"))
    last = form(worker, "5")
    assert send(worker, last, action="finish").kind == Kind.MOVED
    assert live_assignment(worker).state == "checks_failed"
    assert send(worker, last, action="finish").kind == Kind.MOVED
    older = replace(last, serial=last.serial - 1, position=last.position - 1, raw_input="8")
    assert send(worker, older).kind == Kind.STALE
