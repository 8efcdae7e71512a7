"""The pages about judges beside people: machine judges, labels from files, and the comparison."""

import gzip
import json
from pathlib import Path
from random import Random
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError, call_command
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from evaluation.judges import assess
from judging.core.selectors.labels import added_labels, families_of, labels_of_judges, predictions_of
from judging.core.services.errors import RefusedError
from judging.limits import LABELS_MEGABYTES
from judging.machine.sittings import check_can_begin
from judging.models import AuditEntry, LabelSet, PoolDocument, Report, ReportKind, Run, Study
from judging.understanding.reports.study_data import read_study
from judging.understanding.reports.whole import report_data
from judging.understanding.selectors.reports import changes_since, find_report
from judging.understanding.services.labels import add_labels, remove_labels
from judging.understanding.services.wanted import request_reports_of
from tests.factories import NOW, judge_unit, later, make_machine, make_study, make_worker
from tests.support.html import compact
from tests.support.integrity import broken_invariants
from tests.understanding.reading import make, text_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def study() -> Study:
    """A study whose documents two workers each have judged, with two runs."""
    study = make_study(judgments_per_document=2, topics=2)
    for _ in range(4):
        judge_unit(make_worker(study))
    for tag in ("bm25", "dense"):
        Run.objects.create(study=study, tag=tag)
    return study


@pytest.fixture
def console(admin_client: Client) -> Client:
    return admin_client


def qrels(study: Study) -> bytes:
    rng = Random(1)
    pool = PoolDocument.objects.filter(topic__study=study).order_by("pk")
    rows = pool.values_list("topic__number", "document__document_id")
    return "".join(f"{topic} 0 {document} {rng.randint(0, 3)}\n" for topic, document in rows).encode()


def add(study: Study, name: str = "model", data: bytes | None = None, **given: Any) -> LabelSet:
    data = qrels(study) if data is None else data
    return add_labels(study=study, name=name, data=data, file_name="m.qrels", now=NOW, **given).label_set


def pages(study: Study) -> tuple[str, str, str]:
    of_study = f"/console/studies/{study.slug}/understanding/judges/"
    return of_study, f"{of_study}labels/", f"{of_study}machine/"


def test_labels_are_stored_as_the_file_has_them(study: Study) -> None:
    data = b"qid,docid,label\n" + b"".join(
        b"%b,%b,%d\n" % (topic.encode(), document.encode(), place - 2)
        for place, (topic, document) in enumerate(
            PoolDocument.objects.filter(topic__study=study).values_list(
                "topic__number", "document__document_id"
            )
        )
    )
    label_set = add(study, data=data, family=["bm25"])
    (labels,) = added_labels(study).values()
    expected = {tuple(line.split(",")[:2]): float(line.split(",")[2]) for line in data.decode().split()[1:]}
    assert {(row[0], row[1]): row[2] for row in labels.table.iter_rows()} == expected
    assert families_of(study) == {"bm25": "model"}
    entry = AuditEntry.objects.get(verb="labels_added")
    assert entry.detail["sha256"] == label_set.sha256
    assert entry.detail["labels"] == len(expected)
    assert broken_invariants(study) == []
    remove_labels(study=study, name="model", now=NOW)
    assert labels_of_judges(study) == {}
    with pytest.raises(RefusedError):
        remove_labels(study=study, name="model", now=NOW)


@pytest.mark.parametrize(
    "name", ["", " ", "people", "all", "x" * 61, "a\0b", "\u200b", "\u202eabc", "a\u2028b", "taken", "gauge"]
)
def test_names_that_cannot_be_used(study: Study, name: str) -> None:
    make_machine(make_worker(study))
    add(study, "taken")
    with pytest.raises(RefusedError):
        add(study, name)
    assert [*study.label_sets.values_list("name", flat=True)] == ["taken"]


def test_a_machine_judge_cannot_have_the_name_of_labels(study: Study) -> None:
    add(study, "gauge")
    with pytest.raises(RefusedError):
        check_can_begin(study, "gauge", now=NOW)


def test_topics_of_other_studies_are_left_out_and_counted(study: Study) -> None:
    data = qrels(study) + b"elsewhere 0 d 3\n"
    added = add_labels(study=study, name="m", data=data, file_name="m", now=NOW)
    assert added.ignored_topics == 1
    with pytest.raises(RefusedError):
        add(study, "other", b"elsewhere 0 d 3\n")
    with pytest.raises(RefusedError):
        add(study, "other", family=["nowhere"])
    assert LabelSet.objects.count() == 1


def test_the_command_adds_replaces_and_refuses(study: Study, tmp_path: Path, capsys: Any) -> None:
    path = tmp_path / "labels.jsonl"
    rows = [line.split() for line in qrels(study).decode().splitlines()]
    path.write_text(
        "".join(
            json.dumps({"q": topic, "d": document, "s": float(label)}) + "\n"
            for topic, _, document, label in rows
        )
    )
    columns = ["--label-columns", "topic_id=q", "document_id=d", "label=s"]
    call_command("import_labels", study.slug, "model", str(path), "--family", "bm25", *columns)
    first = LabelSet.objects.get()
    assert (first.file, first.family) == ("labels.jsonl", ["bm25"])
    with pytest.raises(CommandError):
        call_command("import_labels", study.slug, "model", str(path), *columns)
    path.write_text("\n".join(path.read_text().splitlines()[:3]) + "\n")
    call_command("import_labels", study.slug, "model", str(path), "--replace", *columns)
    assert len(added_labels(study)["model"].table) == 3
    for broken in ("nothing.qrels", str(tmp_path)):
        with pytest.raises(CommandError):
            call_command("import_labels", study.slug, "other", broken)
    path.write_text("1 0 d x\n")
    with pytest.raises(CommandError, match=r"labels\.jsonl:1"):
        call_command("import_labels", study.slug, "other", str(path))
    assert LabelSet.objects.count() == 1


def test_a_page_without_judges_says_how_to_get_some(study: Study, console: Client) -> None:
    page = text_of(console, pages(study)[0])
    assert 'data-empty="machines"' in page
    assert 'data-empty="labels"' in page
    assert "data-report" not in page
    assert ReportKind.JUDGES not in _requested(study)


def _requested(study: Study) -> list[str]:
    request_reports_of(study, now=NOW)
    return [job.parameters["report"] for job in study.jobs.filter(kind="report").order_by("pk")]


def test_labels_are_added_and_removed_on_a_page(study: Study, console: Client) -> None:
    judges, labels, _machine = pages(study)
    sent = {"action": "add", "name": "a model", "family": "dense", "columns": ""}
    upload = SimpleUploadedFile("m.qrels", qrels(study))
    answer = console.post(labels, {**sent, "file": upload}, follow=True)
    assert answer.redirect_chain == [(judges, 302)]
    assert 'data-labels="a model"' in compact(answer.content.decode())
    assert LabelSet.objects.get().family == ["dense"]
    console.post(labels, {"action": "remove", "name": "a model"})
    assert not LabelSet.objects.exists()


@pytest.mark.parametrize(
    ("changes", "data"),
    [
        ({}, b""),
        ({}, b"401 0 d x\n"),
        ({}, b"nowhere 0 d 1\n"),
        ({"name": "people"}, None),
        ({"columns": "label"}, None),
        ({"columns": "lable=4"}, None),
        ({"family": "nowhere"}, None),
    ],
)
def test_what_is_refused_is_said_and_what_was_typed_is_kept(
    study: Study, console: Client, changes: dict[str, str], data: bytes | None
) -> None:
    sent = {"action": "add", "name": "model", "family": "bm25", "columns": "label=4 topic_id=1 document_id=3"}
    upload = SimpleUploadedFile("m.qrels", qrels(study) if data is None else data)
    answer = console.post(pages(study)[1], {**sent, **changes, "file": upload})
    page = compact(answer.content.decode())
    assert answer.status_code == 400
    assert 'role="alert"' in page
    for typed in ({**sent, **changes}["name"], {**sent, **changes}["family"], {**sent, **changes}["columns"]):
        assert f'value="{typed}"' in page
    assert not LabelSet.objects.exists()


def test_the_report_compares_labels_as_the_library_does(study: Study, console: Client) -> None:
    add(study)
    assert ReportKind.JUDGES.value in _requested(study)
    make(study, ReportKind.JUDGES)
    report = find_report(study, ReportKind.JUDGES, {})
    assert report is not None
    data = read_study(study)
    whole = report_data(data)
    alone = assess(
        data.judgments, labels_of_judges(study), documents=whole.documents, seed=study.seed % 2**64
    )
    stored = {table["key"]: table["rows"] for table in report.content["tables"]}
    assert stored["judges-worth"] == [list(row) for row in alone.worth.iter_rows()]
    assert stored["judges-agreement"] == [list(row) for row in alone.agreement.iter_rows()]
    page = text_of(console, pages(study)[0])
    assert 'data-part="judges-beside-people"' in page
    assert 'data-report="made"' in page


def test_a_report_is_outdated_once_labels_change(study: Study) -> None:
    add(study)
    make(study, ReportKind.JUDGES)
    make(study, ReportKind.GRADES)
    add(study, "another")
    of_judges, of_grades = (find_report(study, kind, {}) for kind in (ReportKind.JUDGES, ReportKind.GRADES))
    assert of_judges is not None
    assert of_grades is not None
    assert changes_since(of_judges, study).changed
    assert not changes_since(of_grades, study).changed
    make(study, ReportKind.JUDGES)
    assert not changes_since(Report.objects.get(kind="judges"), study).changed
    sets = [*study.label_sets.order_by("pk")]
    study.label_sets.all().delete()
    LabelSet.objects.create(
        pk=sum(each.pk for each in sets), study=study, name="m", file="m", sha256="0" * 64, added_at=NOW
    )
    changes = changes_since(Report.objects.get(kind="judges"), study)
    assert (changes.changed, changes.labels_only) == (True, True)


def test_reports_are_requested_again_after_labels_were_added(study: Study) -> None:
    add(study)
    assert ReportKind.JUDGES.value in _requested(study)
    study.jobs.update(created_at=later(hours=5), state="done", finished_at=later(hours=5))
    before = len(_requested(study))
    add_labels(study=study, name="another", data=qrels(study), file_name="m", now=later(hours=6))
    assert set(_requested(study)[before:]) == {ReportKind.JUDGES.value}


def test_large_files_and_odd_columns_are_refused_on_the_page(study: Study, console: Client) -> None:
    labels = pages(study)[1]
    sent = {"action": "add", "name": "model", "family": "", "columns": ""}
    row = b"401 0 d 1\n"
    for data in (row * (LABELS_MEGABYTES * (1 << 20) // len(row) + 1), gzip.compress(row * (1 << 20))):
        answer = console.post(labels, {**sent, "file": SimpleUploadedFile("m.qrels", data)})
        assert answer.status_code == 400
    half = b'{"topic_id": "401", "document_id": "\\ud800", "label": 1}\n'
    for columns, data in (("", half), (f"label={'9' * 5000}", qrels(study))):
        upload = SimpleUploadedFile("m.jsonl", data)
        answer = console.post(labels, {**sent, "columns": columns, "file": upload})
        assert answer.status_code == 400
        assert 'value="model"' in compact(answer.content.decode())
    assert not LabelSet.objects.exists()


def test_negative_labels_are_compared_and_predict(study: Study) -> None:
    data = qrels(study).replace(b" 0\n", b" -1\n")
    add(study, data=data)
    make(study, ReportKind.JUDGES)
    report = find_report(study, ReportKind.JUDGES, {})
    assert report is not None
    assert {table["key"] for table in report.content["tables"]} >= {"judges-worth", "judges-bias"}
    add(study, "part", data=data.partition(b"\n")[2])
    assert {*predictions_of(study)} == {"model"}, "the other one lacks a document"


def test_the_queries_of_the_page_do_not_grow_with_judges(study: Study, console: Client) -> None:
    address = pages(study)[0]
    make_machine(make_worker(study))
    with CaptureQueriesContext(connection) as one:
        console.get(address)
    for number in range(4):
        make_machine(make_worker(study), name=f"gauge {number}")
    with CaptureQueriesContext(connection) as five:
        assert console.get(address).status_code == 200
    assert len(five) == len(one)
