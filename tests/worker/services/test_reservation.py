"""Which unit a worker gets, and when there is none."""

from collections import Counter
from collections.abc import Callable
from datetime import timedelta
from decimal import Decimal
from random import Random

import pytest

from judging.core.services.studies import close_study, pause_study
from judging.models import Assignment, Event, Participation, Study, Unit
from judging.worker.services.leaving import return_unit
from judging.worker.services.reservation import reserve_unit
from tests.factories import NOW, answer_wrongly, judge_unit, later, live_assignment, make_study, make_worker

pytestmark = pytest.mark.django_db


def reserve(worker: Participation, *, seconds: float = 0, seed: int = 1) -> Assignment | None:
    return reserve_unit(participation=worker, now=later(seconds), rng=Random(f"{worker.pseudonym}/{seed}"))


def ready_workers(study: Study, number: int) -> list[Participation]:
    """Many at once, past the practice without going through it."""
    return Participation.objects.bulk_create(
        Participation(
            study=study,
            pseudonym=f"w{place}",
            token=f"token{place}",
            state="ready",
            consent_version="1",
            consented_at=NOW,
        )
        for place in range(number)
    )


def test_topic_shown_reserves_the_unit_before_the_question() -> None:
    study = make_study(pay_per_unit=Decimal("0.20"))
    assignment = reserve(make_worker(study))
    assert assignment is not None
    assert (assignment.state, assignment.number, assignment.started_at) == ("question", 1, NOW)
    assert assignment.lapses_at == NOW + timedelta(minutes=60)
    assert assignment.pay == Decimal("0.20")
    assert sorted(assignment.option_order) == [0, 1, 2, 3]
    assert (assignment.unit.state, assignment.unit.topic) == ("reserved", assignment.topic)
    assert not assignment.judgments.exists()


def test_topic_shown_counts_as_had() -> None:
    study = make_study(topics=2)
    worker = make_worker(study)
    first = reserve(worker)
    return_unit(participation=worker, now=NOW)
    second = reserve(worker)
    assert first is not None
    assert second is not None
    assert first.topic != second.topic
    return_unit(participation=worker, now=NOW)
    assert reserve(worker) is None


def test_at_most_as_many_units_as_topics() -> None:
    study = make_study(topics=3)
    worker = make_worker(study)
    topics = {judge_unit(worker, now=later(minutes=5 * number)).topic_id for number in range(3)}
    assert len(topics) == 3
    assert reserve(worker, seconds=3600) is None


def test_a_live_unit_is_given_again_instead_of_another() -> None:
    worker = make_worker(make_study())
    assert reserve(worker, seed=1) == reserve(worker, seed=2, seconds=30)
    assert Assignment.objects.count() == 1


@pytest.mark.parametrize("step", ["consented", "practising"])
def test_nobody_gets_a_unit_before_passing_the_practice(step: str) -> None:
    assert reserve(make_worker(make_study(), upto=step)) is None


def test_last_unit_just_taken_burns_nothing() -> None:
    study = make_study(topics=1, judgments_per_document=1)
    holder, late = make_worker(study), make_worker(study)
    assert reserve(holder)
    assert reserve(late) is None
    assert not late.assignments.exists()
    assert not Event.objects.exists()
    return_unit(participation=holder, now=NOW)
    assert reserve(late)  # the topic was not counted as had


def test_a_lapsed_unit_is_given_to_who_asks_without_waiting_for_the_scheduler() -> None:
    study = make_study(topics=1, judgments_per_document=1)
    holder = make_worker(study, upto="judging")
    late = make_worker(study)
    assert reserve(late, seconds=3599) is None
    assert reserve(late, seconds=3600)
    assert live_assignment(holder).state == "lapsed"


@pytest.mark.parametrize("end", [pause_study, close_study])
def test_study_paused_or_closed_gives_no_new_unit(end: Callable[..., object]) -> None:
    study = make_study()
    worker = make_worker(study)
    end(study=study, now=NOW)
    assert reserve(worker) is None
    assert not worker.assignments.exists()


def test_opens_at_and_closes_at_bound_reservations() -> None:
    study = make_study(opens_at=later(10), closes_at=later(20))
    worker = make_worker(study, now=later(10))
    assert [reserve(worker, seconds=seconds) is None for seconds in (9, 20)] == [True, True]
    assert reserve(worker, seconds=19)


def test_pay_is_fixed_at_reservation() -> None:
    study = make_study(pay_per_unit=Decimal("0.20"))
    worker = make_worker(study, upto="judging")
    Study.objects.update(pay_per_unit=Decimal("0.50"))
    judge_unit(worker)
    other = judge_unit(make_worker(study))
    assert live_assignment(worker).pay == Decimal("0.20")
    assert Assignment.objects.get(pk=other.pk).pay == Decimal("0.50")


@pytest.mark.parametrize(("choice", "low", "high"), [("weighted", 0, 8), ("uniform", 12, 28)])
def test_topic_choice_is_weighted_towards_the_topics_with_most_left_or_uniform(
    choice: str, low: int, high: int
) -> None:
    """Topic 401 has one open unit of 20 or so, 402 all: weighted 1 in 11 of 40, uniform 1 in 2."""
    study = make_study(topic_choice=choice)
    spare = Unit.objects.filter(topic__number="401").order_by("number").first()
    assert spare is not None
    Unit.objects.filter(topic__number="401").exclude(pk=spare.pk).update(state="retired")
    chosen: Counter[str] = Counter()
    for worker in ready_workers(study, 40):
        assignment = reserve(worker)
        assert assignment is not None
        chosen[assignment.topic.number] += 1
        return_unit(participation=worker, now=NOW)
    assert low <= chosen["401"] <= high


def test_units_are_given_in_the_order_of_the_plan() -> None:
    study = make_study(topics=1)
    given = [reserve(make_worker(study)) for _ in range(4)]
    assert [assignment.unit.number for assignment in given if assignment] == [1, 2, 3, 4]


def test_question_wrong_and_no_other_topic_left_ends_without_a_unit() -> None:
    worker = make_worker(make_study(topics=1), upto="question")
    answer_wrongly(worker)
    assert reserve(worker) is None
    worker.refresh_from_db()
    assert worker.state == "ready"


def test_only_units_of_the_own_study_are_given() -> None:
    study, other = make_study(topics=1), make_study(slug="other", topics=1)
    assignment = reserve(make_worker(other))
    assert assignment is not None
    assert assignment.topic.study == other
    assert not Unit.objects.filter(topic__study=study).exclude(state="open").exists()
