"""The formats of documents and topics, each on a text that shows its traps."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from judging.core.faults import Faults, StudyRefusedError, Where
from judging.setup.intake.column_maps import Format
from judging.setup.intake.files import SourceFile
from judging.setup.intake.readers.cranfield import read_cranfield_documents, read_cranfield_topics
from judging.setup.intake.readers.document_files import read_documents, read_folder
from judging.setup.intake.readers.trec_documents import read_trec_documents
from judging.setup.intake.readers.trec_topics import read_trec_topics
from judging.setup.intake.toml_lines import TomlLines
from tests.setup.intake.error_lines import assert_error_line


def read_csv_documents(source: SourceFile) -> Any:
    return read_documents(source, Format("csv"))


def read_jsonl(source: SourceFile) -> Any:
    return read_documents(source, Format("jsonl"))


def read(reader: Callable[[SourceFile], Any], path: Path, text: str | None = None) -> list[Any]:
    if text is not None:
        path.write_text(text)
    faults = Faults()
    result = list(reader(SourceFile(path, Where("study.toml", 1), "documents.path", faults)))
    faults.raise_if_any()
    return result


def test_trec_documents(tmp_path: Path) -> None:
    rows = read(
        read_trec_documents,
        tmp_path / "docs",
        "<DOC>\n<DOCNO> FT911-3 </DOCNO>\n<HEADLINE>\nFT 14 MAY 91 / Taxes &amp; more\n</HEADLINE>\n<TEXT>\n"
        "First line\nwrapped.\n<P>\nSecond <F>P.</F> paragraph.\n</TEXT>\n<PUB>A paper</PUB>\n"
        "<TEXT>Third.</TEXT>\n</DOC>\n"
        "\n<DOC>\n<DOCNO>AP-0</DOCNO>\n<TEXT>\n</TEXT>\n</DOC>\n",
    )

    assert [(item.id, item.title, item.text, item.where.line) for item in rows] == [
        (
            "FT911-3",
            "FT 14 MAY 91 / Taxes & more",
            "First line wrapped.\n\nSecond P. paragraph.\n\nThird.",
            1,
        ),
        ("AP-0", "", "", 16),
    ]


def test_csv_documents(tmp_path: Path) -> None:
    rows = read(
        read_csv_documents,
        tmp_path / "d.csv",
        '\ufeffid,url,title,text,layout\r\n007,u,"A ""title""","\r\n  One,\r\ntwo.\r\n",lines\r\n\r\n'
        "1e5,,,Three.,\r\n",
    )

    assert [(item.id, item.title, item.text, item.layout, item.where.line) for item in rows] == [
        ("007", 'A "title"', "  One,\ntwo.", "lines", 2),
        ("1e5", "", "Three.", "", 7),
    ]


@pytest.mark.parametrize(
    ("text", "place", "named"),
    [
        ("id,body\na,b\n", "1: text", []),
        ("id,id,text\na,a,b\n", "1: id", []),
        ('id,text\na,"x\ny"\nb\n', "4", ["1", "2"]),
        ('id,text\na,b\nc,"x\ny', "3", ["CSV"]),
        ("id,text\na b,c\n", "2: id", ["'a b'"]),
        ("id,text\n,c\n", "2: id", []),
        ("id,text,layout\na,b,wide\n", "2: layout", ["'wide'"]),
    ],
)
def test_csv_documents_that_are_broken(tmp_path: Path, text: str, place: str, named: list[str]) -> None:
    with pytest.raises(StudyRefusedError) as refused:
        read(read_csv_documents, tmp_path / "d.csv", text)

    assert_error_line(refused.value.lines[0], f"{tmp_path / 'd.csv'}:{place}", *named)


def test_an_empty_csv_file_has_no_documents(tmp_path: Path) -> None:
    assert read(read_csv_documents, tmp_path / "d.csv", "") == []


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("<DOC>\n<TEXT>x</TEXT>\n</DOC>\n", "1: DOCNO"),
        ("\n<DOC>\n<DOCNO>a b</DOCNO>\n</DOC>\n", "2: DOCNO"),
        ("<DOC>\n<DOCNO>a</DOCNO>\n", "1: DOC"),
        ("<DOC>\n<DOC>\n<DOCNO>a</DOCNO>\n</DOC>", "1: DOC"),
    ],
)
def test_trec_documents_that_are_broken(tmp_path: Path, text: str, place: str) -> None:
    with pytest.raises(StudyRefusedError) as refused:
        read(read_trec_documents, tmp_path / "docs", text)

    assert_error_line(refused.value.lines[0], f"{tmp_path / 'docs'}:{place}")


def test_a_folder_of_texts(tmp_path: Path) -> None:
    for name, text in (
        ("b.txt", "Beta.\n"),
        ("a.1.txt", " Alpha.\r\n\r\nMore. "),
        ("notes.rst", "no document"),
    ):
        (tmp_path / name).write_bytes(text.encode())

    assert [(item.id, item.title, item.text) for item in read(read_folder, tmp_path)] == [
        ("a.1", "", " Alpha.\n\nMore."),
        ("b", "", "Beta."),
    ]


def test_jsonl_keeps_ids_and_texts_as_they_are(tmp_path: Path) -> None:
    rows = read(read_jsonl, tmp_path / "d", '\ufeff{"id": "1e5", "text": "Ünï\\n\\nmore", "url": 3}\n\n')

    assert [(item.id, item.title, item.text) for item in rows] == [("1e5", "", "Ünï\n\nmore")]


def test_topics_whose_tags_are_loose(tmp_path: Path) -> None:
    rows = read(
        read_trec_topics,
        tmp_path / "topics",
        "<top>\n<head> Tipster Topic Description\n<num> Number: 051\n<dom> Domain: Trade\n"
        "<title> Topic:  Airbus <b>Subsidies</b>\n<DESC> Description:\nIs it\nso?\n\nYes & no.\n"
        "<narr> Narrative: More than 5 < 6. </narr>\n<con> Concept(s):\n1. Airbus\n<top><num>52</num>"
        "<title>AT&amp;T: Topic of interest</title></top>",
    )

    assert [
        (item.number, item.title, item.description, item.narrative, item.where.line) for item in rows
    ] == [
        ("051", "Airbus Subsidies", "Is it so?\n\nYes & no.", "More than 5 < 6.", 3),
        ("52", "AT&T: Topic of interest", "", "", 14),
    ]


def test_cranfield_documents(tmp_path: Path) -> None:
    text = ".I 1\n.T\na wing in\na stream .\n.A\nb\n.W\na wing in a\nstream .\n  an experiment\nwas made .\n"
    rows = read(
        read_cranfield_documents,
        tmp_path / "c",
        f"{text}.W\nand more .\n.I 2\n.T\n.W\n.I 3\n.T\nt .\n.W\nt .\n",
    )

    assert [(item.id, item.title, item.text) for item in rows] == [
        ("1", "a wing in a stream .", "an experiment was made . and more ."),
        ("2", "", ""),
        ("3", "t .", "t ."),
    ]


def test_cranfield_queries_are_numbered_by_sequence(tmp_path: Path) -> None:
    rows = read(
        read_cranfield_topics,
        tmp_path / "q",
        ".I 001\r\n.W\r\nshort one .\r\n.I 004\r\n.W\r\n1 2 3 4 5 6\r\n7 8 9 .\r\n",
    )

    assert [(item.number, item.title, item.description, item.where.line) for item in rows] == [
        ("1", "short one", "short one .", 1),
        ("2", "1 2 3 4 5 6 7 8 …", "1 2 3 4 5 6 7 8 9 .", 4),
    ]


def test_lines_of_toml_keys() -> None:
    text = """\
a = 1 # [b]
"quoted.key" = '''
[not.a.table]
x = 1'''
[[many]]
b.c = [ # comment ]
  "]", {d = 1},
]
[many.sub]
e = "\\""
[[many]]
  f = {g = "#", h = [1]}
[[many.deep]]
[[many.deep]]
i = \"\"\"
j = 2
\"\"\"\"
k = 2020-01-01T00:00:00Z
"""
    lines = TomlLines(text)
    results = {
        ("a",): 1,
        ("quoted.key",): 2,
        ("many", 0): 5,
        ("many", 0, "b", "c"): 6,
        ("many", 0, "sub"): 9,
        ("many", 0, "sub", "e"): 10,
        ("many", 1, "f"): 12,
        ("many", 1, "f", "g"): 12,
        ("many", 1, "deep", 0): 13,
        ("many", 1, "deep", 1, "i"): 15,
        ("many", 1, "deep", 1, "k"): 18,
        ("absent",): 1,
    }

    assert {path: lines.of(path) for path in results} == results
