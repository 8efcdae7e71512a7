"""Files of all kinds, told apart by their first bytes, and tables of Excel."""

import gzip
import io
import json
import tarfile
import zipfile
from datetime import date
from pathlib import Path
from typing import Any, Final

import pytest
from openpyxl import Workbook

from evaluation.parsing.detect import NO_TEXT, OTHER_FORMS, head_of, kind_of
from judging.core.faults import Faults, Where
from judging.setup.intake.column_maps import Format
from judging.setup.intake.files import SourceFile
from judging.setup.intake.readers.document_files import read_documents
from judging.setup.intake.readers.grades import count_values, read_pool
from judging.setup.intake.readers.runs import read_study_run
from judging.setup.intake.topics import read_topic_file


def workbook(rows: list[list[Any]], formats: dict[str, str] | None = None, sheets: int = 1) -> bytes:
    book = Workbook()
    sheet = book.active
    assert sheet is not None
    for row in rows:
        sheet.append(row)
    for cell, form in (formats or {}).items():
        sheet[cell].number_format = form
    for _number in range(1, sheets):
        book.create_sheet()
    book.save(buffer := io.BytesIO())
    return buffer.getvalue()


def zipped(name: str) -> bytes:
    with zipfile.ZipFile(buffer := io.BytesIO(), "w") as archive:
        archive.writestr(name, "x")
    return buffer.getvalue()


def tarred() -> bytes:
    with tarfile.open(fileobj=(buffer := io.BytesIO()), mode="w") as archive:
        archive.addfile(tarfile.TarInfo("docs.txt"))
    return buffer.getvalue()


KINDS: Final = {
    b"": "empty",
    b" \n": "empty",
    b"%PDF-1.7\n": "pdf",
    b"\x89PNG\r\n\x1a\n": "image",
    b"\xff\xd8\xff\xe0": "image",
    zipped("docs.csv"): "zip",
    zipped("word/document.xml"): "docx",
    workbook([["id"]]): "xlsx",
    tarred(): "archive",
    b"\x1f\x9d\x90": "compress",
    b"version https://git-lfs.github.com/spec/v1\noid sha256:1\nsize 2\n": "pointer",
    "id,text\n".encode("utf-16"): "utf-16",
    "id,text\n".encode("utf-16-le"): "utf-16",
    b"<!DOCTYPE html>\n<html>": "html",
    b'\n[{"id": 1}]': "json-array",
    b"[\n  1, 2]": "json-array",
    b'{\n  "id": 1\n}': "json",
    b'{"id": 1}\n{"id": 2}\n': "jsonl",
    b'{"id": 1}': "jsonl",
    b"\xef\xbb\xbf<DOC>\n<DOCNO>1</DOCNO>": "trec",
    b"<?xml version='1.0'?>\n<topics>\n<topic number='1'>": "trec",
    b".I 1\n.T\n": "cranfield",
    b"id;text\n1;a, b\n": "csv",
    b'"a;b",c\n': "csv",
    b"id\ttext, more\n": "tsv",
    b"1 Q0 d 1 2 t\n": "",
    b"[sic] words\n": "",
}


@pytest.mark.parametrize(
    ("content", "kind"), KINDS.items(), ids=[f"{kind}-{i}" for i, kind in enumerate(KINDS.values())]
)
@pytest.mark.parametrize("pack", [bytes, gzip.compress], ids=["plain", "gzip"])
def test_kinds_are_told_apart_by_the_first_bytes(content: bytes, kind: str, pack: Any) -> None:
    assert kind_of(head_of(io.BytesIO(pack(content)))) == kind


def source(path: Path, content: bytes) -> SourceFile:
    path.write_bytes(content)
    return SourceFile(path, Where("study.toml", 1), "path", Faults(), "utf-8")


def read_all(file: SourceFile, reader: str) -> None:
    if reader == "run":
        read_study_run(file, {"1"})
    elif reader == "pool":
        read_pool(file, {"1"})
    elif reader == "grades":
        count_values(file)
    elif reader.startswith("topics-"):
        list(read_topic_file(file, Format(reader.removeprefix("topics-"))))
    else:
        list(read_documents(file, Format(reader)))


READERS: Final = ("run", "pool", "grades", "topics-trec", "topics-jsonl", "csv", "tsv", "jsonl", "trec")


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize(
    "content",
    [content for content, kind in KINDS.items() if (kind in NO_TEXT and kind != "xlsx") or kind == "html"],
    ids=[kind for kind in KINDS.values() if (kind in NO_TEXT and kind != "xlsx") or kind == "html"],
)
def test_a_file_without_text_is_one_fault_that_says_what_it_is(
    tmp_path: Path, reader: str, content: bytes
) -> None:
    file = source(tmp_path / "file", content)
    read_all(file, reader)
    if reader == "trec" and kind_of(content) == "html":
        return  # an HTML file can contain <DOC>
    assert [str(fault.sentence) for fault in file.faults.listed] == [
        (NO_TEXT | OTHER_FORMS)[kind_of(content)]
    ]


@pytest.mark.parametrize("reader", ["run", "pool", "grades", "csv", "tsv", "jsonl", "topics-trec"])
@pytest.mark.parametrize("content", [b'[{"id": "1"}]', b'{\n "id": "1"\n}'])
def test_json_is_named_where_something_else_is_read(tmp_path: Path, reader: str, content: bytes) -> None:
    file = source(tmp_path / "file", content)
    read_all(file, reader)
    assert [str(fault.sentence) for fault in file.faults.listed] == [OTHER_FORMS[kind_of(content)]]


@pytest.mark.parametrize(
    "text", ['id;text\n007;"One; two"\n1e5;A, b\n', "id\ttext\n007\tOne; two\n1e5\tA, b\n"]
)
def test_tables_with_other_separators_are_read(tmp_path: Path, text: str) -> None:
    documents = list(read_documents(source(tmp_path / "d.csv", text.encode()), Format("csv")))
    assert [(document.id, document.text) for document in documents] == [("007", "One; two"), ("1e5", "A, b")]


def test_cells_of_a_workbook_are_read_as_shown(tmp_path: Path) -> None:
    rows = [
        ["id", "text"],
        ["007", "text"],
        [7, "zeros"],
        ["1e5", "e"],
        [12, 3.5],
        [100000, "scientific"],
        [date(2020, 1, 31), "a date"],
        [None, None],
        [1.5, "half"],
    ]
    content = workbook(rows, {"A3": "000", "A6": "0E+00", "B5": "0.00"})
    file = source(tmp_path / "d.xlsx", content)
    documents = list(read_documents(file, Format("csv")))
    assert not file.faults.listed
    assert [document.id for document in documents] == [
        "007",
        "007",
        "1e5",
        "12",
        "1E+05",
        "2020-01-31",
        "1.5",
    ]
    assert documents[3].text == "3.50"
    assert documents[-1].where.line == 9


def test_only_the_first_sheet_is_read_and_a_notice_says_so(tmp_path: Path) -> None:
    file = source(tmp_path / "d.xlsx", workbook([["number", "title"], ["1", "x"]], sheets=2))
    assert [topic.title for topic in read_topic_file(file, Format("csv"))] == ["x"]
    assert [notice.values["number"] for notice in file.faults.notices] == [2]


@pytest.mark.parametrize("reader", ["run", "pool", "grades", "jsonl", "topics-trec"])
def test_a_workbook_is_named_where_no_table_is_read(tmp_path: Path, reader: str) -> None:
    file = source(tmp_path / "file", workbook([["id"], ["1"]]))
    read_all(file, reader)
    assert [str(fault.sentence) for fault in file.faults.listed] == [NO_TEXT["xlsx"]]


def test_a_damaged_workbook_is_a_fault(tmp_path: Path) -> None:
    content = workbook([["id", "text"], ["1", "x"]])
    for cut in (len(content) // 2, len(content) - 30):
        file = source(tmp_path / "file", content[:cut])
        list(read_documents(file, Format("csv")))
        assert len(file.faults.listed) == 1


def test_a_workbook_that_unpacks_to_too_much_is_refused(tmp_path: Path) -> None:
    with zipfile.ZipFile(buffer := io.BytesIO(), "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("xl/workbook.xml", b" " * (65 << 20))
    file = source(tmp_path / "file", buffer.getvalue())
    list(read_documents(file, Format("csv")))
    assert [fault.where.line for fault in file.faults.listed] == [1]


def test_a_jsonl_file_is_still_read(tmp_path: Path) -> None:
    file = source(tmp_path / "d", (json.dumps({"id": "1", "text": "x"}) + "\n").encode())
    assert [document.id for document in read_documents(file, Format("jsonl"))] == ["1"]
