"""The report of a study of which only a sample was judged: its result, and what it leaves out."""

import json

import numpy as np
import polars as pl
import pytest

import evaluation
from evaluation.crowds import TYPICAL, draw_truth, simulate_study
from evaluation.files import write_inclusion
from evaluation.frames import Judgments
from evaluation.report import Parameters, ReportData, build_report
from evaluation.report.catalogue import PARTS
from evaluation.runs import Run
from evaluation.sampling import Sampling, draw, influence, pool_of
from tests.evaluation.command_results import output_of
from tests.evaluation.refusals import assert_fault

MEASURE = "DCG@5"


@pytest.fixture(scope="module")
def study():
    rng = np.random.default_rng(4)
    truth = draw_truth([{"N": 10, "M": 4, "R": 4, "H": 3}] * 8, TYPICAL, rng)
    judgments = simulate_study(truth, TYPICAL, rng, judgments_per_document=4).judgments
    runs = [
        Run.from_columns(f"r{run}", *truth.table, pl.Series(truth.level + rng.normal(size=len(truth.table))))
        for run in range(3)
    ]
    pool = pool_of(runs, 5)
    sample = draw(pool, influence(pool, MEASURE), 40, rng=rng)
    kept = judgments.table.join(sample.sampled, on=["topic_id", "document_id"], how="semi")
    return Judgments.from_checked(kept), truth.grades(), runs, sample


@pytest.fixture(scope="module")
def report(study):
    judgments, grades, runs, sample = study
    parameters = Parameters(measures=(MEASURE,), worker_resamples=50, resamples=50)
    data = ReportData(
        "Sampled",
        judgments,
        {"grades": grades},
        runs,
        parameters=parameters,
        measure=MEASURE,
        sampling=Sampling(sample),
    )
    return build_report(data, only=["means", "systems", "tau", "ranges", "top-sets", "distribution"])


def test_the_result_is_that_of_compare(study, report):
    judgments, _, runs, sample = study
    expected = evaluation.compare(judgments, runs, [MEASURE], inclusion=sample).result()
    found = report.data.results_by("magnitudes")[MEASURE]
    assert found.estimator == expected.estimator == "sampled"
    assert found.table["mean"].to_list() == pytest.approx(expected.table["mean"].to_list(), rel=1e-2)
    assert found.to_dict()["sample"]["sampled"] == 40
    assert f"{len(sample.table)} " in str(found.sentence)


def test_what_needs_the_whole_pool_says_why_it_is_missing(report):
    missing = {str(title) for title, _ in report.missing}
    assert {str(PARTS[key].title) for key in ("tau", "ranges", "top-sets")} <= missing
    assert not {str(PARTS[key].title) for key in ("means", "systems", "distribution")} & missing


def test_the_command_writes_the_same_result(study, tmp_path, shell):
    judgments, _, runs, sample = study
    judgments.table.write_csv(tmp_path / "judgments.csv")
    with (tmp_path / "sample.csv").open("w") as out:
        write_inclusion(sample.table, out)
    paths = []
    for run in runs:
        paths.append(tmp_path / f"{run.tag}.run")
        lines = (
            f"{t} Q0 {d} 1 {s!r} {run.tag}\n"
            for t, d, s in run.table.select("topic_id", "document_id", "score").iter_rows()
        )
        paths[-1].write_text("".join(lines))
    words = ["report", "--judgments", tmp_path / "judgments.csv", "--runs", *paths, "--parts", "means"]
    words += ["--inclusion", tmp_path / "sample.csv", "-o", tmp_path / "report"]
    assert_fault(shell(*map(str, words), "-m", "nDCG@5"), "nDCG@5")
    output_of(shell(*map(str, words), "-m", MEASURE, "--draws", "20", "--resamples", "20"))
    found = (tmp_path / "report" / "summary.json").read_text()
    expected = evaluation.compare(judgments, runs, [MEASURE], inclusion=sample).result()
    assert json.dumps(str(expected.sentence), ensure_ascii=False) in found
