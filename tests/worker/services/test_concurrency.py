"""Many people, tabs and impatient fingers at the same moment, on both databases with real connections."""

from collections import Counter
from collections.abc import Callable
from datetime import datetime, timedelta
from functools import partial
from random import Random

import pytest
from django.db import connection, transaction

from judging.core.services.studies import close_study, retire_topic
from judging.models import Assignment, Event, Participation, PlatformIdentity, Unit, Visit
from judging.protocol.states import LIVE
from judging.worker.services.arrival import give_consent
from judging.worker.services.comprehension import answer_question
from judging.worker.services.lapse import expire_assignments
from judging.worker.services.leaving import return_unit, withdraw
from judging.worker.services.outcome import Kind, Outcome
from judging.worker.services.reservation import reserve_unit
from judging.worker.services.submitting import submit_answer
from judging.worker.services.visits import open_document
from tests.factories import (
    NOW,
    current,
    form,
    judge_unit,
    later,
    live_assignment,
    make_study,
    make_worker,
    right_place,
    see,
    send,
)
from tests.support.concurrent import at_once
from tests.support.integrity import broken_invariants


def reserving(worker: Participation, *, seed: int = 1) -> Callable[[], Assignment | None]:
    return partial(reserve_unit, participation=worker, now=NOW, rng=Random(f"{worker.pseudonym}/{seed}"))


def sending(worker: Participation, *, action: str = "next", at: float = 25) -> Callable[[], Outcome]:
    """The form that the worker sees now, sent when called."""
    return partial(
        submit_answer,
        participation=worker,
        answer=form(worker),
        action=action,
        now=later(at),
        rng=Random(worker.pseudonym),
    )


def up_to_the_last_document(worker: Participation, *, seconds: float = 25) -> None:
    for position in range(7):
        see(worker, now=later(position * seconds))
        send(worker, now=later((position + 1) * seconds))
    see(worker, now=later(7 * seconds))


@pytest.mark.slow
def test_two_workers_and_the_last_unit(database: str) -> None:
    study = make_study(topics=1, judgments_per_document=1)
    one = make_worker(study)
    for _ in range(10):  # whoever got the unit gives it back, and the other meets somebody new
        other = make_worker(study)
        got = [unit for unit in at_once([reserving(one), reserving(other)]) if unit]
        assert len(got) == 1
        return_unit(participation=got[0].participation, now=NOW)
        one = other if got[0].participation == one else one
    assert broken_invariants(study) == []


@pytest.mark.parametrize("database", ["postgresql"], indirect=True)
def test_a_unit_that_somebody_is_taking_is_passed_over(database: str) -> None:
    """Without a wait for whoever has locked it; SQLite has one lock for everything."""
    worker = make_worker(make_study(topics=1))
    first, second = Unit.objects.order_by("number")[:2]
    with transaction.atomic():
        Unit.objects.select_for_update(no_key=True).get(pk=first.pk)
        (got,) = at_once([impatient(reserving(worker))])
    assert got is not None
    assert got.unit == second


@pytest.mark.parametrize("database", ["postgresql"], indirect=True)
def test_where_the_last_units_of_a_topic_are_being_taken_another_topic_is_chosen(database: str) -> None:
    study = make_study(topics=2, judgments_per_document=6)
    workers = [make_worker(study) for _ in range(6)]
    taken = study.topics.order_by("place")[0]
    with transaction.atomic():
        list(Unit.objects.select_for_update(no_key=True).filter(topic=taken))
        for worker in workers:
            (got,) = at_once([impatient(reserving(worker))])
            assert got is not None
            assert got.topic != taken


def impatient(call: Callable[[], Assignment | None]) -> Callable[[], Assignment | None]:
    """Do not wait for the locks of others for longer than two seconds."""

    def run() -> Assignment | None:
        with connection.cursor() as cursor:
            cursor.execute("SET lock_timeout = '2s'")
        return call()

    return run


@pytest.mark.slow
def test_twenty_workers_for_twenty_units(database: str) -> None:
    study = make_study(topics=1, documents=12, unit_size=8, judgments_per_document=10)
    workers = [make_worker(study) for _ in range(20)]
    got = at_once([reserving(worker) for worker in workers])
    assert Unit.objects.count() == 20
    assert len({assignment.unit_id for assignment in got if assignment}) == 20
    assert broken_invariants(study) == []


def test_reserve_pressed_ten_times_at_once_by_one_worker(database: str) -> None:
    study = make_study(topics=3)
    worker = make_worker(study)
    got = at_once([reserving(worker, seed=seed) for seed in range(10)])
    assert len({assignment.pk for assignment in got if assignment}) == 1
    assert Assignment.objects.count() == 1
    assert Unit.objects.filter(state="reserved").count() == 1


def test_the_question_answered_ten_times_at_once(database: str) -> None:
    study = make_study()
    worker = make_worker(study, upto="question")
    place = right_place(live_assignment(worker))
    answer = partial(answer_question, participation=worker, number=1, place=place, now=NOW)
    outcomes = at_once([partial(answer, rng=Random(seed)) for seed in range(10)])
    assert {outcome.kind for outcome in outcomes} == {Kind.MOVED}
    assert live_assignment(worker).judgments.count() == 8
    assert broken_invariants(study) == []


def test_the_same_form_sent_ten_times_at_once(database: str) -> None:
    study = make_study()
    worker = make_worker(study, upto="judging")
    see(worker)
    outcomes = at_once([sending(worker)] * 10)
    assert {outcome.kind for outcome in outcomes} == {Kind.MOVED}
    assignment = live_assignment(worker)
    assert (assignment.cursor, assignment.serial) == (1, 2)
    assert assignment.judgments.filter(number__isnull=False).count() == 1
    assert [visit.seconds for visit in Visit.objects.all()] == [25]


def test_finish_pressed_ten_times_at_once(database: str) -> None:
    study = make_study()
    worker = make_worker(study, upto="judging")
    up_to_the_last_document(worker)
    outcomes = at_once([sending(worker, action="finish", at=200)] * 10)
    assert {outcome.kind for outcome in outcomes} == {Kind.MOVED}
    assert live_assignment(worker).completion_code
    assert Assignment.objects.filter(completion_code__isnull=False).count() == 1
    assert Unit.objects.filter(state="done").count() == 1
    assert broken_invariants(study) == []


def test_a_failing_finish_pressed_ten_times_at_once_is_one_try(database: str) -> None:
    study = make_study(check_attempts=2)
    worker = make_worker(study, upto="judging")
    up_to_the_last_document(worker, seconds=1)
    at_once([sending(worker, action="finish", at=10)] * 10)
    assert (live_assignment(worker).state, live_assignment(worker).failed_finishes) == ("revising", 1)
    assert Event.objects.filter(kind="time_failed").count() == 1


def test_two_tabs_open_a_document_at_once(database: str) -> None:
    study = make_study()
    worker = make_worker(study, upto="judging")
    assignment, judgment = live_assignment(worker), current(worker)
    at_once([partial(open_document, assignment=assignment, judgment=judgment, now=NOW)] * 8)
    assert Visit.objects.count() == 1


def test_one_tab_opens_a_document_while_the_other_leaves_it(database: str) -> None:
    """Whoever comes first: no visit stays open on a document that the worker has left."""
    study = make_study()
    worker = make_worker(study, upto="judging")
    for position in range(7):
        assignment, judgment = live_assignment(worker), current(worker)
        opening = partial(open_document, assignment=assignment, judgment=judgment, now=later(25 * position))
        at_once([opening, sending(worker, at=25 * position)])
        assert broken_invariants(study) == []


@pytest.mark.slow
def test_lapse_racing_an_answer(database: str) -> None:
    """An overdue worker answers while the unit is expired, and again while another worker asks for one."""
    study = make_study(topics=1, judgments_per_document=1, lapse_minutes=1)
    for place in range(10):
        worker = make_worker(study, upto="judging")
        see(worker)
        rival = make_worker(study)
        at_once(
            [
                sending(worker, at=61),
                partial(expire_assignments, now=later(61)),
                partial(reserve_unit, participation=rival, now=later(61), rng=Random(place)),
            ]
        )
        assert live_assignment(worker).state in {"judging", "lapsed"}
        assert Assignment.objects.filter(state__in=LIVE).count() == 1
        for item in (worker, rival):
            return_unit(participation=item, now=later(61))
    assert broken_invariants(study) == []


@pytest.mark.slow
def test_expiring_ten_times_at_once_lapses_each_unit_once(database: str) -> None:
    study = make_study(lapse_minutes=1)
    for _ in range(6):
        make_worker(study, upto="question")
    freed = at_once([partial(expire_assignments, now=later(61))] * 10)
    assert sum(freed) == 6
    assert Event.objects.filter(kind="lapsed").count() == 6
    assert broken_invariants(study) == []


def test_a_forced_close_while_everybody_answers(database: str) -> None:
    study = make_study()
    workers = [make_worker(study, upto="judging") for _ in range(7)]
    for worker in workers:
        see(worker)
    at_once([partial(close_study, study=study, now=later(25), force=True), *map(sending, workers)])
    assert {live_assignment(worker).state for worker in workers} == {"cancelled"}
    assert broken_invariants(study) == []


@pytest.mark.slow
def test_a_forced_close_while_eight_reserve(database: str) -> None:
    for place in range(5):
        study = make_study(slug=f"study-{place}")
        workers = [make_worker(study) for _ in range(8)]
        closing = partial(close_study, study=study, now=NOW, force=True)
        cancelled, *got = at_once([closing, *map(reserving, workers)])
        assert not Assignment.objects.filter(state__in=LIVE).exists()
        assert {item.pk for item in cancelled} == {item.pk for item in got if item}
        listed = [f"{item.participation.pseudonym}/{item.number}" for item in cancelled]
        assert study.audit.get(verb="closed").detail == {"cancelled": listed}
        assert broken_invariants(study) == []


def test_a_topic_is_retired_while_everybody_leaves(database: str) -> None:
    study = make_study(topics=1, lapse_minutes=1)
    topic = study.topics.get()
    returning = [make_worker(study, upto="judging") for _ in range(3)]
    deleting = [make_worker(study) for _ in range(3)]
    for worker in deleting:
        judge_unit(worker, seconds=20)
    overdue = [make_worker(study, upto="question") for _ in range(3)]
    at_once(
        [
            *(partial(return_unit, participation=worker, now=later(61)) for worker in returning),
            partial(retire_topic, topic=topic, now=later(61)),
            *(
                partial(withdraw, participation=item, delete_judgments=True, now=later(61))
                for item in deleting
            ),
            partial(expire_assignments, now=later(61)),
        ]
    )
    expire_assignments(now=later(61))  # what was locked at that moment was passed over
    assert {live_assignment(worker).state for worker in overdue} == {"lapsed"}
    assert set(topic.units.values_list("state", flat=True)) == {"retired"}


def test_consent_twice_at_once_with_one_platform_id(database: str) -> None:
    study = make_study()
    for person in range(10):
        consenting = partial(
            give_consent, study=study, now=NOW, platform_id=f"person {person}", submission_id="visit"
        )
        first, second = at_once([partial(consenting, rng=Random(f"{person}/{tab}")) for tab in range(2)])
        assert first == second
    assert (Participation.objects.count(), PlatformIdentity.objects.count()) == (10, 10)


def test_one_consent_form_sent_ten_times_at_once(database: str) -> None:
    study = make_study()
    consenting = partial(give_consent, study=study, now=NOW, arrival_key="a" * 26)
    workers = at_once([partial(consenting, rng=Random(finger)) for finger in range(10)])
    assert len(set(workers)) == Participation.objects.count() == 1


@pytest.mark.parametrize("database", ["postgresql"], indirect=True)
def test_mixed_load_leaves_every_invariant_whole(database: str) -> None:
    """Eight workers at a time, each of three after another, do whole units, fail, return and overstay."""
    study = make_study(topics=4, documents=8, judgments_per_document=10, lapse_minutes=5, check_attempts=1)

    def work(thread: int) -> int:
        rng, now, done = Random(thread), NOW, 0
        for _ in range(3):
            worker = make_worker(study, rng=Random(f"{thread}/{now}"), now=now)
            for _ in range(4):
                _one_unit(worker, now, rng)
                now += timedelta(minutes=6)
            done += worker.assignments.filter(state="completed").count()
        return done

    done = at_once([partial(work, thread) for thread in range(8)])
    assert broken_invariants(study) == []
    states = Counter(Assignment.objects.values_list("state", flat=True))
    assert sum(done) == states["completed"] == Unit.objects.filter(state="done").count()
    assert len(set(Assignment.objects.values_list("completion_code", flat=True))) - 1 == states["completed"]
    assert states["completed"] > 8
    assert states["returned"] > 1


def _one_unit(worker: Participation, now: datetime, rng: Random) -> None:
    if reserve_unit(participation=worker, now=now, rng=rng) is None:
        return
    chance = rng.random()
    if chance < 0.2:
        return_unit(participation=worker, now=now)
    elif chance > 0.4:
        judge_unit(worker, now=now, rng=rng, seconds=25 if chance > 0.6 else 1)
    expire_assignments(now=now)
