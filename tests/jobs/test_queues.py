"""A queue for each kind of work: the longest job of one keeps nothing of another waiting."""

import os
import re
from pathlib import Path

import pytest
from django.conf import settings
from django.utils.module_loading import import_string

from deploy.queues import QUEUES
from judging.exports.kept import path_of
from judging.models import Assignment, Job, JobKind, JobState
from judging.selectors.clock import now
from judging.services import jobs
from tests.factories import make_study, make_worker
from tests.jobs.test_workers import with_events
from tests.jobs.workers import is_over, working

ROOT = Path(__file__).resolve().parents[2]


def test_every_task_has_one_queue() -> None:
    app = import_string(settings.JOBS_APP)
    app.loader.import_default_modules()
    carried = [task for tasks in QUEUES.values() for task in tasks]
    assert len(carried) == len(set(carried))
    assert {f"judging.{task}" for task in carried} == {
        name for name in app.tasks if name.startswith("judging.")
    }
    assert set(carried) == {kind.value for kind in JobKind} | {"tidy"}


def test_the_documentation_tells_the_queue_of_each_kind() -> None:
    text = (ROOT / "docs/running.md").read_text()
    told = re.findall(r"^\| `([a-z]+)` \| `([a-z]+)` \|", text, re.MULTILINE)
    assert dict(told) == {kind: queue for queue, kinds in QUEUES.items() for kind in kinds if kind != "tidy"}


@pytest.mark.parametrize("database", ["postgresql"], indirect=True)
def test_a_long_job_keeps_no_lapse_waiting(database: str, folder: Path, broker: str) -> None:
    """The export is in the middle, and stays there, while a unit is freed."""
    study = with_events(3_000)
    make_worker(make_study(slug="lapsed"), upto="judging")
    long = jobs.request(
        kind=JobKind.EXPORT, study=study, parameters={"what": "events", "format": "csv"}, now=now()
    )
    second = jobs.request(
        kind=JobKind.EXPORT, study=study, parameters={"what": "table1", "format": "csv"}, now=now()
    )
    pipe = path_of(long)
    pipe.parent.mkdir()
    os.mkfifo(pipe)  # whoever writes to a pipe waits for its reader
    with (
        working(folder, broker, "--queues", "files") as files,
        working(folder, broker, "--queues", "clock,post") as clock,
    ):
        files.wait_for(lambda: Job.objects.get(pk=long.pk).state == JobState.RUNNING)
        lapse = jobs.request(kind=JobKind.EXPIRE, now=now())
        clock.wait_for(lambda: is_over(lapse))
        assert (lapse.state, lapse.result["freed"]) == ("done", 1)
        assert Assignment.objects.get(participation__study__slug="lapsed").state == "lapsed"
        assert Job.objects.get(pk=long.pk).state == JobState.RUNNING
        assert Job.objects.get(pk=second.pk).state == JobState.QUEUED, "nobody else takes from that queue"
        pipe.read_bytes()
        files.wait_for(lambda: is_over(second))
