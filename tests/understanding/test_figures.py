"""Figures of the catalogue: their files, the data that they need, and the deletion of old files."""

import os
from datetime import timedelta
from pathlib import Path

import pytest
from django.test import Client

from judging.core.clock import now
from judging.core.jobs.running import run
from judging.core.services import jobs
from judging.core.services.jobs import JobLostError
from judging.models import Job, JobKind, Report, ReportKind, Study
from judging.understanding.jobs.reporting import make_reports
from judging.understanding.reports.catalogue import FIGURES
from judging.understanding.selectors.reports import report_key
from judging.understanding.services.reports import ORPHANED, forget_orphans
from tests.factories import NOW, make_study
from tests.understanding.conftest import judged
from tests.understanding.reading import base, make, states_of_figures, text_of

pytestmark = pytest.mark.django_db
BEGINNINGS = {"svg": b"<?xml", "pdf": b"%PDF-", "png": b"\x89PNG"}


def draw(study: Study) -> Job:
    return make(study, ReportKind.FIGURE, figure="anchor-ratios")


def test_a_figure_is_shown_with_its_own_styles_and_offered_in_every_format(console: Client) -> None:
    study = judged()
    draw(study)
    address = f"{base(study)}reports/{Report.objects.get().pk}"
    answer = console.get(f"{address}.svg")
    assert answer["Content-Type"] == "image/svg+xml"
    policy = answer["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "script" not in policy
    assert "no-store" in answer["Cache-Control"]
    text = text_of(console, f"{base(study)}figures/anchor-ratios/")
    for form, beginning in BEGINNINGS.items():
        assert f'href="{address}.{form}?download"' in text
        answer = console.get(f"{address}.{form}?download")
        assert b"".join(answer.streaming_content).startswith(beginning)
        assert f'filename="study-anchor-ratios.{form}"' in answer["Content-Disposition"]


OF_RUNS = {
    "gain-curves",
    "gain-curves-by-grades",
    "rank-changes",
    "stability",
    "swap-rates",
    "systems",
    "tau",
}
OF_GRADES = {name for name, figure in FIGURES.items() if figure.of_grades}


@pytest.mark.parametrize(
    ("options", "missing"),
    [
        ({"runs": False}, OF_RUNS),
        ({"grades": False}, {"systems", "gain-curves-by-grades"}),
        ({"topics": 1}, {"stability", "swap-rates"}),
    ],
)
def test_what_a_study_lacks_is_told(console: Client, options: dict, missing: set[str]) -> None:
    study = judged(**options)
    states = states_of_figures(console, study)
    assert states == {name: "missing" if name in missing else "possible" for name in FIGURES}
    for name in missing:
        text = text_of(console, f"{base(study)}figures/{name}/")
        assert "data-missing" in text
        assert '<form method="post" action="/console/studies/study/understanding/' not in text


def test_without_a_judgment_there_is_no_figure(console: Client) -> None:
    assert states_of_figures(console, make_study()) == dict.fromkeys(FIGURES, "missing")


def test_a_pool_without_grades_has_no_figure_of_grades(console: Client) -> None:
    study = judged(grades=False)
    for topic in study.topics.all():
        topic.pool.update(grade="")
    states = states_of_figures(console, study)
    missing = {name for name, state in states.items() if state == "missing"}
    assert missing == OF_GRADES | {"systems"} > {"grade-ratios"}


def test_drawn_anew_the_old_files_go(reports_folder: Path) -> None:
    study = judged()
    for _ in range(2):
        draw(study)
    (report,) = Report.objects.all()
    assert [folder.name for folder in reports_folder.iterdir()] == [report.folder]
    assert {file.suffix for file in (reports_folder / report.folder).iterdir()} == {
        ".svg",
        ".pdf",
        ".png",
        ".csv",
    }
    assert (reports_folder / report.folder).stat().st_mode & 0o077 == 0


def test_files_without_a_report_are_forgotten_after_a_day(reports_folder: Path) -> None:
    study = judged()
    draw(study)
    (reports_folder / "77-1").mkdir()
    (reports_folder / "78-1").mkdir()
    kept = Report.objects.get().folder
    for name in (kept, "77-1"):
        os.utime(reports_folder / name, (NOW.timestamp(), NOW.timestamp()))
    assert forget_orphans(now=NOW + ORPHANED - timedelta(seconds=1)) == 0
    assert forget_orphans(now=NOW + ORPHANED) == 1
    assert {folder.name for folder in reports_folder.iterdir()} == {kept, "78-1"}


def test_a_missing_file_is_told(console: Client, reports_folder: Path) -> None:
    study = judged()
    draw(study)
    report = Report.objects.get()
    (reports_folder / report.folder / "anchor-ratios.svg").unlink()
    assert console.get(f"{base(study)}reports/{report.pk}.svg").status_code == 404
    assert console.get(f"{base(study)}reports/{report.pk}.exe").status_code == 404
    assert console.get(f"{base(study)}figures/nothing/").status_code == 404


def test_a_folder_that_cannot_be_written_is_told(reports_folder: Path) -> None:
    reports_folder.write_text("a file where the folder should be")
    job = draw(judged())
    assert job.state == "failed"
    assert str(reports_folder) in job.error


def test_a_job_that_was_taken_away_keeps_nothing() -> None:
    study = judged()
    job = Job.objects.create(
        kind="report",
        study=study,
        parameters={"report": "grades", "parameters": {}, "key": "k", "title": "t"},
        created_at=now(),
        heartbeat_at=now(),
    )
    with pytest.raises(JobLostError):
        make_reports(job, lambda done, total=0: None)
    assert not Report.objects.exists()


def test_two_jobs_that_made_the_same_leave_one_report(reports_folder: Path) -> None:
    study = judged()
    first, second = (
        jobs.request(
            kind=JobKind.REPORT,
            study=study,
            parameters={
                "report": "figure",
                "parameters": {"figure": "anchor-ratios"},
                "key": report_key(ReportKind.FIGURE, {"figure": "anchor-ratios"}),
                "title": "of a test",
            },
            now=now(),
        )
        for _ in range(2)
    )
    run(first.pk, make_reports)
    kept = Report.objects.get().pk
    run(second.pk, make_reports)
    report = Report.objects.get()
    assert (report.pk, report.folder) == (kept, f"{second.pk}-1")
    assert [folder.name for folder in reports_folder.iterdir()] == [report.folder]
