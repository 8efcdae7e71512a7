"""What a machine judge says of a pool predicts its gains where people judge a sample, and nothing else."""

import io
import re
from pathlib import Path
from random import Random
from typing import Any

import pytest
from django.test import Client

from evaluation import compare
from evaluation.frames import Judgments
from evaluation.parsing.judgment_table import read_table
from evaluation.report import build_report
from evaluation.scores import score
from judging.core.selectors.labels import gains_of_machines, predictions_of
from judging.core.selectors.magnitudes import study_gains
from judging.core.selectors.sampling import inclusion_of
from judging.core.services.studies import open_study
from judging.machine.estimating import estimate
from judging.machine.judge_file import read_judge_file
from judging.machine.sittings import judge_all
from judging.machine.spending import StoppedError
from judging.models import Assignment, MachineJudge, PoolDocument, ReportKind, Study, Unit
from judging.understanding.reports.catalogue import measures_of
from judging.understanding.reports.study_data import read_study
from judging.understanding.reports.whole import report_data
from judging.understanding.scoring import evaluate_study, sampling_of, study_runs
from judging.understanding.selectors.reports import changes_since
from judging.understanding.selectors.results import find_result
from tests.archive.exports.conftest import scaled
from tests.factories import NOW, judge_unit, later, make_worker
from tests.machine.conftest import Written, begun, client_of, teach
from tests.machine.stand_in import StandIn
from tests.setup.intake.folder import TOPICS
from tests.setup.sampling.folder import ALL, BUDGET, sampled_folder
from tests.support.exports import export_lines
from tests.support.integrity import broken_invariants
from tests.understanding.reading import make

pytestmark = pytest.mark.django_db


def worth_of_letter(text: str) -> float:
    """The first documents of the run `good` are worth most. N is worth 1, and H is worth 100."""
    found = re.search(r"Text of \w+-(\w+)\.", text)
    assert found is not None
    return {"H": 100.0, "N": 1.0}.get(found[1]) or 60.0 / (1 + ALL.index(found[1]))


@pytest.fixture
def study(tmp_path: Path) -> Study:
    """A sampled study that people have judged."""
    study = sampled_folder(tmp_path / "folder").imported().study
    open_study(study=study, now=NOW)
    study.refresh_from_db()
    for number in range(Unit.objects.filter(topic__study=study).count()):
        judge_unit(make_worker(study), now=later(minutes=30), magnitude=scaled(1.0 + number % 3))
    return study


def sat(study: Study, server: StandIn, written: Written, **changes: Any) -> MachineJudge:
    server.worth = worth_of_letter
    teach(server, study)
    judge, file = begun(study, written(**changes))
    judge_all(judge, file, client_of(server), rng=Random(f"{judge.name} sits"))
    return judge


def test_a_judge_of_the_whole_pool_predicts_every_gain(
    study: Study, stand_in: StandIn, written: Written
) -> None:
    before = study_gains(study)
    sat(study, stand_in, written)
    (predicted,) = predictions_of(study).values()
    pool = PoolDocument.objects.filter(topic__study=study)
    assert predicted.table.height == pool.count() == len(ALL) * len(TOPICS)
    gain = {row["document_id"]: row["gain"] for row in predicted.table.to_dicts()}
    topic = TOPICS[0]
    ordered = sorted(ALL, key=lambda letter: -worth_of_letter(f"Text of {topic}-{letter}."))
    assert sorted(ALL, key=lambda letter: -gain[f"{topic}-{letter}"]) == ordered
    assert study_gains(study).table.equals(before.table), "its numbers are nowhere else"
    rows = "".join(export_lines(study, "judgments", "csv")).splitlines()
    assert len({line.split(",")[2] for line in rows[1:]}) == BUDGET
    assert broken_invariants(study) == []


def test_the_estimate_covers_the_whole_pool(study: Study, stand_in: StandIn, written: Written) -> None:
    teach(stand_in, study)
    expected = estimate(study, read_judge_file(written(), study))
    sat(study, stand_in, written)
    done = Assignment.objects.filter(participation__kind="machine", state="completed")
    assert done.count() == expected.units
    assert len(stand_in.requests) == expected.usual_calls


def test_the_result_uses_the_predictions_as_the_library_does(
    study: Study, stand_in: StandIn, written: Written, admin_client: Client
) -> None:
    measures = measures_of(study)
    make(study, ReportKind.SCORES, measures=measures)
    page = admin_client.get(f"/console/studies/{study.slug}/understanding/results/").content.decode()
    assert "data-evidence" not in page
    found = find_result(study)
    assert found is not None
    assert not changes_since(found.report, study).changed
    sat(study, stand_in, written)
    assert changes_since(found.report, study).changed, "the estimates are not those of before"
    make(study, ReportKind.SCORES, measures=measures)
    again = find_result(study)
    assert again is not None
    summary = again.result["summary"]
    people = {row["evidence"] for row in found.result["summary"]["sample"]["means"]}
    both = {row["evidence"] for row in summary["sample"]["means"]}
    assert both - people == {"predictions"}
    page = admin_client.get(f"/console/studies/{study.slug}/understanding/results/").content.decode()
    assert "data-evidence" in page
    assert all(word in page for word in ("sample and predictions", "sample alone"))
    judgments = Judgments(
        read_table(io.StringIO("".join(export_lines(study, "judgments", "csv")))),
        gold=True,
        scale=study.scale,
    )
    report = build_report(report_data(read_study(study)), only=["means"])
    assert report.result is not None
    assert report.result.to_dict()["sample"] == summary["sample"]
    compared = compare(
        judgments,
        study_runs(study),
        measures,
        seed=study.seed,
        inclusion=inclusion_of(study),
        predictions=[*predictions_of(study).values()],
    )
    theirs = compared.result().to_dict()
    for key in ("sentence", "estimator", "sample"):
        assert theirs[key] == summary[key]
    scores = evaluate_study(study, measures)
    observed = dict(compared.result().table.select("run", "observed").iter_rows())
    assert observed == pytest.approx(
        dict(zip(scores.runs, scores.values[:, :, 0].mean(axis=1), strict=True))
    ), "the command and the page say the same"
    plain = score(study_gains(study), study_runs(study), measures, inclusion=inclusion_of(study))
    assert scores.values != pytest.approx(plain.values)


def test_a_judge_that_did_not_finish_predicts_nothing(
    study: Study, stand_in: StandIn, written: Written
) -> None:
    with pytest.raises(StoppedError):
        sat(study, stand_in, written, most_tokens=9_000)
    assert Assignment.objects.filter(participation__kind="machine").exists()
    sampling = sampling_of(study)
    assert sampling is not None
    assert list(sampling.predictions) == []
    assert predictions_of(study) == {}


def test_judges_are_kept_apart(study: Study, stand_in: StandIn, written: Written) -> None:
    sat(study, stand_in, written)
    stand_in.exponent = 0.5
    sat(study, stand_in, written, name="other", model="stand-in-2")
    one, other = (gains_of_machines(study)[name] for name in ("gauge", "other"))
    ratio = [table.table["gain"].max() / table.table["gain"].min() for table in (one, other)]
    assert ratio[1] == pytest.approx(ratio[0] ** 0.5, rel=0.1)
    sampling = sampling_of(study)
    assert sampling is not None
    assert len(sampling.predictions) == 2
