"""More than one machine: two sites of one database and one Valkey, taken turn about, and two workers.

Each site is processes of its own on a port of its own, as on another machine behind a balancer; they share
what `docs/guides/deploying.md` says: database, Valkey, key and folder. What comes of it is held to what one
process makes of the same judgments, alone; and a worker in the middle of a long job keeps nothing waiting.
"""

import json
import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from django.contrib.auth import get_user_model
from pytest_django import Settings

from judging.archive.export_files import manifest_path_of, path_of
from judging.core.clock import now
from judging.core.services import jobs
from judging.models import Assignment, Job, JobKind, JobState, Judgment, Report, ReportKind, Study, Unit
from judging.understanding.services.reports import request_report
from tests.factories import make_study, make_worker
from tests.faults.steady import Crowd, Ledger
from tests.jobs.test_killed_worker import with_events
from tests.jobs.workers import Worker, database_url, is_over, working
from tests.support.http_crowd import memory_of
from tests.support.integrity import broken_invariants
from tests.support.people import PASSWORD
from tests.support.quick_sample import SECONDS, open_sample
from tests.support.visitor import Visitor, turn_about
from tests.support.website import Website

FILES = [("judgments", "parquet"), ("bundle", "zip")]
MEASURES = ["nDCG@10", 'ERR(gmax="topic")@10']
REPORTS: list[tuple[ReportKind, dict[str, Any]]] = [
    (ReportKind.DOCUMENTS, {}),
    (ReportKind.SCORES, {"measures": MEASURES}),
    (ReportKind.FIGURE, {"figure": "anchor-ratios"}),
]
QUEUES = ["clock,post", "files,figures,intake"]


@pytest.fixture
def addresses(database: str, broker: str, folder: Path) -> Iterator[list[str]]:
    with ExitStack() as stack, ThreadPoolExecutor(2) as pool:
        sites = [Website(folder, database_url(), broker, workers=1) for _ in range(2)]
        for site in sites:
            stack.callback(site.stop)
        list(pool.map(Website.start, sites))
        yield [site.address for site in sites]


@pytest.mark.long
@pytest.mark.parametrize("database", ["postgresql"], indirect=True)
def test_two_sites_and_two_workers_make_what_one_process_makes(
    database: str, folder: Path, broker: str, addresses: list[str], settings: Settings
) -> None:
    study, ledger = open_sample(folder, "two"), Ledger()
    with ExitStack() as stack:
        workers = [stack.enter_context(working(folder, broker, "--queues", queues)) for queues in QUEUES]
        crowd = Crowd(addresses, study.slug, memory_of(study), ledger, SECONDS, workers=6)
        a_researcher_asks(study, addresses)
        crowd.finish()
        assert set(Unit.objects.values_list("state", flat=True)) == {"done"}
        assert Judgment.objects.count() == 8 * Unit.objects.count()
        assert (ledger.lost(), ledger.faltered) == (set(), [])
        assert broken_invariants(study) == []
        a_long_job_keeps_no_lapse_waiting(*workers)
        apart = made(study, lambda job: workers[0].wait_for(lambda: is_over(job)))
    settings.REDIS_URL = ""
    settings.EXPORTS_FOLDER, settings.REPORTS_FOLDER = folder / "alone", folder / "alone-reports"
    alone = made(study, Job.refresh_from_db)
    assert apart == alone
    assert pl.read_parquet(path_of(Job.objects.filter(parameters__format="parquet").first())).height == (
        Judgment.objects.count()
    )


def a_researcher_asks(study: Study, addresses: list[str]) -> None:
    """Logged in at one, known to the other, a form of one taken by the other."""
    get_user_model().objects.create_user("ada", password=PASSWORD, is_staff=True, is_superuser=True)
    researcher = Visitor(turn_about(addresses))
    researcher.open("/console/")
    researcher.send(username="ada", password=PASSWORD)
    assert researcher.page.path == "/console/"
    for _ in addresses:
        assert researcher.open(f"/console/studies/{study.slug}/").status == 200


def a_long_job_keeps_no_lapse_waiting(clock: Worker, files: Worker) -> None:
    """The export is in the middle, and stays there, while a unit is freed."""
    make_worker(make_study(slug="lapsed"), upto="judging")
    study = with_events(3_000)
    long, second = (
        Job(
            kind=JobKind.EXPORT.value,
            study=study,
            parameters={"what": "events", "format": form},
            created_at=now(),
            heartbeat_at=now(),
        )
        for form in ("csv", "jsonl")
    )
    long.save()
    pipe = path_of(long)
    pipe.parent.mkdir(exist_ok=True)
    os.mkfifo(pipe)  # whoever writes to a pipe waits for its reader
    jobs.send(long)
    files.wait_for(lambda: Job.objects.get(pk=long.pk).state == JobState.RUNNING)
    second.save()
    jobs.send(second)
    lapse = jobs.request(kind=JobKind.EXPIRE, now=now())
    clock.wait_for(lambda: is_over(lapse))
    assert (lapse.state, lapse.result["freed"]) == ("done", 1)
    assert Assignment.objects.get(participation__study__slug="lapsed").state == "lapsed"
    assert Job.objects.get(pk=long.pk).state == JobState.RUNNING
    assert Job.objects.get(pk=second.pk).state == JobState.QUEUED, "nobody else takes from that queue"
    pipe.read_bytes()
    files.wait_for(lambda: is_over(second))


def made(study: Study, wait: Any) -> dict[str, Any]:
    """The bytes of all files, the scores and the content of all reports; stamps of time left out."""
    results: dict[str, Any] = {}
    for what, form in FILES:
        job = jobs.request(
            kind=JobKind.EXPORT, study=study, parameters={"what": what, "format": form}, now=now()
        )
        wait(job)
        assert (job.state, job.error) == ("done", "")
        beside = json.loads(manifest_path_of(job).read_text())
        del beside["made_at"]
        results[f"{what}.{form}"] = (path_of(job).read_bytes(), beside)
    job = jobs.request(
        kind=JobKind.SCORE, study=study, parameters={"gains": "magnitudes", "measures": MEASURES}, now=now()
    )
    wait(job)
    assert (job.state, job.error) == ("done", "")
    results["scores"] = job.result
    Report.objects.all().delete()
    for kind, parameters in REPORTS:
        job = request_report(study=study, kind=kind, parameters=parameters, now=now())
        wait(job)
        assert (job.state, job.error) == ("done", "")
    result = Report.objects.values_list("kind", "key", "content")
    results["reports"] = {(kind, key): json.dumps(content) for kind, key, content in result}
    assert len(results["reports"]) == 2 * study.topics.count() + 2
    return results
