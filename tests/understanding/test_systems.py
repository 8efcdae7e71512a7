"""The report `systems` has the tables of the papers, for the judgments and for every set of known grades."""

import re
from html import unescape

import numpy as np
import polars as pl
import pytest
from django.test import Client

from evaluation import analyses
from evaluation.analyses import battery
from judging.models import Report, ReportKind, Study
from judging.protocol.states import Grade
from judging.understanding.reports import comparisons
from judging.understanding.reports.catalogue import SECTIONS
from judging.understanding.reports.study_data import read_study
from judging.understanding.reports.tables import StoredTable, rows_of
from tests.archive.exports.conftest import add_grades
from tests.understanding.conftest import Exported, judged
from tests.understanding.reading import base, make, text_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def few_trials(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(comparisons, "TRIALS", 20)


@pytest.fixture
def study(few_trials: None) -> Study:
    """Return a study with two runs and two sets of known grades: one with several levels and a binary one."""
    study = judged()
    binary = add_grades(study, "binary", place=1)
    binary.grades.exclude(level=Grade.N).update(level=Grade.H)
    return study


def tables_of(study: Study) -> dict[str, StoredTable]:
    content = Report.objects.get(study=study, kind=ReportKind.SYSTEMS.value).content
    return {table["key"]: table for table in content["tables"]}


def test_every_kind_of_gains_has_its_tables(study: Study) -> None:
    assert make(study, ReportKind.SYSTEMS).state == "done"
    keys = tables_of(study).keys()
    gains = ("magnitudes", "trec", "binary")
    expected = {
        *(f"top-sets/{name}" for name in gains),
        *(f"reliability/{part}/{name}" for part in RELIABILITY for name in gains),
        *(f"preferences/{part}/{name}" for part in ("means", "taus") for name in gains),
        *(f"grades/transformed/{name}" for name in gains[1:]),
        *(f"schemes/{part}/{name}" for part in SCHEMES for name in gains[1:]),
        "grades/agreement",
        "grades/ranges",
    }
    left_out = Report.objects.get(kind="systems").content["missing"]
    # Units of eight documents: no list of ten documents is graded throughout.
    assert keys | {f"grades/simulated/{name}" for name in gains[1:]} >= expected
    assert expected - keys == set()
    assert {name for name, parts in left_out.items() if parts} <= {"grades"}


RELIABILITY = ("measures", "rises", "confidence", "stability", "swaps")
SCHEMES = ("AnCG@200", 'AnDCG(discount="jk", base=2)@200', "10", "100", "all")


def test_one_run_cannot_be_compared(few_trials: None) -> None:
    study = judged()
    study.runs.exclude(tag="good").delete()
    job = make(study, ReportKind.SYSTEMS)
    assert job.state == "failed"
    assert "1" in job.error


def test_without_grades_there_are_the_parts_of_the_judgments(few_trials: None) -> None:
    study = judged(grades=False)
    assert make(study, ReportKind.SYSTEMS).state == "done"
    assert {key.partition("/")[0] for key in tables_of(study)} == {"top-sets", "reliability", "preferences"}
    missing = Report.objects.get(kind="systems").content["missing"]
    assert [name for name in SECTIONS if missing[name]] == ["grades", "schemes"]


def test_the_page_shows_one_section_at_a_time(study: Study, console: Client) -> None:
    address = f"{base(study)}systems/"
    assert 'data-report="none"' in text_of(console, address)
    make(study, ReportKind.SYSTEMS)
    tables = tables_of(study)
    for name in ("", *SECTIONS, "nonsense"):
        page = unescape(text_of(console, f"{address}?section={name}"))
        shown = name if name in SECTIONS else next(iter(SECTIONS))
        assert f'href="?section={shown}#section" aria-current="true"' in page
        of_section = [key for key in tables if key.startswith(f"{shown}/")]
        assert page.count('class="report-table"') == len(of_section) > 0
        assert f'<h2 id="section">{SECTIONS[shown].title}</h2>' in page


def test_measures_and_rankings_keep_their_names(study: Study, console: Client) -> None:
    make(study, ReportKind.SYSTEMS)
    for section, names in {"schemes": ("nDCG w10 @10", "P@100"), "preferences": ("MSR", "AGR")}.items():
        headings = headings_in(unescape(text_of(console, f"{base(study)}systems/?section={section}")))
        assert headings >= {*names}, section


def headings_in(page: str) -> set[str]:
    cells = re.findall(r"<th\b[^>]*>(.*?)</th>", page, re.S)
    return {re.sub(r"<[^>]*>", "", cell).strip() for cell in cells}


@pytest.mark.slow
def test_the_numbers_are_those_of_the_library(exported: Exported) -> None:
    study = exported.study
    assert make(study, ReportKind.SYSTEMS).state == "done"
    tables, data = tables_of(study), read_study(study)
    medians, runs, known = exported.medians, exported.runs, exported.known["grade"]

    def dice() -> np.random.Generator:
        return np.random.default_rng(study.seed)

    by_grades = analyses.scores_by({"grade": known}, runs, battery())["grade"]
    reliability = analyses.measure_reliability(by_grades, rng=dice())
    pairs = analyses.scheme_correlations(known, runs)
    preferences = analyses.preference_scores(medians, runs, distances=("ndpm", "adm"), scale="minmax")
    means = analyses.scheme_means(known, runs)
    expected: dict[str, pl.DataFrame] = {
        "top-sets/grade": analyses.top_sets(analyses.scores_by({"grade": known}, runs)).drop("gains"),
        "grades/ranges": analyses.range_table(exported.judgments, data.normalised, {"grade": known}, runs),
        "grades/transformed/grade": analyses.transformation_table(known, runs),
        "schemes/AnCG@200/grade": analyses.scheme_table(means, "AnCG@200"),
        "schemes/all/grade": pairs,
        "reliability/measures/grade": reliability.table,
        "reliability/confidence/grade": reliability.confidence,
        "preferences/means/magnitudes": analyses.preference_table(preferences),
    }
    for key, table in expected.items():
        rows = [tuple(row) for row in rows_of(tables[key])]
        assert rows == table.rows(), key
    assert len(rows_of(tables["reliability/measures/grade"])) == 24
    assert len(rows_of(tables["schemes/10/grade"])) == 1 + 3 * 4
