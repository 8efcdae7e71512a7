"""Comparisons collected elsewhere: they come in, go out again, and give the gains of the library."""

import csv
import io
from pathlib import Path
from random import Random

import pytest

from judging.core.faults import StudyRefusedError
from judging.models import Judgment, Participation, Study, UnitDocument
from judging.protocol.ring import compared_in, place_in_ring
from judging.setup.study_files.importing import import_study
from tests.factories import NOW
from tests.setup.intake.error_lines import assert_error_line
from tests.setup.intake.folder import LETTERS, TOPICS, StudyFolder
from tests.setup.intake.test_judgments import Row, bring_in, exported, no_rows, write
from tests.support.integrity import broken_invariants
from tests.support.library import library

pytestmark = pytest.mark.django_db
VALUE = {letter: place for place, letter in enumerate(sorted(LETTERS))} | {"H": 100, "N": -100}


@pytest.fixture
def study(folder: StudyFolder) -> Study:
    study = folder.imported().study
    Study.objects.filter(pk=study.pk).update(scale="preference")
    study.refresh_from_db()
    return study


def compared(workers: int = 6, *, seed: int = 1) -> list[Row]:
    """Each worker's unit is a ring of eight documents; one answer in five is a tie, and a few are errors."""
    rng = Random(seed)
    rows = []
    for topic in TOPICS:
        for number in range(workers):
            others = rng.sample([letter for letter in LETTERS if letter not in "HN"], 6)
            for place, (first, second) in enumerate(compared_in(place_in_ring(others, [("H", "N")], rng))):
                right = float(VALUE[first] > VALUE[second])
                score = rng.choices([0.5, right, 1 - right], [0.2, 0.7, 0.1])[0]
                rows.append(
                    {
                        "topic_id": topic,
                        "unit_id": f"u{number}",
                        "document_id": f"{topic}-{first}",
                        "compared_with": f"{topic}-{second}",
                        "gold": first if first in "HN" else "",
                        "doc_pos": str(place),
                        "worker_id": f"worker {number}",
                        "relevance_score": repr(score),
                        "comment": f"because of {second}",
                        "relevance_scale": "preference",
                    }
                )
    return rows


def test_gains_are_those_of_the_library_to_the_bit(study: Study, tmp_path: Path) -> None:
    file = write(tmp_path / "judgments.csv", compared())
    done = bring_in(study, file)
    assert (done.judgments, done.units, done.workers) == (len(compared()), 12, 6)
    normalised = tmp_path / "normalised.csv"
    library("normalise", "--scale", "preference", file, "-o", normalised)
    assert exported(study, "gains") == library("gains", "--scale", "preference", normalised)
    assert broken_invariants(study) == []


def test_an_export_comes_in_and_goes_out_the_same(study: Study, folder: StudyFolder, tmp_path: Path) -> None:
    again = folder.imported(slug="again").study
    Study.objects.filter(pk=again.pk).update(scale="preference")
    bring_in(study, write(tmp_path / "a.csv", compared()))
    (tmp_path / "b.csv").write_text(exported(study, "judgments"))
    bring_in(again, tmp_path / "b.csv")
    for what in ("judgments", "units", "gains"):
        assert exported(again, what) == exported(study, what)
    assert Judgment.objects.filter(compared_with=None).count() == 0


def test_a_unit_can_have_pairs_that_are_no_ring(study: Study, tmp_path: Path) -> None:
    """One document is compared with three others, which are never first."""
    topic = TOPICS[0]
    centre, *others = [letter for letter in LETTERS if letter not in "HN"][:4]
    rows = [
        {
            "topic_id": topic,
            "unit_id": "u1",
            "document_id": f"{topic}-{centre}",
            "compared_with": f"{topic}-{other}",
            "relevance_score": "1",
        }
        for other in others
    ]
    bring_in(study, write(tmp_path / "star.csv", rows))
    assert UnitDocument.objects.filter(unit__topic__study=study).count() == 4
    assert broken_invariants(study) == []
    labels = {row["document_id"] for row in csv.DictReader(io.StringIO(exported(study, "judgments")))}
    assert labels == {f"{topic}-{centre}"}


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"compared_with": ""}, "compared_with"),
        ({"compared_with": f"{TOPICS[0]}-nowhere"}, "compared_with"),
        ({"relevance_score": "0.3"}, "relevance_score"),
        ({"relevance_score": "2"}, "relevance_score"),
        ({"relevance_scale": "magnitude"}, "relevance_scale"),
    ],
)
def test_a_faulty_row_is_named_and_nothing_is_imported(
    study: Study, tmp_path: Path, change: Row, field: str
) -> None:
    rows = compared()
    rows[1] |= change
    file = write(tmp_path / "bad.csv", rows)
    with pytest.raises(StudyRefusedError) as refused:
        bring_in(study, file)
    (line,) = refused.value.lines
    assert_error_line(line, f"{file}:3: {field}")
    assert no_rows()


def test_a_document_is_not_compared_with_itself(study: Study, tmp_path: Path) -> None:
    rows = compared()
    rows[0]["compared_with"] = rows[0]["document_id"]
    with pytest.raises(StudyRefusedError):
        bring_in(study, write(tmp_path / "self.csv", rows))
    assert no_rows()


def test_other_scales_refuse_pairs(study: Study, tmp_path: Path) -> None:
    Study.objects.filter(pk=study.pk).update(scale="magnitude")
    study.refresh_from_db()
    rows = [row | {"relevance_scale": "", "relevance_score": "1"} for row in compared()]
    with pytest.raises(StudyRefusedError):
        bring_in(study, write(tmp_path / "pairs.csv", rows))
    assert no_rows()


def test_a_study_for_analysis_takes_its_pools_from_both_documents(tmp_path: Path) -> None:
    (tmp_path / "study.toml").write_text(
        'slug = "compared"\ntitle = "Compared"\npurpose = "analysis"\nscale = "preference"\n'
        '[judgments]\npath = "pairs.csv"\n'
    )
    rows = [
        {
            "topic_id": "1",
            "unit_id": f"u{n}",
            "document_id": "a",
            "compared_with": other,
            "relevance_score": "1",
        }
        for n, other in enumerate("bc")
    ]
    write(tmp_path / "pairs.csv", rows)
    study = import_study(tmp_path, now=NOW).study
    pool = study.topics.get().pool.values_list("document__document_id", flat=True)
    assert sorted(pool) == ["a", "b", "c"]
    assert Participation.objects.filter(study=study).exists()
    gains = [line.split() for line in exported(study, "gains").splitlines()]
    worth = {document: float(gain) for _topic, _zero, document, gain in gains}
    assert worth["a"] > worth["b"]
    assert worth["b"] == pytest.approx(worth["c"])
