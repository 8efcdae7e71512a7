"""Reports are requested once: for finished studies, after many new units, and on opening an old page."""

from datetime import timedelta

import pytest
from django.conf import LazySettings
from django.test import Client

from judging.core.services.studies import close_study
from judging.crowd.finishing import finish_study
from judging.models import Job, JobKind, Report, Study, Unit, WorkerFigures
from judging.understanding.jobs import completing
from judging.understanding.jobs.completing import request_due_reports
from judging.understanding.services.wanted import request_on_view, wanted_reports
from tests.factories import judge_unit, later, make_study, make_worker

pytestmark = pytest.mark.django_db
AFTER = later(hours=9)


@pytest.fixture
def study() -> Study:
    """Return a study with two units of one topic."""
    return make_study(topics=1, judgments_per_document=2)


def reports_asked() -> list[tuple[str, dict]]:
    result = Job.objects.filter(kind=JobKind.REPORT.value).order_by("pk")
    return list(result.values_list("parameters__report", "parameters__parameters"))


def test_they_are_asked_for_once_the_last_unit_is_done(study: Study) -> None:
    for left in (1, 0):
        assert request_due_reports(now=AFTER) == 0
        judge_unit(make_worker(study))
        assert Unit.objects.filter(state="open").count() == left
        assert reports_asked() == [], "a worker's request asks for nothing"
    wanted = [*wanted_reports(study)]
    assert request_due_reports(now=AFTER) == len(wanted) > 2
    assert reports_asked() == wanted
    titles = {job.title for job in Job.objects.filter(kind=JobKind.REPORT.value)}
    assert {"report: every document", "report: figure H ÷ N of the units"} <= titles
    assert request_due_reports(now=AFTER) == 0


def test_a_study_that_is_closed_early_has_them_too(study: Study) -> None:
    judge_unit(make_worker(study))
    close_study(study=study, now=later(hours=1))
    assert request_due_reports(now=AFTER) > 2
    assert request_due_reports(now=AFTER) == 0


def test_nothing_is_asked_for_without_judgments_or_long_afterwards(study: Study) -> None:
    close_study(study=study, now=later(hours=1))
    assert request_due_reports(now=AFTER) == 0
    other = make_study(slug="other", topics=1, judgments_per_document=1)
    judge_unit(make_worker(other))
    assert request_due_reports(now=later(hours=24 * 9)) == 0


def test_a_running_study_has_new_reports_after_every_so_many_units(
    study: Study, monkeypatch: pytest.MonkeyPatch
) -> None:
    judge_unit(make_worker(study))
    assert request_due_reports(now=AFTER) == 0, "one unit is not many"
    monkeypatch.setattr(completing, "LEAST_NEW_UNITS", 1)
    assert request_due_reports(now=AFTER) == 2
    assert {kind for kind, _ in reports_asked()} == {"documents", "grades"}, "its figures can wait"
    assert request_due_reports(now=AFTER) == 0


def test_opening_an_old_page_requests_its_reports_now_and_then(
    study: Study, settings: LazySettings, console: Client
) -> None:
    address = f"/console/studies/{study.slug}/understanding/grades/"
    settings.REDIS_URL = "redis://127.0.0.1:1/0"
    console.get(address)
    assert reports_asked() == [], "no judgments count"
    judge_unit(make_worker(study))
    settings.REDIS_URL = ""
    console.get(address)
    assert reports_asked() == [], "the page would have to compute them itself"
    settings.REDIS_URL = "redis://127.0.0.1:1/0"
    console.get(address)
    requested = len(reports_asked())
    assert requested > 2
    console.get(address)
    assert len(reports_asked()) == requested, "they are requested already"
    judge_unit(make_worker(study))
    moment = Job.objects.latest("pk").created_at
    assert request_on_view(study, now=moment + timedelta(minutes=1)) == 0


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_a_study_that_the_clock_does_not_watch_is_finished_at_once(study: Study) -> None:
    study.topics.get().pool.update(grade="")  # so that few figures are drawn
    judge_unit(make_worker(study))
    assert finish_study(study, now=AFTER) > 2
    result = set(Report.objects.values_list("kind", flat=True))
    assert {"documents", "grades", "figure"} <= result
    assert WorkerFigures.objects.count() == 1
    assert finish_study(study, now=AFTER) == 0
