"""Every place gives the same answer to "which run is best?", for twenty random studies."""

import io
import json
from html import unescape
from pathlib import Path
from random import Random
from typing import Any

import pytest
from django.test import Client

from evaluation import compare
from evaluation.cli import main
from evaluation.frames import Judgments
from evaluation.parsing.judgment_table import read_table
from evaluation.report import build_report
from judging.core.selectors.sampling import inclusion_of
from judging.core.services.studies import open_study
from judging.models import Ranking, ReportKind, Run, Study, Topic, Unit
from judging.protocol.states import UnitState
from judging.understanding.reports.catalogue import measures_of
from judging.understanding.reports.study_data import read_study
from judging.understanding.reports.whole import report_data
from judging.understanding.scoring import study_runs
from judging.understanding.selectors.results import find_result
from judging.watching.services.curation import exclude_unit
from tests.archive.exports.conftest import add_grades, judge, scaled
from tests.evaluation.refusals import refused
from tests.factories import NOW, judge_unit, later, make_study, make_worker
from tests.setup.sampling.folder import BUDGET, sampled_folder
from tests.support.exports import export_lines
from tests.understanding.reading import base, make, text_of

pytestmark = pytest.mark.django_db
TOLERANCE = 1e-9
SEEDS = [*range(6), *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(6, 20))]


def random_study(seed: int) -> Study:
    """Return a study with one or two topics, grade sets, ties, excluded units, and runs that lack topics."""
    dice = Random(seed)
    topics = dice.choice([1, 2, 2])
    study = make_study(slug=f"study-{seed}", topics=topics, judgments_per_document=3, seed=seed)
    judge(study, workers=dice.choice([1, 2, 3]))
    for place in range(dice.randrange(3)):
        add_grades(study, f"grades-{place}", place=place, skip=place)
    tags = [f"run{place}" for place in range(dice.randint(1, 4))]
    for tag in tags:
        add_random_run(study, tag, dice)
    done = list(Unit.objects.filter(topic__study=study, state=UnitState.DONE.value))
    if len(done) > topics and dice.random() < 0.5:
        exclude_unit(unit=dice.choice(done), reason="A test.", now=later(hours=9), actor=None)
    settings: dict[str, Any] = {"ranked_by": dice.choice(["nDCG@10", "nDCG@3", "P(rel=2)@3"])}
    if dice.random() < 0.5:
        settings["baseline"] = dice.choice(tags)
    if dice.random() < 0.2:
        settings["scale"] = "rating"
    Study.objects.filter(pk=study.pk).update(**settings)
    study.refresh_from_db()
    return study


def add_random_run(study: Study, tag: str, dice: Random) -> None:
    """Add a run whose scores have ties. It can lack a topic of two, and retrieve unjudged documents."""
    run = Run.objects.create(study=study, tag=tag)
    topics: list[Topic] = list(study.topics.order_by("place"))
    if len(topics) > 1 and dice.random() < 0.2:
        topics.pop(dice.randrange(len(topics)))
    for topic in topics:
        pool = sorted(topic.pool.values_list("document__document_id", flat=True))
        ids = dice.sample([*pool, "unjudged"], k=dice.randint(2, len(pool)))
        scores = sorted((float(dice.randint(0, 4)) for _ in ids), reverse=True)
        Ranking.objects.create(
            run=run, topic=topic, document_ids=ids, scores=scores, ranks=list(range(1, len(ids) + 1))
        )


def same(one: Any, other: Any) -> bool:
    """Return whether two parts of a summary are equal, up to the last digits of their numbers."""
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(same(one[key], other[key]) for key in one)
    if isinstance(one, list):
        return len(one) == len(other) and all(map(same, one, other))
    if isinstance(one, float) and isinstance(other, float):
        return one == pytest.approx(other, abs=TOLERANCE)
    return bool(one == other)


@pytest.mark.parametrize("seed", SEEDS)
def test_every_place_gives_the_same_answer(seed: int, console: Client, tmp_path: Path) -> None:
    assert_one_answer(random_study(seed), console, tmp_path)


def test_every_place_gives_the_same_answer_from_a_sample(console: Client, tmp_path: Path) -> None:
    study = sampled_folder(tmp_path / "folder").imported().study
    open_study(study=study, now=NOW)
    study.refresh_from_db()
    for number in range(Unit.objects.filter(topic__study=study).count()):
        judge_unit(make_worker(study), now=later(minutes=30), magnitude=scaled(1.0 + number % 3))
    summary = assert_one_answer(study, console, tmp_path)
    assert summary["estimator"] == "sampled"
    assert summary["sample"]["sampled"] == BUDGET
    report = build_report(report_data(read_study(study)), only=["means", "tau", "sensitivity"])
    assert len(report.missing) == 2


def assert_one_answer(study: Study, console: Client, tmp_path: Path) -> dict[str, Any]:
    """Assert that all places give the same answer, and return it."""
    measures = measures_of(study)
    job = make(study, ReportKind.SCORES, measures=measures)
    assert (job.state, job.error) == ("done", "")
    found = find_result(study)
    assert found is not None
    summary = found.result["summary"]
    answer = str(summary["sentence"])

    report = build_report(report_data(read_study(study)), only=["means"])
    assert report.result is not None
    assert same(report.result.to_dict(), summary)
    assert report.methods[-1] == answer

    address = f"/api/v1/studies/{study.slug}/result/"
    assert console.get(address).json()["result"] == json.loads(json.dumps(summary))

    results = unescape(text_of(console, f"{base(study)}results/"))
    assert answer in results
    for warning in summary["warnings"]:
        assert warning["sentence"] in results
    overview = unescape(text_of(console, f"/console/studies/{study.slug}/"))
    assert (answer in overview) == ("data-gap" not in overview)

    ours = {key: value for key, value in summary.items() if key not in ("gains", "checksum")}
    for theirs in (of_library(study, measures), of_command(study, measures, tmp_path)):
        if theirs is not None:
            assert same({key: theirs[key] for key in ours}, ours)
    return dict(summary)


def of_library(study: Study, measures: list[str]) -> dict[str, Any] | None:
    """Return the answer of the library to the exported judgments, or None for a single run."""
    path = io.StringIO("".join(export_lines(study, "judgments", "csv")))
    judgments = Judgments(read_table(path), gold=True, scale=study.scale)
    baseline = study.baseline or None
    runs = study_runs(study)
    if len(runs) < 2:
        with refused("too-few-systems"):
            compare(judgments, runs, measures, seed=study.seed)
        return None
    sample = {"inclusion": inclusion_of(study)} if study.is_sampled else {}
    compared = compare(judgments, runs, measures, baseline=baseline, seed=study.seed, **sample)
    return compared.result().to_dict()


def of_command(study: Study, measures: list[str], folder: Path) -> dict[str, Any] | None:
    """Return the answer of the command to the exported judgments, or None for a single run."""
    runs = study_runs(study)
    if len(runs) < 2:
        return None
    (folder / "judgments.csv").write_text("".join(export_lines(study, "judgments", "csv")))
    for run in runs:
        rows = run.table.iter_rows(named=True)
        lines = (f"{row['topic_id']} Q0 {row['document_id']} 1 {row['score']} {run.tag}\n" for row in rows)
        (folder / run.tag).write_text("".join(lines))
    words = ["compare", "--judgments", "judgments.csv", "--scale", study.scale, *(run.tag for run in runs)]
    words = [str(folder / word) if (folder / word).exists() else word for word in words]
    words += ["-m", *measures, "--seed", str(study.seed), "--part", "result", "--format", "json"]
    words += ["--baseline", study.baseline] if study.baseline else []
    if study.is_sampled:
        (folder / "sample.csv").write_text("".join(export_lines(study, "sample", "csv")))
        words += ["--inclusion", str(folder / "sample.csv")]
    assert main([*words, "-o", str(folder / "summary.json")]) == 0
    summary: dict[str, Any] = json.loads((folder / "summary.json").read_text())
    return summary
