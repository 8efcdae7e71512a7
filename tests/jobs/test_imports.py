"""Imports as jobs: at once or by a real worker, once alone, their faults and who may see how they go."""

import re
from datetime import timedelta
from html import escape
from io import StringIO
from pathlib import Path

import pytest
from django.contrib.auth import get_user_model
from django.core.management import CommandError, call_command
from django.test import Client

from judging.core.clock import now
from judging.core.services import jobs
from judging.core.services.members import set_role
from judging.core.stored_sentences import from_json
from judging.jobs import TASKS
from judging.models import AuditEntry, Job, JobKind, JobState, Role, Study
from judging.setup.jobs.importing import run_import
from judging.setup.study_files.importing import import_study
from tests.factories import NOW
from tests.setup.intake.folder import StudyFolder


@pytest.fixture
def source(folder: Path) -> StudyFolder:
    return StudyFolder(folder / "small")


def command(path: Path, *options: str) -> str:
    out = StringIO()
    call_command("import_study", str(path), *options, stdout=out, stderr=StringIO())
    return out.getvalue()


def told(job: Job) -> str:
    out = StringIO()
    call_command("job", str(job.pk), stdout=out)
    return out.getvalue()


def asked(source: StudyFolder, **parameters: object) -> Job:
    """A queued import whose message has gone astray."""
    asked_for = {"path": str(source.path), "slug": None, "update": False} | parameters
    return Job.objects.create(kind="import", parameters=asked_for, created_at=NOW, heartbeat_at=NOW)


def superuser() -> Client:
    client = Client()
    client.force_login(get_user_model().objects.create_superuser("root"))
    return client


def test_without_a_broker_the_command_says_the_same(
    transactional_db: None, source: StudyFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    direct = command(source.path, "--slug", "one")
    monkeypatch.chdir(source.path.parent)
    background = command(Path(source.path.name), "--slug", "two", "--background")
    assert background == direct.replace("one", "two")
    job = Job.objects.get()
    assert (job.state, job.study.slug, job.parameters["path"]) == ("done", "two", str(source.path))
    again = command(source.path, "--slug", "two", "--update")
    assert command(source.path, "--slug", "two", "--update", "--background") == again
    assert [entry.verb for entry in AuditEntry.objects.filter(study=job.study).order_by("pk")] == [
        "imported",
        "updated",
        "updated",
    ]


def test_all_faults_are_kept_and_nothing_is_written(transactional_db: None, source: StudyFolder) -> None:
    source.replace("study.toml", "depth = 8", "depth = -1")
    source.replace("study.toml", 'title = "A small study"', "")
    with pytest.raises(CommandError) as direct:
        command(source.path)
    with pytest.raises(CommandError) as background:
        command(source.path, "--background")
    assert str(background.value) == str(direct.value)
    job = Job.objects.get()
    faults = str(direct.value).splitlines()
    assert len(faults) == 2, faults
    assert (job.state, job.study) == ("failed", None)
    assert [str(from_json(fault)) for fault in job.result["faults"]] == faults
    assert job.error.startswith(faults[0])
    assert re.search(r"\b1\b", job.error.removeprefix(faults[0]))
    assert all(fault in told(job) for fault in faults)
    page = superuser().get(f"/console/jobs/{job.pk}/").content.decode()
    assert all(f"<li>{escape(fault.partition(': ')[0])}: " in page for fault in faults)
    assert not Study.objects.exists()


def test_an_import_that_is_begun_again_after_it_has_written_writes_nothing(
    database: str, source: StudyFolder
) -> None:
    job = asked(source)
    claimed = jobs.claim(pk=job.pk, now=NOW)
    assert claimed is not None
    result = run_import(claimed, jobs.Progress(claimed, clock=now))  # and the worker is lost before the end
    assert jobs.reap(now=NOW + jobs.STALE) == 1  # without a broker it is done again at once
    job.refresh_from_db()
    assert (job.state, job.attempts, job.study.slug) == (JobState.DONE, 2, "small")
    assert job.result == result
    assert AuditEntry.objects.get().verb == "imported"


def test_who_was_taken_for_lost_writes_no_study(database: str, source: StudyFolder) -> None:
    job = asked(source)
    old = jobs.claim(pk=job.pk, now=NOW)
    assert old is not None
    Job.objects.filter(pk=job.pk).update(state="queued", heartbeat_at=NOW + timedelta(hours=1))
    with pytest.raises(jobs.JobLostError):
        run_import(old, jobs.Progress(old, clock=now))
    assert not Study.objects.exists()
    TASKS[JobKind.IMPORT](job.pk)
    TASKS[JobKind.IMPORT](job.pk)
    job.refresh_from_db()
    assert (job.state, job.attempts) == ("done", 2)
    assert Study.objects.count() == 1


def test_what_the_transaction_is_told_may_take_it_back(database: str, source: StudyFolder) -> None:
    def refuse(imported: object) -> None:
        raise jobs.JobLostError

    source.imported()
    source.replace("study.toml", "A small study", "Another title")
    with pytest.raises(jobs.JobLostError):
        import_study(source.path, update=True, now=NOW, written=refuse)
    assert Study.objects.get().title == "A small study"


def test_its_page_is_for_superusers_then_for_those_who_see_the_study(
    transactional_db: None, source: StudyFolder, console: Client
) -> None:
    job = asked(source)
    address, root = f"/console/jobs/{job.pk}/", superuser()
    assert 'data-job="live"' in root.get(address).content.decode()
    assert console.get(address).status_code == 404
    assert Client().get(address).status_code == 302
    TASKS[JobKind.IMPORT](job.pk)
    for client in (root, console):
        page = client.get(address).content.decode()
        assert 'data-job="over"' in page
    study = Study.objects.get()
    assert console.get(f"/console/studies/small/jobs/{job.pk}/").status_code == 200
    owner = get_user_model().objects.create_user("olga", is_staff=True)
    set_role(study=study, user=owner, role=Role.OWNER, now=NOW)
    assert console.get(address).status_code == 404
    assert root.get(address).status_code == 200


def test_an_unknown_job_is_refused(transactional_db: None) -> None:
    with pytest.raises(CommandError, match=r"\b7\b"):
        call_command("job", "7")
