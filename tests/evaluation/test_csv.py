"""CSV that we write is CSV that we read: whatever stands in a cell comes back as it was."""

import csv
import io
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.files import read_scores, write_scores
from evaluation.files.csv_lines import csv_lines
from evaluation.files.judgments import write_normalized
from evaluation.origin import Origin
from evaluation.parsing.judgment_table import JudgmentTable, read_table
from evaluation.score_table import ScoreRow

HEADER = ["topic_id", "unit_id", "document_id", "relevance_score", "comment"]
TEXTS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0")) | st.text('\r\n",a ;\t')
NAMES = TEXTS.map(str.strip).filter(bool)


@given(st.lists(st.lists(TEXTS, min_size=2, max_size=4)))
def test_cells_come_back(rows):
    text = "".join(csv_lines(rows))
    assert list(csv.reader(io.StringIO(text, newline=""), strict=True)) == rows
    assert list(csv_lines(rows)) == [line for row in rows for line in csv_lines([row])]


@pytest.mark.parametrize("cell", ["one\rtwo", "one\ntwo", "one\r\ntwo", "\r", 'said "so"', "a,b", ""])
def test_a_line_ends_with_a_line_feed_alone(cell):
    (line,) = csv_lines([[cell, "end"]])
    assert line.endswith("end\n")
    assert next(csv.reader([line], strict=True)) == [cell, "end"]


@given(comments=st.lists(TEXTS, min_size=1, max_size=5))
def test_normalised_judgments_come_back(tmp_path_factory, comments):
    rows = [["t", "1", str(place), "2", comment] for place, comment in enumerate(comments)]
    path = tmp_path_factory.getbasetemp() / "normalised.csv"
    with path.open("w", encoding="utf-8", newline="") as out:
        write_normalized(JudgmentTable(HEADER, rows, Origin()), [0.1 + 0.2] * len(rows), out)
    result = read_table(path)
    assert result.header == [*HEADER, "normalized_relevance_score"]
    assert result.rows == [[*row, "0.30000000000000004"] for row in rows]


@given(names=st.lists(NAMES, min_size=1, max_size=4, unique=True), measure=NAMES)
def test_scores_come_back(tmp_path_factory, names, measure):
    rows = [ScoreRow(name, f"topic {name}", measure, 1 / 3) for name in names]
    path = tmp_path_factory.getbasetemp() / "scores.csv"
    with path.open("w", encoding="utf-8", newline="") as out:
        write_scores(rows, out, "csv")
    results = [row for row in read_scores(path).rows if row.value is not None]
    assert sorted(results) == sorted(rows)


def test_gains_takes_what_normalise_writes(tmp_path: Path, process):
    """A lone carriage return in a comment once ended a line of what normalise wrote."""
    lines = csv_lines([HEADER, ["t", "1", "a", "2", "one\rtwo"], ["t", "1", "b", "8", ""]])
    (tmp_path / "judgments.csv").write_bytes("".join(lines).encode())
    assert process("normalise", "judgments.csv", "-o", "normalised.csv").returncode == 0
    done = process("gains", "normalised.csv")
    assert (done.returncode, done.stderr) == (0, "")
    assert [line.split("\t")[2] for line in done.stdout.splitlines()] == ["a", "b"]
