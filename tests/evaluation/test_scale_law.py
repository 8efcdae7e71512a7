"""Scores that are all multiplied by the same c > 0 lead to the same answers, however small c is."""

from dataclasses import fields, is_dataclass

import numpy as np
import polars as pl
import pytest

from evaluation import analyses
from evaluation.allocation.evidence import agreement
from evaluation.comparison import (
    all_pairs,
    anova,
    cohen_d,
    cohen_g,
    confidence_orders,
    conover,
    discrimination,
    friedman,
    paired_t,
    randomisation,
    rank_biserial,
    rho,
    sign_test,
    stability,
    standardised_differences,
    t_interval,
    tau_a,
    tau_ap,
    tau_b,
    tau_c,
    top_set,
    tukey,
    wilcoxon,
)
from evaluation.comparison.rank_biased import rbo
from evaluation.comparison.resampling import taus_with
from evaluation.comparison.system_intervals import SystemIntervals
from evaluation.report.intervals import taus_of_rows
from evaluation.score_table import Scores

FACTORS = [1e-300, 1.7e-200, 3.3e-30, 1e-13, 1e-12, 1e-5, 0.1, 7.0, 1e3, 1e12]
RUNS, TOPICS, MEASURES = tuple("abcdefg"), tuple(map(str, range(1, 31))), ("AP", "P@10")


def values():
    """Runs × topics with tied values. One run is another in another order of topics, and two are equal."""
    rng = np.random.default_rng(11)
    rows = (rng.random((7, 30)) * np.linspace(0.5, 1, 7)[:, None]).round(1) + rng.random(30).round(2) / 7
    rows[3], rows[5] = rows[2][::-1], rows[4]
    return rows


def scores(factor):
    both = np.stack([values(), values()[::-1] ** 2 / 3], axis=-1)
    return Scores(RUNS, TOPICS, MEASURES, factor * both)


def generator():
    return np.random.default_rng(1)


def means(factor):
    return factor * values().mean(axis=1), factor * (values() ** 2).mean(axis=1)


def of_pair(test):
    return lambda c: test(c * values()[0], c * values()[6])


def intervals(c):
    deviations = np.random.default_rng(5).normal(size=(2, 50, 7, 30)) * 0.01
    measured = SystemIntervals(
        "CG@10", RUNS, TOPICS, c * values(), c * values() / 50, c * deviations, 5.0, 0.0
    )
    tables = [measured.means(target) for target in ("new_topics", "these_topics")]
    return [np.array(table[name]) / c for table in tables for name in ("observed", "mean", "low", "high")]


def stable(c):
    return stability(scores(c), rng=generator(), trials=50)


def discriminating(c):
    return discrimination(scores(c), rng=generator(), trials=50)


ANSWERS = {
    "wilcoxon": of_pair(wilcoxon),
    "wilcoxon of few topics": lambda c: wilcoxon(c * values()[0, :9], c * values()[6, :9]),
    "sign test": of_pair(sign_test),
    "t": of_pair(paired_t),
    "t without variance": lambda c: paired_t(c * values()[0], c * values()[0]),
    "randomisation": of_pair(lambda x, y: randomisation(x, y, rng=generator(), flips=500).p),
    "cohen d": of_pair(cohen_d),
    "cohen g": of_pair(cohen_g),
    "rank-biserial": of_pair(rank_biserial),
    "friedman": lambda c: friedman(c * values()),
    "conover": lambda c: conover(friedman(c * values()), protected=False),
    "anova": lambda c: (lambda result: (result.f, result.p, result.freedom))(anova(c * values())),
    "anova without error": lambda c: anova(c * np.add.outer([0.1, 0.3, 0.4], [0.2, 0.7, 0.9])).f,
    "tukey": lambda c: tukey(anova(c * values())),
    "standardised differences": lambda c: standardised_differences(anova(c * values())),
    "all pairs": lambda c: all_pairs(RUNS, c * values()).drop("difference"),
    "top set": lambda c: [(system.run, system.p) for system in top_set(RUNS, c * values())],
    **{
        function.__name__: lambda c, function=function: function(*means(c))
        for function in (tau_a, tau_b, tau_c, tau_ap, rho, rbo)
    },
    "tau of rows": lambda c: taus_of_rows(*(part[None] for part in means(c))),
    "tau of draws": lambda c: taus_with(means(c)[0], means(c)[1][None]),
    "agreement": lambda c: agreement(RUNS, c * values(), ("a",), c * values()[None, ::-1], 1),
    "stability": stable,
    "swaps": lambda c: discriminating(c).pair_swaps,
    "confidence": lambda c: confidence_orders(scores(c), stable(c), discriminating(c)),
    "rank changes": lambda c: analyses.rank_changes(scores(c), "AP").drop("value"),
    "preference ranking": lambda c: analyses.preference_ranking(scores(c)).drop("value"),
    "preference table": lambda c: analyses.preference_table(scores(c))["run"],
    "system intervals": intervals,
    "interval": lambda c: np.array(t_interval(c * values()[0])) / c,
}


def flat(answer):
    """The answer as a list of texts and numbers."""
    if isinstance(answer, pl.DataFrame):
        return flat(answer.rows())
    if is_dataclass(answer):
        return flat([getattr(answer, field.name) for field in fields(answer)])
    if isinstance(answer, np.ndarray | pl.Series):
        return flat([*answer])
    if isinstance(answer, list | tuple):
        return [part for each in answer for part in flat(each)]
    return [answer]


@pytest.mark.parametrize("factor", FACTORS)
@pytest.mark.parametrize("name", ANSWERS)
def test_scaled_scores_have_the_same_answers(name, factor):
    before, after = (flat(ANSWERS[name](c)) for c in (1.0, factor))
    assert len(before) == len(after)
    for one, other in zip(before, after, strict=True):
        numeric = isinstance(one, float) and isinstance(other, float)
        assert other == (pytest.approx(one, rel=1e-9, abs=1e-12, nan_ok=True) if numeric else one)


@pytest.mark.parametrize("factor", FACTORS)
def test_summation_noise_is_a_tie_and_a_small_difference_is_not(factor):
    one = factor * np.array([0.1, 0.2, 0.3, 0.7])
    other = one[::-1].copy()  # the same mean but for the order of addition
    better = one * (1 + 1e-6)
    runs, matrix = ("b", "a", "c"), np.array([one, other, better])
    means = matrix.sum(axis=1) / 4
    assert tau_b(means, [1, 1, 2]) == pytest.approx(1)
    assert top_set(runs, matrix)[0].run == "c"
    assert top_set(runs[:2], matrix[:2])[0].run == "a"
    table = analyses.rank_changes(Scores(runs, tuple("1234"), ("AP",), matrix[..., None]), "AP")
    assert table["run"].to_list() == ["c", "a", "b"]


def test_scores_of_any_size_keep_their_order_beside_each_other():
    falling = 10.0 ** -np.arange(0, 300, 7)
    assert tau_b(falling, -np.arange(len(falling))) == pytest.approx(1)
    assert [system.run for system in top_set(["worst", "best"], [[1e-200] * 3, [2e-200] * 3])] == [
        "best",
        "worst",
    ]


def test_values_that_cancel_out_tie_whatever_the_order_of_the_topics():
    one = np.array([0.1, 0.2, -0.3, 0.7, -0.7])
    matrix = np.array([one, one[::-1], np.roll(one, 2)])
    assert not np.any(np.ptp(stability_of(matrix).wins + stability_of(matrix).losses))
    assert top_set(("c", "b", "a"), matrix)[0].run == "a"


def stability_of(matrix):
    every = Scores(("c", "b", "a"), tuple("12345"), ("AP",), matrix[..., None])
    return stability(every, rng=generator(), size=5, trials=10)


def test_the_sign_tests_certain_pairs_are_in_the_order_of_their_p():
    """p is 1 wherever as many topics are above as below, whatever their number."""
    rows = np.array([[1, 0, 0, 0], [0, 1, 0, 0], [1, 1, 0, 0], [1, 0, 1, 0], [1, 2, 0, 0]], dtype=float)
    every = Scores(tuple("abcde"), tuple("1234"), ("AP",), rows[..., None])
    steady = stability(every, rng=generator(), trials=30, size=2)
    swapping = discrimination(every, rng=generator(), trials=30)
    exact = [
        [sign_test(rows[x], rows[y]).p for x in range(5) for y in range(x + 1, 5)],
        np.minimum(steady.wins, steady.losses)[0, steady.fuzziness.index(0.05)],
    ]
    assert confidence_orders(every, steady, swapping)[0].sign_and_minority == pytest.approx(tau_b(*exact))


@pytest.mark.parametrize(
    ("difference", "bin"), [(0.07, 7), (0.29, 20), (0.069, 6), (0.07 - 1e-9, 6), (0.1, 10)]
)
def test_a_difference_on_the_edge_of_a_bin_is_above_the_edge(difference, bin):
    matrix = np.array([[0.6 + difference] * 4, [0.6] * 4])[..., None]
    result = discrimination(Scores(("a", "b"), tuple("1234"), ("AP",), matrix), rng=generator(), trials=3)
    assert np.flatnonzero(result.comparisons[0]).tolist() == [bin]
