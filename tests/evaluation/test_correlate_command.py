"""`correlate`: two rankings of the same systems, from two files of scores."""

import pytest

from tests.evaluation.command_results import output_of
from tests.evaluation.refusals import assert_fault, assert_warnings


def test_correlation_of_two_rankings(tmp_path, shell):
    values = {"a": (0.1, 0.5), "b": (0.2, 0.4), "c": (0.3, 0.7), "d": (0.4, 0.8)}
    for name, place in (("x.tsv", 0), ("y.csv", 1)):
        mark = "\t" if name.endswith("tsv") else ","
        rows = [
            (r, t, f"m{place}", f"{v[place] + d}")
            for r, v in values.items()
            for t, d in (("1", -1), ("2", 1))
        ]
        rows.append(("a", "all", f"m{place}", "99"))
        (tmp_path / name).write_text("".join(mark.join(row) + "\n" for row in rows))
    # a and b change places: 5 of 6 pairs agree.
    assert output_of(shell("correlate", "x.tsv", "y.csv")) == "tau_b\tm0\tm1\t0.666667\n"
    statistics = {"tau_a": 4 / 6, "tau_c": 4 / 6, "rho": 1 - 6 * 2 / 60, "tau_ap": 7 / 9}
    for statistic, expected in statistics.items():
        out = output_of(shell("correlate", "x.tsv", "y.csv", "--statistic", statistic))
        assert float(out.split()[-1]) == pytest.approx(expected, abs=1e-6)


def test_correlation_per_shared_measure(tmp_path, shell):
    (tmp_path / "gains.txt").write_text("t 0 a 3\nt 0 b 0\nt 0 c 1.5\nu 0 a 0\nu 0 b 2\n")
    (tmp_path / "first.run").write_text("t Q0 a 1 3 first\nt Q0 b 2 2 first\nu Q0 b 1 1 first\n")
    (tmp_path / "second.run").write_text("t Q0 b 1 3 second\nt Q0 c 2 2 second\n")
    words = ("score", "gains.txt", "first.run", "second.run", "--per-topic", "-m")
    output_of(shell(*words, "AP", "nCG@1", "-o", "x"))
    output_of(shell(*words, "nCG@1", "AP", "RR", "--format", "json", "-o", "y"))
    out = [line.split("\t") for line in output_of(shell("correlate", "x", "y")).splitlines()]
    assert out == [["tau_b", "AP", "AP", "1.000000"], ["tau_b", "nCG@1", "nCG@1", "1.000000"]]


def test_correlation_without_a_value_or_without_systems(tmp_path, shell):
    (tmp_path / "x").write_text("a 1 AP .5\nb 1 AP .5\nc 1 AP .1\n")
    (tmp_path / "y").write_text("a 1 RR .5\nb 1 RR .6\nd 1 RR .1\n")
    done = shell("correlate", "x", "y")
    assert output_of(done) == "tau_b\tAP\tRR\t-\n"
    assert_warnings(done, ("2", "c", "d"))
    (tmp_path / "z").write_text("a 1 RR .5\ne 1 RR .6\n")
    assert_fault(shell("correlate", "x", "z"), "1", at="z:1")
    (tmp_path / "means").write_text("a all AP .5\nb all AP .6\n")
    assert_fault(shell("correlate", "x", "means"), at="means:1")
    (tmp_path / "two").write_text("a 1 P@5 .5\nb 1 P@6 .6\n")
    assert_fault(shell("correlate", "x", "two"), at="two:1")
