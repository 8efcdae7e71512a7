"""The report `systems` has the tables of the papers, for the judgments and for every set of known grades."""

import re
from functools import partial
from html import unescape

import numpy as np
import polars as pl
import pytest
from django.test import Client

from evaluation import analyses
from evaluation.analyses import battery
from evaluation.report import Parameters
from judging.models import Report, ReportKind, Study
from judging.protocol.states import Grade
from judging.understanding.reports import whole
from judging.understanding.reports.catalogue import MEASURES, PARTS, PARTS_OF
from judging.understanding.reports.catalogue import SECTIONS_OF_SYSTEMS as SECTIONS
from judging.understanding.reports.stored_table import StoredTable, rows_of
from judging.understanding.reports.study_data import read_study
from tests.archive.exports.conftest import add_grades
from tests.understanding.conftest import Exported, judged
from tests.understanding.reading import base, make, text_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def few_trials(monkeypatch: pytest.MonkeyPatch) -> None:
    few = partial(Parameters, trials=20, draws=20, resamples=20, systems=10)
    monkeypatch.setattr(whole, "Parameters", few)


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
    tables = tables_of(study)
    gains = ("magnitudes", "trec", "binary")
    expected = {
        *(f"{key}-battery-{place}" for key in RELIABILITY for place in range(len(gains))),
        *(f"{key}-{place}" for key in ("preferences", "preference-taus") for place in range(len(gains))),
        *(f"scheme-means-1-{number}" for number in (1, 2)),
        *(f"scheme-correlations-1{cutoff}" for cutoff in ("", "-10", "-100")),
        *("top-sets", "transformations", "ranges", "tau-summary", "rises", *RELIABILITY),
    }
    assert expected - tables.keys() == set()
    assert {row[0] for row in rows_of(tables["top-sets"])} == {*gains}
    # Units of eight documents: no list of ten documents is graded throughout.
    missing = Report.objects.get(kind="systems").content["missing"]
    assert {title["text"] for title, _ in missing} == {PARTS["simulated"].title.text}


RELIABILITY = ("reliability", "confidence", "stability", "swaps")


def test_one_run_cannot_be_compared(few_trials: None) -> None:
    study = judged()
    study.runs.exclude(tag="good").delete()
    assert make(study, ReportKind.SYSTEMS).state == "done"
    content = Report.objects.get(kind="systems").content
    assert {table["part"] for table in content["tables"]} == {"gain-curves"}
    assert len(content["missing"]) == len(PARTS_OF[ReportKind.SYSTEMS]) - 1


def test_without_grades_there_are_the_parts_of_the_judgments(few_trials: None) -> None:
    study = judged(grades=False)
    for topic in study.topics.all():
        topic.pool.update(grade="")
    assert make(study, ReportKind.SYSTEMS).state == "done"
    of_grades = {"simulated", "transformations", "ranges", "scheme-means", "scheme-correlations"}
    parts = {table["part"] for table in tables_of(study).values()}
    assert parts == {*PARTS_OF[ReportKind.SYSTEMS]} - of_grades


def test_the_page_shows_one_section_at_a_time(study: Study, console: Client) -> None:
    address = f"{base(study)}systems/"
    assert 'data-report="none"' in text_of(console, address)
    make(study, ReportKind.SYSTEMS)
    tables = tables_of(study)
    for name in ("", *SECTIONS, "nonsense"):
        page = unescape(text_of(console, f"{address}?section={name}"))
        shown = name if name in SECTIONS else next(iter(SECTIONS))
        assert f'href="?section={shown}#section" aria-current="true"' in page
        parts = {part.key for part in SECTIONS[shown].parts}
        of_section = [key for key, table in tables.items() if table["part"] in parts]
        assert page.count('class="report-table"') == len(of_section) > 0
        assert set(re.findall(r'data-part="([^"]+)"', page)) == {tables[key]["part"] for key in of_section}


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
    preferences = analyses.preference_scores(medians, runs, distances=("ndpm", "adm"), scale="minmax")
    means = analyses.scheme_means(known, runs)
    of_ranges = analyses.range_table(
        exported.judgments, data.normalised, {"grade": data.grade_sets["grade"]}, runs, measures=MEASURES
    )
    expected: dict[str, pl.DataFrame] = {
        "ranges": of_ranges.rename({"units": "judged", "units_top": "judged_top"}),
        "scheme-means-1-1": analyses.scheme_table(means, "AnCG@200"),
        "scheme-correlations-1": analyses.scheme_correlations(known, runs).rename(
            {"first": "ranking", "second": "other_ranking", "value": "tau_b"}
        ),
        "reliability-battery-1": reliability.table,
        "confidence-battery-1": reliability.confidence,
        "preferences-0": analyses.preference_table(preferences),
    }
    for key, table in expected.items():
        names = [name for name, _ in tables[key]["columns"]]
        rows = pl.DataFrame(rows_of(tables[key]), schema=names, orient="row", infer_schema_length=None)
        assert rows.select(table.columns).rows() == table.rows(), key
    assert len(rows_of(tables["reliability-battery-1"])) == 24
    assert len(rows_of(tables["scheme-correlations-1-10"])) == 1 + 3 * 4
