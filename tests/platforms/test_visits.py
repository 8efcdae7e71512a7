"""What each visit is owed: one reward, and a bonus for the rest."""

from decimal import Decimal

import pytest

from judging.models import PlatformIdentity, Study
from judging.payments.services.payments import mark_paid
from judging.platforms.selectors.visits import PaidVisit, paid_visits
from judging.worker.services.arrival import link_submission
from tests.factories import fail_practice, inverted, judge_unit, later, make_worker
from tests.platforms.conftest import prolific_study


def owed(study: Study) -> dict[str, tuple[Decimal | None, Decimal]]:
    """The reward and the bonus by submission."""
    return {visit.submission.submission_id: _amounts(visit) for visit in paid_visits(study)}


def _amounts(visit: PaidVisit) -> tuple[Decimal | None, Decimal]:
    return visit.reward.amount if visit.reward else None, visit.bonus_amount


def test_the_reward_pays_the_first_completed_unit_of_a_visit(study: Study) -> None:
    worker = make_worker(study, platform_id="P1", submission_id="S1")
    judge_unit(worker, now=later(hours=1))
    judge_unit(worker, now=later(hours=2))
    make_worker(study, platform_id="P2", submission_id="S2")
    assert owed(study) == {"S1": (Decimal("0.90"), Decimal("0.90")), "S2": (None, Decimal(0))}


def test_a_unit_belongs_to_the_latest_visit_before_it(study: Study) -> None:
    worker = make_worker(study, platform_id="P1", submission_id="S1")
    judge_unit(worker, now=later(hours=1))
    link_submission(participation=worker, submission_id="S2", now=later(hours=2))
    judge_unit(worker, now=later(hours=3))
    link_submission(participation=worker, submission_id="S1", now=later(hours=4))
    assert owed(study) == {"S1": (Decimal("0.90"), Decimal(0)), "S2": (Decimal("0.90"), Decimal(0))}


def test_an_incomplete_unit_with_pay_is_a_bonus(db: None) -> None:
    study = prolific_study(check_attempts=1)
    worker = make_worker(study, platform_id="P1", submission_id="S1")
    judge_unit(worker, now=later(hours=1), magnitude=inverted)
    assert owed(study) == {"S1": (None, Decimal("0.30"))}
    judge_unit(worker, now=later(hours=2))
    assert owed(study) == {"S1": (Decimal("0.90"), Decimal("0.30"))}


@pytest.mark.parametrize(
    ("code", "amounts"), [("", (None, Decimal("0.10"))), ("OUT1", (Decimal("0.10"), Decimal(0)))]
)
def test_prolific_pays_a_screen_out_if_there_is_a_code_for_it(
    db: None, code: str, amounts: tuple[Decimal | None, Decimal]
) -> None:
    study = prolific_study(screen_out_code=code)
    fail_practice(make_worker(study, platform_id="P1", submission_id="S1", upto="practising"))
    assert owed(study) == {"S1": amounts}


def test_what_is_marked_as_paid_is_not_owed_and_stays_the_reward(study: Study) -> None:
    worker = make_worker(study, platform_id="P1", submission_id="S1")
    judge_unit(worker, now=later(hours=1))
    (visit,) = paid_visits(study)
    mark_paid(study=study, payments=visit.due, now=later(hours=2))
    assert owed(study) == {"S1": (None, Decimal(0))}
    judge_unit(worker, now=later(hours=3))
    assert owed(study) == {"S1": (None, Decimal("0.90"))}


def test_erased_workers_have_no_visits(study: Study) -> None:
    judge_unit(make_worker(study, platform_id="P1", submission_id="S1"), now=later(hours=1))
    PlatformIdentity.objects.all().delete()
    assert owed(study) == {}
