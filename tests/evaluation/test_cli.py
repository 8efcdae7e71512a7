"""The command line, run as a user runs it: good input, and every fault in one line."""

import csv
import gzip
import io
import json
import math
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.evaluation.command_results import error_line, output_of
from tests.evaluation.refusals import assert_fault, assert_warnings

ROOT = Path(__file__).parents[2]

JUDGMENTS = (
    "comment,topic_id,unit_id,document_id,relevance_score\n"
    '"two\nlines, one cell",01,1,007,1\n'
    ',01,1,1e5,"10"\n'
    ",01,2,007,2\n"
    ',01,2,1e5,8\n"said ""so""",01,2,c,4\n'
)
GAINS = "t 0 a 3\nt 0 b 0\nt 0 c 1.5\nu 0 a 0\nu 0 b 2\n"
FIRST = "t Q0 a 1 3 first\nt Q0 b 2 2 first\nu Q0 b 1 1 first\n"
SECOND = "t Q0 b 1 3 second\nt Q0 c 2 2 second\n"


@pytest.fixture
def files(tmp_path):
    """A small study's files in the folder that the shell runs in."""
    (tmp_path / "judgments.csv").write_text(JUDGMENTS)
    (tmp_path / "gains.txt").write_text(GAINS)
    (tmp_path / "first.run").write_text(FIRST)
    (tmp_path / "second.run.gz").write_bytes(gzip.compress(SECOND.encode()))
    return tmp_path


@pytest.mark.slow
def test_the_way_from_judgments_to_gains(files, process):
    normalised = output_of(process("normalise", "judgments.csv"))
    rows = list(csv.DictReader(io.StringIO(normalised)))
    given = list(csv.DictReader(io.StringIO(JUDGMENTS)))
    values = [float(row.pop("normalized_relevance_score")) for row in rows]
    assert rows == given
    topic = 640 ** (1 / 5)
    assert values == pytest.approx([topic / 10**0.5, topic * 10**0.5, topic / 2, topic * 2, topic])

    assert output_of(process("normalise", "judgments.csv", "-o", "normalised.csv")) == ""
    assert (files / "normalised.csv").read_text() == normalised
    lines = [line.split("\t") for line in output_of(process("gains", "normalised.csv")).splitlines()]
    assert [line[:3] for line in lines] == [["01", "0", "007"], ["01", "0", "1e5"], ["01", "0", "c"]]
    # To full precision: the very floats come back.
    assert [float(line[3]) for line in lines] == [
        (values[0] + values[2]) / 2,
        (values[1] + values[3]) / 2,
        values[4],
    ]
    means = output_of(process("gains", "normalised.csv", "--statistic", "gmean")).splitlines()
    assert float(means[0].split("\t")[3]) == pytest.approx(math.sqrt(values[0] * values[2]))
    geometric = output_of(process("gains", "normalised.csv", "--median", "geometric")).splitlines()
    assert float(geometric[0].split("\t")[3]) == pytest.approx(math.sqrt(values[0] * values[2]))


def test_normalised_scores_are_made_anew_where_they_stand(files, shell):
    output_of(shell("normalise", "judgments.csv", "-o", "once.csv"))
    text = (files / "once.csv").read_text()
    (files / "stale.csv").write_text(text.replace(",1.151", ",99"))
    assert output_of(shell("normalise", "stale.csv")) == text


def test_scores(files, process):
    out = output_of(
        process("score", "gains.txt", "first.run", "second.run.gz", "-m", "P@2", "nCG@1", "--per-topic")
    )
    assert [line.split("\t") for line in out.splitlines()] == [
        ["first", "t", "P@2", "0.5000"],
        ["first", "t", "nCG@1", "1.0000"],
        ["first", "u", "P@2", "0.5000"],
        ["first", "u", "nCG@1", "1.0000"],
        ["first", "all", "P@2", "0.5000"],
        ["first", "all", "nCG@1", "1.0000"],
        ["second", "t", "P@2", "0.5000"],
        ["second", "t", "nCG@1", "0.0000"],
        ["second", "u", "P@2", "0.0000"],
        ["second", "u", "nCG@1", "0.0000"],
        ["second", "all", "P@2", "0.2500"],
        ["second", "all", "nCG@1", "0.0000"],
    ]


@pytest.mark.parametrize(
    "words",
    [
        ("gains.txt", "first.run", "second.run.gz", "-m", "AP", "nDCG@2"),
        ("gains.txt", "-m", "AP", "nDCG@2", "first.run", "second.run.gz"),
        ("-m", "AP", "nDCG@2", "gains.txt", "first.run", "second.run.gz"),
        ("gains.txt", "first.run", "-m", "AP", "--ties", "trec_eval", "second.run.gz", "-m", "nDCG@2"),
        ("--digits", "4", "gains.txt", "first.run", "second.run.gz", "--measures", "AP", "nDCG@2"),
    ],
)
def test_measures_before_between_and_after_the_files(files, shell, words):
    out = output_of(shell("score", *words))
    assert [line.split("\t")[:3] for line in out.splitlines()] == [
        [run, "all", measure] for run in ("first", "second") for measure in ("AP", "nDCG@2")
    ]


def test_formats(files, shell):
    (files / "empty.txt").write_text("t 0 a 0\nt 0 b 0\n")
    measures = 'nDCG(discount="jk", base=2)@2'
    words = ("score", "empty.txt", "first.run", "-m", measures, "P@1", "--rel", "gains.txt")
    third = ("score", "gains.txt", "first.run", "-m", measures, "AnDCG@3")
    assert json.loads(output_of(shell(*words, "--format", "json"))) == [
        {"run": "first", "topic": "all", "measure": measures, "value": None},
        {"run": "first", "topic": "all", "measure": "P@1", "value": 1.0},
    ]
    assert output_of(shell(*words)) == f"first\tall\t{measures}\t-\nfirst\tall\tP@1\t1.0000\n"
    rows = list(csv.reader(io.StringIO(output_of(shell(*words, "--format", "csv")))))
    assert rows == [
        ["run", "topic", "measure", "value"],
        ["first", "all", measures, ""],
        ["first", "all", "P@1", "1.0"],
    ]
    full = [row["value"] for row in json.loads(output_of(shell(*third, "--format", "json")))]
    cells = [
        float(row["value"])
        for row in csv.DictReader(io.StringIO(output_of(shell(*third, "--format", "csv"))))
    ]
    assert full == cells
    assert output_of(shell(*third, "--digits", "6")).split()[-1] == f"{full[-1]:.6f}"


def test_conventions_as_options(files, shell):
    def mean(*words):
        return json.loads(output_of(shell("score", *words, "--format", "json")))[0]["value"]

    (files / "codes.txt").write_text("t 0 a -2\nt 0 b 1\nu 0 a 0\n")
    (files / "ranked.run").write_text("t Q0 a 2 9 r\nt Q0 b 3 1 r\nt Q0 new 0 5 r\n")
    words = ("codes.txt", "ranked.run", "-m", "RR", "--negative", "zero")
    assert mean(*words) == 1 / 3
    assert mean(*words, "--ties", "as_ranked") == 1 / 3
    assert mean(*words, "--unjudged", "drop") == 1
    assert mean(*words, "--empty", "zero") == 1 / 6
    assert mean("gains.txt", "second.run.gz", "-m", "RR") == 1 / 4
    assert mean("gains.txt", "second.run.gz", "-m", "RR", "--missing", "skip") == 1 / 2
    assert mean("gains.txt", "second.run.gz", "-m", "nCG@2", "--average", "ratio_of_means") == 1.5 / 6.5


def test_a_document_twice_in_a_unit_is_warned_of(files, shell):
    header = "topic_id,unit_id,document_id,relevance_score,worker_id\n"
    rows = ["t,u,a,5,{}\n", "t,u,b,2,{}\n", "t,u,a,6,{}\n"]
    (files / "twice.csv").write_text(header + "".join(row.format("w") for row in rows))
    assert_warnings(shell("normalise", "twice.csv"), ("twice.csv:4",))
    (files / "apart.csv").write_text(header + "".join(row.format(f"w{n}") for n, row in enumerate(rows)))
    assert shell("normalise", "apart.csv").stderr == ""


def test_warnings_go_to_stderr(files, shell):
    (files / "other.run").write_text("t Q0 a 1 1 other\nx Q0 a 1 1 other\n")
    done = shell("score", "gains.txt", "other.run", "-m", "AP")
    assert output_of(done) == "other\tall\tAP\t0.2500\n"
    assert_warnings(done, ("other", "1", "x"), ("other", "1", "u"))
    (files / "magnitudes.txt").write_text("t 0 a 3\nt 0 b 0.1\n")
    done = shell("score", "magnitudes.txt", "first.run", "-m", "AP", "nDCG@1")
    assert_warnings(done, ("first", "1", "u"), ("qrels", "1", "t"))
    assert "nDCG" not in done.stderr


@pytest.mark.parametrize(
    ("content", "line"),
    [
        ("t 0 a 1\nt 0 b -1\n", 2),
        ("t 0 a 1\nt 0 b x\n", 2),
        ("t 0 a 1\n\nt 0 a 2\n", 3),
        ("", 1),
        ("t 0 a\n", 1),
    ],
)
def test_faults_in_gains(files, shell, content, line):
    (files / "bad.txt").write_text(content)
    assert error_line(shell("score", "bad.txt", "first.run", "-m", "AP")).startswith(f"bad.txt:{line}: ")
    assert error_line(shell("score", "gains.txt", "first.run", "--rel", "bad.txt", "-m", "AP")).startswith(
        "bad.txt:"
    )


@pytest.mark.parametrize(
    ("line", "named"),
    [("t Q0 a 2 1 first", ["'a'", "'t'"]), ("t Q0 z 2 nan first", ["NaN"]), ("t Q0 z 2 1", ["5", "6"])],
)
def test_faults_in_runs(files, shell, line, named):
    (files / "bad.run").write_text(f"{FIRST}{line}\n")
    assert_fault(shell("score", "gains.txt", "bad.run", "-m", "AP"), *named, at="bad.run:4")


@pytest.mark.parametrize("cell", ["0", "-3", "NaN", "inf", "lots", "", "1e-200", "1e200", '"two\nlines"'])
def test_faults_in_judgments(files, shell, cell):
    (files / "bad.csv").write_text(f"{JUDGMENTS},01,3,d,{cell}\n")
    assert error_line(shell("normalise", "bad.csv")).startswith("bad.csv:8: relevance_score ")
    (files / "bad.csv").write_text(
        "topic_id,unit_id,document_id,relevance_score,normalized_relevance_score\nt,1,a,1,1\n"
        f"t,1,b,2,{cell if cell not in ('1e-200', '1e200') else 0}\n"
    )
    assert error_line(shell("gains", "bad.csv")).startswith("bad.csv:3: normalized_relevance_score ")


def test_faults_of_other_kinds(files, shell):
    column = "normalized_relevance_score"
    not_normalised = shell("gains", "judgments.csv")
    assert_fault(not_normalised, column, "plumbline normalise", at="judgments.csv:1")
    (files / "blank.csv").write_text(f"topic_id,unit_id,document_id,relevance_score,{column}\nt,1,a b,1,1\n")
    assert_fault(shell("gains", "blank.csv"), "document_id", "'a b'", at="blank.csv:2")
    (files / "same.run").write_text(FIRST)
    same = shell("score", "gains.txt", "first.run", "same.run", "-m", "AP")
    assert_fault(same, "'first'", "first.run", at="same.run:1")
    scheme = shell("score", "gains.txt", "first.run", "-m", "nDCG(gain=0-1-2-3)")
    assert_fault(scheme, "1.5", "'0-1-2-3'", at="gains.txt:3")
    assert_fault(shell("score", "absent", "first.run", "-m", "AP"), at="absent")
    assert_fault(shell("score", "gains.txt", "first.run"), "-m", "score --help")
    words = ("score", "gains.txt", "first.run", "-m", "AP")
    assert_fault(shell(*words, "--unjudged", "keep"), "--unjudged", "'keep'")
    assert_fault(shell(*words, "--digits", "-1"), "--digits")
    assert_fault(shell(*words, "-o", "no/such/folder"), at="no/such/folder")


@pytest.mark.slow
def test_one_fault_of_each_command_as_a_user_sees_it(files, process):
    (files / "bad.csv").write_text(f"{JUDGMENTS},01,3,d,0\n")
    (files / "bad.run").write_text("t Q0 a 1 nan first\n")
    assert_fault(process("normalise", "bad.csv"), "relevance_score", "0", at="bad.csv:8")
    assert_fault(process("gains", "judgments.csv"), "normalized_relevance_score", at="judgments.csv:1")
    assert_fault(process("score", "gains.txt", "bad.run", "-m", "AP"), "score", "NaN", at="bad.run:1")
    assert_fault(process("correlate", "bad.run", "bad.run"), "6", "4", at="bad.run:1")


@pytest.mark.slow
def test_a_reader_that_goes_away_is_no_error(files):
    words = [sys.executable, "-m", "evaluation", "score", "gains.txt", "first.run", "-m", "AP"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    pipe = subprocess.PIPE
    with subprocess.Popen(words, cwd=files, env=environment, stdout=pipe, stderr=pipe) as process:
        process.stdout.close()
        assert process.stderr.read() == b""
    assert process.returncode == 0
