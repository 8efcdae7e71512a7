"""ERR on worked lists, and where a naive form of it would overflow."""

import math

import pytest

from evaluation.errors import InputError
from evaluation.scores import score

FOUND = [3, 2, 3, 0, 0, 1, 2, 2, 3, 0]


def test_worked_value(value):
    """Stops with probability 7/8, 3/8, 7/8, 0, …: 7/8 + 1/2·3/8·1/8 + 1/3·7/8·1/8·5/8 + … = .9225."""
    assert value("ERR(gmax=3)@10", FOUND) == pytest.approx(0.9225, abs=5e-5)
    assert value("ERR@10", FOUND) == value('ERR(gmax="topic")@10', FOUND) == value("ERR(gmax=3)@10", FOUND)


def test_largest_gain_of_the_file_or_of_the_topic(collection):
    gains, run = collection({"small": ([8], ()), "large": ([20], ())})
    by_file, by_topic = score(gains, [run], ["ERR@1", 'ERR(gmax="topic")@1']).values[0].T
    # Topics are sorted: large, small. R = 2^(8 − 20) − 2^(−20) = .0002 makes the small one weightless.
    assert by_file == pytest.approx([1 - 2**-20, 2**-12 - 2**-20])
    assert by_topic == pytest.approx([1 - 2**-20, 1 - 2**-8])


def test_magnitudes_neither_overflow_nor_vanish(value):
    assert value("ERR@2", [1e100, 5]) == 1
    # 2^g − 1 = g·ln 2 for tiny g: R = g·ln 2/2^gmax.
    assert value("ERR(gmax=1)@1", [1e-30]) == pytest.approx(1e-30 * math.log(2) / 2)


def test_a_gain_above_the_stated_largest_is_refused(value):
    with pytest.raises(InputError, match="gain 5 is above gmax=3"):
        value("ERR(gmax=3)@10", [5])
