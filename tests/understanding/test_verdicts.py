"""Verdicts on disagreements: given on a document's page, exported, reported, and carried in a bundle."""

import csv
import io
from collections.abc import Sequence
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.db import IntegrityError, transaction
from django.test import Client
from django.urls import reverse

from evaluation import analyses
from evaluation.files import read_gains, read_judgments, read_verdicts
from evaluation.magnitudes import gains, normalise
from evaluation.verdicts import VERDICTS
from judging.core.published import PUBLISHED
from judging.core.services.errors import RefusedError
from judging.core.services.members import set_role
from judging.models import AuditEntry, DisagreementVerdict, GradeSet, PoolDocument, ReportKind, Role, Study
from judging.protocol.verdicts import Verdict
from judging.setup.study_files.importing import import_study
from judging.understanding.services.verdicts import LONGEST_NOTE, record_verdict
from tests.archive.bundles.conftest import everything, exported
from tests.factories import NOW, later
from tests.support.exports import export_lines
from tests.support.integrity import broken_invariants
from tests.understanding.conftest import judged
from tests.understanding.reading import base, make

pytestmark = pytest.mark.django_db


@pytest.fixture
def study() -> Study:
    """Return a study with its report on documents. Some of its documents fit another grade."""
    study = judged()
    make(study, ReportKind.DOCUMENTS)
    return study


def table_of(study: Study) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO("".join(export_lines(study, "disagreements", "csv")))))


def first_disagreement(study: Study) -> PoolDocument:
    row = max(table_of(study), key=lambda row: float(row["difference"]))
    return pooled_of(study, row["topic_id"], row["document_id"])


def pooled_of(study: Study, topic: str, document: str) -> PoolDocument:
    return PoolDocument.objects.get(topic__study=study, topic__number=topic, document__document_id=document)


def address_of(pooled: PoolDocument) -> str:
    query = f"topic={pooled.topic.number}&id={pooled.document.document_id}"
    return f"{reverse('console:document', args=[pooled.topic.study.slug])}?{query}"


def give(pooled: PoolDocument, verdict: str, note: str = "", **given: Any) -> bool:
    grades = GradeSet.objects.get(study=pooled.topic.study, place=0)
    given = {"grades": grades, "now": later(), **given}
    return record_verdict(pooled=pooled, verdict=verdict, note=note, **given)


class _Forms(HTMLParser):
    """Reads each section of a verdict: its data, and the names of the fields in it."""

    def __init__(self) -> None:
        super().__init__()
        self.sections: list[tuple[dict[str, str | None], dict[str, str | None]]] = []
        self._select = ""

    def handle_starttag(self, tag: str, attrs: Sequence[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if tag == "section" and given.get("class") == "verdict":
            self.sections.append((given, {}))
        elif self.sections and tag in ("input", "select") and given.get("name"):
            self.sections[-1][1][str(given["name"])] = given.get("value")
            self._select = str(given["name"]) if tag == "select" else ""
        elif tag == "option" and "selected" in given and self.sections:
            self.sections[-1][1][self._select] = given["value"]


def sections_of(page: str) -> list[tuple[dict[str, str | None], dict[str, str | None]]]:
    forms = _Forms()
    forms.feed(page)
    return forms.sections


def test_the_site_and_the_library_have_the_same_verdicts() -> None:
    assert {verdict.value: verdict.words for verdict in Verdict} == {
        verdict: str(words) for verdict, words in VERDICTS.items()
    }
    (column,) = (column for column in PUBLISHED["disagreements"].columns() if column.name == "verdict")
    assert column.options == (*VERDICTS, "")


def test_a_verdict_is_given_changed_and_deleted_on_the_page(study: Study, console: Client) -> None:
    pooled = first_disagreement(study)
    address = address_of(pooled)
    ((data, fields),) = sections_of(console.get(address).content.decode())
    assert (data["data-grades"], data["data-verdict"]) == ("trec", "")
    assert fields.keys() >= {"csrfmiddlewaretoken", "grades", "verdict", "note"}
    sent = {"grades": "trec", "verdict": "crowd_wrong", "note": " Off topic. "}
    answer = console.post(address, sent)
    assert (answer.status_code, answer.url) == (302, address)
    stored = DisagreementVerdict.objects.get()
    assert (stored.pool_document, stored.verdict, stored.note) == (pooled, "crowd_wrong", "Off topic.")
    assert stored.decided_by == get_user_model().objects.get(username="ada")
    ((data, fields),) = sections_of(console.get(address).content.decode())
    assert (data["data-verdict"], fields["verdict"], fields["note"]) == (
        "crowd_wrong",
        "crowd_wrong",
        "Off topic.",
    )
    assert console.post(address, sent).status_code == 302
    assert AuditEntry.objects.filter(verb="verdict_changed").count() == 1, "nothing changed the second time"
    assert console.post(address, sent | {"verdict": "topic_unclear"}).status_code == 302
    assert DisagreementVerdict.objects.get().verdict == "topic_unclear"
    assert console.post(address, {"grades": "trec", "verdict": "", "note": ""}).status_code == 302
    assert not DisagreementVerdict.objects.exists()
    entries = AuditEntry.objects.filter(study=study, verb="verdict_changed").order_by("pk")
    changes = [(entry.detail["before"], entry.detail["after"]) for entry in entries]
    assert [(before["verdict"], after["verdict"]) for before, after in changes] == [
        ("", "crowd_wrong"),
        ("crowd_wrong", "topic_unclear"),
        ("topic_unclear", ""),
    ]
    assert {(entry.detail["topic"], entry.detail["document"], entry.actor_name) for entry in entries} == {
        (pooled.topic.number, pooled.document.document_id, "ada")
    }


def test_what_the_page_refuses(study: Study, console: Client) -> None:
    pooled = first_disagreement(study)
    good = {"grades": "trec", "verdict": "expert_wrong", "note": "A note."}
    for bad in (
        {"verdict": "nobody"},
        {"verdict": ""},
        {"note": "x" * (LONGEST_NOTE + 1)},
        {"note": "a\0b"},
        {"grades": "other"},
    ):
        answer = console.post(address_of(pooled), good | bad)
        assert answer.status_code == 409, bad
        if bad.keys() != {"grades"}:
            ((_, fields),) = sections_of(answer.content.decode())
            assert fields["note"] == (good | bad)["note"], "what was typed is not lost"
    fitting = next(
        pooled
        for pooled in PoolDocument.objects.filter(topic__study=study)
        if pooled.document.document_id not in {row["document_id"] for row in table_of(study)}
    )
    assert sections_of(console.get(address_of(fitting)).content.decode()) == []
    assert console.post(address_of(fitting), good).status_code == 409
    assert console.post(f"{base(study)}document/?topic=401&id=nothing", good).status_code == 404
    assert not DisagreementVerdict.objects.exists()
    assert not AuditEntry.objects.filter(verb="verdict_changed").exists()


def test_a_document_without_a_grade_has_no_verdict(study: Study) -> None:
    ungraded = PoolDocument.objects.filter(topic__study=study, grade="")[0]
    second = GradeSet.objects.create(study=study, name="binary", place=1)
    for pooled, grades in ((ungraded, study.grade_sets.get(place=0)), (first_disagreement(study), second)):
        with pytest.raises(RefusedError):
            give(pooled, "crowd_wrong", grades=grades)


def test_the_database_keeps_one_known_verdict_for_each_set(study: Study) -> None:
    pooled = first_disagreement(study)
    give(pooled, "crowd_wrong")
    fields = {"pool_document": pooled, "grade_set": study.grade_sets.get(), "decided_at": NOW}
    for verdict in ("crowd_wrong", "other"):
        with pytest.raises(IntegrityError), transaction.atomic():
            DisagreementVerdict.objects.create(**fields, verdict=verdict)


def test_viewers_read_verdicts_and_editors_give_them(study: Study, client: Client) -> None:
    pooled = first_disagreement(study)
    sent = {"grades": "trec", "verdict": "crowd_wrong", "note": ""}
    for role, status in ((Role.VIEWER, 403), (Role.EDITOR, 302), (Role.OWNER, 302)):
        user = get_user_model().objects.create_user(role.value)
        set_role(study=study, user=user, role=role, now=later())
        client.force_login(user)
        ((_, fields),) = sections_of(client.get(address_of(pooled)).content.decode())
        assert ("verdict" in fields) is (status == 302)
        assert client.post(address_of(pooled), sent).status_code == status
    client.force_login(get_user_model().objects.create_user("stranger", is_staff=True))
    assert client.post(address_of(pooled), sent).status_code == 404
    assert Client().post(address_of(pooled), sent).status_code == 302
    assert DisagreementVerdict.objects.get().decided_by.username == "editor"
    get_user_model().objects.get(username="editor").delete()
    assert DisagreementVerdict.objects.get().decided_by is None


# --- exports, reports, bundles ------------------------------------------------------------------------------


def test_the_export_has_the_disagreements_of_the_library(study: Study, tmp_path: Path) -> None:
    pooled = first_disagreement(study)
    give(pooled, "expert_wrong", "A “note”.")
    for what, form in (("judgments", "csv"), ("gains", "qrels")):
        (tmp_path / what).write_text("".join(export_lines(study, what, form)), newline="")
    judgments = read_judgments(tmp_path / "judgments", gold=True)
    lines = [
        f"{one.topic.number} 0 {one.document.document_id} {'NMRH'.index(one.grade)}\n"
        for one in PoolDocument.objects.filter(topic__study=study).exclude(grade="")
    ]
    (tmp_path / "grades").write_text("".join(lines))
    known = read_gains(tmp_path / "grades")
    expected = analyses.disagreements(gains(judgments, normalise(judgments)), known)
    rows = table_of(study)
    by_document = {(row["topic_id"], row["document_id"]): row for row in rows}
    assert by_document.keys() == set(expected.select("topic_id", "document_id").rows())
    for row in expected.iter_rows(named=True):
        shown = by_document[row["topic_id"], row["document_id"]]
        assert [shown[name] for name in ("grade", "nearest")] == [
            "NMRH"[int(row[name])] for name in ("grade", "nearest")
        ]
        assert [float(shown[name]) for name in ("gain", "own_median", "nearest_median", "difference")] == [
            row[name] for name in ("value", "own_median", "nearest_median", "difference")
        ]
    given = [row for row in rows if row["verdict"]]
    assert [(row["document_id"], row["verdict"], row["note"]) for row in given] == [
        (pooled.document.document_id, "expert_wrong", "A “note”.")
    ]


def test_a_verdict_stays_in_the_export_when_its_document_fits_again(study: Study, console: Client) -> None:
    pooled = first_disagreement(study)
    give(pooled, "crowd_wrong")
    pooled.topic.units.update(excluded_at=NOW, exclusion_reason="No.", state="done")
    (row,) = (row for row in table_of(study) if row["topic_id"] == pooled.topic.number)
    assert (row["document_id"], row["nearest"], row["verdict"]) == (
        pooled.document.document_id,
        "",
        "crowd_wrong",
    )
    make(study, ReportKind.DOCUMENTS)
    ((data, _),) = sections_of(console.get(address_of(pooled)).content.decode())
    assert data["data-verdict"] == "crowd_wrong"


def test_the_export_can_be_given_to_the_library(study: Study, tmp_path: Path) -> None:
    pooled = first_disagreement(study)
    give(pooled, "topic_unclear")
    path = tmp_path / "disagreements.csv"
    path.write_text("".join(export_lines(study, "disagreements", "csv")), newline="")
    assert read_verdicts(path).rows(named=True) == [
        {
            "topic_id": pooled.topic.number,
            "document_id": pooled.document.document_id,
            "verdict": "topic_unclear",
            "grades": "trec",
        }
    ]


def test_the_report_of_the_study_has_the_verdicts(study: Study) -> None:
    from evaluation.report import build_report
    from judging.understanding.reports.study_data import read_study
    from judging.understanding.reports.whole import report_data

    assert report_data(read_study(study)).verdicts is None
    pooled = first_disagreement(study)
    give(pooled, "crowd_wrong")
    (part,) = build_report(report_data(read_study(study)), only=["disagreements"]).finished
    (table,) = (numbers.table for numbers in part.content.tables if "verdict" in numbers.table.columns)
    assert table.filter(verdict="crowd_wrong")["document_id"].to_list() == [pooled.document.document_id]


def test_a_bundle_brings_the_verdicts_back(study: Study, tmp_path: Path) -> None:
    rows = table_of(study)
    assert len(rows) > 1, "else little is proved"
    for row, verdict in zip(rows, Verdict, strict=False):
        give(pooled_of(study, row["topic_id"], row["document_id"]), verdict.value, 'A "note",\nin two lines')
    bundle = tmp_path / "bundle.zip"
    bundle.write_bytes(exported(study, "bundle", "zip"))
    again = import_study(bundle, slug="again", now=NOW).study
    assert table_of(again) == table_of(study)
    assert everything(again)["disagreements.jsonl"] == everything(study)["disagreements.jsonl"]
    assert set(
        DisagreementVerdict.objects.filter(grade_set__study=again).values_list("decided_by", flat=True)
    ) == {None}
    assert broken_invariants(again) == []
