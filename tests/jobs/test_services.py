"""A job's way: sent on commit, claimed once, ended once, picked up when lost."""

import logging
import re
import time
from datetime import timedelta
from functools import partial

import pytest
import redis
from django.conf import settings
from django.db import transaction
from django.utils.module_loading import import_string

from judging.core.services import jobs
from judging.jobs import TASKS
from judging.limits import MOST_ATTEMPTS
from judging.models import Job, JobKind, JobState, Study
from tests.factories import NOW, later, make_study
from tests.support.concurrent import at_once

EVENTS = {"what": "events", "format": "csv"}
LONG = jobs.STALE.total_seconds()


def ask(study: Study, **parameters: str) -> Job:
    job = jobs.request(kind=JobKind.EXPORT, study=study, parameters=EVENTS | parameters, now=NOW)
    job.refresh_from_db()
    return job


def waiting(study: Study) -> Job:
    """A job whose message has gone astray."""
    return Job.objects.create(kind="export", study=study, parameters=EVENTS, created_at=NOW, heartbeat_at=NOW)


def test_without_a_broker_it_is_done_as_soon_as_it_is_committed(database: str) -> None:
    study = make_study(opened=False)
    with transaction.atomic():
        job = jobs.request(kind=JobKind.EXPORT, study=study, parameters=EVENTS, now=NOW)
        assert Job.objects.get().state == JobState.QUEUED
    job.refresh_from_db()
    assert (job.state, job.attempts, job.result["rows"]) == (JobState.DONE, 1, 0)


def test_what_is_rolled_back_is_neither_done_nor_sent(database: str, queue: redis.Redis) -> None:
    study = make_study(opened=False)
    with transaction.atomic():
        ask(study)
        transaction.set_rollback(True)
    assert not Job.objects.exists()
    assert not queue.llen("files")


def test_with_a_broker_only_the_name_and_the_id_are_sent(transactional_db: None, queue: redis.Redis) -> None:
    with transaction.atomic():
        job = ask(make_study(opened=False))
        assert not queue.llen("files")
    assert queue.llen("files") == 1
    connection = import_string(settings.JOBS_APP).connection_for_read()
    with connection, connection.SimpleQueue("files") as messages:
        message = messages.get(timeout=5)
        assert message.headers["task"] == "judging.export"
        assert message.payload[0] == [job.pk]
        message.ack()
    assert job.state == JobState.QUEUED


def test_a_broker_that_is_away_costs_no_job(
    transactional_db: None, broker: str, caplog: pytest.LogCaptureFixture
) -> None:
    app = import_string(settings.JOBS_APP)
    with app.connection_for_write("redis://127.0.0.1:1/0") as nowhere:
        began = time.monotonic()
        job = Job.objects.create(kind="expire", created_at=NOW, heartbeat_at=NOW)
        with caplog.at_level(logging.WARNING):
            jobs.send(job, connection=nowhere)
    assert time.monotonic() - began < 10
    assert logging.WARNING in {record.levelno for record in caplog.records}
    assert Job.objects.get().state == JobState.QUEUED


def test_of_many_workers_one_begins(database: str) -> None:
    job = waiting(make_study(opened=False))
    result = at_once([partial(jobs.claim, pk=job.pk, now=NOW)] * 6)
    assert len([item for item in result if item]) == 1
    job.refresh_from_db()
    assert (job.state, job.attempts) == (JobState.RUNNING, 1)


def test_a_message_that_comes_again_changes_nothing(transactional_db: None) -> None:
    job = ask(make_study(opened=False))
    before = Job.objects.values().get()
    TASKS[JobKind.EXPORT](job.pk)
    TASKS[JobKind.EXPORT](job.pk)
    assert Job.objects.values().get() == before
    TASKS[JobKind.EXPORT](job.pk + 1)  # and of a job that is gone, nothing is known


def test_expire_is_asked_for_once_at_a_time(database: str) -> None:
    first = Job.objects.create(kind="expire", created_at=NOW, heartbeat_at=NOW)
    assert jobs.request(kind=JobKind.EXPIRE, now=NOW) == first
    TASKS[JobKind.EXPIRE](first.pk)
    assert jobs.request(kind=JobKind.EXPIRE, now=NOW) != first


def test_other_faults_of_a_row_are_not_taken_for_that(database: str) -> None:
    with pytest.raises(jobs.IntegrityError):
        jobs.request(kind=JobKind.EXPORT, now=NOW)


def test_what_fails_says_why_and_what_should_not_happen_stays_in_the_log(
    transactional_db: None, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    study = make_study(opened=False)
    refused = ask(study, what="secrets")
    assert refused.state == "failed"
    assert "secrets" in refused.error
    assert ask(study, what="payments").state == "failed", "no file of it is kept"
    monkeypatch.setattr("judging.archive.jobs.exporting.write_file", lambda path, lines: 1 / 0)
    odd = ask(study)
    assert odd.state == "failed"
    assert re.search(rf"\b{odd.pk}\b", odd.error)
    assert "ZeroDivisionError" not in odd.error
    assert "ZeroDivisionError" in caplog.text


def test_a_file_that_cannot_be_written_is_told(transactional_db: None) -> None:
    settings.EXPORTS_FOLDER.write_text("A file where the folder should be.")
    job = ask(make_study(opened=False))
    assert job.state == "failed"
    assert str(settings.EXPORTS_FOLDER) in job.error


def test_a_silent_job_is_queued_anew_and_its_old_worker_is_told_to_stop(database: str) -> None:
    job = waiting(make_study(opened=False))
    old = jobs.claim(pk=job.pk, now=NOW)
    assert jobs.reap(now=later(LONG - 1)) == 0
    assert jobs.reap(now=later(LONG)) == 1  # without a broker it is done by that
    job.refresh_from_db()
    assert (job.state, job.attempts) == (JobState.DONE, 2)
    for step in (
        lambda: jobs.Progress(old, clock=lambda: later(LONG + 1))(1, 2),
        lambda: jobs.finish(job=old, result={}, now=later(LONG + 1)),
        lambda: jobs.fail(job=old, error="Why.", now=later(LONG + 1)),
    ):
        with pytest.raises(jobs.JobLostError):
            step()
    assert Job.objects.get().result["rows"] == 0


def test_progress_is_a_sign_of_life_once_a_second(database: str) -> None:
    job = waiting(make_study(opened=False))
    clock = iter([later(0.5), later(LONG), later(LONG + 0.5), later(LONG + 2)])
    progress = jobs.Progress(jobs.claim(pk=job.pk, now=NOW), clock=lambda: next(clock))
    seen = []
    for done, total in ((1, 10), (2, 10), (3, 10), (11, 10)):
        progress(done, total)
        seen.append(Job.objects.values_list("progress_done", "progress_total").get())
    assert seen == [(0, 0), (2, 10), (2, 10), (11, 0)]
    assert jobs.reap(now=later(LONG + 3)) == 0


def test_a_job_is_begun_three_times_at_most(database: str, broker: str) -> None:
    job = waiting(make_study(opened=False))
    for attempt in range(1, MOST_ATTEMPTS + 1):
        moment = NOW + attempt * jobs.STALE
        assert jobs.claim(pk=job.pk, now=moment).attempts == attempt
        assert jobs.reap(now=moment + jobs.STALE) == 1
    job.refresh_from_db()
    assert job.state == JobState.FAILED
    assert f" {MOST_ATTEMPTS} " in job.error
    assert jobs.reap(now=NOW + 9 * jobs.STALE) == 0
    assert jobs.claim(pk=job.pk, now=NOW) is None


def test_a_queued_job_whose_message_is_lost_is_sent_again_every_five_minutes(
    transactional_db: None, queue: redis.Redis
) -> None:
    waiting(make_study(opened=False))
    sent = []
    for minutes in (4, 5, 9, 10):
        jobs.reap(now=NOW + timedelta(minutes=minutes))
        sent.append(queue.llen("files"))
    assert sent == [0, 1, 1, 2]


def test_two_that_pick_up_at_once_send_once(database: str, queue: redis.Redis) -> None:
    waiting(make_study(opened=False))
    assert sum(at_once([partial(jobs.reap, now=later(LONG))] * 4)) == 1
    assert queue.llen("files") == 1
