"""What a file of judgments does not say stays empty: never 0, and never counted as passed."""

import csv
import io
from pathlib import Path

import pytest

from judging.models import Study, WorkerFigures
from judging.watching.jobs.worker_statistics import compute_statistics
from judging.watching.selectors.topic_quality import topic_quality
from tests.factories import NOW
from tests.setup.intake.folder import StudyFolder
from tests.setup.intake.test_judgments import bring_in, exported, judged, write
from tests.support.integrity import broken_invariants

pytestmark = pytest.mark.django_db


@pytest.fixture
def study(folder: StudyFolder) -> Study:
    return folder.imported().study


UNKNOWN = {
    "judgments": ("doc_pos", "cumulative_time", "visible_time", "visits", "revisions", "completed_at"),
    "units": ("started_at", "seconds", "back", "revisions", "failed_c", "failed_d", "failed_finishes"),
    "workers": (
        "practice_attempts",
        "comprehension_failures",
        "back",
        "revisions",
        "failed_c",
        "failed_d",
        "failed_finishes",
    ),
    "table1": [
        f"{name}_{times}" for name in ("back", "failed_c", "failed_d") for times in ("0", "1", "2_or_more")
    ],
}


@pytest.mark.parametrize("what", UNKNOWN)
def test_what_the_file_does_not_say_is_empty(study: Study, tmp_path: Path, what: str) -> None:
    rows = [
        {name: cell for name, cell in row.items() if name not in ("doc_pos", "cumulative_time")}
        for row in judged()
    ]
    bring_in(study, write(tmp_path / "j.csv", rows))

    table = list(csv.DictReader(io.StringIO(exported(study, what), newline="")))

    assert table
    assert {row[name] for row in table for name in UNKNOWN[what]} == {""}
    if what == "table1":
        assert [row["units"] for row in table] == ["6", "6", "12"]
    assert not broken_invariants(study)


def test_what_the_file_says_is_kept_zero_or_not(study: Study, tmp_path: Path) -> None:
    message = {"visible_time": "0.0", "revisions": "0", "completed_at": "2015-08-09T10:00:00Z"}
    bring_in(study, write(tmp_path / "j.csv", [row | message for row in judged()]))

    table = list(csv.DictReader(io.StringIO(exported(study, "judgments"), newline="")))

    assert {tuple(row[name] for name in message) for row in table} == {tuple(message.values())}
    assert {row["doc_pos"] for row in table} == set("01234567")
    assert all(float(row["cumulative_time"]) >= 20 for row in table)


def test_an_imported_topic_without_checks_speaks_against_no_anchor(study: Study, tmp_path: Path) -> None:
    bring_in(study, write(tmp_path / "j.csv", judged()))

    assert {(item.pair.workers, item.question.workers) for item in topic_quality(study)} == {(0, 0)}
    compute_statistics(study=study, now=NOW)
    assert set(WorkerFigures.objects.values_list("failures", flat=True)) == {None}
