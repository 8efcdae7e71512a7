"""Intervals of a mean over topics, and effect sizes: worked by hand, by scipy, and by laws."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from evaluation.comparison import (
    anova,
    bootstrap_interval,
    cohen_d,
    cohen_g,
    paired_t,
    rank_biserial,
    sign_test,
    standardised_differences,
    t_interval,
    wilcoxon,
)
from tests.evaluation.refusals import refused

D = [0, 0.1, 0.1, 0.2, 0.3, -0.1, 0.25, 0.05]
ZEROS = [0] * len(D)
NAN = math.nan
ROWS = np.array([[0.24, 0.29, 0.34], [0.30, 0.28, 0.40], [0.10, 0.20, 0.15], [0.50, 0.55, 0.60]])
LISTS = st.lists(
    st.tuples(*[st.integers(0, 1000).map(lambda whole: whole / 1000)] * 2), min_size=2, max_size=40
)


def generator(seed=1):
    return np.random.default_rng(seed)


# --- intervals ---------------------------------------------------------------------------------------------


def test_the_quarters_of_a_bootstrap_of_two_values():
    assert bootstrap_interval([0, 1], generator()) == (0, 1)
    assert bootstrap_interval([0, 1], generator(), level=0.4) == (0.5, 0.5)


def test_student_s_interval_of_three_values():
    assert t_interval([1, 2, 3]) == pytest.approx((-0.4841377, 4.4841377))
    assert t_interval([1, 2, 3]) == pytest.approx(stats.t.interval(0.95, 2, loc=2, scale=1 / math.sqrt(3)))


@pytest.mark.parametrize("level", [0.5, 0.95, 0.99])
def test_the_bootstrap_is_scipy_s_and_both_intervals_are_close(level):
    values = generator(2).random(50)
    theirs = stats.bootstrap(
        (values,), np.mean, confidence_level=level, n_resamples=999, method="percentile", rng=generator()
    ).confidence_interval
    ours = bootstrap_interval(values, generator(), level=level, resamples=999)
    assert ours == (theirs.low, theirs.high)
    student = t_interval(values, level=level)
    assert student[0] < values.mean() < student[1]
    assert ours == pytest.approx(student, abs=0.02)


INTERVALS = {
    "bootstrap": lambda values, **more: bootstrap_interval(values, generator(), **more),
    "t": t_interval,
}


@pytest.mark.parametrize("interval", INTERVALS.values(), ids=INTERVALS)
def test_what_both_intervals_do_with_gaps_and_bounds(interval):
    assert interval([0.2, NAN, 0.6, 0.4]) == interval([0.2, 0.6, 0.4])
    assert interval([0.5, NAN]) is interval([NAN]) is interval([]) is None
    assert interval([0.5, 0.5]) == (0.5, 0.5)
    for level in (0, 1, NAN):
        with refused("level-out-of-bounds", str(level)):
            interval([0.5, 0.6], level=level)
    with refused("infinite-value"):
        interval([0.5, math.inf])
    low, high = interval([0.1, 0.5, 0.7], level=0.8)
    wide_low, wide_high = interval([0.1, 0.5, 0.7], level=0.99)
    assert wide_low < low < high < wide_high


def test_the_bootstrap_needs_a_sample_and_repeats_itself():
    with refused("too-few-resamples", "0"):
        bootstrap_interval([0.5, 0.6], generator(), resamples=0)
    values = generator(3).random(20)
    assert bootstrap_interval(values, generator()) == bootstrap_interval(values, generator())
    assert bootstrap_interval(values, generator()) != bootstrap_interval(values, generator(2))


# --- effect sizes ------------------------------------------------------------------------------------------


def test_effect_sizes_by_hand():
    assert cohen_d([1, 2, 3], [0, 0, 0]) == 2
    assert rank_biserial(D, ZEROS) == pytest.approx(22 / 28)
    assert cohen_g(D, ZEROS) == pytest.approx(6 / 7 - 1 / 2)
    assert standardised_differences(anova(ROWS.T))[2, 0] == pytest.approx(2.40, abs=0.005)


@given(LISTS)
def test_effect_sizes_agree_with_the_statistics_of_their_tests(pairs):
    x, y = np.array(pairs).T
    t, w, signs = paired_t(x, y), wilcoxon(x, y), sign_test(x, y)
    assert cohen_d(x, y) == pytest.approx(t.statistic / math.sqrt(t.n))
    sum_of_ranks = w.n * (w.n + 1) / 2
    assert abs(rank_biserial(x, y)) == pytest.approx(1 - 2 * w.statistic / sum_of_ranks if w.n else 0)
    assert cohen_g(x, y) == pytest.approx(signs.statistic / signs.n - 1 / 2 if signs.n else 0)


@given(LISTS)
def test_the_other_way_round_an_effect_has_the_other_sign(pairs):
    x, y = np.array(pairs).T
    for effect in (cohen_d, rank_biserial, cohen_g):
        assert effect(x, y) == pytest.approx(-effect(y, x))


def test_effects_without_variance_and_of_few_topics():
    assert cohen_d([0.5, 0.6], [0.5, 0.6]) == 0
    assert cohen_d([0.5, 0.6], [0.4, 0.5]) == math.inf
    assert cohen_d([0.4, 0.5], [0.5, 0.6]) == -math.inf
    assert cohen_d([0.5], [0.4]) is None
    assert rank_biserial([0.5], [0.5]) == cohen_g([0.5], [0.5]) == 0
    assert rank_biserial([0.5, NAN], [0.4, 0.4]) == 1
    for effect in (cohen_d, rank_biserial, cohen_g):
        with refused("no-topic-in-common"):
            effect([NAN], [0.5])


def test_standardised_differences_are_those_of_every_pair():
    result = anova(ROWS.T)
    effects = standardised_differences(result)
    assert effects == pytest.approx(-effects.T)
    assert effects[1, 0] == pytest.approx((result.means[1] - result.means[0]) / math.sqrt(result.error))
    exact = standardised_differences(anova(np.array([[0.1, 0.2], [0.2, 0.3], [0.1, 0.2]])))
    assert exact.tolist() == [[0, -math.inf, 0], [math.inf, 0, math.inf], [0, -math.inf, 0]]
