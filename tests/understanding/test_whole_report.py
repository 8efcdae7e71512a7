"""The report with all analyses: as a job of the console, as a download, and as a command."""

import re
from functools import partial
from io import BytesIO, StringIO
from pathlib import Path
from zipfile import ZipFile

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from pytest_django import Settings

from evaluation.report import build_report
from judging.models import AuditEntry, Report, ReportKind, Study
from judging.understanding.reports import whole
from tests.support.exports import export_lines
from tests.understanding.conftest import judged
from tests.understanding.reading import base, make, text_of

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def few_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Compute only a few parts, so that a test takes a second."""
    monkeypatch.setattr(
        whole, "build_report", partial(build_report, only=("topics", "disagreements", "exceptions"))
    )


def zip_of(console: Client, study: Study) -> ZipFile:
    answer = console.get(f"{base(study)}report.zip")
    assert answer["Content-Type"] == "application/zip"
    assert 'filename="study-report.zip"' in answer["Content-Disposition"]
    return ZipFile(BytesIO(b"".join(answer.streaming_content)))


def test_the_zip_of_a_job(console: Client, reports_folder: Path) -> None:
    study = judged()
    assert console.get(f"{base(study)}report.zip").status_code == 404
    make(study, ReportKind.WHOLE)
    assert f'href="{base(study)}report.zip"' in text_of(console, f"{base(study)}figures/")
    names = set(zip_of(console, study).namelist())
    assert {"report/index.html", "report/report.pdf", "report/tables/topics.csv"} <= names
    assert AuditEntry.objects.filter(study=study, verb="exported").count() == 1
    first = zip_of(console, study).read("report/index.html")
    make(study, ReportKind.WHOLE)
    assert zip_of(console, study).read("report/index.html") == first
    assert len(list(reports_folder.iterdir())) == Report.objects.count() == 1


def test_the_zip_quotes_no_worker_and_the_command_does(console: Client, tmp_path: Path) -> None:
    study = judged()
    make(study, ReportKind.WHOLE)
    assert "comments" not in zip_of(console, study).read("report/tables/disagreements.csv").decode()
    call_command("report", study.slug, output=str(tmp_path / "out"), stdout=StringIO(), stderr=StringIO())
    assert "comments" in (tmp_path / "out" / "tables" / "disagreements.csv").read_text()


def test_the_command_names_the_checksum_of_the_exported_judgments(tmp_path: Path) -> None:
    from hashlib import sha256

    study = judged()
    call_command("report", study.slug, output=str(tmp_path), stdout=StringIO(), stderr=StringIO())
    exported = "".join(export_lines(study, "judgments", "csv"))
    assert sha256(exported.encode()).hexdigest() in (tmp_path / "index.html").read_text()
    assert "back_0" in (tmp_path / "tables" / "topics.csv").read_text()


def test_a_study_without_judgments_has_no_report(tmp_path: Path) -> None:
    study = judged(workers=0)
    with pytest.raises(CommandError):
        call_command("report", study.slug, output=str(tmp_path / "out"), stdout=StringIO())
    assert not (tmp_path / "out").exists()


def test_a_folder_without_fonts_is_named(tmp_path: Path, settings: Settings) -> None:
    study = judged()
    settings.FONTS = tmp_path
    with pytest.raises(CommandError, match=re.escape(str(tmp_path))):
        call_command("report", study.slug, output=str(tmp_path / "out"), stdout=StringIO(), stderr=StringIO())
