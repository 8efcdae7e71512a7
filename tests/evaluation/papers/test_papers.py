"""Laws that hold for the items of every paper."""

import re
from dataclasses import replace

import pytest

from evaluation.errors import InputError
from evaluation.frames import Judgments
from evaluation.papers import PAPERS, build_paper
from evaluation.papers.building import MAKERS
from evaluation.papers.paper import STATES
from evaluation.report import ReportData
from tests.evaluation.report_study import FEW, study_of_everything

ITEMS = [(paper.key, item.key) for paper in PAPERS.values() for item in paper.items]


@pytest.fixture(scope="module")
def study():
    return study_of_everything()


def poorer(study: ReportData) -> dict[str, ReportData]:
    """Studies that each lack something."""
    unmarked = Judgments.from_checked(study.judgments.table.drop("gold"))
    first = study.judgments.table["topic_id"].min()
    return {
        "no runs": replace(study, runs=()),
        "one run": replace(study, runs=study.runs[:1]),
        "no grades": replace(study, known={}),
        "grades alone": replace(study, known={"grades": study.known["grades"]}),
        "binary alone": replace(study, known={"binary": study.known["binary"]}),
        "no anchors": replace(study, judgments=unmarked),
        "one topic": replace(
            study, judgments=Judgments.from_checked(study.judgments.table.filter(topic_id=first))
        ),
        "judgments alone": ReportData("Judgments", unmarked, parameters=FEW),
    }


def test_every_paper_has_its_makers():
    assert MAKERS.keys() == PAPERS.keys()
    for key, paper in PAPERS.items():
        assert key == paper.key
        assert MAKERS[key].keys() == {item.key for item in paper.computed}


def test_keys_and_names_are_unique_and_fit_for_files():
    for paper in PAPERS.values():
        for values in ([item.key for item in paper.items], [item.name for item in paper.items]):
            assert len(values) == len(set(values))
        for item in paper.items:
            assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", item.key)
            assert item.state in STATES
            assert str(item.title)
            assert str(item.reading).endswith(".")
            assert all(str(misprint) for misprint in item.misprints)


@pytest.mark.parametrize("paper", PAPERS)
def test_a_study_with_everything_has_every_computed_item(study, paper):
    report = build_paper(study, paper)
    computed = {item.key for item in PAPERS[paper].computed}
    assert {finished.part.key for finished in report.finished if finished} == computed
    contents = [finished.content for finished in report.finished]
    tables = [numbers for content in contents for numbers in content.tables]
    drawn = [figure for content in contents for figure in content.figures]
    for files in ([numbers.key for numbers in tables], [figure.key for figure in drawn]):
        assert len(files) == len(set(files)), "no file replaces another"
        assert all(re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", key) for key in files)
    assert all(len(numbers.table) for numbers in tables)
    assert all(len(figure.figure.table) for figure in drawn)


@pytest.mark.parametrize(("paper", "item"), ITEMS)
def test_what_a_study_lacks_is_said(study, paper, item):
    """Without runs, grades or anchors, an item has content or a reason, and never fails."""
    for name, data in poorer(study).items():
        (finished,) = build_paper(data, paper, only=[item]).finished
        assert finished or finished.missing, name
        for figure in finished.content.figures:
            assert len(figure.figure.table), name


def test_an_absent_item_says_why(study):
    for paper in PAPERS.values():
        for item in set(paper.items) - set(paper.computed):
            (finished,) = build_paper(study, paper.key, only=[item.key]).finished
            assert not finished
            assert finished.missing == (item.reading_with_misprints,)


def test_unknown_papers_and_items_are_refused(study):
    for paper, only, code in (("X99", None, "unknown-paper"), ("T15", ["x"], "unknown-part-of-report")):
        with pytest.raises(InputError) as refused:
            build_paper(study, paper, only=only)
        assert refused.value.code == code
