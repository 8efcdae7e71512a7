"""Correlations of many rankings: each cell is the correlation of its two."""

import numpy as np
import pytest

from evaluation.comparison import correlation_matrix, rankings, tau_ap, tau_b
from evaluation.score_table import Scores
from tests.evaluation.refusals import refused

VALUES = np.array([[[0.9, 0.1], [0.7, 0.3]], [[0.5, 0.5], [0.5, 0.1]], [[0.2, 0.9], [0.1, np.nan]]])
SCORES = Scores(("a", "b", "c"), ("1", "2"), ("AP", "P@5"), VALUES)


def test_rankings_are_means_over_topics():
    result = rankings(SCORES, "{measure} of grades")
    assert list(result) == ["AP of grades", "P@5 of grades"]
    assert result["AP of grades"].tolist() == pytest.approx([0.8, 0.5, 0.15])
    assert result["P@5 of grades"].tolist() == pytest.approx([0.2, 0.3, 0.9])


def test_every_cell_is_the_correlation_of_its_two():
    columns = rankings(SCORES) | {"other": np.array([3.0, 1.0, 2.0])}
    for statistic, function in (("tau_b", tau_b), ("tau_ap", tau_ap)):
        result = correlation_matrix(columns, statistic)
        assert len(result) == 9
        for first, second, value in result.iter_rows():
            assert value == function(columns[first], columns[second])
    assert result.row(1) == ("AP", "P@5", -1)


def test_a_system_without_a_value_is_left_out_of_the_pair():
    result = correlation_matrix({"x": np.array([1, 2, 3, np.nan]), "y": np.array([1, 2, np.nan, 0])})
    assert result["value"].to_list() == [1, 1, 1, 1]
    alone = correlation_matrix({"x": np.array([1, np.nan])})
    assert alone["value"].to_list() == [None]


def test_what_cannot_be_correlated():
    with refused("label-without-measure", "'grades'", "{measure}"):
        rankings(SCORES, "grades")
    with refused("unknown-statistic", "'tau'"):
        correlation_matrix({}, "tau")
    with refused("rankings-differ-in-length", "2", "1"):
        correlation_matrix({"x": np.array([1.0, 2]), "y": np.array([1.0])})


def test_the_command_prints_every_pair(shell, tmp_path):
    rows = [
        f"{run}\t1\t{m}\t{v}\n"
        for m, vs in (("AP", "123"), ("RR", "132"))
        for run, v in zip("abc", vs, strict=True)
    ]
    (tmp_path / "s.tsv").write_text("".join(rows))
    done = shell("correlate", "s.tsv", "s.tsv", "--matrix", "--digits", "4")
    assert done.stdout.splitlines() == [
        "tau_b\tAP\tAP\t1.0000",
        "tau_b\tAP\tRR\t0.3333",
        "tau_b\tRR\tAP\t0.3333",
        "tau_b\tRR\tRR\t1.0000",
    ]
