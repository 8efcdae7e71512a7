"""The command `distance`, run as a user runs it: good files, and faults that take one line."""

import csv
import gzip
import io
import json
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.cli import distance
from evaluation.distances import DISTANCES
from evaluation.distances.adm import Scale
from evaluation.distances.preferences import Missing
from tests.evaluation.command_results import error_line, output_of
from tests.evaluation.refusals import assert_fault, assert_warnings

# In topic t the section's example of two weak orders; in v nothing is preferred to anything.
USER = "t 0 d1 4\nt 0 d2 4\nt 0 d3 .5\nt 0 d4 -2\nt 0 d5 -2\nt 0 d6 -7e3\nv 0 a 1\nv 0 b 1\nmine 0 a 1\n"
SYSTEM = "v 0 b 1\nt 0 d1 9\nt 0 d3 9\nt 0 d2 8\nt 0 d5 8\nt 0 d6 7\nt 0 d4 6\nyours 0 a 1\n"
SHARES = "s 0 a .3\ns 0 b .2\ns 0 c .1\nr 0 a .3\nr 0 b .2\nr 0 c .1\n"
OTHERS = "s 0 a .6\ns 0 b .4\ns 0 c .2\nr 0 a .1\nr 0 b .2\nr 0 c .3\n"
CHAIN = "t 0 a 4\nt 0 b 3\nt 0 c 2\nt 0 d 1\n"
SHORT = "t 0 c 2\nt 0 a 1\n"


@pytest.fixture
def files(tmp_path):
    """Small files in the folder that the shell runs in."""
    texts = {"user": USER, "shares": SHARES, "others": OTHERS, "chain": CHAIN, "short": SHORT}
    for name, text in texts.items():
        (tmp_path / name).write_text(text)
    (tmp_path / "system.gz").write_bytes(
        gzip.compress(SYSTEM.replace(" ", "\t").replace("\n", "\r\n").encode())
    )
    return tmp_path


@pytest.mark.slow
def test_rows_topic_measure_value(files, process):
    done = process("distance", "user", "system.gz", "-m", "ndpm", "tau_a")
    # 6/26; of the 15 pairs 9 agree and 2 do not: 7/15.
    assert output_of(done) == (
        "t\tndpm\t0.2308\nt\ttau_a\t0.4667\nv\tndpm\t-\nv\ttau_a\t-\nall\tndpm\t0.2308\nall\ttau_a\t0.4667\n"
    )
    assert_warnings(
        done,
        ("1", "mine", "user"),
        ("1", "yours", "system.gz"),
        ("ndpm", "1", "v"),
        ("tau_a", "1", "v"),
    )


def test_adm_and_its_mean(files, shell):
    expected = f"r\tadm\t0.8667\ns\tadm\t0.8000\nall\tadm\t{(1 - 0.4 / 3 + 0.8) / 2:.4f}\n"
    assert output_of(shell("distance", "shares", "others", "-m", "adm")) == expected


@pytest.mark.parametrize("measure", DISTANCES)
def test_every_measure_by_name(files, shell, measure):
    out = output_of(shell("distance", "shares", "others", "-m", measure)).splitlines()
    assert [line.split("\t")[:2] for line in out] == [["r", measure], ["s", measure], ["all", measure]]
    # Topic r is reversed, s is in the same order.
    values = [float(line.split("\t")[2]) for line in out]
    assert values == pytest.approx(
        {"ndpm": [1, 0, 0.5], "adm": [0.8667, 0.8, 0.8333]}.get(measure, [-1, 1, 0]), abs=1e-4
    )


@pytest.mark.parametrize(
    "words",
    [
        ("user", "system.gz", "-m", "ndpm", "rho"),
        ("-m", "ndpm", "rho", "user", "system.gz"),
        ("user", "-m", "ndpm", "system.gz", "--measures", "rho"),
        ("-m", "ndpm", "--missing", "last", "-m", "rho", "--digits", "4", "user", "system.gz"),
    ],
)
def test_measures_before_between_and_after_the_files(files, shell, words):
    out = output_of(shell("distance", *words)).splitlines()
    assert [line.split("\t")[1] for line in out] == ["ndpm", "rho"] * 3


def test_formats(files, shell):
    words = ("distance", "user", "system.gz", "-m", "ndpm")
    expected = [("t", "ndpm", 6 / 26), ("v", "ndpm", None), ("all", "ndpm", 6 / 26)]
    rows = json.loads(output_of(shell(*words, "--format", "json")))
    assert rows == [dict(zip(("topic", "measure", "value"), row, strict=True)) for row in expected]
    table = list(csv.reader(io.StringIO(output_of(shell(*words, "--format", "csv")))))
    assert table[0] == ["topic", "measure", "value"]
    assert [(t, m, float(v) if v else None) for t, m, v in table[1:]] == expected
    assert output_of(shell(*words, "--digits", "9")).split()[2] == f"{6 / 26:.9f}"
    assert output_of(shell(*words, "-o", "out")) == ""
    assert (files / "out").read_text() == output_of(shell(*words))


def test_documents_that_the_system_did_not_rank(files, shell):
    def mean(*words):
        return output_of(shell("distance", "chain", "short", "-m", *words)).split()[-1]

    # Last, 5/12; left out, the one pair that remains is reversed.
    assert mean("ndpm") == mean("ndpm", "--missing", "last") == "0.4167"
    assert mean("ndpm", "--missing", "drop") == "1.0000"


def test_scales_of_adm(files, shell):
    words = ("distance", "chain", "short", "-m", "adm")
    assert_fault(shell(*words), "score", "4", "--scale max", at="chain:1")
    # 1 .75 .5 .25 and .5 0 1 0; 1 2/3 1/3 0 and 0 0 1 0.
    by_largest, by_range = 1 - (0.5 + 0.75 + 0.5 + 0.25) / 4, 1 - (1 + 2 / 3 + 2 / 3 + 0) / 4
    assert float(output_of(shell(*words, "--scale", "max")).split()[-1]) == pytest.approx(
        by_largest, abs=1e-4
    )
    assert float(output_of(shell(*words, "--scale", "minmax")).split()[-1]) == pytest.approx(
        by_range, abs=1e-4
    )
    negative = shell("distance", "user", "system.gz", "-m", "adm", "--scale", "max")
    assert_fault(negative, "score", "-2", at="user:4")
    # Its line is that of the file; a score in a topic that only one file has is not asked for.
    (files / "late").write_text("other 0 a 9\n\nt 0 a 1\nt 0 b 1.5\n")
    (files / "plain").write_text("t 0 a 1\nt 0 b 1\n")
    assert_fault(shell("distance", "plain", "late", "-m", "adm"), "score", "1.5", at="late:4")


@pytest.mark.parametrize(
    ("content", "line", "named"),
    [
        ("", 1, []),
        ("t 0 a\n", 1, ["3", "4", "topic", "document", "score"]),
        ("t 0 a 1\nt 0 b x\n", 2, ["score", "'x'"]),
        ("t 0 a 1\nt 0 b nan\n", 2, ["score", "nan"]),
        ("t 0 a 1\nt 0 b -inf\n", 2, ["score", "-inf"]),
        ("t 0 a 1\n\nt 0 a 2\n", 3, ["'a'", "'t'"]),
        ("elsewhere 0 a 1\n", 1, []),
    ],
)
def test_faults_in_files(files, shell, content, line, named):
    (files / "bad").write_text(content)
    done = shell("distance", "user", "bad", "-m", "ndpm")
    assert_fault(done, *named, at=f"bad:{line}")
    message = error_line(done)
    if content != "elsewhere 0 a 1\n":
        assert error_line(shell("distance", "bad", "user", "-m", "ndpm")) == message


def test_faults_of_other_kinds(files, shell):
    assert_fault(shell("distance", "absent", "user", "-m", "ndpm"), at="absent")
    words = ("distance", "user", "user")
    assert_fault(shell(*words, "-m", "ndmp"), "-m", "'ndmp'")
    assert_fault(shell(*words, "-m", "ndpm", "--digits", "18"), "--digits")
    assert_fault(shell(*words), "-m", "distance --help")
    assert_fault(shell(*words, "-m", "ndpm", "--missing", "first"), "--missing", "'first'")
    assert_fault(shell(*words, "-m", "adm", "--scale", "2"), "--scale", "'2'")
    assert_fault(shell(*words, "-m", "ndpm", "-o", "no/such/folder"), at="no/such/folder")


def test_the_command_offers_what_the_library_has(files, shell):
    assert tuple(DISTANCES) == distance.MEASURES
    for name, choices in (("--missing", get_args(Missing)), ("--scale", get_args(Scale))):
        for choice in choices:
            output_of(shell("distance", "shares", "others", "-m", "adm", "ndpm", name, choice))


BYTES = st.one_of(
    st.binary(),
    st.text("t0ab 1.-e\t\r\n").map(str.encode),
    st.lists(
        st.tuples(
            st.sampled_from(["t", "u", "all"]),
            st.sampled_from("ab"),
            st.sampled_from(["1", "-0", ".5", "1e308", "-1e308", "5e-324", "1e999", "nan", "1_0", "", "é"]),
        ),
        unique_by=lambda row: row[:2],
    ).map(lambda rows: "".join(f"{t} 0 {d} {s}\n" for t, d, s in rows).encode()),
    st.binary().map(gzip.compress),
    st.binary().map(lambda data: gzip.compress(data)[:-3]),
)


@given(
    first=BYTES,
    second=BYTES,
    scale=st.sampled_from(get_args(Scale)),
    missing=st.sampled_from(get_args(Missing)),
)
def test_no_bytes_end_in_a_traceback(tmp_path, shell, first, second, scale, missing):
    (tmp_path / "first").write_bytes(first)
    (tmp_path / "second").write_bytes(second)
    done = shell("distance", "first", "second", "--scale", scale, "--missing", missing, "-m", *DISTANCES)
    if done.returncode == 0:
        assert len(done.stdout.splitlines()) % len(DISTANCES) == 0
        assert all(line.startswith("warning: ") for line in done.stderr.splitlines())
        for line in done.stdout.splitlines():
            value = line.split("\t")[2]
            assert value == "-" or -1 <= float(value) <= 1
    else:
        assert error_line(done).startswith(("first:", "second:"))
