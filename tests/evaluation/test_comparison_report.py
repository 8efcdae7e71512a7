"""A comparison of runs: every cell is what the function behind it returns, in every form it is read in."""

import numpy as np
import polars as pl
import pytest
from scipy import stats

import evaluation as ev
from evaluation import comparison
from evaluation.comparison import (
    all_pairs,
    anova,
    bootstrap_interval,
    cohen_d,
    cohen_g,
    conover,
    correlation_matrix,
    friedman,
    holm,
    paired_t,
    randomisation,
    rank_biserial,
    rankings,
    sign_test,
    standardised_differences,
    t_interval,
    top_set,
    tukey,
    wilcoxon,
)
from evaluation.comparison.pair_tests import TESTS
from evaluation.comparison.report import compare
from evaluation.score_table import Scores
from tests.evaluation.refusals import OPTION, refused

QUICK = {"resamples": 99, "flips": 99}
NAN = np.nan
PAIRWISE = {
    "wilcoxon": (wilcoxon, rank_biserial),
    "sign_test": (sign_test, cohen_g),
    "paired_t": (paired_t, cohen_d),
    "randomisation": (lambda x, y: randomisation(x, y, rng=np.random.default_rng(0), flips=99), cohen_d),
}
"""Each test of two systems, with its effect size."""


def made(runs=4, topics=12, measures=("nDCG@10", "AP"), seed=3) -> Scores:
    rng = np.random.default_rng(seed)
    values = rng.random((1, topics, 1)) * 0.6 + rng.normal(0, 0.08, (runs, topics, len(measures)))
    values += np.linspace(0.25, 0.0, runs)[:, None, None]
    values[:, 0, 0] = NAN  # no run has a value there
    return Scores(tuple(f"r{i}" for i in range(runs)), tuple(map(str, range(topics))), measures, values)


SCORES = made()


def of(scores: Scores, measure: str):
    return scores.values[..., scores.measures.index(measure)]


# --- the numbers -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("correction", ["holm", "none"])
@pytest.mark.parametrize("name", PAIRWISE)
def test_every_pair_is_what_all_pairs_returns(name, correction):
    test, effect = PAIRWISE[name]
    table = compare(SCORES, tests=name, correction=correction, **QUICK).pairs
    for measure in SCORES.measures:
        direct = all_pairs(SCORES.runs, of(SCORES, measure), test, adjust=correction)
        rows = table.filter(measure=measure)
        assert rows.select(direct.columns).equals(direct)
        assert rows["test"].unique().to_list() == [name]
        row_of = dict(zip(SCORES.runs, of(SCORES, measure), strict=True))
        pairs = rows.select("first", "second").rows()
        assert rows["effect"].to_list() == [effect(row_of[x], row_of[y]) for x, y in pairs]


@pytest.mark.parametrize("name", PAIRWISE)
def test_every_run_is_compared_with_the_baseline_alone(name):
    test, effect = PAIRWISE[name]
    table = compare(SCORES, baseline="r2", tests=[name], **QUICK).pairs
    assert table["second"].unique().to_list() == ["r2"]
    for measure in SCORES.measures:
        values = of(SCORES, measure)
        rows = table.filter(measure=measure)
        others = [0, 1, 3]
        assert rows["first"].to_list() == [SCORES.runs[place] for place in others]
        results = [test(values[place], values[2]) for place in others]
        for column in ("statistic", "p", "n", "method"):
            assert rows[column].to_list() == [getattr(result, column) for result in results]
        assert rows["adjusted"].to_list() == holm([result.p for result in results]).tolist()
        assert rows["effect"].to_list() == [effect(values[place], values[2]) for place in others]
        assert rows["difference"].to_list() == [np.nanmean(values[place] - values[2]) for place in others]


def test_tests_of_all_runs_are_taken_apart_into_pairs():
    report = compare(SCORES, tests=["conover", "tukey"], **QUICK)
    upper = np.triu_indices(4, 1)
    for measure in SCORES.measures:
        values = of(SCORES, measure)
        ranks, variance = friedman(values), anova(values)
        rows = report.pairs.filter(measure=measure, test="conover")
        p = conover(ranks)[upper]
        assert rows["p"].to_list() == p.tolist()
        assert rows["adjusted"].to_list() == holm(p).tolist()
        assert rows["n"].to_list() == [ranks.n] * 6
        rows = report.pairs.filter(measure=measure, test="tukey")
        assert rows["p"].to_list() == rows["adjusted"].to_list() == tukey(variance)[upper].tolist()
        assert rows["effect"].to_list() == standardised_differences(variance)[upper].tolist()
        means = variance.means
        assert rows["difference"].to_list() == [means[x] - means[y] for x, y in zip(*upper, strict=True)]
        assert report.overall.filter(measure=measure).rows() == [
            (measure, "friedman", ranks.t2, ranks.p, ranks.n),
            (measure, "anova", variance.f, variance.p, variance.n),
        ]


def test_no_pair_is_compared_after_a_friedman_test_that_separates_nothing():
    noise = Scores(("a", "b"), ("1", "2"), ("AP",), np.array([[[0.1], [0.3]], [[0.3], [0.1]]]))
    report = compare(noise, tests="conover", **QUICK)
    assert report.overall["p"].item() >= 0.05
    assert report.pairs.select("p", "adjusted", "effect").row(0) == (None, None, None)
    assert compare(noise, tests="conover", alpha=0.9999, **QUICK).pairs["p"].null_count() == int(
        report.overall["p"].item() >= 0.9999
    )


def test_p_can_be_adjusted_over_all_measures_together():
    alone, together = (
        compare(SCORES, tests=["paired_t", "wilcoxon"], family=f, **QUICK) for f in ("measure", "all")
    )
    for test in ("paired_t", "wilcoxon"):
        rows = together.pairs.filter(test=test)
        assert rows["adjusted"].to_list() == holm(rows["p"]).tolist()
        for measure in SCORES.measures:
            rows = alone.pairs.filter(test=test, measure=measure)
            assert rows["adjusted"].to_list() == holm(rows["p"]).tolist()
    assert (together.pairs["adjusted"] >= alone.pairs["adjusted"]).all()
    assert not together.pairs.equals(alone.pairs)


@pytest.mark.parametrize("interval", ["bootstrap", "t"])
def test_means_have_the_interval_that_was_asked_for(interval):
    report = compare(SCORES, interval=interval, level=0.9, seed=5, resamples=199)
    means = {(row.run, row.measure): row.value for row in SCORES.means()}
    expected = []
    for measure in SCORES.measures:
        for run, values in zip(SCORES.runs, of(SCORES, measure), strict=True):
            rng = np.random.default_rng(5)
            bounds = (
                t_interval(values, level=0.9)
                if interval == "t"
                else bootstrap_interval(values, rng, level=0.9, resamples=199)
            )
            topics = int((~np.isnan(values)).sum())
            expected.append((measure, run, topics, means[run, measure], *bounds))
    assert report.means.rows() == expected


def test_the_mean_of_ratios_of_means_has_no_interval_over_topics():
    pooled = Scores(
        ("a", "b"), ("1", "2"), ("nDCG", "AP"), np.ones((2, 2, 2)), pooled=np.array([[0.6, NAN]] * 2)
    )
    table = compare(pooled, **QUICK).means
    assert table.filter(measure="nDCG").select("mean", "low", "high").row(0) == (0.6, None, None)
    assert table.filter(measure="AP").select("mean", "low", "high").row(0) == (1, 1, 1)


@pytest.mark.parametrize("statistic", ["tau_b", "rho"])
def test_correlations_and_top_sets_are_those_of_their_functions(statistic):
    report = compare(SCORES, alpha=0.01, statistic=statistic, **QUICK)
    assert report.correlations.equals(correlation_matrix(rankings(SCORES), statistic))
    expected = [
        (measure, system.run, system.mean, system.p)
        for measure in SCORES.measures
        for system in top_set(SCORES.runs, of(SCORES, measure), alpha=0.01, correction="holm")
    ]
    assert report.top_sets.rows() == expected


def test_numbers_do_not_depend_on_other_runs_and_measures():
    alone = Scores(SCORES.runs[:2], SCORES.topics, ("AP",), SCORES.values[:2, :, 1:])
    settings = {"tests": ["randomisation", "wilcoxon"], "correction": "none", **QUICK}
    few, many = compare(alone, **settings), compare(SCORES, **settings)
    assert few.means.equals(many.means.filter(pl.col("run").is_in(alone.runs), measure="AP"))
    assert few.pairs.equals(many.pairs.filter(measure="AP", first="r0", second="r1"))
    assert compare(SCORES, **settings).pairs.equals(many.pairs)
    resampled = {**settings, "interval": "bootstrap"}
    first, second = (compare(SCORES, **resampled, seed=seed).means for seed in (0, 1))
    assert not first.equals(second)


def test_what_cannot_be_compared_is_null_and_the_rest_is_there():
    values = np.full((3, 4, 2), NAN)
    values[0, :2, 0], values[1, 2:, 0], values[2, :, 0] = [0.5, 0.6], [0.4, 0.3], [0.1, 0.3, 0.2, 0.1]
    sparse = Scores(("a", "b", "c"), ("1", "2", "3", "4"), ("AP", "P@5"), values)
    report = compare(sparse, tests=[*TESTS], **QUICK)
    missing = report.pairs.filter(pl.col("p").is_null())
    assert {("AP", "a", "b"), ("P@5", "a", "b"), ("P@5", "a", "c"), ("P@5", "b", "c")} <= {
        *missing.select("measure", "first", "second").iter_rows()
    }
    assert missing.select("adjusted", "effect", "difference").null_count().row(0) == (len(missing),) * 3
    present = report.pairs.filter(measure="AP", test="paired_t", second="c")
    assert present["adjusted"].to_list() == holm(present["p"]).tolist()
    assert report.means.filter(measure="P@5")["mean"].null_count() == 3
    assert "P@5" not in report.top_sets["measure"]
    for write in (repr, lambda r: r._repr_html_(), lambda r: r.to_latex(), lambda r: r.to_markdown("pairs")):
        assert "P@5" in write(report)


def test_one_topic_has_no_t_test_and_no_interval():
    single = Scores(("a", "b"), ("1",), ("AP",), np.array([[[0.5]], [[0.4]]]))
    report = compare(single, tests=["paired_t", "wilcoxon", "tukey"], **QUICK)
    assert dict(report.pairs.select("test", "p").iter_rows()) == {
        "paired_t": None,
        "wilcoxon": 1,
        "tukey": None,
    }
    assert report.means.select("low", "high").null_count().row(0) == (2, 2)
    assert "[" not in report.to_markdown()


def test_the_tests_have_the_names_of_their_functions():
    assert {*TESTS} <= {*comparison.__all__}
    assert {*TESTS} == {*PAIRWISE, "conover", "tukey"}


# --- what goes in ------------------------------------------------------------------------------------------

QRELS = {"401": {"d1": 3.5, "d2": 0, "d3": 1.25}, "402": {"d1": 2}}
RUNS = {
    "bm25": {"401": {"d2": 9.5, "d1": 3.0}, "402": {"d3": 1.0, "d1": 0.5}},
    "dense": {"401": {"d3": 2.0, "d1": 1.0}},
}


@pytest.mark.parametrize("conventions", [{}, {"missing": "skip", "unjudged": "drop"}])
def test_runs_are_scored_as_score_does(conventions):
    report = compare(QRELS, RUNS, ["nDCG@10", "map"], **conventions, **QUICK)
    scores = ev.score(QRELS, RUNS, ["nDCG@10", "map"], **conventions)
    assert report.scores.rows == scores.rows
    assert report.means["mean"].to_list() == [
        row.value for m in scores.measures for row in scores.means() if row.measure == m
    ]
    assert compare(scores, **QUICK).means.equals(report.means)
    assert compare(QRELS, RUNS, "nDCG@10", "bm25", **QUICK).pairs["first"].to_list() == ["dense"]


def test_what_cannot_be_compared_is_refused():
    for choice, known in {
        "correction": "bonferroni", "family": "run", "interval": "bca", "tests": "t",
    }.items():  # fmt: skip
        with refused(OPTION, choice, f"'{known}'"):
            compare(SCORES, **{choice: known})
    with refused("unknown-statistic"):
        compare(SCORES, statistic="tau", **QUICK)
    with refused("alpha-out-of-bounds", "1"):
        compare(SCORES, alpha=1)
    with refused("level-out-of-bounds", "2"):
        compare(SCORES, level=2)
    with refused("too-few-flips", "0"):
        compare(SCORES, flips=0, tests="randomisation")
    with refused("unknown-baseline", "'r9'", "r0", "r3"):
        compare(SCORES, baseline="r9")
    with refused("too-few-systems", "1"):
        compare(made(runs=1))
    with refused("ready-scores-with-more"):
        compare(SCORES, measures="AP")
    with refused("ready-scores-with-more"):
        compare(SCORES, unjudged="drop")
    with refused("nothing-to-compare"):
        compare(QRELS, RUNS)


def test_the_paired_t_of_the_report_is_scipy_s():
    rows = compare(SCORES, baseline="r3", tests="paired_t", correction="none", **QUICK).pairs.filter(
        measure="AP"
    )
    values = of(SCORES, "AP")
    assert rows["p"].to_list() == pytest.approx(stats.ttest_rel(values[:3], values[3], axis=1).pvalue)
