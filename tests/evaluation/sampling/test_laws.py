"""The laws of estimates from a sample: no bias whatever predicts the gains, and intervals that hold."""

import numpy as np
import polars as pl
import pytest

import evaluation
from evaluation.crowds import TYPICAL, draw_truth, simulate_study
from evaluation.runs import Run
from evaluation.sampling import draw, estimate, inclusion_probabilities, influence, pool_of
from tests.evaluation.sampling.simulated import MEASURE, Collection

SMALL = Collection.of(12, documents=25, systems=4)
LARGE = Collection.of(50)
KINDS = list(SMALL.predictions)
DRAWS = 200
TOLERANCE = 4.0
"""How many standard errors the mean over the draws can be from the truth."""


def means(scores, evidence=None):
    """The means by this evidence, by default from predictions if there are any."""
    rows = scores.means("these_topics").filter(evidence=evidence or next(iter(scores.intervals)))
    return rows["mean"].to_numpy()


@pytest.mark.parametrize("budget", [20, 60, 100, 139])
@pytest.mark.parametrize("least", [0.02, 0.1])
def test_chances_add_up_to_the_budget_within_their_bounds(budget, least):
    size = np.random.default_rng(budget).exponential(size=140) ** 3
    size[::7] = 0
    chances = inclusion_probabilities(size, budget, least=least)
    assert chances.sum() == pytest.approx(budget, abs=1e-9)
    assert ((chances >= least) & (chances <= 1)).all()
    between = (chances > least * (1 + 1e-9)) & (chances < 1 - 1e-9)
    ratios = chances[between & (size > 0)] / size[between & (size > 0)]
    assert ratios == pytest.approx(np.full(len(ratios), ratios.mean() if len(ratios) else 0))


def test_documents_that_are_always_in_count_towards_the_budget():
    always = np.array([True, False, False, False])
    chances = inclusion_probabilities(np.array([0.0, 4, 2, 2]), 3, always=always)
    assert chances == pytest.approx([1, 1, 0.5, 0.5])


def test_a_budget_of_the_whole_pool_takes_every_document():
    assert (inclusion_probabilities(np.ones(5), 5) == 1).all()
    assert (inclusion_probabilities(np.ones(5), 9) == 1).all()


def test_a_systematic_sample_has_the_size_of_the_budget():
    for seed in range(20):
        assert len(SMALL.sample(0.3, seed).sampled) == round(0.3 * len(SMALL.worth))


@pytest.mark.parametrize("design", ["systematic", "poisson"])
def test_documents_are_drawn_as_often_as_their_chances_say(design):
    samples = [SMALL.sample(0.3, seed, design).table for seed in range(400)]
    chances = samples[0]["inclusion"].to_numpy()
    drawn = np.mean([table["sampled"].to_numpy() for table in samples], axis=0)
    error = np.sqrt(chances * (1 - chances) / len(samples))
    assert (np.abs(drawn - chances) <= 5 * error + 1e-12).all()


@pytest.mark.parametrize(
    "measure",
    [
        *("DCG@10", "CG@5", "RBP@10", "gP(gmax=3)@10", 'DCG(discount="jk", base=3)@10'),
        *('DCG(gain="exp")@10', 'RBP(p=0.5, gain="linear", gmax=3)@10', "RBP(rel=2)@10"),
    ],
)
def test_with_every_document_the_estimate_is_the_score(measure):
    pool = SMALL.pool
    sample = draw(pool, np.ones(len(pool.table)), len(pool.table), rng=np.random.default_rng(1))
    predictions = [pool.table.with_columns(score=SMALL.noise)]
    scores = estimate(SMALL.gains, SMALL.runs, measure, sample, predictions=predictions)[measure]
    expected = evaluation.score(SMALL.gains, SMALL.runs, measure)
    for target in ("these_topics", "new_topics"):
        for rows in scores.means(target).partition_by("evidence"):
            assert rows["mean"].to_numpy() == pytest.approx(
                [row.value for row in expected.means()], abs=1e-12
            )
    exact = scores.means("these_topics").filter("valid")
    assert exact["low"].to_list() == exact["mean"].to_list() == exact["high"].to_list()
    again = evaluation.score(SMALL.gains, SMALL.runs, measure, inclusion=sample)
    assert again.topics == expected.topics
    assert again.values == pytest.approx(expected.values, abs=1e-12, nan_ok=True)


def test_with_every_document_the_intervals_are_those_of_a_complete_study():
    rng = np.random.default_rng(1)
    truth = draw_truth([{"N": 6, "M": 3, "R": 3, "H": 2}] * 6, TYPICAL, rng)
    study = simulate_study(truth, TYPICAL, rng, judgments_per_document=4)
    rows = truth.table
    runs = [
        Run.from_columns(
            f"r{number}", *rows, pl.Series(truth.level + rng.normal(scale=number, size=len(rows)))
        )
        for number in (1, 2, 3)
    ]
    pool = pool_of(runs, 10)
    sample = draw(pool, influence(pool), len(pool.table), rng=rng)
    judged = study.judgments
    settings = {"measures": ["DCG@5"], "baseline": "r1", "seed": 3}
    plain, sampled = (
        evaluation.compare(judged, runs, **settings, **more).result() for more in ({}, {"inclusion": sample})
    )
    assert (plain.estimator, sampled.estimator) == ("corrected", "sampled")
    for name, column in plain.table.drop("judged_share").to_dict(as_series=False).items():
        found = sampled.table[name].to_list()
        assert found == (pytest.approx(column, abs=1e-9) if plain.table[name].dtype == pl.Float64 else column)


def test_a_constant_prediction_shifts_nothing():
    sample = SMALL.sample(0.4, 3)
    constant = SMALL.pool.table.with_columns(score=pl.lit(7.0))
    scores = estimate(SMALL.gains, SMALL.runs, MEASURE, sample, predictions=[constant])[MEASURE]
    assert means(scores, "predictions") == pytest.approx(means(scores, "people"), abs=1e-12)


@pytest.mark.parametrize("design", ["systematic", "poisson"])
@pytest.mark.parametrize("kind", KINDS)
def test_the_mean_over_many_draws_is_the_truth(kind, design):
    prediction = SMALL.predictions[kind]
    found = np.array(
        [means(SMALL.scores(SMALL.sample(0.4, seed, design), prediction)) for seed in range(DRAWS)]
    )
    error = found.std(axis=0, ddof=1) / np.sqrt(DRAWS)
    assert (np.abs(found.mean(axis=0) - SMALL.truth) <= TOLERANCE * error).all()


def test_a_copy_of_the_truth_leaves_almost_no_error():
    sample = LARGE.sample(0.2, 1)
    rows = LARGE.scores(sample, LARGE.predictions["copy"]).means("these_topics")
    width = {
        evidence: float((of["high"] - of["low"]).mean())
        for (evidence,), of in rows.filter("valid").group_by("evidence")
    }
    assert width["predictions"] < width["people"] / 100


def test_a_second_draw_leaves_the_first_untouched():
    first_pool = pool_of(SMALL.runs[:2], 10)
    size = influence(first_pool)
    first = draw(first_pool, size, 60, rng=np.random.default_rng(1))
    both = draw(SMALL.pool, influence(SMALL.pool), 30, rng=np.random.default_rng(2), earlier=first)
    assert both.table[: len(first.table)].equals(first.table)
    added = both.table[len(first.table) :]
    assert len(both.table) == len(SMALL.pool.table)
    assert (added["inclusion"].sum(), added["sampled"].sum()) == (pytest.approx(30), 30)
    assert estimate(SMALL.gains, SMALL.runs, MEASURE, both)[MEASURE].means()["valid"].any()


def test_the_same_state_of_rng_gives_the_same_sample():
    assert SMALL.sample(0.3, 5).table.equals(SMALL.sample(0.3, 5).table)
    assert not SMALL.sample(0.3, 5).table.equals(SMALL.sample(0.3, 6).table)


def covered(design, kind, share, draws):
    """How often the 95 % intervals of three differences have the true difference, over all of them."""
    pairs = [("r0", "r1"), ("r2", "r3"), ("r4", "r5")]
    places = {run: place for place, run in enumerate(LARGE.pool.runs)}
    hits = []
    for seed in range(draws):
        scores = LARGE.scores(LARGE.sample(share, seed, design), LARGE.predictions[kind])
        for first, second in pairs:
            row = scores.difference(first, second, "these_topics").row(0, named=True)
            hits.append(row["low"] <= LARGE.truth[places[first]] - LARGE.truth[places[second]] <= row["high"])
    return np.mean(hits)


@pytest.mark.slow
@pytest.mark.parametrize("design", ["systematic", "poisson"])
@pytest.mark.parametrize("share", [0.2, 0.5])
@pytest.mark.parametrize("kind", KINDS)
def test_intervals_hold(kind, share, design):
    assert 0.92 <= covered(design, kind, share, 200) <= 0.98  # ± 3 standard errors of 200 draws
