"""The console's pages of jobs: asking, watching, taking home, and who may."""

import os
import re
from datetime import timedelta
from html import unescape
from io import StringIO
from pathlib import Path

import pytest
from django.contrib.auth import get_user_model
from django.core.management import call_command
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from pytest_django import Settings

from judging.archive.catalogue import OFFERED
from judging.archive.export_files import forget_old_files, path_of
from judging.core.clock import now
from judging.core.services import jobs
from judging.limits import KEPT_EXPORTS
from judging.models import Job, JobKind, Study
from tests.archive.exports.conftest import add_grades, add_run, judge
from tests.factories import NOW, make_study, make_worker
from tests.support.exports import export_lines
from tests.support.html import compact
from tests.support.problems import problems_in

ADDRESS = "/console/studies/study/jobs/"
SCORE = {"kind": "score", "gains": "magnitudes", "measures": "nDCG@10"}
EXPORT = {"kind": "export", "what": "judgments.csv"}
pytestmark = pytest.mark.django_db(transaction=True)


def follow(console: Client, fields: dict[str, str]) -> tuple[str, str]:
    """The address and the text of the page that a form leads to."""
    answer = console.post(ADDRESS, fields, follow=True)
    return answer.redirect_chain[-1][0], compact(answer.content.decode())


def judged() -> Study:
    study = make_study(judgments_per_document=2)
    judge(study, workers=2)
    return study


def test_the_page_of_the_study_leads_to_its_jobs(console: Client) -> None:
    make_study(opened=False)
    assert f'href="{ADDRESS}"' in console.get("/console/studies/study/").content.decode()


def test_a_file_is_made_and_handed_out_as_the_download_would_be(console: Client) -> None:
    study = judged()
    address, text = follow(console, EXPORT)
    assert 'data-job="over"' in text
    assert Job.objects.get().result["rows"] == 32
    assert "job.js" not in text
    answer = console.get(f"{address}file")
    assert answer["Content-Disposition"] == 'attachment; filename="study-judgments.csv"'
    assert answer["Content-Type"] == "text/csv; charset=utf-8"
    assert "no-store" in answer["Cache-Control"]
    assert b"".join(answer.streaming_content).decode() == "".join(export_lines(study, "judgments", "csv"))
    mode = path_of(Job.objects.get()).parent.stat().st_mode
    assert mode & 0o077 == 0, "others on the machine have no business in there"


def test_where_there_are_job_processes_every_file_is_made_by_them(
    console: Client, settings: Settings
) -> None:
    judged()
    assert 'name="what"' not in console.get(ADDRESS).content.decode(), "without them, pages stream the files"
    settings.REDIS_URL = "redis://127.0.0.1:1/0"
    page = console.get(ADDRESS).content.decode()
    settings.REDIS_URL = ""
    assert "/console/studies/study/export/" not in page
    offered = re.findall(r'name="what"\s+value="([^"]+)"', page)
    personal = {"payments"}
    assert offered == [
        f"{name}.{form}"
        for name, export in OFFERED.items()
        if name not in personal
        for form in export.formats
    ]
    for what in offered:
        address, text = follow(console, EXPORT | {"what": what})
        assert f'href="{address}file"' in text, what


def test_scores_are_kept_and_shown(console: Client) -> None:
    study = judged()
    add_grades(study, "trec", place=0)
    add_run(study, "right")
    address, text = follow(console, SCORE | {"gains": "trec", "measures": "nDCG@10\r\n\r\n P@2 \r\nP@2"})
    result = Job.objects.get().result
    assert result["measures"] == ["nDCG@10", "P@2"]
    assert [run for run, _ in result["rows"]] == ["right"]
    assert f"<td>{result['rows'][0][1][0]:.4f}</td>" in text
    Job.objects.update(result=result | {"rows": [["right", [None, 0.25]]]})
    assert '<td><span class="none">' in compact(console.get(address).content.decode())


@pytest.mark.parametrize(
    "fields",
    [
        {},
        {"kind": "expire"},
        EXPORT | {"what": "secrets.csv"},
        EXPORT | {"what": "judgments.qrels"},
        EXPORT | {"what": "payments.csv"},
        SCORE | {"gains": "nobody"},
        SCORE | {"measures": " \n "},
        SCORE | {"measures": "\n".join(f"P@{n}" for n in range(1, 22))},
    ],
)
def test_what_no_form_of_ours_asks_for_is_refused(console: Client, fields: dict[str, str]) -> None:
    make_study(opened=False)
    answer = console.post(ADDRESS, fields)
    assert answer.status_code == 400
    ((field, _),) = problems_in(answer.content.decode())
    assert field == ("measures" if fields.get("kind") == "score" else "")
    if "measures" in fields:
        assert f">\n{fields['measures']}</textarea>" in answer.content.decode()
    assert not Job.objects.exists()


def test_what_cannot_be_scored_is_told_on_its_page(console: Client) -> None:
    judged()
    for measures in ("nDCG@ten", "nDCG@10"):  # of which one is no measure, and the study has no runs
        text = follow(console, SCORE | {"measures": measures})[1]
        job = Job.objects.latest("pk")
        assert 'data-job="over"' in text
        assert job.state == "failed"
        assert job.error in unescape(text)


def test_a_live_job_is_watched_with_and_without_javascript(console: Client, broker: str) -> None:
    make_study(opened=False)
    address, text = follow(console, EXPORT)
    assert "js/job.js" in text
    assert '<noscript><meta http-equiv="refresh" content="3"></noscript>' in text
    job = Job.objects.get()
    job = jobs.claim(pk=job.pk, now=now())
    jobs.Progress(job, clock=lambda: now() + timedelta(seconds=2))(7, 20)
    text = compact(console.get(address).content.decode())
    assert ' max="20" value="7">' in text.split("<progress")[1]
    assert console.get(f"{address}file").status_code == 404
    Job.objects.update(state="queued")
    assert 'data-job="live"' in compact(console.get(address).content.decode())


def test_a_file_is_forgotten_after_a_week(console: Client) -> None:
    judged()
    address, _ = follow(console, EXPORT)
    file = path_of(Job.objects.get())
    half_written = file.with_name(f".{file.name}.x7")
    half_written.touch()
    for path in (file, half_written):
        os.utime(path, (NOW.timestamp(), NOW.timestamp()))
    assert forget_old_files(now=NOW + KEPT_EXPORTS - timedelta(seconds=1)) == 0
    assert forget_old_files(now=NOW + KEPT_EXPORTS) == 2
    assert forget_old_files(now=NOW + KEPT_EXPORTS) == 0
    assert not file.exists()
    assert f'href="{address}file"' not in compact(console.get(address).content.decode())
    assert console.get(f"{address}file").status_code == 404


def test_expire_assignments_picks_up_and_clears_away(folder: Path) -> None:
    study = make_study()
    make_worker(study, upto="judging")
    long_ago = now() - KEPT_EXPORTS
    parameters = {"what": "events", "format": "csv"}
    Job.objects.create(
        kind="export", study=study, parameters=parameters, created_at=NOW, heartbeat_at=long_ago
    )
    old = jobs.request(kind=JobKind.EXPORT, study=study, parameters=parameters, now=now())
    os.utime(path_of(old), (long_ago.timestamp(), long_ago.timestamp()))
    call_command("expire_assignments", stdout=StringIO())
    assert not path_of(old).exists()
    assert [(job.kind, job.state) for job in Job.objects.order_by("pk")] == [
        ("export", "done"),
        ("export", "done"),
        ("figures", "done"),
    ]


def test_of_another_study_or_for_strangers_there_is_nothing(console: Client) -> None:
    judged()
    make_study(slug="other", opened=False)
    address, _ = follow(console, EXPORT)
    for part in ("", "file"):
        elsewhere = address.replace("/study/", "/other/") + part
        assert console.get(elsewhere).status_code == 404
        assert Client().get(address + part).status_code == 302
    stranger = Client()
    stranger.force_login(get_user_model().objects.create_user("eve"))
    assert stranger.get(f"{address}file").status_code == 403
    assert stranger.post(ADDRESS, EXPORT).status_code == 403
    assert Job.objects.count() == 1


def test_who_may_not_take_data_home_any_more_gets_no_file(
    console: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    judged()
    address, _ = follow(console, EXPORT)
    monkeypatch.setattr("judging.core.access.may_export", lambda user, study, what: False)
    assert console.get(f"{address}file").status_code == 403
    assert 'name="what"' not in console.get(ADDRESS).content.decode()


def test_a_form_from_elsewhere_is_refused(console: Client) -> None:
    make_study(opened=False)
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(get_user_model().objects.get())
    assert strict.post(ADDRESS, EXPORT).status_code == 403
    assert not Job.objects.exists()


def test_the_list_asks_the_database_as_often_however_long(console: Client) -> None:
    study = make_study(opened=False)
    ada = get_user_model().objects.get()
    asked = []
    for count in (1, 60):
        Job.objects.bulk_create(
            Job(
                kind="export",
                study=study,
                requested_by=ada,
                parameters={"what": "events", "format": "csv"},
                created_at=NOW,
                heartbeat_at=NOW,
            )
            for _ in range(count)
        )
        with CaptureQueriesContext(connection) as queries:
            text = console.get(ADDRESS).content.decode()
        asked.append(len(queries))
        assert len(re.findall(r'<a class="id" href="[^"]*/jobs/\d+/"', text)) == min(count, 50)
    assert asked[0] == asked[1]
