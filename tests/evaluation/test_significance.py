"""Tests of significance: the sources' numbers, other ways to come to them, data that has nothing to say."""

import itertools
import math
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from evaluation.comparison import (
    all_pairs,
    anova,
    conover,
    friedman,
    holm,
    paired_t,
    randomisation,
    sign_test,
    tukey,
    wilcoxon,
)
from tests.evaluation.refusals import refused

NAN = math.nan
D = [0, 0.1, 0.1, 0.2, 0.3, -0.1, 0.25, 0.05]
ROWS = np.array([[0.24, 0.29, 0.34], [0.30, 0.28, 0.40], [0.10, 0.20, 0.15], [0.50, 0.55, 0.60]])
PAIRS = st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), min_size=2, max_size=9)
MATRIX = st.lists(st.lists(st.integers(0, 6), min_size=3, max_size=3), min_size=2, max_size=8)


def generator(seed=1):
    return np.random.default_rng(seed)


def zeros(values):
    return np.zeros(len(values))


# --- pairs -------------------------------------------------------------------------------------------------


def test_wilcoxon_of_the_worked_example():
    # Mid-ranks 3 3 5 7 −3 6 1; sums of negative ranks ≤ 3: {}, {1}, {3} in three ways, of 2^7.
    result = wilcoxon(D, zeros(D))
    assert (result.statistic, result.n) == (3, 7)
    assert result.p == pytest.approx(2 * 5 / 2**7)


@given(pairs=PAIRS)
def test_wilcoxon_counts_out_all_signs(pairs):
    x, y = (np.array(side, dtype=float) for side in zip(*pairs, strict=True))
    differences = (x - y)[x != y]
    result = wilcoxon(x, y)
    if not differences.size:
        assert (result.p, result.n) == (1, 0)
        return
    ranks = stats.rankdata(np.abs(differences))
    low = min(ranks[differences > 0].sum(), ranks[differences < 0].sum())
    sums = [sum(chosen) for n in range(len(ranks) + 1) for chosen in itertools.combinations(ranks, n)]
    assert result.p == pytest.approx(min(1, 2 * sum(total <= low for total in sums) / len(sums)))


def test_wilcoxon_without_ties_is_scipys():
    x, y = generator().normal(size=(2, 25))
    theirs = stats.wilcoxon(x, y, method="exact")
    assert wilcoxon(x, y).p == pytest.approx(theirs.pvalue)


@pytest.mark.parametrize("ties", [False, True])
def test_wilcoxon_of_many_topics_is_normal(ties):
    rng = generator(5)
    d = rng.integers(-4, 8, size=60).astype(float) if ties else rng.normal(0.3, 1, size=60)
    result = wilcoxon(d, zeros(d))
    d = d[d != 0]
    ranks = stats.rankdata(np.abs(d))
    w, n = ranks[d > 0].sum(), len(d)
    _, sizes = np.unique(ranks, return_counts=True)
    variance = n * (n + 1) * (2 * n + 1) / 24 - (sizes**3 - sizes).sum() / 48
    z = (w - n * (n + 1) / 4) / math.sqrt(variance)
    assert result.method != wilcoxon(D, zeros(D)).method, "that of few topics is exact"
    assert result.p == pytest.approx(2 * stats.norm.sf(abs(z)))


def test_what_arithmetic_sets_apart_is_no_difference():
    x, y = [0.1 + 0.2, 0.5, 0.7], [0.3, 0.4, 0.6]
    assert wilcoxon(x, y).n == sign_test(x, y).n == 2


def test_sign_test_of_the_worked_example():
    result = sign_test(D, zeros(D))
    assert (result.statistic, result.n, result.p) == (6, 7, pytest.approx(2 * (1 + 7) / 2**7))


def test_paired_t():
    # Mean 2, standard deviation 1, three topics: t = 2/(1/√3).
    result = paired_t([1, 2, 3], [0, 0, 0])
    assert result.statistic == pytest.approx(2 * math.sqrt(3))
    assert result.p == pytest.approx(stats.ttest_rel([1, 2, 3], [0, 0, 0]).pvalue)
    assert paired_t([1, 1], [1, 1]).p == 1
    assert paired_t([1, 1], [2, 2]).statistic == -math.inf


def test_randomisation_comes_near_to_all_flips():
    d = np.array(D)
    signs = np.array(list(itertools.product((-1, 1), repeat=len(d))))
    exact = (np.abs(signs @ d) >= abs(d.sum()) - 1e-12).mean()
    result = randomisation(D, zeros(D), rng=generator(), flips=20_000)
    assert result.p == pytest.approx(exact, abs=4 * math.sqrt(exact * (1 - exact) / 20_000))
    assert "20000" in result.method
    assert result.p == randomisation(D, zeros(D), rng=generator(), flips=20_000).p


def test_randomisation_counts_the_observed_signs():
    # 60 differences of one sign: no flip of a thousand comes near.
    assert randomisation(np.ones(60), np.zeros(60), rng=generator(), flips=999).p == 1 / 1000


@pytest.mark.parametrize("test", [wilcoxon, sign_test, paired_t])
def test_no_p_is_zero_and_none_is_above_one(test):
    rng = generator()
    certain = test(rng.random(3_000) + 1, np.zeros(3_000))
    assert 0 < certain.p <= sys.float_info.min * 1e10
    assert test([1, 2, 1, 2], [2, 1, 2, 1]).p == 1


@pytest.mark.parametrize("test", [wilcoxon, sign_test, paired_t])
def test_only_topics_of_both_enter(test):
    assert test([1, 2, NAN, 4], [0, 1, 2, NAN]) == test([1, 2], [0, 1])
    with refused("no-topic-in-common"):
        test([1, NAN], [NAN, 1])
    with refused("lists-differ-in-length", "(2,)", "(1,)"):
        test([1, 2], [1])
    with refused("infinite-value"):
        test([1, math.inf], [1, 2])


# --- many systems ------------------------------------------------------------------------------------------


def test_friedman_of_the_worked_example():
    result = friedman(ROWS.T)
    assert result.rank_sums.tolist() == [5, 8, 11]
    assert result.t1 == pytest.approx(2 * (210 - 4 * 48) / (56 - 48)) == 4.5
    assert result.t2 == pytest.approx(3 * 4.5 / (4 * 2 - 4.5))
    assert result.p == pytest.approx(stats.f.sf(result.t2, 2, 6))
    assert result.p == pytest.approx(0.084, abs=5e-4)
    assert result.critical_difference() == pytest.approx(5.29, abs=5e-3)


@given(rows=MATRIX)
def test_friedman_corrects_for_ties_as_scipy_does(rows):
    result = friedman(np.array(rows).T)
    if len(np.unique(stats.rankdata(rows, axis=1))) > 1:
        theirs = stats.friedmanchisquare(*np.array(rows).T)
        assert result.t1 == pytest.approx(theirs.statistic)
    else:
        assert (result.t1, result.p) == (0, 1)
    assert 0 < result.p <= 1


def test_friedman_where_all_topics_agree():
    # Of the (3!)^3 ways that three further topics could order three systems, one is the first's.
    result = friedman([[1, 1, 1, 1], [2, 2, 2, 2], [3, 3, 3, 3]])
    assert (result.t2, result.p) == (math.inf, pytest.approx(1 / 6**3))


def test_friedman_where_all_topics_agree_on_ties_too():
    # Mid-ranks 1.5, 1.5, 3 in each of three topics; the two others' could have fallen in 3 ways each.
    assert friedman([[1, 1, 1], [1, 1, 1], [2, 2, 2]]).p == pytest.approx(1 / 9)


def test_no_agreement_is_more_certain_than_a_perfect_one():
    perfect = [[place] * 4 for place in range(5)]
    nearly = [list(row) for row in perfect]
    nearly[0][3], nearly[1][3] = nearly[1][3], nearly[0][3]
    assert friedman(perfect).p == pytest.approx(1 / math.factorial(5) ** 3)
    assert friedman(nearly).p >= friedman(perfect).p


def test_conover_after_friedman():
    result = friedman(ROWS.T)
    assert conover(result) is None, "p is .084: no pair is looked at"
    pairs = conover(result, protected=False)
    spread = math.sqrt(2 * (4 * 56 - 210) / 6)
    assert pairs[0, 2] == pytest.approx(2 * stats.t.sf(6 / spread, 6))
    assert (pairs == pairs.T).all()
    assert (np.diag(pairs) == 1).all()
    assert (pairs[0, 2] < 0.05) == (result.rank_sums[2] - result.rank_sums[0] > result.critical_difference())


def test_anova_of_the_worked_example():
    result = anova(ROWS.T)
    assert result.f == pytest.approx(5.78, abs=5e-3)
    assert result.p == pytest.approx(0.040, abs=5e-4)
    assert (result.n, result.freedom) == (4, 6)


@given(values=st.lists(st.floats(-5, 5), min_size=8, max_size=8))
def test_anova_of_two_systems_is_the_paired_t(values):
    x, y = np.array(values[:4]), np.array(values[4:])
    if np.std(x - y) > 1e-3:
        assert anova([x, y]).f == pytest.approx(paired_t(x, y).statistic ** 2, rel=1e-6, abs=1e-9)
        assert anova([x, y]).p == pytest.approx(paired_t(x, y).p, rel=1e-6)


def test_anova_without_error():
    assert anova([[1, 2], [1, 2]]).p == 1
    assert anova([[1, 2], [2, 3]]).f == math.inf


def test_tukey_of_two_systems_is_anova():
    rows = generator().random((2, 12))
    assert tukey(anova(rows))[0, 1] == pytest.approx(anova(rows).p)


def test_tukey_holds_for_all_pairs_together():
    result = tukey(anova(ROWS.T))
    q = (0.3725 - 0.285) / math.sqrt(0.001325 / 4)
    assert result[0, 2] == pytest.approx(stats.studentized_range.sf(q, 3, 6))
    assert (np.diag(result) == 1).all()
    assert (result == result.T).all()


@pytest.mark.parametrize("test", [friedman, anova])
def test_topics_that_a_system_lacks_are_left_out(test):
    gap = np.column_stack([ROWS.T, [0.1, NAN, 0.3]])
    assert test(gap).p == test(ROWS.T).p
    with refused("too-few-complete-topics", "1"):
        test([[1, NAN], [1, 2]])
    with refused("not-a-matrix", "(1, 2)"):
        test([[1, 2]])


def test_large_numbers_have_no_digits_to_round():
    assert wilcoxon([1e300, 2e300, 3e300], [0, 0, 0]).p == 2 / 8
    assert friedman([[1e300, 2e300], [2e300, 3e300]]).rank_sums.tolist() == [2, 4]


# --- many comparisons --------------------------------------------------------------------------------------


def test_holm():
    # Ascending .01·3, .03·2, then .04·1, which is not below the one before it.
    assert holm([0.01, 0.04, 0.03]).tolist() == pytest.approx([0.03, 0.06, 0.06])
    assert holm([0.5, 0.9]).tolist() == [1, 1]


def test_all_pairs():
    values = [[0.5, 0.6, 0.7, NAN], [0.1, 0.2, 0.3, 0.4], [0.5, 0.4, 0.8, 0.5]]
    found = all_pairs(["a", "b", "c"], values, paired_t)
    assert found.select("first", "second").rows() == [("a", "b"), ("a", "c"), ("b", "c")]
    results = [paired_t(values[x], values[y]) for x, y in ((0, 1), (0, 2), (1, 2))]
    assert found["p"].to_list() == [result.p for result in results]
    assert found["adjusted"].to_list() == holm([result.p for result in results]).tolist()
    assert found["n"].to_list() == [3, 3, 4]
    assert found["difference"].to_list() == pytest.approx([0.4, 0.1 / 3, -0.3])
    assert all_pairs(["a", "b"], values[:2], adjust="none")["adjusted"].to_list() == [wilcoxon(*values[:2]).p]
    with refused("too-few-systems", "1"):
        all_pairs(["a"], values[:1])


def test_holm_passes_over_what_was_not_compared():
    adjusted = holm([[NAN, 0.02], [0.03, NAN]])
    assert adjusted[0, 1] == pytest.approx(0.04)
    assert np.isnan(np.diag(adjusted)).all()
    with refused("p-out-of-bounds"):
        holm([1.5])


@given(p=st.lists(st.floats(1e-9, 1), min_size=1, max_size=8))
def test_holm_keeps_the_order_and_lies_between_p_and_bonferroni(p):
    adjusted = holm(p)
    assert (adjusted >= np.array(p) - 1e-15).all()
    assert (adjusted <= np.minimum(1, np.array(p) * len(p)) + 1e-15).all()
    assert (np.argsort(p, kind="stable") == np.lexsort((np.arange(len(p)), p, adjusted))).all()
