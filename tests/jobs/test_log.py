"""A worker's log: what a request asked for stands under the request's id, and under the number of the job."""

from pathlib import Path

import pytest
from django.test import Client

from judging.models import Job
from tests.factories import make_study
from tests.jobs.workers import is_over, working


@pytest.mark.parametrize("database", ["sqlite"], indirect=True)
def test_a_job_is_logged_under_the_request_that_asked_for_it(
    database: str, folder: Path, broker: str, console: Client
) -> None:
    make_study()
    asked = {"kind": "export", "what": "judgments.csv"}
    answer = console.post(
        "/console/studies/study/jobs/", asked, headers={"x-request-id": "asked-in-the-console"}
    )
    assert answer["X-Request-ID"] == "asked-in-the-console"
    job = Job.objects.get()
    with working(folder, broker) as worker:
        worker.wait_for(lambda: is_over(job))
    (line,) = [one for one in worker.log.read_text().splitlines() if " plumbline.job: job " in one]
    for said in ("kind=export", "outcome=done", f"job={job.pk}", "request_id=asked-in-the-console"):
        assert said in line
