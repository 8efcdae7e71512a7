"""A sample is drawn as the pools are made, the same by a study file and in the console."""

from math import fsum
from pathlib import Path
from typing import get_args

import numpy as np
import polars as pl
import pytest

from evaluation.conventions import Design
from evaluation.files import read_runs
from evaluation.sampling import draw, influence, pool_of
from judging.core.selectors.readiness import readiness
from judging.core.selectors.sampling import inclusion_of
from judging.core.services.studies import open_study
from judging.models import PoolDocument, SampleDraw, Setup, Study, UnitDocument
from judging.protocol.settings import sampling
from judging.setup.estimating import estimates_of
from judging.setup.pages.common import SetupPage
from judging.setup.study_files.importing import import_study
from judging.setup.study_files.study_folder import write_study_folder
from tests.factories import NOW
from tests.setup.driving import Driver, at, zipped
from tests.setup.intake.folder import TOPICS, StudyFolder
from tests.setup.sampling.folder import ALL, BUDGET, DEPTH, sampled_folder, table_of
from tests.support.integrity import broken_invariants

pytestmark = pytest.mark.django_db


@pytest.fixture
def sampled(tmp_path: Path) -> StudyFolder:
    return sampled_folder(tmp_path / "sampled")


def test_the_designs_are_those_of_the_library() -> None:
    assert get_args(Design) == sampling.DESIGNS


def test_anchors_are_certain_and_the_chances_add_up_to_the_budget(sampled: StudyFolder) -> None:
    study = sampled.imported().study
    table = table_of(study)
    assert len(table) == len(ALL) * len(TOPICS)
    assert fsum(table["inclusion"]) == pytest.approx(BUDGET)
    assert table["sampled"].sum() == BUDGET
    anchors = PoolDocument.objects.filter(topic__study=study).exclude(anchor="")
    assert set(anchors.values_list("inclusion", "sampled")) == {(1.0, True)}
    assert table["inclusion"].n_unique() > 3, "chances follow the ranks"
    (made,) = SampleDraw.objects.filter(study=study)
    assert (made.number, made.at, made.budget, made.seed) == (1, NOW, BUDGET, 7)
    assert (made.design, made.measure, made.depth) == ("systematic", "DCG@10", DEPTH)
    assert broken_invariants(study) == []


@pytest.mark.parametrize("design", get_args(Design))
def test_the_sample_is_the_one_that_the_library_draws(tmp_path: Path, design: str) -> None:
    folder = sampled_folder(tmp_path / "small", more=f', design = "{design}", seed = 11')
    study = folder.imported().study
    pool = pool_of(read_runs([folder.path / "good.run", folder.path / "poor.run"]), DEPTH)
    anchors = PoolDocument.objects.filter(topic__study=study).exclude(anchor="")
    again = draw(
        pool,
        influence(pool, "DCG@10"),
        BUDGET,
        rng=np.random.default_rng(11),
        design="poisson" if design == "poisson" else "systematic",
        always=pl.DataFrame(
            list(anchors.values_list("topic__number", "document__document_id")),
            schema=["topic_id", "document_id"],
            orient="row",
        ),
    )
    assert table_of(study).equals(again.table)


def test_another_seed_draws_other_documents(sampled: StudyFolder, tmp_path: Path) -> None:
    first = table_of(sampled.imported().study)
    other = table_of(sampled_folder(tmp_path / "other", more=", seed = 8").imported(slug="other").study)
    assert first["inclusion"].equals(other["inclusion"])
    assert not first["sampled"].equals(other["sampled"])


def test_anchors_that_no_run_retrieves_are_in_the_sample(sampled: StudyFolder) -> None:
    sampled.append("study.toml", '\n[[anchor]]\ntopic = "007"\nN = "unpooled"\nH = "007-H"\n')
    table = table_of(sampled.imported().study)
    (row,) = table.filter(document_id="unpooled").rows()
    assert row == ("007", "unpooled", 1.0, True)
    assert fsum(table["inclusion"]) == pytest.approx(BUDGET)


def test_a_budget_above_the_pool_judges_everything(tmp_path: Path) -> None:
    study = sampled_folder(tmp_path / "small", budget=1000).imported().study
    table = table_of(study)
    assert set(table["inclusion"]) == {1.0}
    assert SampleDraw.objects.get().budget == len(table)
    assert broken_invariants(study) == []


def test_without_a_sample_every_document_is_judged(tmp_path: Path) -> None:
    study = StudyFolder(tmp_path / "plain").imported().study
    assert inclusion_of(study) is None
    assert not SampleDraw.objects.exists()
    assert not PoolDocument.objects.exclude(sampled=True, inclusion=1, draw=None).exists()


def test_units_are_planned_over_the_sample_alone(sampled: StudyFolder) -> None:
    study = sampled.imported().study
    others = table_of(study)["sampled"].sum() - 2 * len(TOPICS)
    ready = readiness(study, now=None)
    assert ready.faults == []
    assert sum(topic.documents for topic in ready.topics) == others
    open_study(study=study, now=NOW)
    planned = UnitDocument.objects.filter(unit__topic__study=study)
    assert ready.planned.units == planned.values("unit").distinct().count()
    assert planned.values("pool_document").distinct().count() == others
    assert not planned.filter(pool_document__sampled=False).exists()
    assert broken_invariants(study) == []


def test_a_sample_too_small_for_a_unit_keeps_the_study_closed(tmp_path: Path) -> None:
    study = sampled_folder(tmp_path / "small", budget=8).imported().study
    faults = readiness(study, now=None).faults
    assert len(faults) == len(TOPICS)
    assert all("6" in fault for fault in faults)


def test_a_written_study_file_draws_the_same_sample(sampled: StudyFolder, tmp_path: Path) -> None:
    study = sampled.imported().study
    place = tmp_path / "written"
    place.mkdir()
    again = import_study(write_study_folder(study, place), slug="again", now=NOW).study
    assert table_of(again).equals(table_of(study))


def test_an_update_before_anybody_has_begun_draws_anew(sampled: StudyFolder) -> None:
    study = sampled.imported().study
    sampled.replace("study.toml", f"budget = {BUDGET}", "budget = 30")
    sampled.imported(update=True)
    assert table_of(Study.objects.get())["sampled"].sum() == 30
    assert SampleDraw.objects.get().number == 1
    sampled.replace("study.toml", "sample = { budget = 30 }", "")
    sampled.imported(update=True)
    assert inclusion_of(Study.objects.get()) is None
    assert not SampleDraw.objects.exists()
    assert broken_invariants(study) == []


# --- the console -------------------------------------------------------------------------------------------


@pytest.mark.django_db(transaction=True)
def test_the_console_draws_the_sample_of_the_study_file(driver: Driver, sampled: StudyFolder) -> None:
    expected = table_of(sampled.imported(slug="by-file").study)
    sampled.replace("study.toml", f"sample = {{ budget = {BUDGET} }}", "")
    sampled.replace("study.toml", 'ranked_by = "DCG@10"', "")
    setup = driver.upload_study("small.zip", zipped(sampled.path))
    assert setup is not None
    driver.post(
        at(setup, "terms/"),
        **{"units.ranked_by": "DCG@10", "pool.sample.budget": str(BUDGET)},
    )
    assert driver.refused == []
    driver.get(at(setup))
    assert driver.check == "sound"
    study = Study.objects.get(setup=setup)
    assert (study.sample_budget, study.sample_design, study.sample_seed) == (BUDGET, "systematic", None)
    assert table_of(study).equals(expected)
    reading = SetupPage(study, Setup.objects.select_related("job").get(pk=setup.pk)).reading
    estimate, _most = estimates_of(study, reading, None)
    assert estimate.documents == BUDGET - 2 * len(TOPICS)
    pooled = (len(ALL) - 2) * len(TOPICS)
    assert f"{estimate.documents} of {pooled}" in driver.get(at(setup, "terms/"))
    driver.post(at(setup, "terms/"), **{"pool.sample.budget": ""})
    assert inclusion_of(Study.objects.get(setup=setup)) is None
    assert broken_invariants(study) == []


@pytest.mark.django_db(transaction=True)
def test_a_study_file_fills_the_form(driver: Driver, tmp_path: Path) -> None:
    folder = sampled_folder(tmp_path / "small", more=', design = "poisson", seed = 3, added = 4')
    setup = driver.upload_study("small.zip", zipped(folder.path))
    assert setup is not None
    assert driver.check == "sound"
    study = Study.objects.get(setup=setup)
    values = (study.sample_budget, study.sample_design, study.sample_seed, study.sample_added)
    assert values == (BUDGET, "poisson", 3, 4)
    driver.post(at(setup, "terms/"), **{"pay.expected_minutes": "9"})
    study.refresh_from_db()
    assert (study.sample_budget, study.sample_added, study.expected_minutes) == (BUDGET, 4, 9)


@pytest.mark.parametrize(
    ("typed", "field"),
    [
        ({"pool.sample.budget": "0"}, "pool.sample.budget"),
        ({"pool.sample.budget": "many"}, "pool.sample.budget"),
        ({"pool.sample.budget": "20", "pool.sample.seed": "-1"}, "pool.sample.seed"),
        ({"pool.sample.budget": "", "pool.sample.seed": "3"}, "pool.sample.budget"),
        ({"pool.sample.budget": "", "pool.sample.design": "poisson"}, "pool.sample.budget"),
        ({"pool.sample.budget": "20", "units.ranked_by": "nDCG@10"}, "pool.sample.budget"),
        ({"pool.sample.budget": "20", "units.allocation": "adaptive"}, "pool.sample.budget"),
    ],
)
@pytest.mark.django_db(transaction=True)
def test_bad_values_are_told_beside_their_field(
    driver: Driver, setup: Setup, typed: dict[str, str], field: str
) -> None:
    driver.post(at(setup, "terms/"), **{"units.ranked_by": "DCG@8", **typed})
    assert driver.fault_at(field)
    assert Study.objects.get(setup=setup).sample_budget is None


@pytest.mark.django_db(transaction=True)
def test_a_sample_that_cannot_be_drawn_is_a_problem_of_the_check(driver: Driver, setup: Setup) -> None:
    driver.post(at(setup, "terms/"), **{"units.ranked_by": "DCG@10", "pool.sample.budget": "10"})
    assert driver.refused == []
    driver.get(at(setup))
    assert driver.check == "faulty", "the pool has the depth 8"
    assert [(fault.step, fault.field) for fault in driver.faults if fault.step == "terms"]
