"""The top set, its overlaps, and the command that prints it."""

import math

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.comparison import overlap, top_set, wilcoxon
from evaluation.comparison.report import compare
from evaluation.score_table import Scores
from tests.evaluation.refusals import assert_fault, refused

TOPICS = range(1, 11)
BEST = [0.5 + topic / 100 for topic in TOPICS]
CLOSE = [value - (-1) ** topic * 0.01 - 0.001 for topic, value in zip(TOPICS, BEST, strict=True)]
WORSE = [value - 0.1 - topic / 1000 for topic, value in zip(TOPICS, BEST, strict=True)]


def rows(**systems):
    return "".join(
        f"{name}\t{topic}\tAP\t{value}\n"
        for name, values in systems.items()
        for topic, value in enumerate(values, 1)
    )


def test_the_best_and_those_not_told_apart_from_it():
    top = top_set(["worse", "close", "best"], [WORSE, CLOSE, BEST])
    assert [system.run for system in top] == ["best", "close"]
    assert top[0].p == 1
    assert top[1].p == wilcoxon(BEST, CLOSE).p >= 0.05
    assert wilcoxon(BEST, WORSE).p == pytest.approx(2 / 2**10)


def test_alpha_is_the_bound_itself():
    p = wilcoxon(BEST, WORSE).p
    assert len(top_set(["best", "worse"], [BEST, WORSE], alpha=p)) == 2
    assert len(top_set(["best", "worse"], [BEST, WORSE], alpha=p * 1.001)) == 1


def test_of_equal_means_the_first_name_is_the_best():
    top = top_set(["b", "a", "c"], [[0.1 + 0.2, 0.5], [0.3, 0.5], [0.5, 0.3]])
    assert [system.run for system in top] == ["a", "b", "c"]


def test_systems_without_values_are_not_in_it():
    top = top_set(["none", "one", "two"], [[math.nan, math.nan], [0.5, math.nan], [math.nan, 0.4]])
    assert [(system.run, system.p) for system in top] == [("one", 1), ("two", 1)]
    with refused("no-values"):
        top_set(["none"], [[math.nan]])
    with refused("alpha-out-of-bounds", "alpha", "1"):
        top_set(["one"], [[0.5]], alpha=1)


def test_overlap():
    assert overlap("abc", "bcde") == 2 / 5
    assert overlap("abc", "bcde", "min") == 2 / 3
    assert overlap("abc", "bcde", "dice") == 4 / 7
    assert overlap("ab", "ab") == 1
    with refused("empty-top-set"):
        overlap("", "a")


def test_the_command(shell, tmp_path):
    (tmp_path / "scores.tsv").write_text(rows(worse=WORSE, close=CLOSE, best=BEST))
    result = shell("topset", "scores.tsv")
    assert (result.returncode, result.stderr) == (0, "")
    p = wilcoxon(BEST, CLOSE).p
    assert result.stdout == f"best\t{sum(BEST) / 10:.4f}\t1.0000\nclose\t{sum(CLOSE) / 10:.4f}\t{p:.4f}\n"
    strict = shell("topset", "scores.tsv", "--alpha", ".001")
    assert [line.split("\t")[0] for line in strict.stdout.splitlines()] == ["best", "close", "worse"]


def test_the_command_asks_which_measure(shell, tmp_path):
    (tmp_path / "scores.tsv").write_text("a\t1\tAP\t.5\na\t1\tRR\t1\nb\t1\tAP\t.6\nb\t1\tRR\t.5\n")
    assert_fault(shell("topset", "scores.tsv"), "-m", "AP", "RR", at="scores.tsv:1")
    assert shell("topset", "scores.tsv", "-m", "RR").stdout.startswith("a\t1.0000")
    assert_fault(shell("topset", "scores.tsv", "-m", "P@5"), "'P@5'", "AP", "RR", at="scores.tsv:1")
    assert_fault(shell("topset", "scores.tsv", "-m", "AP", "--digits", "2"), "--digits")
    assert_fault(shell("topset", "scores.tsv", "-m", "AP", "--alpha", "7"), "alpha", "7.0")


@given(st.integers(0, 10_000), st.integers(2, 6), st.integers(2, 12))
def test_adjusted_it_says_what_a_comparison_of_all_pairs_says(seed, runs, topics):
    values = np.random.default_rng(seed).random((runs, topics, 1)).round(1)
    values[np.random.default_rng(seed + 1).random(values.shape) < 0.1] = np.nan
    names = tuple("abcdef"[:runs])
    scores = Scores(names, tuple(map(str, range(topics))), ("AP",), values)
    if np.isnan(values).all(axis=1).any():
        return
    compared = compare(scores, resamples=2)
    (best, *others) = compared.top_sets["run"].to_list()
    pairs = compared.pairs.filter((pl.col("first") == best) | (pl.col("second") == best))
    rows_of_pairs = pairs.select("first", "second", "adjusted").iter_rows()
    apart = {run for *pair, p in rows_of_pairs for run in pair if p is not None and p < 0.05}
    assert {best, *others} == {*names} - apart | {best}
    plain = compare(scores, resamples=2, correction="none").top_sets["run"].to_list()
    assert plain == [system.run for system in top_set(names, values[..., 0])]
    assert {*plain} <= {best, *others}
