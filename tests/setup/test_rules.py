"""The rules of a set-up that need no page: estimates, advice on questions, names and formats of files."""

from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from judging.intake.draft_faults import placed
from judging.intake.draft_fields import as_number
from judging.intake.draft_files import attach, detach, guess_format, named_files
from judging.intake.uploads import safe_name
from judging.protocol.estimates import Terms, estimate
from judging.protocol.planning import plan_units, unit_rng
from judging.protocol.questions import question_advice

TERMS = Terms(
    unit_size=8,
    anchors=2,
    judgments_per_document=10,
    seconds_per_document=20,
    expected_minutes=8,
    pay_per_unit=Decimal("0.20"),
)


def test_an_estimate_is_what_the_plan_comes_to() -> None:
    found = estimate([7, 9], TERMS)
    planned = [len(plan_units(range(size), judgments=10, others=6, rng=unit_rng(1, "1"))) for size in (7, 9)]
    assert planned == [12, 15]
    assert (found.units, found.judgments, found.documents, found.workers) == (27, 216, 16, 15)
    assert (found.cost, found.hourly) == (Decimal("5.40"), Decimal("1.50"))
    assert found.hours == pytest.approx(27 * 8 / 60)
    assert found.least_hours == pytest.approx(27 * 8 * 20 / 3600)


def test_without_topics_an_estimate_is_nothing() -> None:
    found = estimate([], TERMS)
    assert (found.units, found.cost, found.workers) == (0, 0, 0)


GOOD = ["the first of them", "a second answer", "some third thing", "yet a fourth one"]


@pytest.mark.parametrize(
    ("options", "right", "holds"),
    [
        (GOOD, 1, [True] * 6),
        (GOOD, None, [True, True, False, True]),
        ([*GOOD[:3], ""], 1, [True, False, True, True]),
        ([*GOOD[:3], "A  SECOND answer"], 1, [True, False, True, True, True, True]),
        ([*GOOD[:3], "none of these"], 1, [True, True, True, False, True, True]),
        ([*GOOD[:3], GOOD[3] * 3], 3, [True, True, True, True, False, True]),
        ([*GOOD[:3], "sour bread dough"], 3, [True, True, True, True, True, False]),
    ],
)
def test_advice_on_a_question(options: list[str], right: int | None, holds: list[bool]) -> None:
    advice = question_advice("What?", options, right, "Sour bread: what the dough needs")
    assert [one.holds for one in advice] == holds


def test_no_question_is_no_good_question() -> None:
    assert [one.holds for one in question_advice(" ", ["", "", "", ""], None, "")] == [False] * 4


@pytest.mark.parametrize(
    ("given", "made"),
    [
        ("run.txt", "run.txt"),
        ("../../etc/passwd", "passwd"),
        ("C:\\files\\my run.gz", "my-run.gz"),
        ("...", "file"),
        ("", "file"),
        ("study.toml", "file-study.toml"),
        (".hidden", "hidden"),
        ("a\x00b\n", "a-b"),
        ("x" * 300 + ".run", "x" * 76 + ".run"),
    ],
)
def test_uploaded_files_get_safe_names(given: str, made: str) -> None:
    assert safe_name(given) == made


@pytest.mark.parametrize(
    ("kind", "text", "form"),
    [
        ("documents", '{"id": "1", "text": "x"}', "jsonl"),
        ("documents", "id,text\n1,x", "csv"),
        ("documents", "<DOC>\n<DOCNO> 1 </DOCNO>", "trec"),
        ("documents", ".I 1\n.T\nx", "cranfield"),
        ("topics", "<top>\n<num> 1", "trec"),
        ("topics", ".I 001\n.W\nx", "cranfield"),
        ("run", "1 Q0 d 1 2 t", ""),
        ("documents", "", "jsonl"),
    ],
)
def test_formats_are_taken_by_the_look(tmp_path: Path, kind: str, text: str, form: str) -> None:
    (tmp_path / "file").write_text(text)
    assert guess_format(tmp_path / "file", kind) == form


def test_files_are_named_and_taken_out_again() -> None:
    values: dict[str, Any] = {}
    attach(values, "documents", "a.jsonl", form="jsonl")
    attach(values, "documents", "b.jsonl", form="jsonl", encoding="latin-1")
    attach(values, "run", "one.run")
    attach(values, "run", "two.run")
    attach(values, "grades", "my qrels.txt")
    attach(values, "grades", "my qrels.gz")
    assert values["documents"] == {"format": "jsonl", "path": ["a.jsonl", "b.jsonl"], "encoding": "latin-1"}
    assert [one["name"] for one in values["grades"]] == ["my-qrels", "my-qrels-2"]
    assert named_files(values)["run"] == ["one.run", "two.run"]
    attach(values, "documents", "c.csv", form="csv")
    assert named_files(values)["documents"] == ["c.csv"]
    for name in ("c.csv", "one.run", "two.run", "my qrels.txt", "my qrels.gz", "absent"):
        detach(values, name)
    assert values == {}


@pytest.mark.parametrize(
    ("typed", "value"),
    [
        ("7", 7),
        ("-7", -7),
        ("0.5", Decimal("0.5")),
        ("07", "07"),
        ("1e3", "1e3"),
        ("٣", "٣"),
        ("9" * 30, "9" * 30),
    ],
)
def test_what_is_no_number_stays_as_it_was_typed(typed: str, value: object) -> None:
    assert as_number(typed) == value


def test_faults_are_told_at_the_table_that_has_them() -> None:
    text = 'title = "x"\n[[topic]]\nnumber = "1"\n\n[[topic]]\nnumber = "2"\n'
    faults = [
        {"file": "study.toml", "line": 6, "field": "topic.number", "what": "w"},
        {"file": "study.toml", "line": 2, "field": "topic.title", "what": "w"},
        {"file": "topics.txt", "line": 3, "field": "question", "what": "w"},
        {"file": "a.run", "line": None, "field": "", "what": "w"},
        {"file": "study.toml", "line": 1, "field": "information_file", "what": "w"},
    ]
    found = placed(faults, text)
    assert [(one.step, one.place, one.where) for one in found] == [
        ("topics", 1, "study.toml:6"),
        ("topics", 0, "study.toml:2"),
        ("topics", None, "topics.txt:3"),
        ("files", None, "a.run"),
        ("texts", None, "study.toml:1"),
    ]
