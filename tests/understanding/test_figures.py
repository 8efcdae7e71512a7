"""Every figure of the catalogue: its numbers, its files, what it needs, and what becomes of old files."""

import os
from datetime import timedelta
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from django.test import Client

from evaluation import analyses, figures
from evaluation.analyses.schemes import W
from evaluation.compare import discrimination, stability
from judging.analysis.reports.catalogue import FIGURES
from judging.models import Job, JobKind, Report, ReportKind, Study
from judging.selectors.clock import now
from judging.selectors.reports import report_key
from judging.services import jobs
from judging.services.jobs import JobLostError
from judging.tasks.kept_figures import ORPHANED, forget_orphans
from judging.tasks.reporting import make_reports
from judging.tasks.running import run
from tests.factories import NOW, make_study
from tests.understanding.conftest import Exported, judged
from tests.understanding.reading import base, csv_of, make, text_of

pytestmark = pytest.mark.django_db
BEGINNINGS = {"svg": b"<?xml", "pdf": b"%PDF-", "png": b"\x89PNG"}


def library_tables(data: Exported) -> dict[str, pl.DataFrame]:
    """Name → the table of the library's figure, made of the exported files."""
    medians, grades, judgments, runs = data.medians, data.grades, data.judgments, data.runs
    measures = list(FIGURES["systems"].measures)
    scores = analyses.scores_by({"magnitudes": medians}, runs, measures)
    known = analyses.scores_by(data.known, runs, measures)
    more = analyses.scores_by({"magnitudes": medians}, runs, FIGURES["rank-changes"].measures)["magnitudes"]

    def dice() -> np.random.Generator:
        return np.random.default_rng(data.study.seed)

    def boxes(**by: bool) -> figures.Figure:
        return figures.box_plots(
            analyses.boxes(medians, grades, **by), analyses.outliers(medians, grades, **by)
        )

    curves = {"measures": ("DCG", "nDCG"), "depth": 100}
    by_grades = analyses.gain_curves(data.known["grade"], runs, schemes=(W["w3"], W["w10"]), **curves)
    draws = analyses.tau_distributions(
        judgments, data.normalised, runs, data.known, rng=dice(), measures=measures
    )
    stable = stability(scores["magnitudes"], rng=dice())
    apart = discrimination(scores["magnitudes"], rng=dice())
    ratios = analyses.ratio_histogram(analyses.unit_ratios(judgments)["ratio"])
    drawn = {
        "magnitudes-by-grade": boxes(),
        "magnitudes-by-topic": boxes(by_topic=True),
        "gain-profile": figures.gain_profiles(analyses.gain_profile(judgments, grades)),
        "anchor-ratios": figures.ratio_histogram(ratios),
        "grade-ratios": figures.grade_ratios(analyses.grade_ratios(medians, grades)),
        "gain-curves": figures.gain_curves(
            analyses.gain_curves(medians, runs, schemes=("linear",), **curves)
        ),
        "gain-curves-by-grades": figures.gain_curves(by_grades),
        "systems": figures.system_scatter(analyses.system_scatter(scores, known)),
        "tau": figures.tau_distributions(draws),
        "rank-changes": figures.rank_changes(analyses.rank_changes(more, by="nDCG@10")),
        "stability": figures.stability_curves(analyses.stability_curves(stable)),
        "swap-rates": figures.swap_rate_curves(analyses.discrimination_curves(apart)),
    }
    return {name: figure.table for name, figure in drawn.items()}


def draw(study: Study, name: str) -> Job:
    measures = {"measures": list(FIGURES[name].measures)} if FIGURES[name].measures else {}
    return make(study, ReportKind.FIGURE, figure=name, **measures)


def test_every_figure_of_the_sample(exported: Exported, console: Client) -> None:
    study, wanted = exported.study, library_tables(exported)
    assert wanted.keys() == FIGURES.keys()
    for name, table in wanted.items():
        job = draw(study, name)
        assert job.state == "done", job.error
        report = Report.objects.get(study=study, kind="figure", parameters__figure=name)
        text = text_of(console, f"{base(study)}figures/{name}/")
        address = f"{base(study)}reports/{report.pk}"
        assert f'<img src="{address}.svg" alt="{FIGURES[name].title}. ' in text
        assert "<summary>Its numbers</summary>" in text
        for form, beginning in BEGINNINGS.items():
            assert f'href="{address}.{form}?download"' in text
            answer = console.get(f"{address}.{form}?download")
            assert b"".join(answer.streaming_content).startswith(beginning)
            assert f'filename="{study.slug}-{name}.{form}"' in answer["Content-Disposition"]
        assert b"".join(console.get(f"{address}.csv").streaming_content).decode() == table.write_csv()
        rows = csv_of(console, f"{address}/table.csv?table=numbers")
        assert rows[0] == table.columns, name
        places = [place for place, column in enumerate(table.columns) if column not in ("grade", "anchors")]
        told = [[row[place] for place in places] for row in rows[1:]]
        numbers = [
            ["" if row[place] is None else str(row[place]) for place in places] for row in table.iter_rows()
        ]
        assert told == numbers, name
    listed = text_of(console, f"{base(study)}figures/")
    assert "Not for this study" not in listed
    assert listed.count("Made at") == len(FIGURES)


def test_a_figure_is_shown_with_its_own_styles_and_nothing_else(console: Client) -> None:
    study = judged()
    draw(study, "anchor-ratios")
    answer = console.get(f"{base(study)}reports/{Report.objects.get().pk}.svg")
    assert answer["Content-Type"] == "image/svg+xml"
    policy = answer["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "script" not in policy
    assert "no-store" in answer["Cache-Control"]


@pytest.mark.parametrize(
    ("options", "name", "said"),
    [
        ({"runs": False}, "systems", "It needs two runs or more: the study names none."),
        ({"runs": False}, "gain-curves", "It needs runs: the study names none."),
        ({"grades": False}, "systems", "It needs a set of known grades: the study file names none."),
        ({"topics": 1}, "stability", "It needs two judged topics or more: there are 1."),
    ],
)
def test_what_a_study_lacks_is_told(console: Client, options: dict, name: str, said: str) -> None:
    study = judged(**options)
    for address in (f"{base(study)}figures/", f"{base(study)}figures/{name}/"):
        assert said in text_of(console, address)
    assert "Make this report" not in text_of(console, f"{base(study)}figures/{name}/")


def test_without_a_judgment_every_figure_says_so(console: Client) -> None:
    study = make_study()
    assert text_of(console, f"{base(study)}figures/").count("It needs judgments: none count yet.") == len(
        FIGURES
    )


def test_a_pool_without_grades_has_no_figure_of_grades(console: Client) -> None:
    study = judged(grades=False)
    for topic in study.topics.all():
        topic.pool.update(grade="")
    assert "It needs known grades of documents in the pools" in text_of(
        console, f"{base(study)}figures/grade-ratios/"
    )


def test_drawn_anew_the_old_files_go(reports_folder: Path) -> None:
    study = judged()
    for _ in range(2):
        draw(study, "anchor-ratios")
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
    draw(study, "anchor-ratios")
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
    draw(study, "anchor-ratios")
    report = Report.objects.get()
    (reports_folder / report.folder / "anchor-ratios.svg").unlink()
    assert console.get(f"{base(study)}reports/{report.pk}.svg").status_code == 404
    assert console.get(f"{base(study)}reports/{report.pk}.exe").status_code == 404
    assert console.get(f"{base(study)}figures/nothing/").status_code == 404


def test_a_folder_that_cannot_be_written_is_told(reports_folder: Path) -> None:
    reports_folder.write_text("a file where the folder should be")
    job = draw(judged(), "anchor-ratios")
    assert job.state == "failed"
    assert "cannot be written" in job.error


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
