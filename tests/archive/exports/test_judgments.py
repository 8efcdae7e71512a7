"""The export of judgments: its columns, its order, and what counts."""

import csv
import io
import json

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from judging.archive.catalogue import export_chunks
from judging.core.formats import texts
from judging.models import Judgment, Study, Unit
from judging.setup.intake.grades import name_fault
from judging.watching.services.curation import exclude_unit, include_unit
from judging.worker.services.leaving import withdraw
from tests.archive.exports.conftest import add_grades, judge
from tests.factories import inverted, judge_unit, later, make_study, make_worker, reason
from tests.support.exports import export_lines

PUBLISHED = [
    *("topic_id", "unit_id", "document_id", "gold", "doc_pos", "worker_id", "relevance_score"),
    *("normalized_relevance_score", "cumulative_time", "comment", "trec", "sormunen", "relevance_scale"),
]
OURS = [
    *("raw_input", "visible_time", "pasted", "visits", "revisions", "completed_at", "simulated", "excluded"),
    *("inclusion", "highlight", "highlight_start", "highlight_end", "compared_with"),
]


def rows_of(study: Study, **options: bool) -> list[dict[str, str]]:
    text = "".join(export_lines(study, "judgments", "csv", **options))
    return list(csv.DictReader(io.StringIO(text, newline=""), strict=True))


def test_columns_are_the_published_ones_then_ours(study: Study) -> None:
    add_grades(study, "trec", place=0)
    add_grades(study, "assessor", place=1)
    header = next(export_lines(study, "judgments")).rstrip("\n").split(",")
    assert header == [*PUBLISHED, "assessor", *OURS]


def test_no_grade_set_can_be_named_as_a_column_or_as_the_gains(study: Study) -> None:
    columns = next(export_lines(study, "judgments")).rstrip("\n").split(",")
    assert [name for name in columns if name_fault(name) is None] == ["trec", "sormunen"]
    assert name_fault("magnitudes") is not None
    assert name_fault("assessor") is None


def test_rows_are_sorted_by_topic_unit_worker_and_document(study: Study) -> None:
    rows = rows_of(study)
    keys = [(row["topic_id"], row["unit_id"], row["worker_id"], row["document_id"]) for row in rows]
    assert len(rows) == 48
    assert keys == sorted(keys)
    assert [key[1] for key in keys[::8]] == [
        f"{topic}-000{unit}" for topic in (401, 402) for unit in (1, 2, 3)
    ]


def test_a_row_holds_what_the_worker_did(study: Study) -> None:
    kept = Judgment.objects.select_related("assignment__participation", "pool_document__document").get(
        pool_document__anchor="H", assignment__unit__number=1, assignment__topic__number="401"
    )
    (row,) = [row for row in rows_of(study) if (row["unit_id"], row["gold"]) == ("401-0001", "H")]
    assert row["document_id"] == "D401-H"
    assert row["doc_pos"] == str(kept.position)
    assert row["worker_id"] == kept.assignment.participation.pseudonym
    assert (row["relevance_score"], row["raw_input"]) == (repr(kept.number), kept.raw_input)
    assert (row["cumulative_time"], row["visits"]) == ("25.0", "1")
    assert (row["comment"], row["visible_time"], row["revisions"]) == (reason(kept), "3.0", "0")
    assert row["completed_at"] == kept.assignment.ended_at.isoformat().replace("+00:00", "Z")
    assert (row["relevance_scale"], row["simulated"], row["excluded"]) == ("magnitude", "0", "0")


def test_only_completed_units_are_in_it(study: Study) -> None:
    before = rows_of(study)
    Study.objects.update(check_attempts=1, judgments_per_document=4)
    Unit.objects.create(topic=study.topics.get(number="401"), number=9, copy_of=Unit.objects.first())
    copied = Unit.objects.get(number=9)
    for document in copied.copy_of.documents.all():
        copied.unit_documents.create(pool_document=document)
    assert judge_unit(make_worker(study), magnitude=inverted).state == "checks_failed"
    make_worker(study, upto="judging")
    assert rows_of(study) == before


def test_excluded_units_are_left_out_unless_asked_for_and_then_flagged(study: Study) -> None:
    before = rows_of(study)
    unit = Unit.objects.get(topic__number="401", number=2)
    exclude_unit(unit=unit, reason="Answered at random.", now=later(hours=3))

    without = rows_of(study)
    assert {row["unit_id"] for row in before} - {row["unit_id"] for row in without} == {"401-0002"}
    flagged = rows_of(study, with_excluded=True)
    assert len(flagged) == 48
    assert [row for row in flagged if row["excluded"] == "0"] == without
    assert {row["normalized_relevance_score"] for row in flagged if row["excluded"] == "1"} == {""}

    include_unit(unit=unit, now=later(hours=4))
    assert rows_of(study) == before


def test_deleted_judgments_are_gone(study: Study) -> None:
    worker = study.participations.order_by("pk").first()
    withdraw(participation=worker, delete_judgments=True, now=later(hours=3))
    rows = rows_of(study)
    assert len(rows) == 32
    assert worker.pseudonym not in {row["worker_id"] for row in rows}


def test_grades_bear_their_names_and_the_values_of_their_file(study: Study) -> None:
    add_grades(study, "trec", place=0, skip=1)
    add_grades(study, "comment", place=1, skip=1)  # the name of another column
    rows = {(row["topic_id"], row["document_id"]): row for row in rows_of(study)}
    assert rows["401", "D401-H"]["trec"] == "4"
    # Not listed in the file: the pool's level, in the value that the file uses for it.
    assert rows["401", "D401-000"]["trec"] == "0"
    assert rows["401", "D401-000"]["comment_grade"] == ""
    assert rows["401", "D401-H"]["comment_grade"] == "4"
    assert rows["401", "D401-H"]["comment"].startswith("So it seems")
    assert rows["401", "D401-004"]["trec"] == ""  # ungraded
    assert rows["401", "D401-H"]["sormunen"] == ""


AWKWARD = [
    'He said "so", twice; and, well…',
    "two\r\nlines",
    "a lone \r return",
    "=1+1",
    "+49",
    "-1",
    "@home",
    "\ttab",
    "ünï ☃ 💧",
    " blanks around ",
]


def test_text_comes_out_as_it_was_typed(study: Study) -> None:
    Judgment.objects.update(justification="So it seems.")
    judgments = list(Judgment.objects.order_by("pk")[: len(AWKWARD)])
    for judgment, text in zip(judgments, AWKWARD, strict=True):
        judgment.justification = text
    Judgment.objects.bulk_update(judgments, ["justification"])
    assert {row["comment"] for row in rows_of(study)} == {*AWKWARD, "So it seems."}
    lines = [json.loads(line) for line in export_lines(study, "judgments", "jsonl")]
    assert {line["comment"] for line in lines} == {*AWKWARD, "So it seems."}


def test_json_lines_hold_typed_values(study: Study) -> None:
    lines = [json.loads(line) for line in export_lines(study, "judgments", "jsonl")]
    table = rows_of(study)
    assert len(lines) == len(table)
    for line, row in zip(lines, table, strict=True):
        assert list(line) == list(row)
        assert line["relevance_score"] == float(row["relevance_score"])
        assert (line["simulated"], line["excluded"]) == (False, False)
        assert isinstance(line["topic_id"], str)


def test_numbers_keep_every_digit(study: Study) -> None:
    Judgment.objects.filter(pool_document__anchor="").update(number=1 / 3)
    rows = [row for row in rows_of(study) if not row["gold"]]
    assert {row["relevance_score"] for row in rows} == {repr(1 / 3)}


def test_a_topic_is_read_only_when_its_rows_are_due(study: Study, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(texts, "LINES_AT_ONCE", 1)
    with CaptureQueriesContext(connection) as seen:
        lines = export_chunks(study, "judgments", "csv")
        for _ in range(1 + 24):
            next(lines)
        first_topic = len(seen)
        next(lines)
        assert len(seen) > first_topic


def test_the_number_of_queries_does_not_grow_with_the_judgments(db: None) -> None:
    few = make_study(slug="few", judgments_per_document=1)
    judge(few, workers=1)
    many = make_study(slug="many", judgments_per_document=4)
    judge(many, workers=4)
    counts = {}
    for study in (few, many):
        with CaptureQueriesContext(connection) as seen:
            assert list(export_lines(study, "judgments"))
        counts[study.slug] = len(seen)
    assert counts["few"] == counts["many"]


def test_an_empty_study_gives_the_header_alone(db: None) -> None:
    assert len(list(export_lines(make_study(slug="empty"), "judgments"))) == 1
