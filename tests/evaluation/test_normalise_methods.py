"""Every way to normalise: worked by hand, under the laws, and what each refuses."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.files import read_judgments
from evaluation.frames import Judgments
from evaluation.magnitudes import METHODS, normalise
from tests.evaluation.refusals import OPTION, assert_fault, refused

CLOSED = [method for method in METHODS if method != "model"]
"""Methods by a formula for each topic. `model` learns about workers from all topics: see test_model.py."""


def judgments_of(rows, **given):
    """Rows of (topic, unit, document, magnitude, gold)."""
    *columns, gold = zip(*rows, strict=True)
    return Judgments.from_columns(*columns, gold=gold, **given)


def units_of(topics):
    """Rows of units, each given as (topic, N, H ÷ N, other magnitudes)."""
    rows = []
    for number, (topic, low, ratio, others) in enumerate(topics):
        magnitudes = [(low, "N"), (low * ratio, "H"), *((other, "") for other in others)]
        rows += [(topic, str(number), f"d{i}", m, gold) for i, (m, gold) in enumerate(magnitudes)]
    return rows


UNITS = st.lists(
    st.tuples(
        st.sampled_from("tu"),
        st.floats(0.1, 10),
        st.floats(1.5, 100),
        st.lists(st.floats(0.01, 1000), max_size=4),
    ),
    min_size=1,
    max_size=6,
).map(units_of)

# In powers of 2 the logs of the first unit are 0, 4, 2, of the second 1, 3, 2.
TWO_UNITS = [
    ("t", "1", "n", 1, "N"),
    ("t", "1", "h", 16, "H"),
    ("t", "1", "a", 4, ""),
    ("t", "2", "n", 2, "N"),
    ("t", "2", "h", 8, "H"),
    ("t", "2", "a", 4, ""),
]


@pytest.mark.parametrize(
    ("method", "powers"),
    [
        # Both units have the mean 2, the topic too.
        ("geometric", [0, 4, 2, 1, 3, 2]),
        # Both units have the same documents, so the offsets are differences of their means: 0.
        ("additive", [0, 4, 2, 1, 3, 2]),
        ("none", [0, 4, 2, 1, 3, 2]),
        # σ: √(8/3) and √(2/3), of the topic √(10/6); ±2·√(5/3)/√(8/3) = ±√2.5 = ±1·√(5/3)/√(2/3).
        ("zlog", [2 - 2.5**0.5, 2 + 2.5**0.5, 2, 2 - 2.5**0.5, 2 + 2.5**0.5, 2]),
        ("n", [0, 4, 2, 0, 2, 1]),
        # μ_N = (0 + 1)/2, μ_H = (4 + 3)/2; the slopes are 3/4 and 3/2.
        ("anchors", [0.5, 3.5, 2, 0.5, 3.5, 2]),
    ],
)
def test_two_units_by_hand(method, powers):
    result = normalise(judgments_of(TWO_UNITS), method)
    assert result == pytest.approx([2**power for power in powers], rel=1e-14)


def test_zlog_of_a_unit_of_equal_numbers():
    """It gets the topic's geometric mean: (7·7·1·4)^(1/4) = 14^(1/2). So zlog twice is not zlog once here."""
    rows = [("t", "1", d, 7, "") for d in "ab"] + [("t", "2", "a", 1, ""), ("t", "2", "b", 4, "")]
    once = normalise(judgments_of(rows), "zlog")
    assert once[:2] == pytest.approx([14**0.5] * 2, rel=1e-14)
    again = [(*row[:3], value, "") for row, value in zip(rows, once, strict=True)]
    assert normalise(judgments_of(again), "zlog")[2:] != pytest.approx(once[2:], rel=0.01)


def test_none_gives_an_array_of_its_own():
    judgments = judgments_of(TWO_UNITS)
    normalise(judgments, "none")[0] = 99
    assert judgments.magnitudes[0] == 1


@pytest.mark.parametrize("method", CLOSED)
@given(rows=UNITS, random=st.randoms(use_true_random=False))
def test_bits_depend_neither_on_the_order_of_rows_nor_on_other_topics(method, rows, random):
    result = dict(zip(rows, normalise(judgments_of(rows), method).tolist(), strict=True))
    shuffled = rows.copy()
    random.shuffle(shuffled)
    assert dict(zip(shuffled, normalise(judgments_of(shuffled), method).tolist(), strict=True)) == result
    alone = [row for row in shuffled if row[0] == rows[0][0]]
    values = normalise(judgments_of(alone), method).tolist()
    assert values == [result[row] for row in alone]


@pytest.mark.parametrize("method", CLOSED)
@given(rows=UNITS)
def test_twice_is_once(method, rows):
    once = normalise(judgments_of(rows), method)
    again = [(*row[:3], value, row[4]) for row, value in zip(rows, once, strict=True)]
    assert normalise(judgments_of(again), method) == pytest.approx(once, rel=1e-8)


@pytest.mark.parametrize("method", CLOSED)
@given(rows=UNITS)
def test_order_survives_in_a_unit_and_ratios_or_their_powers(method, rows):
    """The logs of a unit are moved and, by `zlog` and `anchors` alone, stretched."""
    given_logs = np.log([row[3] for row in rows])
    result = np.log(normalise(judgments_of(rows), method))
    for unit in {row[1] for row in rows}:
        member = np.array([row[1] == unit for row in rows])
        before, after = given_logs[member], result[member]
        slope = (after[1] - after[0]) / (before[1] - before[0])
        assert slope > 0
        if method not in ("zlog", "anchors"):
            assert slope == pytest.approx(1, rel=1e-9)
        assert after - after[0] == pytest.approx(slope * (before - before[0]), abs=1e-9)


@pytest.mark.parametrize("method", ["geometric", "none", "n", "anchors"])
@given(rows=UNITS, factor=st.floats(0.01, 100))
def test_one_unit_times_c(method, rows, factor):
    """All scores of its topic are multiplied by one power of c; with `none` those of the unit alone."""
    topic, unit = rows[0][:2]
    raised = [(*row[:3], row[3] * factor if row[1] == unit else row[3], row[4]) for row in rows]
    change = np.log(normalise(judgments_of(raised), method) / normalise(judgments_of(rows), method))
    of_topic = [row for row in rows if row[0] == topic]
    power = {
        "geometric": sum(row[1] == unit for row in of_topic) / len(of_topic),
        "none": 1,
        "n": 0,
        "anchors": 1 / len({row[1] for row in of_topic}),
    }[method]
    for row, moved in zip(rows, change, strict=True):
        touched = row[1] == unit if method == "none" else row[0] == topic
        assert moved == pytest.approx(power * math.log(factor) * touched, abs=1e-8)


def test_an_unknown_method():
    with refused(OPTION, "'median'", "geometric", "none", "zlog", "n", "anchors"):
        normalise(judgments_of(TWO_UNITS), "median")


@pytest.mark.parametrize(
    ("method", "marks", "row", "named"),
    [
        ("n", "  H ", "row 1", ["N"]),
        ("n", "N N ", "row 3", ["2", "N"]),
        ("anchors", "N   ", "row 1", ["H"]),
        ("anchors", "NHHH", "row 3", ["3", "H"]),
    ],
)
def test_a_unit_without_exactly_one_anchor(method, marks, row, named):
    rows = [("t", "1", str(i), i + 1, mark.strip()) for i, mark in enumerate(marks)]
    with refused(("anchor-missing", "several-anchors"), "gold", "'1'", "'t'", *named, at=row):
        normalise(judgments_of(rows), method)


def test_the_first_unit_at_fault_is_named():
    rows = [*TWO_UNITS, ("u", "3", "n", 1, ""), ("s", "4", "n", 1, "")]
    with refused("several-rows-at-fault", "'3'", "'u'", "N", at="row 7"):
        normalise(judgments_of(rows), "n")


def test_anchors_of_one_magnitude():
    rows = [*TWO_UNITS, ("t", "3", "n", 7, "N"), ("t", "3", "h", 7, "H")]
    with refused("anchors-alike", "'3'", "'t'", "7", at="row 8"):
        normalise(judgments_of(rows), "anchors")
    assert normalise(judgments_of(rows), "n")[-1] == 1


@pytest.mark.parametrize("method", ["n", "anchors"])
def test_anchors_need_a_column(method):
    judgments = Judgments.from_columns(["t"], ["1"], ["a"], [1])
    with refused("gold-column-missing", "gold", "H", "N"):
        normalise(judgments, method)


def test_what_no_float_can_hold():
    """Anchors that hardly differ, of a topic in which others do: a slope of millions."""
    rows = [("t", "1", "n", 1, "N"), ("t", "1", "h", 1 + 1e-9, "H"), ("t", "1", "a", 2, "")]
    rows += [("t", "2", "n", 1, "N"), ("t", "2", "h", 100, "H")]
    with refused("magnitude-beyond-floats", "relevance_score", "2", "anchors", at="row 3"):
        normalise(judgments_of(rows), "anchors")


@pytest.mark.parametrize("bad", ["n", "NH", "HR", "1"])
def test_a_mark_of_no_anchor(bad):
    with refused("unknown-anchor-mark", "gold", repr(bad), at="row 2"):
        Judgments.from_columns(["t"] * 2, ["1"] * 2, ["a", "b"], [1, 2], gold=["", bad])


def test_gold_may_be_missing_in_a_row():
    judgments = Judgments.from_columns(
        ["t"] * 3, ["1"] * 3, ["a", "b", "c"], [3, 6, 9], gold=["N", None, "H"]
    )
    assert normalise(judgments, "n").tolist() == [1, 2, 3]


CSV = "gold,topic_id,unit_id,document_id,relevance_score\n N ,t,1,a,2\nH,t,1,b,8\n,t,1,c,4\n"


def test_methods_of_the_command_line(tmp_path, shell):
    (tmp_path / "judgments.csv").write_text(CSV)
    for method, last in (("geometric", "4.0"), ("none", "4.0"), ("n", "2.0")):
        done = shell("normalise", "judgments.csv", "--method", method)
        assert done.stdout.splitlines()[3] == f",t,1,c,4,{last}"
    for method in ("zlog", "anchors"):
        done = shell("normalise", "judgments.csv", "--method", method)
        assert float(done.stdout.splitlines()[3].rsplit(",", 1)[1]) == pytest.approx(4)


@pytest.mark.parametrize(
    ("method", "text", "place", "named"),
    [
        ("n", CSV.replace(" N ", ""), "judgments.csv:2", ["'1'", "'t'", "N"]),
        ("n", CSV.replace("\n,t", "\nN,t"), "judgments.csv:4", ["'1'", "'t'", "2", "N"]),
        ("anchors", CSV.replace(",8", ",2"), "judgments.csv:3", ["'1'", "'t'", "2"]),
        ("anchors", CSV.replace("gold", "kind"), "judgments.csv:1", ["gold"]),
        ("anchors", CSV.replace("H,", "R,"), "judgments.csv:3", ["gold", "'R'"]),
        ("median", CSV, "", ["--method", "'median'"]),
        ("mean", CSV, "", ["'mean'", "magnitude", "geometric"]),
    ],
)
def test_faults_of_the_command_line(tmp_path, shell, method, text, place, named):
    (tmp_path / "judgments.csv").write_text(text)
    assert_fault(shell("normalise", "judgments.csv", "--method", method), *named, at=place)


def test_anchors_are_read_when_they_are_asked_for(tmp_path):
    path = tmp_path / "judgments.csv"
    path.write_text(CSV)
    assert normalise(read_judgments(path, gold=True), "n").tolist() == [1, 4, 2]
    with refused("gold-column-missing", "gold", at=f"{path}:1"):
        normalise(read_judgments(path), "n")


def test_other_methods_pass_the_column_gold_through(tmp_path, shell):
    (tmp_path / "judgments.csv").write_text(CSV.replace("H,", "whatever,"))
    assert shell("normalise", "judgments.csv").stdout.splitlines()[2] == "whatever,t,1,b,8,8.0"
