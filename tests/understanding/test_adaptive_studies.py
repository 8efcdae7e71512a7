"""Adaptive studies as people see them: limits, costs, failed decisions, notices, the button, and crowds."""

from datetime import timedelta
from decimal import Decimal
from functools import partial
from io import StringIO

import pytest
from django.core.management import call_command
from django.test import Client

from evaluation.errors import InputError
from judging.core.selectors.adaptive import Adaptation, Attempts, adaptation_of, attempts_at, is_due
from judging.core.selectors.payments import totals
from judging.core.selectors.readiness import readiness
from judging.core.selectors.units import no_work_in, units_left_by_topic
from judging.core.services import jobs
from judging.core.services.errors import RefusedError
from judging.core.services.studies import close_study, open_study
from judging.models import (
    AllocationDecision,
    AuditEntry,
    Job,
    JobKind,
    JobState,
    Membership,
    Notice,
    NoticeAbout,
    Participation,
    Role,
    Study,
    Unit,
)
from judging.protocol.states import UnitState
from judging.setup.estimating import estimates_of
from judging.understanding.jobs.allocating import request_due_batches
from judging.understanding.jobs.completing import request_due_reports
from judging.understanding.reports.plans import plan_content
from judging.understanding.reports.study_data import read_study
from judging.understanding.selectors.reports import can_be_pilot
from judging.understanding.services.allocating import plan_next_batch, request_decision
from judging.watching.selectors.notices import due_notices
from tests.factories import NOW, judge_unit, later, make_study, make_worker
from tests.support.concurrent import at_once
from tests.understanding.test_allocating import SETTINGS, add_runs, judge_all

DECIDE = "/console/studies/study/decide/"


def adaptive(*, opened: bool = True, judged: bool = True, **settings: object) -> Study:
    """Make an adaptive study of 2 topics with 6 documents: 6 units at first, and 24 at most."""
    study = make_study(opened=False, **{**SETTINGS, **settings})
    add_runs(study)
    if opened:
        open_study(study=study, now=NOW)
        study.refresh_from_db()
    if opened and judged:
        judge_all(study)
    return study


def state_of(study: Study) -> Adaptation:
    adaptation = adaptation_of(study)
    assert adaptation is not None
    return adaptation


def tries(study: Study) -> Attempts:
    attempts = attempts_at(study, adaptation_of(study))
    assert attempts is not None
    return attempts


def fail_decision(study: Study, at: int) -> Job:
    """Let a job fail that was to make the next decision, so many minutes after `NOW`."""
    moment = later(minutes=at)
    return Job.objects.create(
        kind="allocate",
        study=study,
        state=JobState.FAILED.value,
        error="The cause.",
        parameters={"decision": study.decisions.count() + 1},
        created_at=moment,
        heartbeat_at=moment,
        finished_at=moment,
    )


@pytest.fixture
def waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave jobs to a worker process that never comes."""
    monkeypatch.setattr(jobs, "_carrier", lambda job, **options: None)


@pytest.mark.django_db
class TestLimits:
    def test_work_that_is_planned_and_work_at_most(self) -> None:
        study = adaptive(opened=False, pay_per_unit=Decimal("0.50"), platform_fee=Decimal(20))
        ready = readiness(study, now=NOW)
        assert ready.most is not None
        # 6 documents with 1 and with 4 judgments, 2 in a unit, in 2 topics
        assert (ready.planned.units, ready.most.units) == (6, 24)
        assert (ready.planned.total, ready.most.total) == (Decimal("3.60"), Decimal("14.40"))
        assert readiness(make_study(slug="fixed", opened=False), now=NOW).most is None
        out = StringIO()
        call_command("check_study", study.slug, stdout=out)
        assert all(number in out.getvalue() for number in ("3.60", "14.40"))

    def test_the_set_up_estimates_the_first_round_and_the_most(self) -> None:
        study = Study(**SETTINGS, pay_per_unit=Decimal(1))
        topic = {"number": "1", "title": "", "others": 6, "depths": [], "anchors": {}, "anchor_warnings": []}
        first, most = estimates_of(study, {"topics": [topic]}, None)
        assert most is not None
        assert (first.units, most.units) == (3, 12)
        study.allocation = "fixed"
        assert estimates_of(study, {"topics": [topic]}, None)[1] is None

    def test_further_units_shrink_as_units_are_planned_and_end_with_the_study(self) -> None:
        study = adaptive(pay_per_unit=Decimal("0.50"))
        before = totals(study)
        assert (state_of(study).most, state_of(study).further) == (24, 18)
        assert (before.planned, before.further.count, before.at_most) == (3, 18, 12)
        decision = plan_next_batch(study=study, now=NOW)
        new = len(decision.unit_numbers)
        after = totals(study)
        assert (after.open.count, after.further.count, after.at_most) == (new, 18 - new, 12)
        close_study(study=study, now=NOW)
        study.refresh_from_db()
        assert (state_of(study).further, totals(study).further.count) == (0, 0)

    def test_no_decision_exceeds_the_most(self) -> None:
        study = adaptive()
        while is_due(study):
            plan_next_batch(study=study, now=NOW)
            judge_all(study)
        assert state_of(study).is_over
        assert Unit.objects.filter(topic__study=study).count() <= 24
        assert state_of(study).further == 0

    def test_workers_have_no_work_while_a_decision_is_due(self) -> None:
        study = adaptive()
        worker = make_worker(study)
        assert is_due(study)
        assert no_work_in(study, now=NOW)
        assert units_left_by_topic(worker) == {}
        planned = plan_next_batch(study=study, now=NOW).unit_numbers
        assert no_work_in(study, now=NOW) is None
        assert sum(units_left_by_topic(worker).values()) == len(planned)

    def test_pages_show_the_state(self, admin_client: Client) -> None:
        study = adaptive(pay_per_unit=Decimal("0.50"))
        base = f"/console/studies/{study.slug}/"
        overview = admin_client.get(base)
        assert overview.context["adaptation"].is_due
        assert 'data-attention="decision"' in overview.content.decode()
        payments = admin_client.get(f"{base}payments/").content.decode()
        assert 'data-sum="further"' in payments
        for _ in range(2):
            plan_next_batch(study=study, now=NOW)
            judge_all(study)
        quality = admin_client.get(f"{base}quality/")
        assert len(quality.context["decisions_chart"].rows) == 2
        make_study(slug="fixed")
        assert admin_client.get("/console/studies/fixed/").context["adaptation"] is None


@pytest.mark.django_db
class TestFailures:
    def test_a_failed_decision_is_tried_again_later_and_later(self, waiting: None) -> None:
        study = adaptive()
        fail_decision(study, at=0)
        assert tries(study).again_at == later(minutes=5)
        assert request_due_batches(now=later(minutes=4)) == 0
        assert request_due_batches(now=later(minutes=5)) == 1
        assert tries(study).live == Job.objects.get(state="queued")
        assert request_due_batches(now=later(minutes=6)) == 0, "the job is waiting"
        Job.objects.filter(state="queued").delete()
        fail_decision(study, at=5)
        assert tries(study).again_at == later(minutes=15)
        many = Attempts(None, fail_decision(study, at=0), failures=60)
        assert many.again_at == later() + timedelta(days=1)

    def test_failures_of_an_earlier_decision_do_not_count(self) -> None:
        study = adaptive()
        fail_decision(study, at=0)
        plan_next_batch(study=study, now=NOW)
        judge_all(study)
        assert (tries(study).failures, tries(study).again_at) == (0, None)

    def test_a_lost_job_is_restarted_and_plans_once(self, waiting: None, monkeypatch) -> None:
        study = adaptive()
        job = request_decision(study=study, now=NOW)
        assert job is not None
        assert jobs.claim(pk=job.pk, now=NOW)
        assert jobs.reap(now=later(minutes=6)) == 1
        from judging.jobs import TASKS

        for _ in range(2):
            TASKS[JobKind.ALLOCATE](job.pk)
        assert study.decisions.count() == 1

    def test_people_are_told_after_two_failures_and_once(self, waiting: None, django_user_model) -> None:
        study = adaptive()
        owner = django_user_model.objects.create_user("olga", email="olga@example.org")
        Membership.objects.create(study=study, user=owner, role=Role.OWNER.value)
        fail_decision(study, at=0)
        assert due_notices(now=later(minutes=1)) == []
        fail_decision(study, at=5)
        (notice,) = due_notices(now=later(minutes=6))
        assert (notice.about, notice.study, notice.actor) == (NoticeAbout.FAILED, study, None)
        job = jobs.request(kind=JobKind.NOTICE, study=study, now=NOW)
        Notice.objects.create(key=notice.key, job=job)
        fail_decision(study, at=15)
        assert due_notices(now=later(minutes=16)) == []

    def test_the_study_is_collected_only_when_no_further_units_can_follow(self, waiting: None) -> None:
        study = adaptive(settled_level=0.0)
        assert due_notices(now=later(hours=1)) == []
        request_due_reports(now=later(hours=1))
        figures = Job.objects.filter(kind="report", parameters__report="figure")
        assert not figures.exists()
        while is_due(study):
            plan_next_batch(study=study, now=NOW)
            judge_all(study)
        assert [notice.about for notice in due_notices(now=later(hours=1))] == [NoticeAbout.COLLECTED]
        request_due_reports(now=later(hours=1))
        assert figures.exists()

    def test_the_command_for_cron_requests_decisions(self) -> None:
        study = adaptive()
        call_command("expire_assignments", stdout=StringIO())
        assert Job.objects.filter(study=study, kind="allocate").exists()

    def test_the_button_decides(self, admin_client: Client, django_capture_on_commit_callbacks) -> None:
        study = adaptive()
        fail_decision(study, at=0)
        overview = admin_client.get(f"/console/studies/{study.slug}/").content.decode()
        assert "data-decide" in overview
        assert "The cause." in overview
        with django_capture_on_commit_callbacks(execute=True):
            admin_client.post(DECIDE)
        assert study.decisions.count() == 1
        job = Job.objects.get(kind="allocate", state="done")
        assert job.requested_by is not None
        assert admin_client.get(f"/console/studies/{study.slug}/jobs/{job.pk}/").context["outcome"]
        with django_capture_on_commit_callbacks(execute=True):
            admin_client.post(DECIDE)
        assert study.decisions.count() == 1, "no decision is due"
        assert admin_client.get(DECIDE).status_code == 405

    def test_viewers_cannot_decide(self, client: Client, django_user_model) -> None:
        study = adaptive()
        viewer = django_user_model.objects.create_user("vera")
        Membership.objects.create(study=study, user=viewer, role=Role.VIEWER.value)
        client.force_login(viewer)
        assert "data-decide" not in client.get(f"/console/studies/{study.slug}/").content.decode()
        assert client.post(DECIDE).status_code == 403
        assert not study.decisions.exists()


def test_two_that_decide_at_once_plan_once(database: str) -> None:
    study = adaptive()
    before = Unit.objects.count()

    def decide() -> AllocationDecision | None:
        try:
            return plan_next_batch(study=Study.objects.get(pk=study.pk), now=NOW)
        except RefusedError:
            return None

    made = [decision for decision in at_once([decide] * 3) if decision]
    assert len(made) == 1
    assert Unit.objects.count() - before == len(made[0].unit_numbers)
    assert AuditEntry.objects.filter(verb="allocated").count() == 1


def test_requests_at_once_have_one_job(database: str, waiting: None) -> None:
    study = adaptive()
    requested = at_once([partial(request_decision, study=study, now=NOW)] * 3)
    assert {job and job.pk for job in requested} == {Job.objects.get(kind="allocate").pk}


@pytest.mark.django_db
class TestCrowds:
    def test_a_crowd_judges_until_the_rule_stops_the_study(self) -> None:
        study = adaptive(opened=False, seconds_per_document=0)
        out = StringIO()
        call_command("simulate", study.slug, "--workers", "12", "--seed", "1", stdout=out)
        study.refresh_from_db()
        if Unit.objects.filter(topic__study=study, state=UnitState.OPEN).exists():
            call_command("simulate", study.slug, "--workers", "12", "--seed", "1", stdout=out)
        assert state_of(study).is_over
        assert study.decisions.count() > 1
        first = list(study.decisions.order_by("number").values_list("at", flat=True))
        assert first == sorted(first)
        consented = Participation.objects.filter(study=study).order_by("-consented_at")[0].consented_at
        assert first[0] < consented, "the decisions are made by the crowd's clock"
        call_command("plan_units", study.slug, "--check", stdout=out)

    def test_a_dry_run_counts_its_rounds(
        self, django_capture_on_commit_callbacks, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        carrier = jobs._carrier
        assert carrier is not None
        monkeypatch.setattr(
            jobs, "_carrier", lambda job, **options: job.kind == "rehearse" and carrier(job, **options)
        )
        study = adaptive(opened=False, seconds_per_document=0)
        out = StringIO()
        with django_capture_on_commit_callbacks(execute=True):
            call_command("dry_run", study.slug, stdout=out)
        job = Job.objects.get(kind="rehearse")
        assert job.error == ""
        copy = job.own_study
        assert job.result["rounds"] == 1 + copy.decisions.filter(reason="unsettled").count() > 2
        assert job.result["reason"] in ("settled", "no-room")
        assert job.result["done"] == job.result["wanted"]
        assert state_of(copy).is_over
        assert not study.decisions.exists()

    def test_the_scheduler_leaves_simulated_studies_to_their_crowd(self, waiting: None) -> None:
        study = adaptive()
        Study.objects.filter(pk=study.pk).update(simulated=True)
        assert request_due_batches(now=NOW) == 0


@pytest.mark.django_db
@pytest.mark.parametrize("judgments", [1, 2])
def test_a_plan_is_wanted_exactly_if_it_can_be_computed(judgments: int) -> None:
    study = make_study(judgments_per_document=judgments, unit_size=5)
    for _ in range(8):
        if Unit.objects.filter(state=UnitState.OPEN).exists():
            judge_unit(make_worker(study))
    data = read_study(study)
    possible = can_be_pilot(study)
    assert possible == (judgments > 1)
    if possible:
        assert plan_content(data, lambda *done: None)
    else:
        with pytest.raises(InputError):
            plan_content(data, lambda *done: None)
