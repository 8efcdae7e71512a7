"""A reservation lapses; a worker who comes back after that goes on, or is shown the text to copy."""

from collections.abc import Callable
from datetime import datetime, timedelta
from random import Random

import pytest
from django.db import connection, transaction

from judging.core.services.studies import close_study, pause_study, retire_topic
from judging.limits import LONGEST_REASON
from judging.models import Assignment, Event, Judgment, Participation, Study, Visit
from judging.watching.services.workers import block_worker
from judging.worker.services.lapse import assignments_to_forget, can_be_reinstated, expire_assignments
from judging.worker.services.leaving import drop_lapsed_answers, resume_lapsed_unit, return_unit, withdraw
from judging.worker.services.outcome import Kind
from judging.worker.services.reservation import reserve_unit
from tests.benchmarks.large_study import LargeStudy
from tests.factories import (
    answer_rightly,
    answer_wrongly,
    form,
    inverted,
    judge_unit,
    later,
    live_assignment,
    make_study,
    make_worker,
    see,
    send,
)

pytestmark = pytest.mark.django_db
LAPSE = timedelta(minutes=60)
AT = later(minutes=60)


@pytest.fixture
def study() -> Study:
    return make_study(topics=1, judgments_per_document=1)


@pytest.fixture
def worker(study: Study) -> Participation:
    worker = make_worker(study, upto="judging")
    see(worker)
    send(worker, form(worker, "5", "Typed before."), now=later(25))
    see(worker, now=later(25))
    return worker


def take(study: Study, *, now: datetime = AT) -> Participation:
    """Somebody else gets the study's one unit."""
    rival = make_worker(study)
    assert reserve_unit(participation=rival, now=now, rng=Random(5)) is not None
    return rival


def kinds() -> list[str]:
    return list(Event.objects.values_list("kind", flat=True))


def test_lapse_frees_the_unit_and_keeps_the_answers(worker: Participation) -> None:
    assert expire_assignments(now=AT - timedelta(seconds=1)) == 0
    assert expire_assignments(now=AT) == 1
    lapsed = live_assignment(worker)
    assert (lapsed.state, lapsed.ended_at, lapsed.unit.state) == ("lapsed", AT, "open")
    assert lapsed.judgments.get(position=0).raw_input == "5"
    assert not Visit.objects.filter(closed_at=None).exists()
    assert kinds() == ["lapsed"]
    assert expire_assignments(now=AT) == 0


def test_lapse_keeps_the_answers_24_hours(worker: Participation) -> None:
    expire_assignments(now=AT)
    expire_assignments(now=AT + timedelta(hours=23, minutes=59))
    assert Judgment.objects.count() == 8
    expire_assignments(now=AT + timedelta(hours=24))
    assert (Judgment.objects.count(), Visit.objects.count()) == (0, 0)
    assert live_assignment(worker).state == "lapsed"


def test_lapse_of_one_study_leaves_the_others(worker: Participation) -> None:
    other = make_worker(make_study(slug="other"), upto="judging")
    assert expire_assignments(now=AT, study=other.study) == 1
    assert live_assignment(worker).state == "judging"


def test_completed_units_never_lapse(study: Study) -> None:
    worker = make_worker(study)
    judge_unit(worker)
    assert expire_assignments(now=AT) == 0
    assert live_assignment(worker).state == "completed"


@pytest.mark.parametrize("expired_before", [True, False])
def test_worker_acts_after_a_lapse_unit_still_open(worker: Participation, expired_before: bool) -> None:
    if expired_before:
        expire_assignments(now=AT)
    moment = AT + timedelta(minutes=10)
    assert send(worker, now=moment).kind == Kind.MOVED
    back = live_assignment(worker)
    assert (back.state, back.cursor, back.ended_at, back.unit.state) == ("judging", 2, None, "reserved")
    assert back.lapses_at == moment + LAPSE
    assert back.judgments.get(position=1).number is not None
    assert kinds() == ["lapsed", "reinstated"]
    assert judge_unit(worker, now=moment).state == "completed"


def test_worker_acts_after_a_lapse_within_the_same_second(worker: Participation) -> None:
    """The lapse itself, the answer and the rival's wish share one moment: the answer was first, and holds."""
    assert send(worker, now=AT).kind == Kind.MOVED
    rival = make_worker(worker.study)
    assert reserve_unit(participation=rival, now=AT, rng=Random(5)) is None
    assert (live_assignment(worker).state, live_assignment(worker).cursor) == ("judging", 2)


def test_worker_acts_after_a_lapse_unit_taken(worker: Participation, study: Study) -> None:
    sent = form(worker, "77", "Typed too late.")
    take(study)
    assert send(worker, sent, now=AT).kind == Kind.MOVED
    lapsed = live_assignment(worker)
    late = lapsed.judgments.get(position=1)
    assert (lapsed.state, late.raw_input, late.justification) == ("lapsed", "77", "Typed too late.")
    assert not can_be_reinstated(assignment=lapsed, now=AT)
    drop_lapsed_answers(participation=worker, number=1)
    assert not Judgment.objects.exists()
    assert send(worker, sent, now=AT).kind == Kind.STALE
    assert live_assignment(worker).completion_code is None


def test_what_is_too_long_is_not_stored_after_a_lapse_either(worker: Participation, study: Study) -> None:
    sent = form(worker, "77", "a" * (LONGEST_REASON + 1))
    take(study)
    assert send(worker, sent, now=AT).kind == Kind.STALE, "the page shows it"
    assert live_assignment(worker).judgments.get(position=1).justification == ""


def test_answers_of_a_lapsed_unit_are_never_counted(worker: Participation, study: Study) -> None:
    rival = take(study)
    judge_unit(rival, now=AT)
    for _ in range(8):
        send(worker, now=AT + timedelta(minutes=5))
    assert live_assignment(worker).state == "lapsed"
    assert Assignment.objects.filter(state="completed").count() == 1


def test_after_the_answers_were_dropped_a_free_unit_is_not_reinstated(
    worker: Participation, study: Study
) -> None:
    rival = take(study)
    old = form(worker, "9", "Late.")
    drop_lapsed_answers(participation=worker, number=1)
    return_unit(participation=rival, now=AT)
    assert send(worker, old, now=AT).kind == Kind.STALE
    assert not resume_lapsed_unit(participation=worker, number=1, now=AT)
    assert live_assignment(worker).state == "lapsed"


def test_after_the_rival_returned_it_the_unit_is_reinstated(worker: Participation, study: Study) -> None:
    return_unit(participation=take(study), now=AT)
    assert resume_lapsed_unit(participation=worker, number=1, now=AT)
    assert live_assignment(worker).state == "judging"


def test_after_24_hours_a_unit_is_not_reinstated(worker: Participation) -> None:
    expire_assignments(now=AT)
    assert not resume_lapsed_unit(participation=worker, number=1, now=AT + timedelta(hours=24))
    assert resume_lapsed_unit(participation=worker, number=1, now=AT + timedelta(hours=23))


def test_a_revising_unit_is_reinstated_as_revising() -> None:
    worker = make_worker(make_study())
    judge_unit(worker, magnitude=inverted)
    expire_assignments(now=AT)
    assert resume_lapsed_unit(participation=worker, number=1, now=AT)
    assert live_assignment(worker).state == "revising"


@pytest.mark.parametrize(("answer", "state"), [(answer_rightly, "judging"), (answer_wrongly, None)])
def test_a_question_answered_after_the_lapse_counts(
    study: Study, answer: Callable[..., object], state: str | None
) -> None:
    worker = make_worker(study, upto="question")
    answer(worker, now=AT)
    assert live_assignment(worker).state == (state or "comprehension_failed")
    assert kinds()[:2] == ["lapsed", "reinstated"]


def test_a_question_of_a_unit_taken_meanwhile_is_not_answered(study: Study) -> None:
    worker = make_worker(study, upto="question")
    take(study)
    assert answer_wrongly(worker, now=AT).kind == Kind.MOVED
    assert live_assignment(worker).state == "lapsed"
    assert "comprehension_failed" not in kinds()


def test_who_took_another_unit_meanwhile_is_not_given_the_old_one_too() -> None:
    worker = make_worker(make_study(topics=2), upto="judging")
    old = form(worker)
    expire_assignments(now=AT)
    assert reserve_unit(participation=worker, now=AT, rng=Random(1)) is not None
    send(worker, old, now=AT)
    assert list(worker.assignments.values_list("state", flat=True)) == ["lapsed", "question"]


@pytest.mark.parametrize("step", ["question", "judging"])
@pytest.mark.parametrize(
    "leave",
    [
        lambda worker: block_worker(participation=worker, now=AT),
        lambda worker: withdraw(participation=worker, delete_judgments=False, now=AT),
        lambda worker: Participation.objects.filter(pk=worker.pk).update(state="screened_out"),
    ],
    ids=["blocked", "withdrawn", "screened out"],
)
def test_who_has_ended_is_not_reinstated(
    study: Study, step: str, leave: Callable[[Participation], object]
) -> None:
    worker = make_worker(study, upto=step)
    expire_assignments(now=AT)
    leave(worker)
    assert not resume_lapsed_unit(participation=worker, number=1, now=AT)
    answer_rightly(worker, now=AT)
    assert (live_assignment(worker).state, live_assignment(worker).unit.state) == ("lapsed", "open")


@pytest.mark.parametrize("end", [pause_study, close_study])
def test_study_paused_or_closed_live_units_may_finish_until_their_lapse(
    study: Study, end: Callable[..., object]
) -> None:
    first = make_worker(study, upto="judging")
    end(study=study, now=later(1))
    assert judge_unit(first, now=later(2)).state == "completed"


@pytest.mark.parametrize("end", [pause_study, close_study])
def test_study_paused_or_closed_a_lapsed_unit_is_not_reinstated(
    worker: Participation, end: Callable[..., object]
) -> None:
    end(study=worker.study, now=later(1))
    sent = form(worker, "5", "Late.")
    assert send(worker, sent, now=AT).kind == Kind.MOVED
    assert live_assignment(worker).state == "lapsed"
    assert live_assignment(worker).judgments.get(position=1).justification == "Late."


def test_a_lapsed_unit_of_a_retired_topic_is_retired_and_not_reinstated(worker: Participation) -> None:
    retire_topic(topic=live_assignment(worker).topic, now=later(1))
    expire_assignments(now=AT)
    assert live_assignment(worker).unit.state == "retired"
    assert not resume_lapsed_unit(participation=worker, number=1, now=AT)


def test_lapse_noticed_late_counts_from_the_moment_that_was_set(worker: Participation) -> None:
    expire_assignments(now=AT + timedelta(hours=5))
    assignment = live_assignment(worker)
    assert assignment.ended_at == AT
    assert Event.objects.get(kind="lapsed").at == AT
    assert not can_be_reinstated(assignment=assignment, now=AT + timedelta(hours=24))
    expire_assignments(now=AT + timedelta(hours=24))
    assert not Judgment.objects.exists()


def test_a_reservation_by_anybody_forgets_day_old_answers(study: Study, worker: Participation) -> None:
    expire_assignments(now=AT)
    take(study, now=AT + timedelta(hours=23))
    assert Judgment.objects.filter(assignment__participation=worker).exists()
    reserve_unit(participation=make_worker(study), now=AT + timedelta(hours=24), rng=Random(6))
    assert not Judgment.objects.filter(assignment__participation=worker).exists()


def test_old_answers_are_looked_up_in_an_index_of_them_alone(database: str) -> None:
    """Taking a unit asks for them each time, and a large study has hundreds of thousands of attempts."""
    LargeStudy(judgments=800, topics=4)
    with transaction.atomic(), connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("SET LOCAL enable_seqscan = off")  # which reads so small a table whole
            cursor.execute("ANALYZE judging_assignment")  # what is known of it may be of an earlier test
        assert "assignment_with_kept_answers" in assignments_to_forget(now=AT).explain()


def test_returned_after_the_lapse_its_answers_are_deleted(worker: Participation) -> None:
    expire_assignments(now=AT)
    assert return_unit(participation=worker, now=AT, number=1) is False
    assert live_assignment(worker).state == "lapsed"
    assert not Judgment.objects.exists()


def test_an_answer_kept_while_the_unit_was_taken_is_a_change_for_the_next_try(study: Study) -> None:
    worker = make_worker(study)
    judge_unit(worker, magnitude=inverted)
    answer = form(worker, "77", "Changed my mind.")
    expire_assignments(now=AT)
    rival = take(study)
    send(worker, answer, action="finish", now=AT)
    return_unit(participation=rival, now=AT)
    assert resume_lapsed_unit(participation=worker, number=1, now=AT)
    again = form(worker, "77", "Changed my mind.")
    assert send(worker, again, action="finish", now=AT + timedelta(seconds=1)).kind != Kind.UNCHANGED
    assert live_assignment(worker).failed_finishes == 2
