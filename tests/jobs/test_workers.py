"""A real worker over a real Valkey, on both databases: it works, is killed in the middle, obeys the clock."""

import os
from datetime import timedelta
from pathlib import Path

import redis
from django.conf import settings
from django.test import Client
from django.utils.module_loading import import_string

from judging.exports.catalogue import export_lines
from judging.exports.kept import path_of
from judging.models import Assignment, Event, EventKind, Job, JobKind, JobState, Study
from judging.selectors.clock import now
from judging.services import jobs
from judging.services.events import record
from tests.exports.conftest import add_run, judge
from tests.factories import make_study, make_worker
from tests.jobs.workers import Worker, is_over, working
from tests.support.integrity import broken_invariants

EVENTS = 3_000
"""So many that their lines are more than a pipe holds."""


def test_what_a_page_asks_for_a_worker_does(
    database: str, folder: Path, broker: str, console: Client
) -> None:
    study = make_study(judgments_per_document=2)
    judge(study, workers=2)
    add_run(study, "right")
    add_run(study, "wrong", reverse=True)
    file, scores = (
        console.post("/console/studies/study/jobs/", fields, follow=True).redirect_chain[-1][0]
        for fields in (
            {"kind": "export", "what": "judgments.csv"},
            {"kind": "score", "gains": "magnitudes", "measures": "nDCG@5\nP@2"},
        )
    )
    waiting = console.get(file).content.decode()
    assert "It waits for a worker." in waiting
    assert 'data-job="live"' in waiting
    with working(folder, broker) as worker:
        for job in Job.objects.all():
            worker.wait_for(lambda job=job: is_over(job))
    assert [(job.state, job.attempts, job.error) for job in Job.objects.all()] == [("done", 1, "")] * 2
    assert f'href="{file}file"' in console.get(file).content.decode()
    wanted = "".join(export_lines(study, "judgments", "csv"))
    assert b"".join(console.get(f"{file}file").streaming_content).decode() == wanted
    shown = console.get(scores).content.decode()
    assert shown.index('<th scope="row">right</th>') < shown.index('<th scope="row">wrong</th>')
    assert "Means over 2 topics" in shown
    assert "<td>1.0000</td>" in shown


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


def test_the_clock_frees_what_has_lapsed(
    database: str, folder: Path, broker: str, queue: redis.Redis
) -> None:
    make_worker(make_study(), upto="judging")  # long ago: it has lapsed, and nobody has noticed
    lost = jobs.request(kind=JobKind.EXPIRE, now=now() - jobs.STALE)
    queue.flushdb()  # its message is lost, and it stands in the way of the next
    app = import_string(settings.JOBS_APP)
    (rung,) = app.conf.beat_schedule.values()
    app.send_task(rung["task"])  # as the clock does every five minutes
    with working(folder, broker, "--beat") as worker:
        worker.wait_for(lambda: is_over(lost))
        worker.wait_for(lambda: any(folder.glob("schedule*")))  # the clock itself has started
    assert (lost.state, lost.result) == ("done", {"freed": 1, "files": 0})
    assert Assignment.objects.get().state == "lapsed"
    assert Job.objects.count() == 1


def with_events(count: int) -> Study:
    """A study in which a worker has met with so many events."""
    study = make_study()
    first = record(EventKind.LAPSED, participation=make_worker(study), now=now())
    Event.objects.bulk_create(
        Event(study=study, participation=first.participation, kind=first.kind, at=first.at)
        for _ in range(count - 1)
    )
    return study
