"""A sampled study judged over real HTTP: its plan, its exports and its bundle."""

import csv
import io
import json
from datetime import timedelta
from pathlib import Path

import polars as pl
import pytest
from django.test import Client
from pytest_django.live_server_helper import LiveServer

from evaluation.cli import main
from evaluation.files import read_inclusion
from judging.archive.catalogue import export_chunks
from judging.core.clock import now
from judging.core.services.studies import open_study
from judging.models import Judgment, SampleDraw, Study, Unit
from judging.setup.study_files.importing import import_study
from judging.worker.services.lapse import expire_assignments
from tests.factories import NOW
from tests.setup.conftest import SAMPLE
from tests.setup.intake.folder import StudyFolder
from tests.setup.sampling.folder import table_of
from tests.support.exports import export_lines
from tests.support.http_crowd import judge_over_http, memory_of, pace_for
from tests.support.integrity import broken_invariants

pytestmark = pytest.mark.django_db(transaction=True)
SECONDS = 0.02
BUDGET = 60


class _Sample(StudyFolder):
    """A copy of the sample collection, which tests can change."""

    def __init__(self, path: Path) -> None:
        self.path = path
        for file in SAMPLE.rglob("*"):
            if file.is_file():
                copy = path / file.relative_to(SAMPLE)
                copy.parent.mkdir(parents=True, exist_ok=True)
                copy.write_bytes(file.read_bytes())


@pytest.fixture
def folder(tmp_path: Path) -> StudyFolder:
    folder = _Sample(tmp_path / "sample")
    folder.replace("study.toml", "[units]", '[units]\nranked_by = "DCG@10"\njudgments_per_document = 1')
    folder.replace("study.toml", "[checks]", f"[checks]\nseconds_per_document = {SECONDS}")
    folder.replace("study.toml", "\ndepth = ", f"\nsample = {{ budget = {BUDGET} }}\ndepth = ")
    return folder


def exported(study: Study, what: str, form: str) -> bytes:
    return b"".join(export_chunks(study, what, form))


def read_csv(study: Study, what: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO("".join(export_lines(study, what, "csv")))))


def test_from_the_plan_to_the_bundle(
    folder: StudyFolder, live_server: LiveServer, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    study = folder.imported().study
    open_study(study=study, now=now())
    study.refresh_from_db()
    sample = table_of(study)
    assert sample["sampled"].sum() == BUDGET < len(sample)
    for seed in range(6):
        judge_over_http(
            live_server.url, study.slug, memory_of(study), workers=8, seed=seed, pace=pace_for(SECONDS)
        )
        expire_assignments(now=now() + timedelta(minutes=61), study=study)
        if not Unit.objects.filter(topic__study=study).exclude(state="done").exists():
            break
    else:
        raise AssertionError("six crowds have not done every unit")
    assert broken_invariants(study) == []
    assert not Judgment.objects.filter(pool_document__sampled=False).exists()
    chances = {(topic, document): chance for topic, document, chance, _ in sample.iter_rows()}

    for what in ("judgments", "gains"):
        rows = read_csv(study, what)
        assert rows
        assert all(float(row["inclusion"]) == chances[row["topic_id"], row["document_id"]] for row in rows)
    for line in export_lines(study, "gains", "jsonl"):
        row = json.loads(line)
        assert row["inclusion"] == chances[row["topic_id"], row["document_id"]]
    parquet = pl.read_parquet(io.BytesIO(exported(study, "gains", "parquet")))
    assert parquet["inclusion"].min() == min(float(row["inclusion"]) for row in read_csv(study, "gains"))
    assert {len(line.split("\t")) for line in export_lines(study, "gains", "qrels")} == {4}

    whole = tmp_path / "sample.csv"
    whole.write_bytes(exported(study, "sample", "csv"))
    rows = read_csv(study, "sample")
    assert list(rows[0])[:4] == ["topic_id", "document_id", "inclusion", "sampled"]
    assert len(rows) == len(sample)
    assert read_inclusion(whole).table.equals(sample)

    bundle = tmp_path / "bundle.zip"
    bundle.write_bytes(exported(study, "bundle", "zip"))
    again = import_study(bundle, slug="again", now=NOW).study
    assert table_of(again).equals(sample)
    settings = ("number", "at", "design", "budget", "seed", "measure", "depth")
    draws = [list(SampleDraw.objects.filter(study=which).values_list(*settings)) for which in (study, again)]
    assert draws[0] == draws[1] != []
    for what in ("judgments", "gains", "sample"):
        assert exported(again, what, "csv") == exported(study, what, "csv")
    assert (again.sample_budget, again.sample_design) == (BUDGET, "systematic")
    assert broken_invariants(again) == []

    gains = tmp_path / "gains.txt"
    gains.write_bytes(exported(study, "gains", "qrels"))
    runs = [str(path) for path in sorted((folder.path / "runs").iterdir())]
    assert main(["score", str(gains), *runs, "-m", "DCG@10", "--inclusion", str(whole)]) == 0
    out = capsys.readouterr().out
    assert all(f"{tag}\tall\tDCG@10\t" in out for tag in study.runs.values_list("tag", flat=True))


def test_the_api_lists_gains_and_judgments_with_their_chances(folder: StudyFolder, console: Client) -> None:
    schema = console.get("/api/v1/schema/", HTTP_ACCEPT="application/json").json()
    for name in ("Gain", "Judgment"):
        assert schema["components"]["schemas"][name]["properties"]["inclusion"]["type"] == "number"


@pytest.mark.parametrize("value", ["maybe", "2", ""])
def test_a_sample_that_does_not_say_what_is_sampled_is_refused(
    tmp_path: Path, value: str, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "sample.csv"
    file.write_text(f"topic_id,document_id,inclusion,sampled\n1,a,1.0,1\n1,b,0.5,{value}\n")
    (tmp_path / "gains.txt").write_text("1 0 a 2\n")
    (tmp_path / "a.run").write_text("1 Q0 a 1 2 a\n1 Q0 b 2 1 a\n")
    files = [str(tmp_path / "gains.txt"), str(tmp_path / "a.run")]
    assert main(["score", *files, "-m", "DCG@2", "--inclusion", str(file)]) == 1
    assert f"{file}:3: " in capsys.readouterr().err
