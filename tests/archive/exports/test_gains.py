"""Gains: the site's and those that `python -m evaluation` makes of the exported judgments, bit for bit."""

import json
from pathlib import Path
from random import Random

import pytest

from judging.archive.catalogue import export_chunks
from judging.core.formats.writing import write_file
from judging.models import Judgment, Study, Unit
from judging.watching.services.curation import exclude_unit
from tests.factories import later
from tests.support.exports import export_lines
from tests.support.library import library


@pytest.fixture
def rough(study: Study) -> Study:
    """Magnitudes of many sizes and of all their digits."""
    rng = Random(7)
    judgments = list(Judgment.objects.all())
    for judgment in judgments:
        judgment.number = rng.lognormvariate(1, 3)
    Judgment.objects.bulk_update(judgments, ["number"])
    return study


@pytest.mark.parametrize("excluded", [False, True])
def test_the_export_walks_to_the_same_gains_by_files(rough: Study, tmp_path: Path, excluded: bool) -> None:
    if excluded:
        exclude_unit(unit=Unit.objects.get(topic__number="402", number=1), reason="Odd.", now=later(hours=5))
    judgments, normalised = tmp_path / "judgments.csv", tmp_path / "normalised.csv"
    write_file(judgments, export_chunks(rough, "judgments", "csv"))
    normalised.write_text(library("normalise", judgments))
    assert normalised.read_bytes() == judgments.read_bytes()
    assert library("gains", normalised) == "".join(export_lines(rough, "gains"))


def test_gains_are_qrels_by_default_and_only_qrels_have_no_header(study: Study) -> None:
    lines = list(export_lines(study, "gains"))
    cells = [line.rstrip("\n").split("\t") for line in lines]
    assert len(cells) == 16
    assert {len(row) for row in cells} == {4}
    assert {row[1] for row in cells} == {"0"}
    assert cells == sorted(cells, key=lambda row: (row[0], row[2]))
    header, *rows = [line.rstrip("\n").split(",") for line in export_lines(study, "gains", "csv")]
    assert header == ["topic_id", "iteration", "document_id", "gain", "inclusion"]
    assert rows == [[*row, "1.0"] for row in cells]
    objects = [json.loads(line) for line in export_lines(study, "gains", "jsonl")]
    assert [(row["topic_id"], row["document_id"], repr(row["gain"])) for row in objects] == [
        (topic, document, gain) for topic, _, document, gain in cells
    ]


def test_workers_on_different_scales_agree_once_normalised(db: None, study: Study) -> None:
    """All three workers have the same ratios, so every document has one normalised value: its gain."""
    gains = {}
    for line in export_lines(study, "gains"):
        topic, _, document, gain = line.split()
        gains[topic, document] = float(gain)
    # The scales are .1, 3 and 70, each used in one unit of each topic.
    for topic in ("401", "402"):
        assert gains[topic, f"D{topic}-H"] / gains[topic, f"D{topic}-N"] == pytest.approx(90)


def test_a_study_without_judgments_has_no_gains(study: Study) -> None:
    Judgment.objects.all().delete()
    assert list(export_lines(study, "gains")) == []
