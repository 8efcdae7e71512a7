"""How many units a worker can complete: in a study, and in one visit from a platform."""

from decimal import Decimal

import pytest

from judging.core.selectors.units import no_work_for, reached_limit
from judging.models import Assignment, Participation, Study
from judging.worker.services.arrival import link_submission
from judging.worker.services.leaving import return_unit
from judging.worker.services.reservation import reserve_unit
from tests.factories import dice, inverted, judge_unit, later, live_assignment, make_study, make_worker

pytestmark = pytest.mark.django_db


def reserve(worker: Participation, *, hours: float = 9) -> Assignment | None:
    now = later(hours=hours)
    return reserve_unit(participation=worker, now=now, rng=dice(worker, now))


def platform_study(**settings: object) -> Study:
    return make_study(
        topics=4, platform="generic", id_parameter="PID", submission_parameter="SID", **settings
    )


def test_nobody_completes_more_units_than_the_study_allows() -> None:
    worker = make_worker(make_study(topics=3, max_units_per_worker=2))
    for number in range(2):
        assert reached_limit(worker) == ""
        judge_unit(worker, now=later(hours=number))
    assert reached_limit(worker) == "worker"
    assert no_work_for(worker, now=later(hours=9))
    assert reserve(worker) is None


def test_a_unit_that_is_given_back_does_not_count() -> None:
    worker = make_worker(make_study(topics=3, max_units_per_worker=1))
    reserve(worker, hours=0)
    return_unit(participation=worker, now=later(hours=1))
    assert reached_limit(worker) == ""
    assert reserve(worker) is not None


def test_a_unit_in_work_can_be_finished_when_the_limit_is_lowered() -> None:
    study = make_study(topics=3)
    worker = make_worker(study)
    judge_unit(worker)
    reserve(worker, hours=1)
    Study.objects.update(max_units_per_worker=1)
    worker = Participation.objects.get()
    assert reserve(worker, hours=1.1) == live_assignment(worker)
    assert judge_unit(worker, now=later(hours=1.1)).state == "completed"
    assert reserve(worker) is None


def test_a_new_visit_allows_more_units() -> None:
    worker = make_worker(platform_study(max_units_per_visit=1), platform_id="P", submission_id="S-1")
    judge_unit(worker, now=later(hours=1))
    assert reached_limit(worker) == "visit"
    assert reserve(worker, hours=2) is None
    link_submission(participation=worker, submission_id="S-1", now=later(hours=3))  # the same visit again
    assert reached_limit(worker) == "visit"
    link_submission(participation=worker, submission_id="S-2", now=later(hours=4))
    assert reached_limit(worker) == ""
    judge_unit(worker, now=later(hours=5))
    assert reached_limit(worker) == "visit"


def test_the_limit_of_the_study_holds_over_all_visits() -> None:
    study = platform_study(max_units_per_visit=2, max_units_per_worker=3)
    worker = make_worker(study, platform_id="P", submission_id="S-1")
    for number in range(2):
        judge_unit(worker, now=later(hours=number))
    link_submission(participation=worker, submission_id="S-2", now=later(hours=4))
    judge_unit(worker, now=later(hours=5))
    assert reached_limit(worker) == "worker"


def test_failing_every_check_pays_what_the_study_says() -> None:
    study = make_study(check_attempts=1, pay_per_unit="0.20", pay_checks_failed="0.08")
    unit = judge_unit(make_worker(study), magnitude=inverted)
    assert (unit.state, unit.amount) == ("checks_failed", Decimal("0.08"))
    assert unit.completion_code is None


def test_giving_a_unit_back_pays_nothing() -> None:
    worker = make_worker(make_study(pay_checks_failed="0.08", pay_cancelled="0.05"))
    reserve(worker, hours=0)
    return_unit(participation=worker, now=later(hours=1))
    assert Assignment.objects.get().amount == 0
