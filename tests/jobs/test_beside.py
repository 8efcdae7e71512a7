"""A served site without a broker: a process beside it runs the long jobs, so no page waits for them."""

import re
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from django.contrib.auth import get_user_model
from django.core.management import CommandError, call_command
from pytest_django import Settings

from judging.core.clock import now
from judging.core.file_lock import take_lock
from judging.core.services import jobs
from judging.core.services.members import set_role
from judging.models import Job, JobKind, Role, Study
from tests.archive.exports.conftest import judge
from tests.factories import NOW, make_study
from tests.jobs.workers import database_url, is_over
from tests.support.http_client import HttpClient
from tests.support.people import PASSWORD
from tests.support.website import Website, served

ADDRESS = "/console/studies/study/jobs/"
EXPORT = {"kind": "export", "what": "judgments.csv"}


@pytest.fixture
def study(database: str) -> Study:
    study = make_study(judgments_per_document=2)
    judge(study, workers=2)
    ada = get_user_model().objects.create_user("ada", password=PASSWORD)
    set_role(study=study, user=ada, role=Role.OWNER, now=NOW)
    return study


@pytest.fixture
def site(study: Study, tmp_path: Path) -> Iterator[Website]:
    with served(tmp_path, database_url()) as site:
        yield site


def post(http: HttpClient, page: str, address: str, **fields: str) -> str:
    """Send a form of a page, and return the path of the page to which the answer redirects."""
    token = re.findall(r'name="csrfmiddlewaretoken" value="(\w+)"', http.get(page).text)[0]
    answer = http.post(address, data={"csrfmiddlewaretoken": token, **fields})
    assert answer.status_code == 302, answer.text
    return answer.headers["location"]


@pytest.mark.parametrize("database", ["sqlite"], indirect=True)
def test_a_process_beside_the_site_runs_what_pages_ask_for(site: Website, tmp_path: Path) -> None:
    http = HttpClient(base_url=site.address, timeout=30)
    post(http, "/console/login/", "/console/login/", username="ada", password=PASSWORD)
    with take_lock(tmp_path / "jobs.lock"):  # as if such a process were at work already
        pages = [post(http, ADDRESS, ADDRESS, **EXPORT) for _ in range(2)]
        assert [job.state for job in Job.objects.all()] == ["queued"] * 2
        assert 'data-job="live"' in http.get(pages[0]).text
    pages.append(post(http, ADDRESS, ADDRESS, **EXPORT))
    for job in Job.objects.all():
        site.wait_for(lambda job=job: is_over(job))
        assert (job.state, job.attempts) == ("done", 1)
    assert all(http.get(f"{page}file").text.count("\n") == 33 for page in pages)


@pytest.mark.parametrize("database", ["sqlite"], indirect=True)
def test_a_job_whose_process_was_killed_is_started_again(site: Website, study: Study) -> None:
    silent = now() - jobs.STALE - timedelta(seconds=1)
    lost = Job.objects.create(
        kind=JobKind.EXPORT,
        study=study,
        parameters={"what": "units", "format": "csv"},
        state="running",
        attempts=1,
        created_at=silent,
        started_at=silent,
        heartbeat_at=silent,
    )
    http = HttpClient(base_url=site.address, timeout=30)
    post(http, "/console/login/", "/console/login/", username="ada", password=PASSWORD)
    assert http.get(f"{ADDRESS}{lost.pk}/").status_code == 200  # somebody looks at its page
    site.wait_for(lambda: is_over(lost))
    assert (lost.state, lost.attempts) == ("done", 2)


@pytest.mark.django_db(transaction=True)
def test_only_one_process_runs_the_waiting_jobs(
    settings: Settings, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    settings.JOBS_LOCK, settings.EXPORTS_FOLDER = tmp_path / "jobs.lock", tmp_path / "exports"
    study = make_study(opened=False)
    parameters = {"what": "units", "format": "csv"}
    for kind in (JobKind.EXPORT, JobKind.STATISTICS):
        Job.objects.create(kind=kind, study=study, parameters=parameters, created_at=NOW, heartbeat_at=now())
    with take_lock(tmp_path / "jobs.lock"):
        call_command("run_jobs", waiting=True)
        assert not Job.objects.exclude(state="queued").exists()
    call_command("run_jobs", waiting=True)
    assert [job.state for job in Job.objects.order_by("pk")] == ["done", "queued"], "only long jobs wait"
    settings.REDIS_URL = "redis://127.0.0.1:1/0"
    with pytest.raises(CommandError, match="REDIS_URL"):
        call_command("run_jobs", waiting=True)
