"""A real worker over a real Valkey does what pages, commands and its clock ask for.

One worker serves all tests of this file, on the site's own kind of database. Workers on PostgreSQL are
started by `test_two_machines.py` and `test_killed_worker.py`.
"""

from collections.abc import Iterator
from contextlib import suppress
from datetime import timedelta
from io import StringIO
from pathlib import Path

import pytest
import pytest_django
import redis
from django.conf import settings as site
from django.contrib.auth import get_user_model
from django.core.management import CommandError, call_command
from django.test import Client
from django.utils.module_loading import import_string
from pytest_django import Settings

from judging.core.clock import now
from judging.core.services import jobs
from judging.core.services.members import set_role
from judging.models import Assignment, Job, JobKind, Role
from tests.archive.exports.conftest import add_run, judge
from tests.factories import NOW, make_study, make_worker
from tests.jobs.workers import Worker, is_over
from tests.setup.intake.folder import StudyFolder
from tests.support.exports import export_lines
from tests.support.html import compact
from tests.support.mail import MailServer

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]


@pytest.fixture(scope="module")
def mail() -> Iterator[MailServer]:
    """The mail server that the worker sends to."""
    server = MailServer()
    server.start()
    yield server
    server.stop()


@pytest.fixture(scope="module")
def started(
    django_db_setup: None,
    django_db_blocker: pytest_django.DjangoDbBlocker,
    valkey_server: str,
    mail: MailServer,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[tuple[Path, Worker]]:
    """The data folder of a running worker, and the worker, once its start has done the regular work."""
    redis.Redis.from_url(valkey_server).flushdb()
    folder = tmp_path_factory.mktemp("worker")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("EMAIL_URL", mail.url)
        patch.setenv("PLUMBLINE_FROM", "plumbline@example.org")
        patch.setenv("PLUMBLINE_URL", "https://judging.example.org")
        worker = Worker(folder, valkey_server, "--beat")
    try:
        with django_db_blocker.unblock():
            worker.wait_for(lambda: Job.objects.filter(kind=JobKind.EXPIRE, state="done").exists())
            Job.objects.all().delete()
        yield folder, worker
    finally:
        worker.stop()


@pytest.fixture
def worker(started: tuple[Path, Worker], valkey_server: str, settings: Settings) -> Iterator[Worker]:
    """The worker, to which this process sends what it asks for."""
    folder, worker = started
    settings.EXPORTS_FOLDER = folder / "exports"
    app = import_string(settings.JOBS_APP)
    settings.REDIS_URL = app.conf.broker_url = valkey_server
    yield worker
    app.conf.broker_url = None


def test_what_a_page_asks_for_a_worker_does(worker: Worker, console: Client) -> None:
    """A file and scores, as the console asks for them, under the id of the request that asks."""
    study = make_study(judgments_per_document=2)
    judge(study, workers=2)
    add_run(study, "right")
    add_run(study, "wrong", reverse=True)
    file, scores = (
        console.post(
            "/console/studies/study/jobs/", fields, headers={"x-request-id": "asked-in-the-console"}
        ).url
        for fields in (
            {"kind": "export", "what": "judgments.csv"},
            {"kind": "score", "gains": "magnitudes", "measures": "nDCG@5\nP@2"},
        )
    )
    for job in Job.objects.all():
        worker.wait_for(lambda job=job: is_over(job))
        (line,) = [item for item in worker.log.read_text().splitlines() if f" job={job.pk} " in f"{item} "]
        for field in (f"kind={job.kind}", "outcome=done", "request_id=asked-in-the-console"):
            assert field in line
    assert [(job.state, job.attempts, job.error) for job in Job.objects.all()] == [("done", 1, "")] * 2
    assert f'href="{file}file"' in console.get(file).content.decode()
    wanted = "".join(export_lines(study, "judgments", "csv"))
    assert b"".join(console.get(f"{file}file").streaming_content).decode() == wanted
    shown = compact(console.get(scores).content.decode())
    assert shown.index('<th scope="row">right</th>') < shown.index('<th scope="row">wrong</th>')
    assert "<td>1.0000</td>" in shown


def test_the_clock_frees_what_has_lapsed(worker: Worker) -> None:
    make_worker(make_study(), upto="judging")  # long ago: it has lapsed, and nobody has noticed
    lost = Job.objects.create(
        kind="expire", created_at=now() - jobs.STALE, heartbeat_at=now() - jobs.STALE
    )  # its message is lost, and it stands in the way of the next
    app = import_string(site.JOBS_APP)
    (rung,) = app.conf.beat_schedule.values()
    app.send_task(rung["task"])  # as the clock does every five minutes
    worker.wait_for(lambda: is_over(lost))
    assert (lost.state, lost.result) == ("done", {"freed": 1, "files": 0})
    assert Assignment.objects.get().state == "lapsed"
    assert Job.objects.count() == 1


def test_the_clock_sends_what_is_to_be_told(worker: Worker, mail: MailServer) -> None:
    study = make_study(opened=False)
    olga = get_user_model().objects.create_user("olga", "olga@example.org", is_staff=True)
    set_role(study=study, user=olga, role=Role.OWNER, now=NOW)
    moment = now() - timedelta(minutes=1)
    Job.objects.create(
        kind="export",
        study=study,
        parameters={"what": "events", "format": "csv"},
        state="failed",
        error="The disk of the exports is full.",
        created_at=moment,
        heartbeat_at=moment,
        finished_at=moment,
    )
    for _ in range(2):
        import_string(site.JOBS_APP).send_task("judging.tidy")
    for kind in (JobKind.NOTICE, JobKind.EXPIRE):
        worker.wait_for(lambda kind=kind: Job.objects.filter(kind=kind, state="done").exists())
    assert mail.recipients() == ["olga@example.org"]
    assert mail.received[0]["From"] == "plumbline@example.org"


def test_it_imports_while_the_page_and_the_command_tell_how_it_goes(worker: Worker, folder: Path) -> None:
    source = StudyFolder(folder / "small")
    with worker.held():
        output = import_in_background(source.path)
    job = Job.objects.get(kind=JobKind.IMPORT)
    assert f"python manage.py job {job.pk}" in output
    assert f"/console/jobs/{job.pk}/" in output
    worker.wait_for(lambda: is_over(job))
    with suppress(CommandError):  # the command says why, if the worker has refused it by the time it looks
        import_in_background(source.path)
    second = Job.objects.exclude(pk=job.pk).get()
    worker.wait_for(lambda: is_over(second))
    assert (job.state, job.attempts, job.study.slug) == ("done", 1, "small")
    assert (second.state, second.study) == ("failed", None)


def import_in_background(path: Path) -> str:
    out = StringIO()
    call_command("import_study", str(path), "--background", stdout=out)
    return out.getvalue()
