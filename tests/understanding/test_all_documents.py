"""The list of the documents of all topics: ordered by disagreement, filtered, with titles or first words."""

import csv
import io
from typing import Any

import polars as pl
import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from judging.models import Document, PoolDocument, Report, ReportKind, Study, Topic
from judging.protocol.verdicts import Verdict
from judging.understanding.pages.all_documents_form import NONE
from judging.understanding.reports import stored_table
from judging.understanding.selectors.openings import LENGTH
from judging.understanding.services.verdicts import record_verdict
from tests.archive.exports.conftest import add_grades
from tests.factories import later
from tests.support.exports import export_lines
from tests.understanding.conftest import judged
from tests.understanding.reading import base, csv_of, links_in, make, tables_in, text_of

pytestmark = pytest.mark.django_db
DOCUMENT, TOPIC, GRADE, NEAREST, DIFFERENCE, GAIN, JUDGMENTS, VERDICT = range(8)


@pytest.fixture
def study() -> Study:
    study = judged()
    make(study, ReportKind.DOCUMENTS)
    return study


def rows_of(console: Client, study: Study, query: str = "") -> list[list[Any]]:
    """Return the rows of the first table of the page, or no rows if the page shows only the topics."""
    documents, *topics = tables_in(text_of(console, f"{base(study)}?{query}"))
    return documents if topics else []


def name_of(row: list[Any]) -> tuple[str, str]:
    """Return the topic and the document of a row. The cell of the document also has its opening."""
    return row[TOPIC], row[DOCUMENT][: len("D401-000")].removesuffix("D")


def disagreements_of(study: Study) -> list[dict[str, str]]:
    lines = "".join(export_lines(study, "disagreements", "csv"))
    return list(csv.DictReader(io.StringIO(lines)))


def give(study: Study, row: dict[str, str], verdict: str) -> None:
    pooled = PoolDocument.objects.get(
        topic__study=study, topic__number=row["topic_id"], document__document_id=row["document_id"]
    )
    grades = study.grade_sets.get(name=row["grades"])
    record_verdict(pooled=pooled, grades=grades, verdict=verdict, note="", now=later())


def test_disagreements_of_all_topics_come_first(study: Study, console: Client) -> None:
    rows = rows_of(console, study)
    assert len(rows) == PoolDocument.objects.filter(topic__study=study).count()
    assert {row[TOPIC] for row in rows} == {"401", "402"}
    exported = disagreements_of(study)
    assert len({row["topic_id"] for row in exported}) == 2, "else little is proved"
    differences = [row[DIFFERENCE] for row in rows[: len(exported)]]
    assert differences == sorted((float(row["difference"]) for row in exported), reverse=True)
    assert (
        {row[DIFFERENCE] for row in rows[len(exported) :]}
        == {"–"}
        == {row[NEAREST] for row in rows[len(exported) :]}
    )
    of_rows = {name_of(row): (row[GRADE], row[NEAREST], row[GAIN]) for row in rows[: len(exported)]}
    assert of_rows == {
        (row["topic_id"], row["document_id"].removesuffix("D")): (
            row["grade"],
            row["nearest"],
            float(row["gain"]),
        )
        for row in exported
    }


def test_a_row_leads_to_its_document_and_its_topic(study: Study, console: Client) -> None:
    links = links_in(text_of(console, base(study)))
    for pooled in PoolDocument.objects.filter(topic__study=study).select_related("topic", "document"):
        query = f"topic={pooled.topic.number}&id={pooled.document.document_id}"
        assert f"{base(study)}document/?{query}" in links
        assert f"{base(study)}documents/?topic={pooled.topic.number}" in links


def test_untitled_documents_show_their_first_words(study: Study, console: Client) -> None:
    start = "A  line\nand another. "
    text = start + "word " * LENGTH
    Document.objects.filter(study=study).update(title="")
    long, short = Document.objects.filter(study=study).order_by("pk")[:2]
    Document.objects.filter(pk=long.pk).update(text=text)
    Document.objects.filter(pk=short.pk).update(text="Short.")
    titled = Document.objects.filter(study=study).order_by("pk")[2]
    Document.objects.filter(pk=titled.pk).update(title="A title", text=text)
    with CaptureQueriesContext(connection) as captured:
        cells = [row[DOCUMENT] for row in rows_of(console, study)]
    (of_long,) = (cell for cell in cells if cell.startswith(long.document_id))
    assert of_long == f"{long.document_id}{' '.join(text[:LENGTH].split())}…"
    assert f"{short.document_id}Short." in cells
    assert f"{titled.document_id}A title" in cells
    reading = [query["sql"] for query in captured if '"judging_document"."text"' in query["sql"]]
    assert len(reading) == 1
    assert "substr" in reading[0].lower()


def test_the_form_filters(study: Study, console: Client) -> None:
    every = rows_of(console, study)
    exported = disagreements_of(study)
    first, second, *others = exported
    give(study, first, "crowd_wrong")
    give(study, second, "topic_unclear")

    def names(query: str) -> set[tuple[str, str]]:
        return {name_of(row) for row in rows_of(console, study, query)}

    def those(rows: list[dict[str, str]]) -> set[tuple[str, str]]:
        return {(row["topic_id"], row["document_id"].removesuffix("D")) for row in rows}

    assert names("topic=402") == {name_of(row) for row in every if row[TOPIC] == "402"}
    assert names("document=401-00") == {name_of(row) for row in every if row[DOCUMENT].startswith("D401-00")}
    for grade in "NMRH":
        assert names(f"grade={grade}") == {name_of(row) for row in every if row[GRADE] == grade} != set()
    assert names(f"grade={NONE}") == {name_of(row) for row in every if row[GRADE] == "–"} != set()
    assert names("verdict=crowd_wrong") == those([first])
    assert names("verdict=topic_unclear") == those([second])
    assert names("verdict=expert_wrong") == set()
    assert names(f"verdict={NONE}") == those(others) != set()
    shown = {name_of(row): row[VERDICT] for row in rows_of(console, study) if row[VERDICT] != "–"}
    labels = {verdict.value: verdict.words for verdict in Verdict}
    assert list(shown.values()).count(labels["crowd_wrong"]) == 1
    assert len(shown) == 2
    for query in ("topic=9", "grade=X", "verdict=x", "sort=luck"):
        assert console.get(f"{base(study)}?{query}").status_code == 400, query
    assert console.get(f"{base(study)}?page=99").status_code == 404


def test_columns_sort_whether_rows_are_filtered_or_not(study: Study, console: Client) -> None:
    for query in ("", "&topic=401"):
        gains = [row[GAIN] for row in rows_of(console, study, f"sort=-gain{query}")]
        assert gains == sorted(gains, reverse=True)
        differences = [row[DIFFERENCE] for row in rows_of(console, study, f"sort=difference{query}")]
        numbers = [number for number in differences if number != "–"]
        assert differences == sorted(numbers) + ["–"] * (len(differences) - len(numbers))
        grades = [row[GRADE] for row in rows_of(console, study, f"sort=grade{query}") if row[GRADE] != "–"]
        assert grades == sorted(grades, key="NMRH".index)


def test_every_set_of_known_grades_has_its_list(console: Client) -> None:
    study = judged()
    binary = add_grades(study, "binary", place=1)
    binary.grades.filter(level="M").update(level="N")
    binary.grades.filter(level="R").update(level="H")
    make(study, ReportKind.DOCUMENTS)
    of_sets = {
        name: [row for row in disagreements_of(study) if row["grades"] == name] for name in ("trec", "binary")
    }
    give(study, of_sets["binary"][0], "expert_wrong")
    for query, name in (("", "trec"), ("grades=binary", "binary")):
        rows = rows_of(console, study, query)
        shown = [row[DIFFERENCE] for row in rows if row[DIFFERENCE] != "–"]
        assert sorted(shown) == sorted(float(row["difference"]) for row in of_sets[name])
        assert {row[GRADE] for row in rows} == ({*"NMRH–"} if name == "trec" else {*"NH–"})
        assert sum(row[VERDICT] != "–" for row in rows) == (name == "binary")
    assert console.get(f"{base(study)}?grades=other").status_code == 400


def test_without_grades_or_a_report(console: Client) -> None:
    study = judged(grades=False)
    assert rows_of(console, study) == []
    PoolDocument.objects.filter(topic__study=study).update(grade="")
    make(study, ReportKind.DOCUMENTS)
    rows = rows_of(console, study)
    assert len(rows) == PoolDocument.objects.filter(topic__study=study).count()
    assert {row[DIFFERENCE] for row in rows} == {"–"}


def test_the_list_as_a_file(study: Study, console: Client) -> None:
    report = Report.objects.get(kind="documents", parameters={})
    header, *rows = csv_of(console, f"{base(study)}reports/{report.pk}/table.csv?table=trec")
    assert header == ["topic_id", "document_id", "grade", "nearest", "difference", "gain", "judgments"]
    assert len(rows) == len(rows_of(console, study))
    assert f"{base(study)}reports/{report.pk}/table.csv?table=trec" in links_in(text_of(console, base(study)))
    assert console.get(f"{base(study)}reports/{report.pk}/table.csv?table=no").status_code == 404


def large_report(study: Study, number: int) -> None:
    """Store a list of `number` documents as the report has it, each document with a long text."""
    topics = list(Topic.objects.filter(study=study))
    text = "word " * 200
    documents = Document.objects.bulk_create(
        Document(study=study, document_id=f"L{place:06}", text=text) for place in range(number)
    )
    PoolDocument.objects.bulk_create(
        PoolDocument(topic=topics[place % len(topics)], document=document, grade="N")
        for place, document in enumerate(documents)
    )
    columns = ("topic_id", "document_id", "grade", "nearest", "difference", "gain", "judgments")
    rows = [
        (topics[place % len(topics)].number, f"L{place:06}", "N", "H", 9.0 - place / number, 2.5, 10)
        for place in range(number)
    ]
    report = Report.objects.get(study=study, kind="documents", parameters={})
    table = pl.DataFrame(rows, schema=columns, orient="row")
    report.content["tables"] = [stored_table.table_to_store("trec", "trec", table)]
    report.save()


def test_a_list_of_thousands_has_pages_and_its_first_page_unpacks_nothing(
    study: Study, console: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    large_report(study, 4000)
    for query in ("", "page=80", "sort=document", "verdict=none&grade=N"):
        assert len(rows_of(console, study, query)) == 50, query
    monkeypatch.setattr(stored_table, "b64decode", lambda data: pytest.fail("it was unpacked"))
    assert rows_of(console, study)[0][DOCUMENT].startswith("L000000")
