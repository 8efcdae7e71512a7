"""A run that is added while a sampled study is judged: its new documents get chances of their own."""

from math import fsum
from pathlib import Path

import pytest

from judging.core.services.studies import open_study
from judging.models import PoolDocument, SampleDraw, Setup, Study, Unit, UnitDocument
from judging.setup.study_files.study_folder import write_study_folder
from tests.factories import NOW, judge_unit, later, make_worker
from tests.setup.driving import Driver, at
from tests.setup.intake.folder import TOPICS, StudyFolder, document_line
from tests.setup.sampling.folder import BUDGET, DEPTH, LATER, add_late_run, sampled_folder, table_of
from tests.support.integrity import broken_invariants

pytestmark = pytest.mark.django_db
NEW = len(LATER) * len(TOPICS)


def begin(folder: StudyFolder) -> Study:
    study = folder.imported().study
    open_study(study=study, now=NOW)
    study = Study.objects.get(pk=study.pk)
    judge_unit(make_worker(study))
    return study


def rows(study: Study, draw: int) -> list[tuple[str, str, float, bool, int]]:
    pool = PoolDocument.objects.filter(topic__study=study, draw__number=draw)
    values = pool.values_list("topic__number", "document__document_id", "inclusion", "sampled", "pk")
    return sorted(values)


@pytest.fixture
def folder(tmp_path: Path) -> StudyFolder:
    return sampled_folder(tmp_path / "small")


@pytest.mark.parametrize(("more", "budget"), [("", round(NEW * BUDGET / 48)), (", added = 3", 3)])
def test_new_documents_are_drawn_and_the_first_draw_stays(
    folder: StudyFolder, more: str, budget: int
) -> None:
    study = begin(folder)
    first, units = rows(study, 1), set(Unit.objects.values_list("pk", flat=True))
    add_late_run(folder)
    folder.replace("study.toml", f"budget = {BUDGET}", f"budget = {BUDGET}{more}")
    planned = folder.imported(update=True, slug="small").units_planned

    assert rows(study, 1) == first
    second = rows(study, 2)
    assert {document for _, document, *_ in second} == {
        f"{number}-{name}" for number in TOPICS for name in LATER
    }
    assert fsum(row[2] for row in second) == pytest.approx(budget)
    assert sum(row[3] for row in second) == budget
    draws = SampleDraw.objects.filter(study=study).order_by("number")
    assert [(draw.number, draw.budget) for draw in draws] == [(1, BUDGET), (2, budget)]
    assert study.runs.filter(tag="late").exists()
    assert planned == Unit.objects.count() - len(units) > 0
    judged = UnitDocument.objects.filter(pool_document__draw__number=2)
    assert judged.values("pool_document").distinct().count() == budget
    assert len(table_of(study)) == 48 + NEW
    assert broken_invariants(study) == []
    judge_unit(make_worker(Study.objects.get(), now=later(hours=2)), now=later(hours=2))
    assert broken_invariants(study) == []


def test_a_run_without_new_documents_draws_nothing(folder: StudyFolder) -> None:
    study = begin(folder)
    folder.write("again.run", folder.read("good.run").replace(" good", " again"))
    folder.append("study.toml", '\n[[run]]\npath = "again.run"\n')
    first = table_of(study)
    folder.imported(update=True)
    assert SampleDraw.objects.count() == 1
    assert study.runs.count() == 3
    assert table_of(study).equals(first)


def test_a_new_topic_is_drawn_too(folder: StudyFolder) -> None:
    study = begin(folder)
    folder.add_topic("3")
    folder.replace("study.toml", f"budget = {BUDGET}", f"budget = {BUDGET}, added = 8")
    folder.imported(update=True)
    assert {topic for topic, *_ in rows(study, 2)} == {"3"}
    anchors = PoolDocument.objects.filter(topic__number="3").exclude(anchor="")
    assert set(anchors.values_list("inclusion", "sampled")) == {(1.0, True)}
    assert broken_invariants(study) == []


def test_three_draws(folder: StudyFolder) -> None:
    study = begin(folder)
    add_late_run(folder)
    folder.imported(update=True)
    before = rows(study, 1), rows(study, 2)
    folder.add_topic("3")
    folder.replace("study.toml", f"budget = {BUDGET}", f"budget = {BUDGET}, added = 8")
    folder.imported(update=True)
    assert (rows(study, 1), rows(study, 2)) == before
    assert len(rows(study, 3)) == 8
    assert broken_invariants(study) == []


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (f"budget = {BUDGET}", "budget = 30"),
        (f"budget = {BUDGET}", f'budget = {BUDGET}, design = "poisson"'),
        (f"budget = {BUDGET}", f"budget = {BUDGET}, seed = 5"),
        (f"depth = {DEPTH}", f"depth = {DEPTH - 4}"),
        (f"depth = {DEPTH}", f"depth = {DEPTH + 4}"),
        ('ranked_by = "DCG@10"', 'ranked_by = "DCG@5"'),
    ],
)
def test_the_first_draw_cannot_change_once_a_topic_was_shown(folder: StudyFolder, old: str, new: str) -> None:
    study = begin(folder)
    before = rows(study, 1)
    add_late_run(folder)
    folder.replace("study.toml", old, new)
    assert folder.faults(update=True)
    assert rows(study, 1) == before
    assert SampleDraw.objects.count() == 1
    assert not study.runs.filter(tag="late").exists()


@pytest.mark.django_db(transaction=True)
def test_a_run_is_added_in_the_console(driver: Driver, folder: StudyFolder) -> None:
    study = begin(folder)
    first = rows(study, 1)
    setup = driver.change(study)
    add_late_run(folder)
    driver.post(at(setup, "terms/"), **{"pool.sample.added": "5"})
    documents = [f"{number}-{name}" for number in TOPICS for name in LATER]
    folder.write("later.jsonl", "".join(map(document_line, documents)))
    driver.upload(setup, "documents", folder.path / "later.jsonl")
    driver.upload(setup, "run", folder.path / "late.run")
    driver.get(at(setup))
    assert driver.check == "sound", driver.faults
    driver.post(at(setup), action="make")
    assert rows(study, 1) == first
    assert sum(row[3] for row in rows(study, 2)) == 5
    assert not Setup.objects.filter(study__changes_to=study).exists()
    assert broken_invariants(study) == []


def test_a_later_topic_with_too_few_sampled_documents_is_refused(folder: StudyFolder) -> None:
    study = begin(folder)
    folder.add_topic("3")
    (line,) = folder.faults(update=True)
    assert "added" in line
    assert SampleDraw.objects.filter(study=study).count() == 1
    assert not study.topics.filter(number="3").exists()


def test_changes_begin_with_the_depth_of_the_draw(tmp_path: Path) -> None:
    """The runs are shorter than the pool is deep, so any depth from theirs on gives the same pools."""
    folder = sampled_folder(tmp_path / "deep")
    folder.replace("study.toml", f"depth = {DEPTH}", "depth = 50")
    study = begin(folder)
    place = tmp_path / "written"
    place.mkdir()
    assert "depth = 50" in write_study_folder(study, place).read_text()
