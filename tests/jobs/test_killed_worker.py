"""A real worker over a real Valkey is killed in the middle of a job: another one finishes it, once."""

import os
from datetime import timedelta
from pathlib import Path

import pytest
import redis

from judging.archive.export_files import path_of
from judging.core.clock import now
from judging.core.services import jobs
from judging.core.services.events import record
from judging.models import Event, EventKind, Job, JobKind, JobState, Study
from tests.factories import make_study, make_worker
from tests.jobs.workers import Worker, is_over, working
from tests.support.exports import export_lines
from tests.support.integrity import broken_invariants

EVENTS = 3_000
"""So many that their lines are more than a pipe holds."""


@pytest.mark.slow
@pytest.mark.parametrize(
    "database", [pytest.param("sqlite", marks=pytest.mark.long), "postgresql"], indirect=True
)
def test_an_export_whose_worker_is_killed_comes_back_and_is_finished_once(
    database: str, folder: Path, broker: str, queue: redis.Redis
) -> None:
    study = with_events(EVENTS)
    job = jobs.request(
        kind=JobKind.EXPORT, study=study, parameters={"what": "events", "format": "csv"}, now=now()
    )
    pipe = path_of(job)
    pipe.parent.mkdir()
    os.mkfifo(pipe)  # whoever writes to a pipe waits for its reader: so the worker is in the middle, for sure
    killed = Worker(folder, broker)
    try:
        killed.wait_for(lambda: Job.objects.get(pk=job.pk).state == JobState.RUNNING)
        with pipe.open("rb") as reader:
            assert reader.read(1_000).startswith(b"topic_id,")
            killed.kill()
    finally:
        killed.stop()
    job.refresh_from_db()
    assert (job.state, job.attempts) == ("running", 1)
    pipe.unlink()
    assert jobs.reap(now=now() + jobs.STALE - timedelta(seconds=30)) == 0, "it may still be alive"
    assert jobs.reap(now=now() + jobs.STALE) == 1
    assert jobs.reap(now=now() + jobs.STALE) == 0
    job.refresh_from_db()
    assert (job.state, job.attempts) == ("queued", 1)
    for _ in range(3):  # as a broker does that is not sure whether a message arrived
        jobs.send(job)
    with working(folder, broker) as worker:
        worker.wait_for(lambda: is_over(job))
        finished = job.finished_at
        worker.wait_for(lambda: not queue.llen("files"))
        last = jobs.request(
            kind=JobKind.EXPORT, study=study, parameters={"what": "table1", "format": "csv"}, now=now()
        )
        worker.wait_for(lambda: is_over(last))  # so all messages before it have been worked off
    job.refresh_from_db()
    assert (job.state, job.attempts, job.finished_at) == ("done", 2, finished)
    assert job.result["rows"] == EVENTS
    assert path_of(job).read_text() == "".join(export_lines(study, "events", "csv"))
    assert not list(path_of(job).parent.glob(".*")), "nothing half-written is left"
    assert broken_invariants(study) == []


def with_events(count: int) -> Study:
    """A study in which a worker has met with so many events."""
    study = make_study()
    first = record(EventKind.LAPSED, participation=make_worker(study), now=now())
    Event.objects.bulk_create(
        Event(study=study, participation=first.participation, kind=first.kind, at=first.at)
        for _ in range(count - 1)
    )
    return study
