"""The whole chain: people judge a sample, a model judges the pools over HTTP, and the estimates use both."""

import io
from math import exp, log
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import polars as pl
import pytest
from polars.testing import assert_frame_equal

from evaluation.frames import Gains, Judgments
from evaluation.parsing.judgment_table import read_table
from evaluation.report import build_report
from evaluation.sampling import estimate
from evaluation.scores import score
from judging.core.selectors.labels import predictions_of
from judging.core.selectors.sampling import inclusion_of
from judging.core.services.studies import open_study
from judging.machine.sittings import judge_all
from judging.models import Judgment, PoolDocument, ReportKind, Study, Unit
from judging.understanding.reports.study_data import read_study
from judging.understanding.reports.whole import report_data
from judging.understanding.scoring import study_runs
from judging.understanding.selectors.results import find_result
from tests.factories import NOW, judge_unit, later, make_worker
from tests.machine.conftest import Written, begun, client_of, teach
from tests.machine.stand_in import StandIn
from tests.machine.test_predictions import worth_of_letter
from tests.setup.sampling.folder import sampled_folder
from tests.support.exports import export_lines
from tests.support.integrity import broken_invariants
from tests.understanding.reading import make

MEASURE = "DCG@10"
BIAS, EXPONENT, NOISE = 3.0, 0.5, 0.3
OF_SCALE, OF_JUDGMENT = 0.5, 0.2
"""How much the scales of people differ, and how noisy they are, as standard deviations of ln magnitude."""

pytestmark = pytest.mark.django_db


def person(rng: Random) -> Any:
    """Return a function that gives the numbers of a simulated person, on a scale of their own."""
    scale = rng.gauss(0, OF_SCALE)

    def magnitude(judgment: Judgment) -> str:
        worth = worth_of_letter(f"Text of {judgment.pool_document.document.document_id}.")
        return f"{exp(log(worth) + scale + rng.gauss(0, OF_JUDGMENT)):.6f}"

    return magnitude


@pytest.fixture
def study(tmp_path: Path) -> Study:
    """A study whose sampled documents a crowd has judged."""
    study = sampled_folder(tmp_path / "folder").imported().study
    open_study(study=study, now=NOW)
    study.refresh_from_db()
    rng = Random(11)
    for _ in range(Unit.objects.filter(topic__study=study).count()):
        judge_unit(make_worker(study), now=later(minutes=30), magnitude=person(rng))
    return study


def truth_of(study: Study) -> Gains:
    """Return the gain without noise of each document of the pools."""
    pool = PoolDocument.objects.filter(topic__study=study).values_list(
        "topic__number", "document__document_id"
    )
    return Gains([(topic, name, worth_of_letter(f"Text of {name}.")) for topic, name in pool])


def test_a_model_with_a_known_bias_predicts_and_people_correct_it(
    study: Study, stand_in: StandIn, written: Written
) -> None:
    stand_in.worth, stand_in.bias, stand_in.exponent, stand_in.noise = worth_of_letter, BIAS, EXPONENT, NOISE
    teach(stand_in, study)
    judge, file = begun(study, written())
    judge_all(judge, file, client_of(stand_in), rng=Random(5))
    assert broken_invariants(study) == []

    (model,) = predictions_of(study).values()
    known = truth_of(study).table.join(
        model.table, on=["topic_id", "document_id"], suffix="_of_model", maintain_order="left"
    )
    assert known.height == model.table.height
    logs = np.log(known.select("gain", "gain_of_model").to_numpy())
    assert np.polyfit(*logs.T, 1)[0] == pytest.approx(EXPONENT, abs=0.1), "the numbers came over HTTP"

    make(study, ReportKind.SCORES, measures=[MEASURE])
    found = find_result(study)
    assert found is not None
    page = pl.DataFrame(found.result["summary"]["sample"]["means"])
    judgments = Judgments(
        read_table(io.StringIO("".join(export_lines(study, "judgments", "csv")))),
        gold=True,
        scale=study.scale,
    )
    inclusion = inclusion_of(study)
    assert inclusion is not None
    library = estimate(
        judgments, study_runs(study), MEASURE, inclusion, predictions=[model], seed=study.seed
    )[MEASURE]
    for target in ("these_topics", "new_topics"):
        own = page.filter(target=target).drop("valid", "target")
        assert_frame_equal(own, library.means(target).select(own.columns))
    true = {row.run: row.value for row in score(truth_of(study), study_runs(study), MEASURE).means()}
    for evidence in ("predictions", "people"):
        rows = page.filter(target="these_topics", evidence=evidence)
        assert rows.height == len(true)
        for row in rows.to_dicts():
            assert row["low"] <= true[row["run"]] <= row["high"]
    for row in score(model, study_runs(study), MEASURE).means():
        assert row.value is not None
        own = page.filter(target="these_topics", evidence="predictions", run=row.run).row(0, named=True)
        assert not own["low"] <= row.value <= own["high"], "its own numbers are no gains"
    report = build_report(report_data(read_study(study)), only=["means"])
    tables = [table for part in report.finished for table in part.content.tables]
    (reported,) = (table.table for table in tables if table.key.startswith("estimates-"))
    assert_frame_equal(reported.select("mean", "low", "high"), page.select("mean", "low", "high"))
