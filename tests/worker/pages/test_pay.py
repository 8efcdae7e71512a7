"""The page “Your work and your pay”: one visit, one next action, the reward and the bonus apart."""

from datetime import timedelta

import pytest
from django.test import Client

from judging.core.selectors.readiness import study_faults
from judging.core.selectors.visits import visits_of
from judging.core.services.errors import RefusedError
from judging.core.services.studies import open_study
from judging.models import Participation, Study
from judging.protocol.platforms.prolific import COMPLETE
from judging.worker.pages.pay import Next, work_and_pay
from judging.worker.pages.progress import Progress
from judging.worker.services.arrival import link_submission
from tests.factories import NOW, judge_unit, later, make_study, make_worker
from tests.platforms.conftest import prolific_study
from tests.worker.pages.conftest import clock

__all__ = ["clock"]


def second_visit(study: Study) -> Participation:
    """A worker who completed a set in a first visit, and has just come back with a second submission."""
    worker = make_worker(study, platform_id="P1", submission_id="S1")
    judge_unit(worker, now=later(hours=1))
    link_submission(participation=worker, submission_id="S2", now=later(hours=4))
    return worker


def page_of(worker: Participation, address: str) -> str:
    client = Client()
    client.get(f"/s/study/resume/{worker.token}/")
    return client.get(address).content.decode()


def test_a_new_visit_offers_no_code_before_its_own_work(clock: object) -> None:
    worker = second_visit(prolific_study())
    context = work_and_pay(Progress(worker))
    assert (context["action"].kind, context["visit"].number) == (Next.RETURN, 2)
    page = page_of(worker, "/s/study/pay/")
    assert COMPLETE not in page
    assert 'data-next="return"' in page
    assert f"{COMPLETE}DONE1234" in page_of(worker, "/s/study/pay/1/")


def test_the_generic_preset_submits_only_the_work_of_this_visit(clock: object) -> None:
    study = make_study(
        platform="generic", id_parameter="PID", submission_parameter="SID", seconds_per_document=0, topics=3
    )
    worker = second_visit(study)
    assert work_and_pay(Progress(worker))["action"].kind == Next.RETURN
    judge_unit(worker, now=later(hours=5))
    action = work_and_pay(Progress(worker))["action"]
    assert action.kind == Next.ENTER_CODE
    assert action.code == worker.assignments.get(number=2).completion_code


def test_a_worker_on_prolific_sees_one_code_and_what_the_bonus_pays(clock: object) -> None:
    study = prolific_study()
    Study.objects.update(pay_per_unit="0.20", paid_within=3)
    worker = make_worker(Study.objects.get(pk=study.pk), platform_id="P1", submission_id="S1")
    judge_unit(worker, now=later(hours=1))
    judge_unit(worker, now=later(hours=2))
    page = page_of(worker, "/s/study/pay/")
    codes = worker.assignments.values_list("completion_code", flat=True)
    assert not any(code in page for code in codes)
    assert page.count(COMPLETE) == 1
    (visit,) = visits_of(worker)
    assert visit.reward is not None
    assert [str(amount) for amount in (visit.reward.amount, visit.bonus_amount, visit.total)] == [
        "0.20",
        "0.20",
        "0.40",
    ]
    assert 'data-paid-within="3"' in page
    assert 'href="mailto:study@example.org"' in page


@pytest.mark.parametrize("key", ["pay_per_unit", "pay_screened_out", "pay_checks_failed", "pay_cancelled"])
def test_a_study_that_pays_says_when_before_it_opens(db: None, key: str) -> None:
    study = make_study(opened=False, paid_within=None, **{key: "0.20"})
    study.refresh_from_db()
    assert any("paid_within" in fault for fault in study_faults(study, NOW))
    with pytest.raises(RefusedError, match="paid_within"):
        open_study(study=study, now=NOW + timedelta(days=1))
