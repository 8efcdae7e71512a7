"""How many units workers at one network address may hold at once, and how often one may be held anew."""

from datetime import datetime, timedelta
from random import Random

import pytest

from judging.archive.backup.values import lines_of
from judging.limits import MOST_REINSTATEMENTS
from judging.models import Assignment, Participation, Study, Unit
from judging.worker.services.address_limit import AddressFullError
from judging.worker.services.lapse import can_be_reinstated, expire_assignments
from judging.worker.services.leaving import resume_lapsed_unit, return_unit
from judging.worker.services.reservation import reserve_unit
from judging.worker.services.submitting import submit_answer
from tests.factories import NOW, dice, form, judge_unit, later, live_assignment, make_study, make_worker
from tests.support.concurrent import at_once
from tests.support.integrity import broken_invariants

HERE, THERE = "192.0.2.1", "192.0.2.2"
LAPSE = timedelta(minutes=60)


@pytest.fixture
def study(db: None) -> Study:
    return make_study(topics=2, documents=12, reservations_per_address=2)


def reserve(study: Study, *, at: str = HERE, now: datetime = NOW) -> Participation:
    """A new worker with a unit, reserved from an address."""
    worker = make_worker(study, now=now)
    assert reserve_unit(participation=worker, now=now, rng=dice(worker, now), address=at)
    return worker


def resume(worker: Participation, now: datetime, *, at: str = HERE) -> bool:
    return resume_lapsed_unit(participation=worker, number=1, now=now, address=at)


def reserved() -> int:
    return Unit.objects.filter(state="reserved").count()


def test_an_address_holds_so_many_units_and_no_more(study: Study) -> None:
    for _ in range(2):
        reserve(study)
    late = make_worker(study)
    with pytest.raises(AddressFullError) as refusal:
        reserve_unit(participation=late, now=later(60), rng=Random(1), address=HERE)
    assert refusal.value.free_at == NOW + LAPSE
    assert (reserved(), late.assignments.count()) == (2, 0), "nothing is used up"
    reserve(study, at=THERE)
    assert reserve_unit(participation=late, now=NOW, rng=Random(1)), "a simulated worker has no address"
    reserve(make_study(slug="other", reservations_per_address=1))


def test_the_networks_around_an_address_hold_more_but_not_all(db: None) -> None:
    study = make_study(topics=3, documents=32, reservations_per_address=1)
    for number in range(4):
        reserve(study, at=f"2001:db8:0:{number}::/64")
    late = make_worker(study)
    with pytest.raises(AddressFullError):
        reserve_unit(participation=late, now=NOW, rng=Random(1), address="2001:db8:0:4::/64")
    reserve(study, at="2001:db8:0:100::/64")
    reserve(study, at="2001:db8:1::/64")
    with pytest.raises(AddressFullError):
        reserve_unit(participation=late, now=NOW, rng=Random(1), address="2001:db8:1::/64")


def test_whoever_has_a_unit_already_is_not_stopped(study: Study) -> None:
    first, _ = reserve(study), reserve(study)
    assert reserve_unit(participation=first, now=NOW, rng=Random(1), address=HERE) == live_assignment(first)


@pytest.mark.parametrize("end", ["completed", "returned", "lapsed", "overdue"])
def test_a_unit_that_ends_makes_room(study: Study, end: str) -> None:
    worker, _ = reserve(study), reserve(study, now=later(600))
    if end == "completed":
        judge_unit(worker)
    elif end == "returned":
        return_unit(participation=worker, now=NOW)
    elif end == "lapsed":
        expire_assignments(now=NOW + LAPSE)
    held_from = live_assignment(worker).held_from
    assert (held_from == "") == (end != "overdue"), "the hash is kept only while the attempt is live"
    reserve(study, now=NOW + LAPSE)


def test_neither_the_row_nor_a_backup_tells_the_address(study: Study, settings: object) -> None:
    held_from = live_assignment(reserve(study)).held_from
    assert 0 < len(held_from) <= Assignment._meta.get_field("held_from").max_length
    assert HERE not in held_from
    same_address = live_assignment(reserve(make_study(slug="other"))).held_from
    assert same_address != held_from, "no address can be followed from study to study"
    assert held_from.encode() not in b"".join(lines_of(Assignment))


def test_the_limit_holds_when_many_reserve_at_once(database: str) -> None:
    study = make_study(topics=3, documents=12, reservations_per_address=3)
    workers = [make_worker(study) for _ in range(8)]

    def reserving(worker: Participation) -> bool:
        try:
            return bool(reserve_unit(participation=worker, now=NOW, rng=dice(worker, NOW), address=HERE))
        except AddressFullError:
            return False

    assert sum(at_once([lambda worker=worker: reserving(worker) for worker in workers])) == 3
    assert reserved() == 3
    assert broken_invariants(study) == []


def test_a_lapsed_unit_counts_again_once_it_is_taken_up(study: Study) -> None:
    away = reserve(study, at=THERE)
    for _ in range(2):
        reserve(study, now=later(600))
    expire_assignments(now=NOW + LAPSE)
    with pytest.raises(AddressFullError):
        resume(away, NOW + LAPSE)
    assert live_assignment(away).state == "lapsed"
    assert resume(away, NOW + LAPSE, at=THERE)


def test_coming_back_keeps_a_unit_only_so_often(study: Study) -> None:
    worker = make_worker(study, upto="judging")
    moments = [NOW + LAPSE * times for times in range(1, MOST_REINSTATEMENTS + 2)]
    assert [resume(worker, moment) for moment in moments] == [True] * MOST_REINSTATEMENTS + [False]
    lapsed = live_assignment(worker)
    assert (lapsed.state, lapsed.unit.state, lapsed.answers_kept) == ("lapsed", "open", True)
    assert not can_be_reinstated(assignment=lapsed, now=moments[-1])
    assert not submit(worker, moments[-1], justification=""), "half an answer is none"
    assert submit(worker, moments[-1]), "typed work is taken"
    assert live_assignment(worker).cursor == 1
    assert resume(worker, moments[-1] + LAPSE), "and begins the count again"
    assert broken_invariants(study) == []


def test_an_answer_in_between_begins_the_count_again(study: Study) -> None:
    worker = make_worker(study, upto="judging")
    for times in range(1, MOST_REINSTATEMENTS + 3):
        assert resume(worker, NOW + LAPSE * times)
        assert submit(worker, NOW + LAPSE * times)
    assert live_assignment(worker).reinstatements == 0


def submit(worker: Participation, now: datetime, *, justification: str | None = None) -> bool:
    """Send the document's form; returns whether the unit is held then."""
    answer = form(worker, justification=justification)
    submit_answer(
        participation=worker, answer=answer, action="next", now=now, rng=dice(worker, now), address=HERE
    )
    return live_assignment(worker).live
