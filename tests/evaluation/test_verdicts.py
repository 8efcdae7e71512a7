"""Verdicts on disagreements: read from files, added to the table of disagreements, counted in a report."""

import csv
from dataclasses import replace

import polars as pl
import pytest

from evaluation.analyses import VERDICTS, disagreements, with_verdicts
from evaluation.cli import main
from evaluation.files import read_verdicts
from evaluation.report import build_report
from tests.evaluation.analysed import gains_of
from tests.evaluation.refusals import assert_fault, refused
from tests.evaluation.report_study import study_of_everything

HEADER = "topic_id,document_id,verdict\n"


def test_a_file_is_read_as_text_without_rows_that_lack_a_verdict(file):
    table = read_verdicts(file(f"{HEADER}007,1e5, crowd_wrong\n007,a,\n\n8,a,topic_unclear\n"))
    assert table.rows() == [("007", "1e5", "crowd_wrong"), ("8", "a", "topic_unclear")]
    assert read_verdicts(file(HEADER)).is_empty()
    with_others = "topic_id;grades;document_id;note;verdict\n1;trec;a;A note;expert_wrong\n"
    assert read_verdicts(file(with_others)).rows(named=True) == [
        {"topic_id": "1", "document_id": "a", "verdict": "expert_wrong", "grades": "trec"}
    ]


@pytest.mark.parametrize(
    ("text", "code", "values", "line"),
    [
        ("", "empty-file", [], 1),
        ("topic_id,document_id\n1,a\n", "verdicts-without-column", ["verdict", "document_id"], 1),
        ("verdict,topic_id,document_id,verdict\n", "columns-named-alike", ["verdict"], 1),
        (f"{HEADER}1,a\n", "row-unlike-header", ["2", "3"], 2),
        (f"{HEADER}1,a,\n1,b,nobody\n", "unknown-verdict", ["nobody", *VERDICTS], 3),
        (f"{HEADER}1,,crowd_wrong\n", "empty-cell", ["document_id"], 2),
        (f"{HEADER}1,a,crowd_wrong\n1,a,\n1,a,crowd_wrong\n", "two-verdicts", ["'a'", "'1'"], 4),
    ],
)
def test_what_a_file_of_verdicts_cannot_have(file, text, code, values, line):
    path = file(text, "verdicts.csv")
    with refused(code, *values, at=f"{path}:{line}"):
        read_verdicts(path)


def test_verdicts_stand_beside_their_disagreements():
    # In t, the third N is at H's median. In u, nothing disagrees.
    values = gains_of({"t": {"a": 1, "b": 1, "c": 8, "d": 8}, "u": {"a": 1, "b": 2}})
    grades = gains_of({"t": {"a": 0, "b": 0, "c": 0, "d": 3}, "u": {"a": 0, "b": 3}})
    table = disagreements(values, grades)
    rows = {"topic_id": ["t", "u"], "document_id": ["c", "a"], "verdict": ["expert_wrong", "crowd_wrong"]}
    verdicts = pl.DataFrame(rows)
    assert with_verdicts(table, verdicts).equals(table.with_columns(verdict=pl.lit("expert_wrong")))
    assert with_verdicts(table, verdicts[1:])["verdict"].to_list() == [""]
    of_sets = verdicts.with_columns(grades=pl.lit("trec"))
    assert with_verdicts(table, of_sets, "trec")["verdict"].to_list() == ["expert_wrong"]
    assert with_verdicts(table, of_sets, "sormunen")["verdict"].to_list() == [""]
    with refused("verdicts-without-column", "verdict", "topic_id"):
        with_verdicts(table, verdicts.drop("verdict"))
    with refused("unknown-verdict", "other", at="row 2"):
        with_verdicts(table, pl.DataFrame(rows | {"verdict": ["", "other"]}))


def test_the_report_counts_verdicts_of_each_set():
    study = study_of_everything()
    name, known = "grades", study.known["grades"]
    table = disagreements(study.gains, known)
    assert len(table) > 2, "else little is proved"
    verdicts = table[:2].select(
        "topic_id", "document_id", verdict=pl.lit("topic_unclear"), grades=pl.lit(name)
    )
    (plain,) = build_report(study, only=["disagreements"]).finished
    (part,) = build_report(replace(study, verdicts=verdicts), only=["disagreements"]).finished
    assert "verdict" not in plain.content.tables[0].table.columns
    shown = part.content.tables[0].table.filter(grades=name)
    assert shown["verdict"].to_list() == ["topic_unclear"] * 2 + [""] * (len(table) - 2)
    assert set(part.content.tables[0].table.filter(grades="binary")["verdict"]) == {""}
    _, total, *counts = part.content.sentences[: 2 + len(VERDICTS)]
    assert (total.values["name"], total.values["number"], total.values["total"]) == (name, 2, len(table))
    assert {sentence.values["verdict"]: sentence.values["count"] for sentence in counts} == {
        words: 2 if verdict == "topic_unclear" else 0 for verdict, words in VERDICTS.items()
    }


def test_the_command_reads_verdicts(file, shell, tmp_path):
    judgments = "topic_id,unit_id,document_id,relevance_score\n1,u,a,1\n1,u,b,8\n1,u,c,8\n1,u,d,1\n"
    words = ["--judgments", file(judgments, "judgments.csv"), "--parts", "disagreements"]
    words += ["--grades", file("1 0 a 0\n1 0 b 3\n1 0 c 0\n1 0 d 0\n", "expert.txt")]
    verdicts = file(f"{HEADER}1,c,expert_wrong\n", "verdicts.csv")
    folder = tmp_path / "out"
    assert main(["report", *words, "--verdicts", verdicts, "-o", str(folder)]) == 0
    with (folder / "tables" / "disagreements.csv").open(encoding="utf-8", newline="") as lines:
        (row,) = csv.DictReader(lines)
    assert (row["document_id"], row["verdict"]) == ("c", "expert_wrong")
    bad = file(f"{HEADER}1,c,wrong\n", "bad.csv")
    done = shell("report", *words, "--verdicts", bad, "-o", "other")
    assert_fault(done, "wrong", at=f"{bad}:2")
