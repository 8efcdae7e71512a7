"""What judged values are worth: written schemes, mappings from files, transformations."""

import math

import pytest

from evaluation.files import read_gains, read_scheme
from evaluation.frames import Gains
from evaluation.measures import parse
from evaluation.scores import score
from evaluation.transformations import Transformation
from tests.evaluation.refusals import refused


def gains_of(*values):
    return Gains.from_columns(["t"] * len(values), [f"d{i}" for i, _ in enumerate(values)], list(values))


@pytest.mark.parametrize(
    ("scheme", "expected"),
    [
        ("0-1-1-1", 3),
        ("0-1-2-3", 6),
        ("0-1-5-10", 16),
        ("0-1-10-100", 111),
        ("0-0-0-1", 1),
        ("0-1-2.5-4", 7.5),
        ("0:0,1:2,2:0.5,3:4", 6.5),
        ("3:1e2,2:1.5,1:1,0:0", 102.5),
        ("binary", 3),
        ("exp", 1 + 3 + 7),
        ("pow2", 1 + 2 + 4 + 8),
    ],
)
def test_schemes_of_grades(value, scheme, expected):
    assert value(f'CG(gain="{scheme}")@4', [0, 1, 2, 3]) == expected


def test_a_mapping_may_list_values_that_are_not_whole(value):
    assert value('CG(gain="0:0,0.5:1,2.25:10")@3', [0.5, 2.25, 0]) == 11


@pytest.mark.parametrize(
    "scheme", ["", "0", "0-", "0-1-x", "0:1,0:2", "0:1,", "0:-1", "0:1e999", "w10", "0.5:1;1:2", "1:inf"]
)
def test_what_is_no_scheme(scheme):
    with refused("parameter-not-a-scheme", "gain"):
        parse(f'CG(gain="{scheme}")@1')


def test_a_scheme_from_a_file(tmp_path, value):
    path = tmp_path / "scheme.txt"
    path.write_text("2  10\n0\t0\r\n\n1.5 0.1\n")
    scheme = read_scheme(path)
    assert scheme == "0:0,1.5:0.1,2:10"
    measure = parse(f'nCG(gain="{scheme}")@2')
    assert parse(str(measure)) == measure
    assert value(str(measure), [1.5, 0], [2]) == pytest.approx(0.1 / 10.1)


def test_a_scheme_from_a_file_keeps_every_digit(tmp_path):
    path = tmp_path / "scheme.txt"
    path.write_text("0 0\n1e-7 0.1000000000000000055511151231257827\n3 1e16\n")
    assert read_scheme(path) == "0:0,1e-07:0.1,3:1e+16"
    assert parse(f'CG(gain="{read_scheme(path)}")')


@pytest.mark.parametrize(
    ("text", "line", "named"),
    [
        ("0 0\n1 x\n", 2, ["gain", "'x'"]),
        ("0 0\n\n1 -1\n", 3, ["gain", "-1"]),
        ("nan 0\n", 1, ["value", "nan"]),
        ("0 0\n1 2 3\n", 2, ["3", "2", "value", "gain"]),
        ("0 0\n1 2\n1.0 3\n", 3, ["value", "1"]),
        ("", 1, []),
    ],
)
def test_faults_of_such_a_file(tmp_path, text, line, named):
    path = tmp_path / "scheme.txt"
    path.write_text(text)
    with refused(
        (
            "empty-file",
            "not-a-number",
            "scheme-number-out-of-bounds",
            "value-with-two-gains",
            "wrong-number-of-columns",
        ),
        *named,
        at=f"{path}:{line}",
    ):
        read_scheme(path)


def test_a_fault_names_topic_document_and_line(tmp_path):
    path = tmp_path / "gains.txt"
    path.write_text("\nt 0 a 1\nt 0 b 2.5\n")
    gains = read_gains(path)
    with refused("value-not-in-scheme", "2.5", "'0-1-2-3'", "'b'", "'t'", at=f"{path}:3"):
        score(gains, [], ['nDCG(gain="0-1-2-3")@10'])
    path.write_text("t 0 a 1\nt 0 b -2\n")
    with refused("negative-gain", "-2", "'b'", "'t'", at=f"{path}:2"):
        read_gains(path)
    path.write_text("t 0 a 1\nt 0 b inf\n")
    with refused("gain-not-finite", "inf", "'b'", "'t'", at=f"{path}:2"):
        read_gains(path)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("C", [0, 0.25, 1, 3]),
        ("10C", [0, 2.5, 10, 30]),
        ("0.5C", [0, 0.125, 0.5, 1.5]),
        ("C+1", [1, 1.25, 2, 4]),
        ("C+10", [10, 10.25, 11, 13]),
        ("C^2", [0, 0.0625, 1, 9]),
        ("C^0.5", [0, 0.5, 1, math.sqrt(3)]),
        ("2^C", [1, 2**0.25, 2, 8]),
        ("10^C", [1, 10**0.25, 10, 1000]),
        ("2^C-1", [0, 2**0.25 - 1, 1, 7]),
        ("exp", [0, 2**0.25 - 1, 1, 7]),
        ("binary", [0, 1, 1, 1]),
        ("0:0,0.25:5,1:6,3:7", [0, 5, 6, 7]),
    ],
)
def test_transformations(name, expected):
    gains = gains_of(0, 0.25, 1, 3)
    transformation = Transformation(name)
    assert str(transformation) == repr(transformation) == name
    assert transformation == Transformation(name)
    result = transformation(gains)
    assert result.values == pytest.approx(expected, rel=1e-15)
    assert result.table.drop("gain").equals(gains.table.drop("gain"))


def test_transformations_one_after_the_other():
    assert Transformation("C^2")(Transformation("0-1-5-10")(gains_of(0, 2, 3))).values.tolist() == [
        0,
        25,
        100,
    ]


def test_small_gains_keep_their_digits():
    # 2^C − 1 ≈ C·ln 2, far below what is left of the digits beside 1.
    assert Transformation("2^C-1")(gains_of(1e-20)).values[0] == pytest.approx(1e-20 * math.log(2))
    assert Transformation("10^C-1")(gains_of(3)).values[0] == 999


@pytest.mark.parametrize("name", ["", "c", "C-1", "-2C", "C^", "log C", "C²", "2*C", "1e3C"])
def test_what_is_no_transformation(name):
    with refused("unknown-transformation", repr(name)):
        Transformation(name)


@pytest.mark.parametrize("name", ["0C", "C^0", "C+0", "1^C", "0.5^C", "1^C-1"])
def test_numbers_that_would_level_or_turn_the_order(name):
    with refused("transformation-number-too-small", repr(name)):
        Transformation(name)


def test_a_gain_that_cannot_be_transformed(tmp_path):
    path = tmp_path / "gains.txt"
    path.write_text("t 0 a 1\nt 0 b 2000\n")
    gains = read_gains(path)
    with refused("gain-too-large-to-transform", "2000", "10^C", "'b'", "'t'", at=f"{path}:2"):
        Transformation("10^C")(gains)
    with refused("gain-without-transformation", "2000", "0-1", "'b'", "'t'", at=f"{path}:2"):
        Transformation("0-1")(gains)


def test_relevance_is_that_of_the_gains_before(collection):
    gains, run = collection({"t": ([0, 1], [0])})
    more = Transformation("C+1")(gains)
    scores = score(more, [run], ["CG@2", "P@2", "WAP"], rel=gains)
    assert scores.values[0, 0].tolist() == [3, 0.5, 3 / 3]
    # Without that, all three are relevant, and a notice says so.
    assert score(more, [run], ["P@2"]).values.item() == 1
    assert score(more, [run], ["P@2"]).notices.topics("positives-only") == {"": ("t",)}
