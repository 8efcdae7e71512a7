"""Reports and figures cover every set of known grades of a study, not only the first one."""

import re

import pytest
from django.test import Client

from judging.models import GradeSet, Job, Report, ReportKind, Study
from judging.protocol.states import Grade
from judging.understanding.reports import drawing
from judging.understanding.reports.catalogue import FIGURES
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
        place = [name for name, _ in tables[key]["columns"]].index("grades")
        assert {row[place] for row in tables[key]["rows"]} == {"trec", "binary"}, key
    anchors = [name for name, _ in tables["profile"]["columns"]].index("anchors")
    of_first = [row[anchors] for row in tables["profile"]["rows"] if row[0] == "trec"]
    assert of_first == sorted(of_first, reverse=True), "without the anchors first"
    assert set(of_first) == {"with", "without"}


def test_exceptions_count_the_cell_of_the_binary_grades_too(study: Study) -> None:
    make(study, ReportKind.GRADES)
    (sentence,) = Report.objects.get(kind="grades").content["sentences"]
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
