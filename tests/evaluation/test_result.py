"""The result: which run is best, in one sentence, one table and one file, the same ones everywhere."""

import json
import re

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from evaluation.comparison import holm, top_set, wilcoxon
from evaluation.comparison.choices import Choices
from evaluation.comparison.report import compare
from evaluation.result import Basis, compute_result, compute_results
from evaluation.result.sentences import few_topics
from evaluation.score_table import Scores
from evaluation.text import Text
from tests.evaluation.refusals import OPTION, refused


def scores_of(seed: int, runs: int, topics: int, *, digits: int = 1, missing: float = 0.0) -> Scores:
    rng = np.random.default_rng(seed)
    values = rng.random((runs, topics, 2)).round(digits)
    values[rng.random(values.shape) < missing] = np.nan
    values[0, 0] = 0.5
    names = tuple(f"run{place}" for place in range(runs))
    return Scores(names, tuple(map(str, range(topics))), ("AP", "nDCG"), values)


def named_in(text: object) -> list[str]:
    """The runs and the numbers in a sentence."""
    return re.findall(r"\brun\d+|\b\d+(?:\.\d+)?", str(text).replace("AP", "").replace("nDCG", ""))


@given(st.integers(0, 10_000), st.integers(2, 6), st.integers(1, 12), st.sampled_from([0.0, 0.2]))
def test_the_numbers_are_those_of_plain_loops(seed, runs, topics, missing):
    scores = scores_of(seed, runs, topics, missing=missing)
    result = compute_result(scores, "AP")
    values = dict(zip(scores.runs, scores.values[..., 0], strict=True))
    rows = {row["run"]: row for row in result.table.iter_rows(named=True)}
    known = [run for run in scores.runs if not np.isnan(values[run]).all()]
    means = {run: np.nanmean(values[run]) for run in known}
    assert result.best == min(known, key=lambda run: (-round(means[run], 12), run))
    pairs = {}
    for place, one in enumerate(scores.runs):
        for other in scores.runs[place + 1 :]:
            both = ~np.isnan(values[one] - values[other])
            p = wilcoxon(values[one][both], values[other][both]).p if both.any() else np.nan
            pairs[frozenset((one, other))] = p
    adjusted = dict(zip(pairs, holm([*pairs.values()]), strict=True))
    for run in known:
        row = rows[run]
        assert row["mean"] == row["observed"] == pytest.approx(means[run])
        present = values[run][~np.isnan(values[run])]
        assert row["topics"] == len(present)
        if len(present) > 1 and np.ptp(present):
            low, high = stats.t.interval(0.95, len(present) - 1, present.mean(), stats.sem(present))
            assert (row["low"], row["high"]) == pytest.approx((max(0, low), min(1, high)))
        if run == result.best:
            assert (row["p"], row["difference"], row["wins"], row["in_top_set"]) == (None, None, None, True)
            continue
        pair = frozenset((run, result.best))
        apart = values[run] - values[result.best]
        apart = apart[~np.isnan(apart)].round(9)
        assert row["p"] == pytest.approx(np.nan_to_num(pairs[pair], nan=1.0))
        assert row["adjusted"] == pytest.approx(np.nan_to_num(adjusted[pair], nan=1.0))
        assert row["in_top_set"] == (row["adjusted"] >= 0.05)
        counts = [int((apart > 0).sum()), int((apart == 0).sum()), int((apart < 0).sum())]
        assert [row["wins"], row["ties"], row["losses"]] == counts
        if len(apart):
            assert row["difference"] == pytest.approx(apart.mean(), abs=1e-9)
        else:
            assert row["difference"] is None
    assert result.table["run"].to_list()[len(known) :] == [run for run in scores.runs if run not in known]
    best, *_ = top_set(scores.runs, scores.values[..., 0], correction="holm")
    assert best.run == result.best


@given(st.integers(0, 10_000), st.integers(2, 5), st.integers(2, 12))
def test_every_form_says_the_same(seed, runs, topics):
    scores = scores_of(seed, runs, topics)
    compared = compare(scores)
    for place, measure in enumerate(scores.measures):
        result, alone = compared.result(measure), compute_result(scores, measure)
        assert result.table.equals(alone.table)
        assert (result.sentence, result.warnings) == (alone.sentence, alone.warnings)
        stored = json.loads(result.to_json())
        assert stored["is_further_look"] == bool(place)
        assert [row["run"] for row in stored["runs"]] == result.table["run"].to_list()
        assert (stored["best"], stored["top_set"]) == (result.best, result.top_set)
        best = result.table.row(0, named=True)
        bounds = [] if best["low"] is None else [f"{best['low']:.3f}", f"{best['high']:.3f}"]
        tied = [run for run in result.top_set if run != result.best]
        numbers = [result.best, f"{best['mean']:.3f}", *bounds, *tied, str(topics)]
        assert named_in(result.sentence) == numbers
        of_measure = compared.means.filter(measure=measure).sort("run").select("run", "mean", "low", "high")
        assert of_measure.equals(result.table.sort("run").select("run", "mean", "low", "high"))
        assert compared.top_sets.filter(measure=measure)["run"].to_list() == result.top_set
        for form in (result.to_latex(), result.to_html(), result.to_markdown(), repr(result)):
            assert f"{best['mean']:.3f}" in form


def test_a_baseline_is_compared_with_all_and_adjusted_on_its_own():
    scores = scores_of(3, 4, 9, digits=6)
    compared = compare(scores, baseline="run2")
    result = compared.result("nDCG")
    pairs = compared.pairs.filter(measure="nDCG", test="wilcoxon")
    for row in pairs.iter_rows(named=True):
        ours = result.table.row(by_predicate=pl.col("run") == row["first"], named=True)
        assert ours["baseline_p"] == row["p"]
        assert ours["baseline_adjusted"] == row["adjusted"]
        assert ours["baseline_difference"] == pytest.approx(row["difference"])
    plain = compute_result(scores, "nDCG")
    assert result.table.select(plain.to_polars().columns).equals(plain.to_polars())


def test_what_is_missing_is_said():
    scores = scores_of(1, 2, 6)
    gone = compute_result(scores, "AP", Choices(baseline="run9"))
    assert "baseline-missing" in [warning.code for warning in gone.warnings]
    with refused("no-values"):
        compute_result(Scores(("a",), ("1",), ("AP",), np.full((1, 1, 1), np.nan)), "AP")
    with refused("measure-not-compared", "P", "AP", "nDCG"):
        compare(scores).result("P")


def test_runs_are_not_compared_by_random_relevance():
    scores = scores_of(5, 3, 8)
    result = compute_result(scores, "AP", basis=Basis(is_random=True, judgments=1552))
    assert result.best is None
    assert result.top_set == []
    assert result.table["run"].is_sorted()
    assert not {"p", "difference", "wins", "in_top_set"} & {*result.to_polars().columns}
    assert named_in(result.sentence) == ["8", "1", "552"]


def test_the_sentence_counts_judgments_and_names_other_judges():
    basis = Basis(judgments=1552, judges=(Text("simulated crowd"),))
    said = str(compute_result(scores_of(5, 2, 8), "AP", basis=basis).sentence)
    assert "1,552" in said
    assert "simulated crowd" in said


def test_of_many_runs_that_cannot_be_told_apart_five_are_named():
    names = tuple(f"run{place}" for place in range(9))
    same = Scores(names, tuple(map(str, range(7))), ("AP",), np.full((9, 7, 1), 0.5))
    *_, named, topics = named_in(compute_result(same, "AP").sentence)
    assert (named, topics) == ("3", "7")


@pytest.mark.parametrize(
    ("runs", "topics", "correction", "least"),
    [
        (2, 30, "holm", None),
        (3, 6, "none", None),
        (3, 6, "holm", "0.0938"),
        (3, 4, "holm", "0.375"),
        (1, 1, "holm", None),
    ],
)
def test_with_few_topics_the_smallest_possible_p_is_said(runs, topics, correction, least):
    said = [text for warning in few_topics(runs, topics, 0.05, correction) for text in named_in(warning.text)]
    assert said == ([] if least is None else [str(topics), least])
    with refused(OPTION, "bonferroni"):
        few_topics(2, 9, 0.05, "bonferroni")


def test_only_the_chosen_measure_is_no_further_look():
    scores = scores_of(1, 2, 6)
    for chosen, wanted in ((None, "AP"), ("AP", "AP"), ("nDCG", "nDCG"), ("P@5", "")):
        results = compute_results(scores, chosen=chosen)
        assert [name for name, result in results.items() if result.is_first] == [wanted] * bool(wanted)


def test_the_checksum_is_that_of_the_scores():
    one, other = scores_of(1, 3, 5, digits=6), scores_of(2, 3, 5, digits=6)
    turned = Scores(one.runs[::-1], one.topics, one.measures, one.values[::-1])
    sums = {compute_result(scores, "AP").checksum for scores in (one, turned)}
    assert len(sums) == 1
    assert compute_result(other, "AP").checksum not in sums
    assert compute_result(one, "nDCG").checksum not in sums


@pytest.mark.parametrize("measure", ["Fallout(N=90)@10", "ASL", "ESL(q=2)", "RBP_residual(p=0.8)"])
def test_by_some_measures_the_lowest_mean_is_best(measure):
    scores = scores_of(4, 4, 12, digits=6)
    as_is = compare(Scores(scores.runs, scores.topics, (measure,), scores.values[..., :1]))
    turned = compare(Scores(scores.runs, scores.topics, ("AP",), 1 - scores.values[..., :1]))
    found, wanted = as_is.result().table, turned.result().table
    same = ["run", "p", "adjusted", "in_top_set", "wins", "ties", "losses"]
    assert found.select(same).equals(wanted.select(same))
    assert as_is.top_sets["run"].to_list() == turned.top_sets["run"].to_list()
    raised = [re.findall(r"^\w+ +run\d.*$", text.to_text(), re.MULTILINE) for text in (as_is, turned)]
    marks = [[re.findall(r"\b[a-d]{1,3}\b", line) for line in lines] for lines in raised]
    assert marks[0] == marks[1]
