"""Every scale from a file to a score: the commands, and all parts of the report."""

import json

import numpy as np
import pytest

from evaluation.crowds import TYPICAL, draw_truth, simulate_study
from evaluation.errors import InputError
from evaluation.files import write_gains
from evaluation.frames import Judgments
from evaluation.planning.assumptions import simulate_runs
from evaluation.report import ReportData
from evaluation.report.building import build_report
from evaluation.runs import Run
from evaluation.scales import SCALES
from tests.evaluation.report_study import FEW

JUDGED = [name for name, scale in SCALES.items() if scale.answers is not None]
EVERY = pytest.mark.parametrize("scale", JUDGED)


@pytest.fixture(scope="module")
def truth():
    return draw_truth([{"N": 4, "M": 3, "R": 3, "H": 3, "": 3}] * 4, TYPICAL, np.random.default_rng(1))


@pytest.fixture(scope="module")
def runs(truth) -> list[Run]:
    return simulate_runs(truth, 4, (0.3, 2), np.random.default_rng(2))


def judged(truth, scale) -> Judgments:
    rng = np.random.default_rng(3)
    return simulate_study(truth, TYPICAL, rng, judgments_per_document=4, scale=scale).judgments


@EVERY
def test_the_commands_go_from_a_file_to_a_score(scale, truth, runs, tmp_path, shell):
    judged(truth, scale).table.write_csv(tmp_path / "judgments.csv")
    with (tmp_path / "grades.txt").open("w") as out:
        write_gains(truth.grades(), out)
    for run in runs:
        lines = (f"{t} Q0 {d} 0 {s} {run.tag}\n" for t, d, s in run.table.iter_rows())
        (tmp_path / f"{run.tag}.run").write_text("".join(lines))
    files = sorted(path.name for path in tmp_path.glob("*.run"))
    of_scale = ("--scale", scale)
    shell("normalise", "judgments.csv", *of_scale, "-o", "normalised.csv")
    shell("gains", "normalised.csv", *of_scale, "-o", "gains.txt")
    scored = shell("score", "gains.txt", *files, "-m", "nDCG@5").stdout
    scores = [float(line.split()[-1]) for line in scored.splitlines()]
    assert all(0 <= value <= 1 for value in scores)
    judgments = ("--judgments", "judgments.csv", *of_scale)
    as_json = ("--format", "json")
    rows = json.loads(
        shell(
            "intervals", *judgments, "--runs", *files, "-m", "nDCG@5", "--resamples", "100", *as_json
        ).stdout
    )
    assert {row["run"] for row in rows} == {run.tag for run in runs}
    assert all(row["low"] <= row["mean"] <= row["high"] for row in rows)
    compared = shell("compare", *judgments, *files, "-m", "nDCG@5", "--part", "means", *as_json).stdout
    assert len(json.loads(compared)) == len(runs)
    sizes = ("--topics", "4", "--judgments", "3", *as_json)
    (row,) = json.loads(shell("plan", "judgments.csv", "--runs", *files, *of_scale, *sizes).stdout)
    (goal,) = (name for name in ("factor", "margin") if row[name] is not None)
    of_goal = ("plan", "judgments.csv", *of_scale, *sizes, f"--{goal}")
    assert len(json.loads(shell(*of_goal, str(2 * row[goal])).stdout)) == 1
    out_of_reach = {"factor": "1.0001", "margin": "0.0001"}[goal]
    assert json.loads(shell(*of_goal, out_of_reach).stdout or "[]") == []
    (row,) = json.loads(shell("plan", "--systems", "3", *of_scale, *sizes).stdout)
    assert row["tau"] is not None


@EVERY
def test_each_part_of_the_report_is_there_or_its_needs_say_why_not(scale, truth, runs):
    """No part is missing because the library refuses to compute it."""
    data = ReportData(
        title=scale,
        judgments=judged(truth, scale),
        known={"grades": truth.grades()},
        runs=runs,
        pay=1.0,
        parameters=FEW,
    )
    report = build_report(data)
    unmet = {finished.part.key: finished.part.missing(data.facts) for finished in report.finished}
    for finished in report.finished:
        if unmet[finished.part.key]:
            assert not finished
        else:
            assert not any(isinstance(reason, InputError) for reason in finished.missing), finished.missing
    for part in ("topics", "distribution", "gains", "alpha", "cost", "adjacent", "order-agreement", "means"):
        assert next(finished for finished in report.finished if finished.part.key == part), part
    assert (unmet["grade-ratios"] == []) == data.gains_have_ratios
    assert (unmet["anchor-ratios"] == []) == SCALES[scale].has_ratios
    alpha = next(finished for finished in report.finished if finished.part.key == "alpha")
    bounds = alpha.content.tables[0].table.filter(topic_id="all")
    assert bounds["low"].null_count() == 0
    assert report.result is not None
    assert report.methods
