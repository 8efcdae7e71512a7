"""Giving a unit back, being blocked, withdrawing."""

from random import Random

import pytest

from judging.core.services.studies import retire_topic
from judging.models import Event, Judgment, Participation, Visit
from judging.watching.services.curation import exclude_unit
from judging.watching.services.workers import block_worker
from judging.worker.services.lapse import expire_assignments
from judging.worker.services.leaving import return_unit, withdraw
from judging.worker.services.reservation import reserve_unit
from tests.factories import (
    NOW,
    answer_rightly,
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
from tests.support.integrity import broken_invariants

pytestmark = pytest.mark.django_db


def kinds() -> list[str]:
    return list(Event.objects.values_list("kind", flat=True))


@pytest.mark.parametrize("step", ["question", "judging"])
@pytest.mark.parametrize("number", [None, 1], ids=["by the platform", "by the worker"])
def test_worker_or_platform_returns_it(step: str, number: int | None) -> None:
    worker = make_worker(make_study(), upto=step)
    if step == "judging":
        see(worker)
        send(worker, now=later(25))
    assert return_unit(participation=worker, now=later(30), number=number)
    returned = live_assignment(worker)
    assert (returned.state, returned.ended_at, returned.unit.state) == ("returned", later(30), "open")
    assert not Judgment.objects.exists()
    assert not Visit.objects.exists()
    assert kinds() == ["returned"]


def test_returned_while_revising_keeps_the_events_alone() -> None:
    worker = make_worker(make_study())
    judge_unit(worker, magnitude=inverted)
    assert return_unit(participation=worker, now=later(300))
    assert not Judgment.objects.exists()
    assert kinds() == ["anchors_failed", "returned"]
    assert live_assignment(worker).failed_checks == {"c": 1}


def test_returned_a_late_message_about_a_completed_one_is_only_recorded() -> None:
    worker = make_worker(make_study())
    done = judge_unit(worker)
    assert not return_unit(participation=worker, now=later(900))
    assert live_assignment(worker).completion_code == done.completion_code
    assert (live_assignment(worker).state, done.unit.state) == ("completed", "done")
    assert Judgment.objects.count() == 8
    assert kinds() == ["returned_late"]


def test_returned_twice_or_by_an_old_form_returns_nothing_more() -> None:
    worker = make_worker(make_study(), upto="judging")
    assert return_unit(participation=worker, now=NOW, number=1)
    assert reserve_unit(participation=worker, now=NOW, rng=Random(2))
    assert not return_unit(participation=worker, now=NOW, number=1)
    assert not return_unit(participation=worker, now=NOW, number=9)
    assert live_assignment(worker).state == "question"
    assert not return_unit(participation=make_worker(worker.study), now=NOW)


def test_worker_blocked_mid_unit() -> None:
    study = make_study()
    worker = make_worker(study)
    done = judge_unit(worker)
    reserve_unit(participation=worker, now=later(300), rng=Random(1))
    answer_rightly(worker, now=later(300))
    send(worker, now=later(330))
    sent = form(worker)
    block_worker(participation=worker, now=later(331))
    worker.refresh_from_db()
    done.refresh_from_db()
    assert worker.state == "blocked"
    assert (live_assignment(worker).state, live_assignment(worker).unit.state) == ("cancelled", "open")
    assert not live_assignment(worker).judgments.exists()
    assert (done.state, done.unit.state, done.judgments.count()) == ("completed", "done", 8)
    assert done.completion_code
    assert kinds() == ["cancelled", "blocked"]
    send(worker, sent, now=later(340))
    assert reserve_unit(participation=worker, now=later(340), rng=Random(2)) is None
    assert not live_assignment(worker).judgments.exists()


def test_blocking_twice_or_after_leaving_changes_nothing() -> None:
    study = make_study()
    worker = make_worker(study)
    for _ in range(2):
        block_worker(participation=worker, now=NOW)
    gone = make_worker(study)
    withdraw(participation=gone, delete_judgments=False, now=NOW)
    block_worker(participation=gone, now=NOW)
    assert sorted(Participation.objects.values_list("state", flat=True)) == ["blocked", "withdrawn"]
    assert kinds() == ["blocked", "withdrawn"]


def completed_and_live(**settings: object) -> Participation:
    """A worker with one completed unit who is in the middle of a second."""
    worker = make_worker(make_study(**settings))
    judge_unit(worker)
    reserve_unit(participation=worker, now=later(300), rng=Random(1))
    answer_rightly(worker, now=later(300))
    see(worker, now=later(300))
    send(worker, now=later(330))
    return worker


def test_withdrawal_without_deletion() -> None:
    worker = completed_and_live()
    withdraw(participation=worker, delete_judgments=False, now=later(400))
    worker.refresh_from_db()
    done, live = worker.assignments.all()
    assert (worker.state, done.state, live.state) == ("withdrawn", "completed", "returned")
    assert (done.judgments.count(), live.judgments.count()) == (8, 0)
    assert (done.unit.state, live.unit.state) == ("done", "open")
    assert kinds() == ["returned", "withdrawn"]


def test_withdrawal_with_deletion() -> None:
    worker = completed_and_live(pay_per_unit=0.2)
    study = worker.study
    withdraw(participation=worker, delete_judgments=True, now=later(400))
    done, live = worker.assignments.all()
    assert not Judgment.objects.exists()
    assert not Visit.objects.exists()
    assert (done.state, done.judgments_deleted_at, done.unit.state) == ("completed", later(400), "open")
    assert done.completion_code
    assert float(done.pay) == 0.2
    assert live.state == "returned"
    assert kinds() == ["returned", "withdrawn"]
    assert broken_invariants(study) == []


def test_withdrawal_with_deletion_the_unit_is_judged_again_by_somebody_else() -> None:
    study = make_study(topics=1, judgments_per_document=1)
    worker, other = make_worker(study), make_worker(study)
    unit = judge_unit(worker).unit
    assert reserve_unit(participation=other, now=NOW, rng=Random(1)) is None
    withdraw(participation=worker, delete_judgments=True, now=later(400))
    again = judge_unit(other, now=later(500))
    assert (again.unit, again.state) == (unit, "completed")
    assert broken_invariants(study) == []


def test_withdrawal_and_the_wish_to_delete_later() -> None:
    worker = completed_and_live()
    withdraw(participation=worker, delete_judgments=False, now=later(400))
    for moment in (500, 600):
        withdraw(participation=worker, delete_judgments=True, now=later(moment))
    assert not Judgment.objects.exists()
    assert worker.assignments.get(number=1).judgments_deleted_at == later(500)
    assert kinds() == ["returned", "withdrawn"]


def test_withdrawal_deletes_the_text_of_a_lapsed_unit() -> None:
    worker = make_worker(make_study(), upto="judging")
    send(worker)
    expire_assignments(now=later(minutes=60))
    withdraw(participation=worker, delete_judgments=False, now=later(minutes=61))
    assert not Judgment.objects.exists()


def test_withdrawal_a_unit_of_a_retired_topic_is_not_reopened() -> None:
    worker = make_worker(make_study())
    done = judge_unit(worker)
    retire_topic(topic=done.topic, now=later(300))
    withdraw(participation=worker, delete_judgments=True, now=later(400))
    done.refresh_from_db()
    done.unit.refresh_from_db()
    assert done.unit.state == "retired"


def test_who_withdrew_gets_no_more_units() -> None:
    worker = make_worker(make_study())
    withdraw(participation=worker, delete_judgments=False, now=NOW)
    assert reserve_unit(participation=worker, now=NOW, rng=Random(1)) is None


def test_deletion_does_not_reopen_a_unit_that_was_collected_again() -> None:
    study = make_study(topics=1)
    worker = make_worker(study)
    assignment = judge_unit(worker)
    exclude_unit(unit=assignment.unit, reason="careless", now=later(hours=1), collect_again=True)
    withdraw(participation=worker, delete_judgments=True, now=later(hours=2))
    assignment.unit.refresh_from_db()
    assert assignment.unit.state == "retired"
    assert assignment.unit.copies.get().state == "open"
