"""The model of Bradley and Terry with ties: by hand, against kept libraries, and its laws."""

import choix
import numpy as np
import pytest
import statsmodels.api as sm
from hypothesis import given, settings
from hypothesis import strategies as st

from evaluation.pairwise import Comparisons, fit
from evaluation.pairwise.davidson import expected_points
from tests.evaluation.refusals import refused

DOCUMENTS = 5
CHAIN = [(place, (place + 1) % DOCUMENTS, points) for place in range(DOCUMENTS) for points in (1.0, 0.5)]
"""Comparisons that connect all documents in both directions, so that every estimate is finite."""
ONE = st.tuples(
    st.integers(0, DOCUMENTS - 1), st.integers(1, DOCUMENTS - 1), st.sampled_from([0.0, 0.5, 1.0])
).map(lambda row: (row[0], (row[0] + row[1]) % DOCUMENTS, row[2]))
SOME = st.lists(ONE, min_size=1, max_size=30)


def data(rows, number=DOCUMENTS):
    first, second, points = (np.array(column) for column in zip(*rows, strict=True))
    return Comparisons.of(number, first, second, points.astype(float))


def test_the_worked_example():
    found = fit(data([(0, 1, 1), (0, 1, 1), (1, 0, 0), (0, 1, 0)], 2), prior=0)
    assert np.exp(found.theta) == pytest.approx([3**0.5, 3**-0.5])
    assert found.nu == 0
    # The log odds of 3 to 1 have the variance 1/3 + 1, and θ is half of them.
    assert found.covariance()[0, 0] == pytest.approx((1 / 3 + 1) / 4)


def test_ties_by_hand():
    """Of 8 comparisons of equal documents, half are ties: ν / (2 + ν) = 1/2, so ν = 2."""
    rows = [(0, 1, 0.5)] * 4 + [(0, 1, 1)] * 2 + [(0, 1, 0)] * 2
    found = fit(data(rows, 2), prior=0)
    assert found.theta == pytest.approx([0, 0], abs=1e-9)
    assert found.nu == pytest.approx(2)


def test_without_ties_the_worths_are_those_of_choix():
    rng = np.random.default_rng(1)
    rows = [(0, 1, 1), (1, 2, 1), (2, 0, 1)]
    rows += [(*rng.choice(3, 2, replace=False).tolist(), float(rng.integers(2))) for _ in range(30)]
    wins = [(one, other) if points == 1 else (other, one) for one, other, points in rows]
    expected = choix.opt_pairwise(3, wins, alpha=0.0, tol=1e-12)
    assert fit(data(rows, 3), prior=0).theta == pytest.approx(expected - expected.mean(), abs=1e-5)


@pytest.mark.parametrize("seed", range(3))
def test_with_ties_the_worths_are_those_of_a_log_linear_model(seed):
    """Davidson's model is a Poisson model of the counts of the three outcomes, with a level for each pair."""
    rng = np.random.default_rng(seed)
    rows = CHAIN * 3 + [
        (*rng.choice(DOCUMENTS, 2, replace=False).tolist(), float(rng.choice([0, 0.5, 1]))) for _ in range(60)
    ]
    pairs = [(one, other) for one in range(DOCUMENTS) for other in range(one)]
    counts, design = [], []
    for place, (one, other) in enumerate(pairs):
        points = [x if (a, b) == (one, other) else 1 - x for a, b, x in rows if {a, b} == {one, other}]
        for outcome in (1, 0, 0.5):
            counts.append(points.count(outcome))
            row = np.zeros(DOCUMENTS + 1 + len(pairs))
            row[one], row[other] = outcome, 1 - outcome
            row[DOCUMENTS] = outcome == 0.5
            row[DOCUMENTS + 1 + place] = 1
            design.append(row)
    # The first document has θ = 0: its column is left out.
    model = sm.GLM(counts, np.array(design)[:, 1:], family=sm.families.Poisson()).fit(tol=1e-12)
    theta = np.array([0, *model.params[: DOCUMENTS - 1]])
    found = fit(data(rows), prior=0)
    assert found.theta == pytest.approx(theta - theta.mean(), abs=1e-6)
    assert found.log_nu == pytest.approx(model.params[DOCUMENTS - 1], abs=1e-6)
    covariance = np.zeros((DOCUMENTS, DOCUMENTS))
    covariance[1:, 1:] = model.cov_params()[: DOCUMENTS - 1, : DOCUMENTS - 1]
    centred = np.eye(DOCUMENTS) - 1 / DOCUMENTS
    assert found.covariance()[:-1, :-1] == pytest.approx(centred @ covariance @ centred, abs=1e-6)


@settings(deadline=None)
@given(SOME)
def test_worths_have_a_geometric_mean_of_1_and_are_finite(rows):
    found = fit(data(rows))
    assert found.theta.mean() == pytest.approx(0, abs=1e-9)
    assert np.isfinite([*found.theta, found.log_nu]).all()
    assert (np.diag(found.covariance()) > 0).all()


@settings(deadline=None)
@given(SOME, st.permutations(range(DOCUMENTS)))
def test_other_numbers_for_the_documents_permute_the_worths(rows, order):
    renumbered = [(order[one], order[other], points) for one, other, points in rows]
    assert fit(data(renumbered)).theta[list(order)] == pytest.approx(fit(data(rows)).theta, abs=1e-6)


@settings(deadline=None)
@given(SOME)
def test_the_other_order_of_a_pair_changes_nothing(rows):
    turned = fit(data([(other, one, 1 - points) for one, other, points in rows]))
    assert turned.theta == pytest.approx(fit(data(rows)).theta, abs=1e-6)
    assert turned.log_nu == pytest.approx(fit(data(rows)).log_nu, abs=1e-6)


@settings(deadline=None)
@given(SOME)
def test_the_opposite_answers_turn_the_worths_around(rows):
    opposite = fit(data([(one, other, 1 - points) for one, other, points in rows]))
    assert opposite.theta == pytest.approx(-fit(data(rows)).theta, abs=1e-6)


@settings(deadline=None)
@given(SOME, ONE)
def test_one_more_win_never_lowers_the_chance_to_win(rows, further):
    """At a fixed ν, θ of the winner minus θ of the loser cannot fall. ν itself can move all distances."""
    one, other, _ = further
    before, after = fit(data(rows)), fit(data([*rows, (one, other, 1.0)]))
    chances = [
        expected_points(np.array([found.theta[one] - found.theta[other]]), found.log_nu)[0][0]
        for found in (before, after)
    ]
    assert chances[1] >= chances[0] - 1e-9


@settings(deadline=None)
@given(SOME, st.integers(2, 5))
def test_a_weight_counts_a_comparison_several_times(rows, times):
    once = data(rows)
    weighted = Comparisons(DOCUMENTS, once.first, once.second, once.points, once.weight * times)
    assert fit(weighted).theta == pytest.approx(fit(data(rows * times)).theta, abs=1e-6)


def test_the_influence_of_a_unit_is_what_leaving_it_out_changes():
    rng = np.random.default_rng(1)
    rows = [
        (*rng.choice(DOCUMENTS, 2, replace=False).tolist(), float(rng.choice([0, 0.5, 1])))
        for _ in range(400)
    ]
    found, rest = fit(data(rows)), fit(data(rows[10:]))
    cluster = np.array([0] * 10 + [1] * 390)
    assert found.influence(cluster)[0, :-1] == pytest.approx(found.theta - rest.theta, abs=0.02)


@pytest.mark.parametrize(
    "rows",
    [
        [(0, 1, 1), (0, 1, 1)],  # the second never wins
        [(0, 1, 1), (1, 0, 1), (2, 3, 1), (3, 2, 1)],  # two halves
        [(0, 1, 0.5), (0, 1, 0.5)],  # only ties
    ],
)
def test_without_a_prior_infinite_worths_are_refused(rows):
    number = 1 + max(max(one, other) for one, other, _ in rows)
    assert np.isfinite(fit(data(rows, number)).theta).all()
    with refused("worths-without-end"):
        fit(data(rows, number), prior=0)


@pytest.mark.parametrize("prior", [-0.1, float("nan"), float("inf")])
def test_a_prior_is_finite_and_not_negative(prior):
    with refused("prior-out-of-bounds"):
        fit(data(CHAIN), prior=prior)
