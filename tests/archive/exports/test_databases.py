"""Everything can be exported from either database, with the same bytes."""

import json
import re
from datetime import timedelta
from io import StringIO
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from evaluation.files import write_scores
from judging.archive.catalogue import EXPORTS, OFFERED, export_chunks
from judging.core.services.studies import open_study
from judging.models import Document, Judgment, Participation, Study, Topic, Visit
from judging.protocol.timing import visit_seconds
from judging.understanding.scoring import evaluate_study, study_runs
from tests.archive.exports.conftest import add_decision, add_grades, add_run, judge
from tests.factories import (
    NOW,
    answer_wrongly,
    fail_practice,
    honest,
    judge_unit,
    later,
    make_study,
    make_worker,
    pass_practice,
)
from tests.support.databases import as_default
from tests.support.empty_database import empty_tables
from tests.support.exports import export_lines

# Text that collations of languages sort otherwise than by code point, in an order that is nobody's.
TEXTS = ("b-1", "B2", "a", "_a", "Ä1", "A10", "ab", "a b", "A-2", "z", "10", "9", "é")


def test_every_export_has_its_rows_on_both_databases(database: str) -> None:
    study = make_study(judgments_per_document=3)
    judge(study, workers=2)
    add_grades(study, "trec", place=0)
    add_decision(study)
    fail_practice(make_worker(study, upto="practising"))
    answer_wrongly(make_worker(study, upto="question"))
    rows = {what: [json.loads(line) for line in export_lines(study, what, "jsonl")] for what in EXPORTS}
    assert rows.pop("disagreements"), "how many depends on the keys of the documents"
    assert {what: len(found) for what, found in rows.items()} == {
        "judgments": 32,
        "gains": 16,
        "units": 5,
        "workers": 4,
        "events": 2,
        "table1": 3,
        "soft_labels": 16,
        "decisions": 1,
        "sample": 16,
    }
    assert {row["cumulative_time"] for row in rows["judgments"]} == {25.0}
    keys = [(row["topic_id"], row["unit_id"], row["worker_id"]) for row in rows["judgments"]]
    assert keys == sorted(keys)
    assert sum(row["units_completed"] for row in rows["workers"]) == 4
    assert [row["worker_id"] for row in rows["workers"]] == sorted(
        row["worker_id"] for row in rows["workers"]
    )


@pytest.mark.parametrize("database", ["postgresql"], indirect=True)
def test_both_databases_give_the_same_bytes(database: str, sqlite_settings: dict[str, Any]) -> None:
    assert connection.vendor == "postgresql"
    result = everything(mixed_study())
    with as_default(sqlite_settings):
        try:
            assert connection.vendor == "sqlite"
            again = everything(mixed_study())
        finally:
            empty_tables()
    assert all(result.values())
    assert [what for what in EVERYTHING if result[what] != again[what]] == []


def test_no_text_is_sorted_by_the_database(db: None) -> None:
    """Its collation may be any: only what is no text is left to it."""
    study = mixed_study()
    with CaptureQueriesContext(connection) as asked:
        everything(study)
    orders = re.findall(
        r" ORDER BY (.+?)(?= LIMIT|\)|$)", "\n".join(item["sql"] for item in asked), re.MULTILINE
    )
    columns = {
        part.split()[0].rpartition(".")[2].strip('"') for order in orders for part in order.split(", ")
    }
    assert "place" in columns
    assert columns <= {"id", "place", "slug", "topic_id"}, (
        "the slug is that of the one study, so it sorts nothing"
    )


def test_rows_put_in_unsorted_come_out_by_code_point(db: None) -> None:
    study = mixed_study()
    tables = {what: [json.loads(line) for line in export_lines(study, what, "jsonl")] for what in EXPORTS}
    assert [row["worker_id"] for row in tables["workers"]] == sorted(TEXTS)
    assert [run.tag for run in study_runs(study)] == sorted(TEXTS)
    assert [row["topic_id"] for row in tables["table1"]] == [*sorted(TEXTS[:3]), "all"]
    for what, keys in {
        "gains": ("topic_id", "document_id"),
        "judgments": ("topic_id", "unit_id", "worker_id", "document_id"),
        "units": ("topic_id", "unit_id", "worker_id"),
        "events": ("topic_id", "unit_id", "worker_id"),
    }.items():
        results = [tuple(row[key] for key in keys) for row in tables[what]]
        assert results == sorted(results), what


def test_seconds_are_sums_without_noise(database: str) -> None:
    """0.1 + 0.2 + 0.3 is 0.6000000000000001 added up one after the other, and 0.6 to the microsecond."""
    rows = [json.loads(line) for line in export_lines(mixed_study(), "judgments", "jsonl")]
    assert {(row["cumulative_time"], row["visits"]) for row in rows} == {(0.6, 4)}


EVERYTHING = (*(f"{export.name}.{form}" for export in OFFERED.values() for form in export.formats), "scores")


def everything(study: Study) -> dict[str, bytes]:
    """Every export in every format, and the scores of the study's runs."""
    texts = [b"".join(export_chunks(study, *what.split("."))) for what in EVERYTHING[:-1]]
    out = StringIO()
    write_scores(evaluate_study(study, ["nDCG@10", "P@5"]).by_run(per_topic=True), out, "csv", 4)
    return dict(zip(EVERYTHING, [*texts, out.getvalue().encode()], strict=True))


def mixed_study() -> Study:
    """Names of all sorts for everything that has one; two workers judge, with odd fractions of seconds."""
    study = make_study(topics=3, judgments_per_document=2, opened=False)
    for topic, number in zip(study.topics.all(), TEXTS, strict=False):
        Topic.objects.filter(pk=topic.pk).update(number=number)
        documents = Document.objects.filter(pools__topic=topic, pools__anchor="").order_by("pk")
        for document, name in zip(documents, TEXTS, strict=False):
            Document.objects.filter(pk=document.pk).update(document_id=f"{name}/{number}")
    open_study(study=study, now=NOW)
    study.refresh_from_db()
    add_grades(study, "Other", place=0)
    add_grades(study, "trec", place=1)
    workers = [make_worker(study, upto="practising") for _ in TEXTS]
    for worker in workers:
        fail_practice(worker)
    for place, worker in enumerate(workers[:2]):
        pass_practice(worker)
        for unit in range(3):
            judge_unit(worker, now=later(hours=2 * unit + place), magnitude=fractions)
    look_again(study)
    for worker, pseudonym in zip(workers, TEXTS, strict=True):
        Participation.objects.filter(pk=worker.pk).update(pseudonym=pseudonym)
    add_decision(study)
    for tag in TEXTS:
        add_run(study, tag, reverse=tag > "a")
    return study


def fractions(judgment: Judgment) -> str:
    """As the honest one, but no number is a sum of few powers of two."""
    return repr(float(honest(judgment)) / 7)


def look_again(study: Study) -> None:
    """Visits whose seconds, added up one after the other, give another sum than their exact one."""
    for judgment in Judgment.objects.filter(assignment__topic__study=study).order_by("pk"):
        for tenths in (1, 2, 3):
            end = NOW + timedelta(seconds=tenths / 10)
            Visit.objects.create(
                judgment=judgment,
                assignment_id=judgment.assignment_id,
                opened_at=NOW,
                closed_at=end,
                seconds=visit_seconds(NOW, end, most=900),
            )
        judgment.visits.filter(seconds=25).update(seconds=0)
