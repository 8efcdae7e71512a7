"""Reports and figures cover every set of known grades of a study, not only the first one."""

import re

import pytest
from django.test import Client

from judging.models import GradeSet, Job, Report, ReportKind, Study
from judging.protocol.states import Grade
from judging.understanding.reports import drawing
from judging.understanding.reports.catalogue import FIGURES
from judging.understanding.services.wanted import wanted_reports
from tests.archive.exports.conftest import add_grades
from tests.understanding.conftest import judged
from tests.understanding.reading import base, make, text_of

pytestmark = pytest.mark.django_db
OF_GRADES = [name for name, kind in FIGURES.items() if kind.of_grades]


@pytest.fixture
def study() -> Study:
    """Return a study with two sets of known grades: one with several levels and a binary one."""
    study = judged()
    binary = add_grades(study, "binary", place=1)
    binary.grades.exclude(level=Grade.N).update(level=Grade.H)
    return study


def test_every_set_has_its_tables(study: Study) -> None:
    assert make(study, ReportKind.GRADES).state == "done"
    content = Report.objects.get(kind="grades").content
    assert content["missing"] == []
    tables = {table["key"]: table for table in content["tables"]}
    for key in ("boxes", "boxes-by-topic", "profile", "adjacent", "grade-ratios", "agreement"):
        place = [name for name, _ in tables[key]["columns"]].index(
            "comparison" if key == "agreement" else "grades"
        )
        names = {row[place].removeprefix("magnitudes–") for row in tables[key]["rows"]}
        assert names >= {"trec", "binary"}, key
    anchors = [name for name, _ in tables["profile"]["columns"]].index("anchors")
    of_first = [row[anchors] for row in tables["profile"]["rows"] if row[0] == "trec"]
    assert of_first == sorted(of_first, reverse=True), "without the anchors first"
    assert set(of_first) == {"with", "without"}


def test_every_set_has_every_t_test_by_its_name(study: Study) -> None:
    make(study, ReportKind.GRADES)
    tables = Report.objects.get(kind="grades").content["tables"]
    (table,) = (table for table in tables if table["key"] == "adjacent")
    names = [name for name, _ in table["columns"]]
    tests = {(row[names.index("grades")], row[names.index("method")]) for row in table["rows"]}
    methods = ("Welch's t of logarithms", "Welch's t", "Student's t")
    assert tests == {(grades, method) for grades in ("trec", "binary") for method in methods}


def test_every_set_has_its_figures(study: Study, console: Client) -> None:
    wanted = [
        parameters
        for kind, parameters in wanted_reports(study)
        if kind is ReportKind.FIGURE and parameters["figure"] in OF_GRADES
    ]
    figures = [(parameters["figure"], parameters.get("grades", "")) for parameters in wanted]
    assert sorted(figures) == sorted((name, grades) for name in OF_GRADES for grades in ("", "binary"))
    page = text_of(console, f"{base(study)}figures/")
    for name in OF_GRADES:
        assert f'{base(study)}figures/{name}/?grades=binary"' in page, name


def test_the_gallery_shows_the_first_set(
    study: Study, console: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(drawing, "FORMATS", ("svg", "csv"))
    for grades in ({}, {"grades": "binary"}):
        make(study, ReportKind.FIGURE, figure=OF_GRADES[0], **grades)
    first = Report.objects.exclude(parameters__has_key="grades").get()
    page = text_of(console, f"{base(study)}figures/")
    assert re.findall(r"reports/(\d+)\.svg", page) == [str(first.pk)]


def test_exceptions_count_the_cell_of_the_binary_grades_too(study: Study) -> None:
    make(study, ReportKind.GRADES)
    (sentence,) = Report.objects.get(kind="grades").content["sentences"]["exceptions"]
    sentence = sentence["values"]["numbers"]
    adjacent, every = (int(re.search(rf"of (\d+) {word}", sentence)[1]) for word in ("adjacent", "all"))
    pairs = {True: 0, False: 0}
    for topic in study.topics.all():
        levels = len(set(topic.pool.exclude(grade="").values_list("grade", flat=True)))
        pairs[True] += levels - 1 + 1
        pairs[False] += levels * (levels - 1) // 2 + 1
    assert (adjacent, every) == (pairs[True], pairs[False])


@pytest.mark.parametrize("name", OF_GRADES)
def test_a_figure_of_another_set(
    study: Study, console: Client, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setattr(drawing, "FORMATS", ("svg", "csv"))
    address = f"{base(study)}figures/{name}/"
    for asked, kept in (("trec", {}), ("binary", {"grades": "binary"})):
        assert console.post(address, {"grades": asked}).status_code == 302
        assert Job.objects.latest("pk").parameters["parameters"] == {"figure": name, **kept}
    assert make(study, ReportKind.FIGURE, figure=name, grades="binary").state == "done"
    text = text_of(console, f"{address}?grades=binary")
    report = Report.objects.get(parameters__grades="binary")
    assert f"reports/{report.pk}.svg" in text
    assert 'name="grades" value="binary"' in text, "made anew of the same set"
    assert 'aria-current="true">binary</a>' in text
    assert f"reports/{report.pk}.svg" not in text_of(console, address)


def test_a_figure_of_a_set_that_is_gone(study: Study) -> None:
    GradeSet.objects.filter(name="binary").delete()
    job = make(study, ReportKind.FIGURE, figure=OF_GRADES[0], grades="binary")
    assert job.state == "failed"
    assert "'binary'" in job.error
