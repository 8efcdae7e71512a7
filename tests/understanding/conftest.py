"""Fixtures: the judged sample with its exports, and a small study whose jobs run at once."""

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import polars as pl
import pytest
from django.contrib.auth import get_user_model
from django.test import Client
from pytest_django import Settings

from evaluation.files import read_gains, read_judgments, read_runs
from evaluation.frames import FloatArray, Gains, Judgments
from evaluation.magnitudes import gains, normalise
from evaluation.runs import Run
from judging.models import Study
from tests.archive.exports.conftest import add_grades, add_run, judge
from tests.crowd.conftest import SAMPLE
from tests.crowd.conftest import sample as sample
from tests.factories import make_study
from tests.support.exports import export_lines
from tests.support.people import PASSWORD

VALUES = {"N": 0.0, "M": 1.0, "R": 2.0, "H": 3.0}


@dataclass(frozen=True)
class Exported:
    """The sample as files of a researcher: exported judgments and gains, the grades and the runs."""

    study: Study
    folder: Path

    @cached_property
    def judgments(self) -> Judgments:
        return read_judgments(self.folder / "judgments.csv", gold=True)

    @cached_property
    def normalised(self) -> FloatArray:
        return normalise(self.judgments)

    @cached_property
    def medians(self) -> Gains:
        return gains(self.judgments, self.normalised)

    @cached_property
    def gains(self) -> Gains:
        return read_gains(self.folder / "gains.txt")

    @cached_property
    def rows(self) -> pl.DataFrame:
        return pl.read_csv(self.folder / "judgments.csv", infer_schema=False)

    @cached_property
    def grades(self) -> Gains:
        """Return the grades in the export, which also has documents that the file of grades does not list."""
        table = self.rows.select("topic_id", "document_id", "grade").unique().sort(pl.all())
        values = [VALUES.get(value, value) for value in table["grade"]]
        return Gains.from_columns(
            table["topic_id"], table["document_id"], pl.Series(list(map(float, values)), dtype=pl.Float64)
        )

    @cached_property
    def known(self) -> dict[str, Gains]:
        return {"grade": read_gains(SAMPLE / "qrels.txt")}

    @cached_property
    def runs(self) -> list[Run]:
        runs = read_runs(sorted(map(str, (SAMPLE / "runs").glob("*.run"))))
        return sorted(runs, key=lambda run: run.tag)


@pytest.fixture(autouse=True)
def reports_folder(tmp_path: Path, settings: Settings) -> Path:
    """Return the folder of the figures in this test."""
    settings.REPORTS_FOLDER = tmp_path / "reports"
    settings.EXPORTS_FOLDER = tmp_path / "exports"
    return tmp_path / "reports"


@pytest.fixture(scope="module")
def exported(sample: Study, tmp_path_factory: pytest.TempPathFactory) -> Exported:
    folder = tmp_path_factory.mktemp("exported")
    for what, form, name in (("judgments", "csv", "judgments.csv"), ("gains", "qrels", "gains.txt")):
        (folder / name).write_text("".join(export_lines(sample, what, form)), newline="")
    return Exported(sample, folder)


@pytest.fixture
def console() -> Client:
    """Return a browser logged in as a researcher; request this fixture after the database."""
    client = Client()
    client.force_login(get_user_model().objects.create_user("ada", password=PASSWORD, is_staff=True))
    return client


def judged(*, workers: int = 2, grades: bool = True, runs: bool = True, **settings: object) -> Study:
    """Return a small study with data for all reports; each unit of a topic has one worker."""
    study = make_study(judgments_per_document=workers + 1, **settings)
    judge(study, workers=workers)
    if grades:
        add_grades(study, "trec", place=0)
    if runs:
        add_run(study, "good")
        add_run(study, "bad", reverse=True)
    return study
