"""Records: one reader for JSONL, CSV and TSV files and collections, whatever their columns are called."""

import csv
import io
import json
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as some

from judging.core.faults import Faults, Where
from judging.setup.intake.column_maps import FIELDS, Columns, Format, guess_columns, guess_positions
from judging.setup.intake.content import DocumentContent
from judging.setup.intake.files import SourceFile
from judging.setup.intake.readers.document_files import read_documents
from judging.setup.intake.readers.grades import count_values
from judging.setup.intake.topics import read_topic_file

NAMES = ("key", "head line", "Body", "url", "7")
"""Columns of a published file; the first three are the id, the title and the text."""
COLUMNS: Columns = {"id": "key", "title": "head line", "text": "Body"}
ROWS = [("1e5", "A title", "One.", "u", ""), ("007", "", "Two words, and a comma.", "", "x")]


def source(path: Path, text: str) -> SourceFile:
    path.write_text(text, newline="")
    return SourceFile(path, Where("study.toml", 1), "documents.path", Faults(), "utf-8")


def documents(path: Path, text: str, form: Format) -> list[tuple[str, str, str]]:
    file = source(path, text)
    result = list(read_documents(file, form))
    assert not file.faults.count, file.faults.listed
    return [(item.id, item.title, item.text) for item in result]


def as_jsonl(names: list[str], rows: list[list[str]], *, header: bool) -> str:
    return "".join(json.dumps(dict(zip(names, row, strict=True))) + "\n" for row in rows)


def as_csv(names: list[str], rows: list[list[str]], *, header: bool) -> str:
    buffer = io.StringIO()
    csv.writer(buffer).writerows([names, *rows] if header else rows)
    return buffer.getvalue()


def as_tsv(names: list[str], rows: list[list[str]], *, header: bool) -> str:
    return "".join("\t".join(row) + "\n" for row in ([names, *rows] if header else rows))


WRITERS: dict[str, Callable[..., str]] = {"jsonl": as_jsonl, "csv": as_csv, "tsv": as_tsv}


@pytest.mark.parametrize(
    ("form", "header"), [("jsonl", True), ("csv", True), ("tsv", True), ("csv", False), ("tsv", False)]
)
@given(order=some.permutations(range(len(NAMES))))
def test_any_order_of_columns_gives_the_same_documents(
    tmp_path_factory: pytest.TempPathFactory, form: str, header: bool, order: list[int]
) -> None:
    names = [NAMES[place] for place in order]
    rows = [[row[place] for place in order] for row in ROWS]
    columns = {field: name if header else names.index(str(name)) + 1 for field, name in COLUMNS.items()}

    text = WRITERS[form](names, rows, header=header)

    path = tmp_path_factory.getbasetemp() / f"order.{form}"
    assert documents(path, text, Format(form, columns)) == [row[:3] for row in ROWS]


def test_fields_without_a_column_keep_their_own_name(tmp_path: Path) -> None:
    text = 'id,title,body,layout\n1,T,"a\nb",lines\n'

    (document,) = read_documents(source(tmp_path / "d", text), Format("csv", {"text": "body"}))

    assert (document.id, document.title, document.text, document.layout) == ("1", "T", "a\nb", "lines")


def test_an_empty_name_leaves_a_field_empty(tmp_path: Path) -> None:
    form = Format("csv", {"title": ""})

    assert documents(tmp_path / "d", "id,title,text\n1,T,One.\n", form) == [("1", "", "One.")]


def test_quotes_of_tsv_are_characters(tmp_path: Path) -> None:
    text = '1\t"One, he said\n2\tTwo"\n'

    assert documents(tmp_path / "d", text, Format("msmarco")) == [
        ("1", "", '"One, he said'),
        ("2", "", 'Two"'),
    ]


@pytest.mark.parametrize(
    ("value", "stored"),
    [("7", "7"), ("0.10", "0.10"), ("1e2", "1e2"), ('"007"', "007"), ("123456789012345678901", None)],
)
def test_numbers_of_other_files_are_their_text(tmp_path: Path, value: str, stored: str | None) -> None:
    text = f'{{"_id": {value}, "text": "x", "title": null}}\n'

    assert documents(tmp_path / "d", text, Format("beir")) == [(stored or value, "", "x")]


@pytest.mark.parametrize("value", ["true", "[1]", "{}", "NaN"])
def test_what_is_no_text_is_a_fault(tmp_path: Path, value: str) -> None:
    file = source(tmp_path / "d", f'{{"_id": "a", "text": {value}}}\n')

    assert list(read_documents(file, Format("beir"))) == []
    (fault,) = file.faults.listed
    assert (fault.where.line, fault.field) == (1, "text")


def test_a_file_of_ours_is_read_strictly(tmp_path: Path) -> None:
    file = source(tmp_path / "d", '{"id": 7, "text": "x"}\n{"id": "a", "text": null}\n')

    assert list(read_documents(file, Format("jsonl"))) == []
    assert [(fault.where.line, fault.field) for fault in file.faults.listed] == [(1, "id"), (2, "text")]


@pytest.mark.parametrize(
    ("form", "text"),
    [
        (Format("beir"), '{"_id": "1", "text": "a query"}\n'),
        (Format("msmarco"), "1\ta query\n"),
        (Format("csv"), "number,title\n1,a query\n"),
        (Format("tsv", {"number": 2, "title": 1}), "a query\t1\n"),
    ],
)
def test_queries_are_topics_with_a_title(tmp_path: Path, form: Format, text: str) -> None:
    (topic,) = read_topic_file(source(tmp_path / "q", text), form)

    assert (topic.number, topic.title, topic.description, topic.narrative) == ("1", "a query", "", "")


def test_a_file_of_topics_without_rows_is_a_fault(tmp_path: Path) -> None:
    file = source(tmp_path / "q", "number,title\n")

    assert list(read_topic_file(file, Format("csv"))) == []
    assert file.faults.count == 1


@pytest.mark.parametrize(
    ("form", "text"),
    [
        (Format("beir"), "query-id\tcorpus-id\tscore\n1\td\t0.5\n"),
        (Format("msmarco"), "1\t0\td\t0.5\n"),
        (Format("msmarco"), "1 0 d 0.5\n"),
        (Format("jsonl"), '{"topic": "1", "document": "d", "grade": "0.5"}\n'),
        (Format("jsonl", {"grade": "score"}), '{"topic": 1, "document": "d", "score": 0.5}\n'),
        (Format("csv", {"topic": 3, "document": 2, "grade": 1}), "0.5,d,1\n"),
    ],
)
def test_grades_keep_the_text_of_their_values(tmp_path: Path, form: Format, text: str) -> None:
    assert count_values(source(tmp_path / "g", text), form) == {"0.5": 1}


@pytest.mark.parametrize(
    ("kind", "names", "guess"),
    [
        ("documents", ["_id", "title", "text"], {"id": "_id", "title": "title", "text": "text"}),
        ("documents", ["doc_id", "url", "Title", "Body"], {"id": "doc_id", "title": "Title", "text": "Body"}),
        ("documents", ["docno", "doi", "abstract"], {"id": "docno", "text": "abstract"}),
        ("topics", ["_id", "text", "metadata"], {"number": "_id", "title": "text"}),
        (
            "topics",
            ["query_id", "text", "query", "narrative"],
            {"number": "query_id", "title": "text", "narrative": "narrative"},
        ),
        (
            "grades",
            ["query-id", "corpus-id", "score"],
            {"topic": "query-id", "document": "corpus-id", "grade": "score"},
        ),
        ("grades", ["a", "b"], {}),
    ],
)
def test_usual_names_are_recognised(kind: str, names: list[str], guess: dict[str, str]) -> None:
    assert guess_columns(kind, names) == guess


@pytest.mark.parametrize(
    ("kind", "width", "guess"),
    [
        ("grades", 3, {"topic": 1, "document": 2, "grade": 3}),
        ("grades", 4, {"topic": 1, "document": 3, "grade": 4}),
        ("documents", 4, {"id": 1, "title": 3, "text": 4}),
        ("documents", 7, {"id": 1, "text": 2}),
        ("topics", 2, {"number": 1, "title": 2}),
    ],
)
def test_columns_without_names_are_guessed_by_their_number(
    kind: str, width: int, guess: dict[str, int]
) -> None:
    assert guess_positions(kind, width) == guess


def test_our_own_names_come_first() -> None:
    for kind, fields in FIELDS.items():
        names = [name for field in fields for name in field.names]
        assert guess_columns(kind, names) == {field.name: field.name for field in fields}


def test_documents_are_a_stream(tmp_path: Path) -> None:
    text = "x" * 2000
    file = source(tmp_path / "d.tsv", "".join(f"{number}\t{text}\n" for number in range(5_000)))
    count = 0
    tracemalloc.start()
    try:
        for _document in read_documents(file, Format("msmarco")):
            count += 1
        _now, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()

    assert count == 5_000
    assert peak < 1_000_000, "the file has 10 MB"


def test_a_document_knows_its_line(tmp_path: Path) -> None:
    file = source(tmp_path / "d", 'id,text\n1,"a\nb"\n\n2,c\n')
    found: list[DocumentContent] = list(read_documents(file, Format("csv")))
    places: list[Any] = [document.where.line for document in found]

    assert places == [2, 5]
