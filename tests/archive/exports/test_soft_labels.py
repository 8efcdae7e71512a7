"""Soft labels: each document with the label of every worker, in the numbers of the other exports."""

import csv
import json
import re
from io import StringIO
from pathlib import Path

import pandas as pd
import polars as pl
import pytest

from judging.models import Study, Unit
from judging.watching.services.curation import exclude_unit
from tests.archive.exports.conftest import add_grades
from tests.factories import later
from tests.support.exports import export_lines
from tests.support.tree import ROOT

LABEL = ("worker_id", "unit_id", "relevance_score", "normalized_relevance_score", "comment")


def soft_labels(study: Study) -> list[dict[str, object]]:
    return [json.loads(line) for line in export_lines(study, "soft_labels", "jsonl")]


def test_every_label_is_that_of_the_export_of_judgments(study: Study) -> None:
    add_grades(study, "trec", place=0)
    add_grades(study, "assessor", place=1)
    exclude_unit(unit=Unit.objects.get(topic__number="402", number=1), reason="Odd.", now=later(hours=5))
    rows = soft_labels(study)
    labels = {
        (row["topic_id"], row["document_id"], *(str(label[name]) for name in LABEL))
        for row in rows
        for label in row["labels"]
    }
    judgments = list(csv.DictReader(StringIO("".join(export_lines(study, "judgments", "csv")))))
    assert labels == {
        (row["topic_id"], row["document_id"], *(row[name] for name in LABEL)) for row in judgments
    }
    assert sum(row["judgments"] for row in rows) == len(judgments) == len(labels)
    for name in ("gold", "trec", "assessor"):
        assert {(row["topic_id"], row["document_id"], row[name]) for row in rows} == {
            (row["topic_id"], row["document_id"], row[name]) for row in judgments
        }


def test_every_gain_is_that_of_the_export_of_gains(study: Study) -> None:
    gains = [line.rstrip("\n").split("\t") for line in export_lines(study, "gains", "qrels")]
    assert [
        [row["topic_id"], "0", row["document_id"], repr(row["gain"])] for row in soft_labels(study)
    ] == gains


def test_the_documented_threshold_gives_shares(
    study: Study, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("bread-soft_labels.jsonl").write_text("".join(export_lines(study, "soft_labels", "jsonl")))
    _, example = re.findall(
        r"```python\n(.+?)```", (ROOT / "docs/reference/exports.md").read_text(), re.DOTALL
    )
    known: dict[str, pl.DataFrame] = {}
    exec(example, known)
    shares = [
        sum(label["normalized_relevance_score"] > 10 for label in row["labels"]) / row["judgments"]
        for row in soft_labels(study)
    ]
    assert known["soft_labels"]["relevant"].to_list() == shares


def test_tables_read_it_at_once(study: Study, tmp_path: Path) -> None:
    path = tmp_path / "study.jsonl"
    path.write_text("".join(export_lines(study, "soft_labels", "jsonl")), encoding="utf-8")
    table = pl.read_ndjson(path)
    assert table["labels"].list.len().to_list() == table["judgments"].to_list()
    frame = pd.read_json(path, lines=True, precise_float=True, dtype={"topic_id": str})
    assert frame["gain"].tolist() == table["gain"].to_list()
    assert frame.loc[0, "labels"] == table["labels"][0].to_list()
