"""Simulated language models as predictions: intervals hold, and a model that favours a run helps nobody."""

import numpy as np
import polars as pl
import pytest
from scipy.stats import binom

from tests.benchmarks.sampling.grid import noise_of
from tests.evaluation.sampling.simulated import Collection

LARGE = Collection.of(18, documents=100, systems=8, gain=np.exp)
"""The gains are log-normal, as magnitudes are."""
FAVOURED = int(LARGE.truth.argmin())
"""The worst run, which a model favours."""
DRAWS = 200
MODELS = {
    "good": LARGE.labels(bias=1, exponent=1, noise=0.5),
    "biased": LARGE.labels(bias=3, exponent=0.5, noise=0.5),
    "copy of a run": LARGE.copied(FAVOURED),
}
PAIRS = [(0, 1), (2, 3), (4, 5), (6, 7)]
TRUTH = np.concatenate([LARGE.truth, [LARGE.truth[one] - LARGE.truth[other] for one, other in PAIRS]])
SHARE = 0.3
EVIDENCE = ("predictions", "people")
CHANCE = 0.01
"""How likely it is that chance alone moves a coverage out of the bounds, at most."""


def estimates(scores):
    """The estimates of all means and of some differences: mean, low and high (3, evidence, contrasts)."""
    tables = [scores.means("these_topics")]
    tables += [scores.difference(f"r{one}", f"r{other}", "these_topics") for one, other in PAIRS]
    rows = pl.concat(table.select("evidence", "mean", "low", "high") for table in tables)
    parts = [rows.filter(evidence=evidence).drop("evidence").to_numpy().T for evidence in EVIDENCE]
    return np.stack(parts, axis=1)


def holding(seed):
    """Which intervals contain the truth in a study with noisy judgments (models, evidence, contrasts)."""
    sample = LARGE.sample(SHARE, seed)
    judgments = LARGE.judge(sample, seed)
    options = {"method": "none", "resamples": 50, "seed": seed}
    found = []
    for labels in MODELS.values():
        with noise_of(judgments):
            found.append(estimates(LARGE.scores(sample, labels, judgments, **options)))
    _, low, high = np.stack(found, axis=1)
    return (low <= TRUTH) & (high >= TRUTH)


def assert_hold(seeds):
    """Assert that the intervals hold in 93 to 97 % of these studies, as far as their number can tell."""
    hits = np.mean([holding(seed) for seed in seeds], axis=0)
    number = len(LARGE.truth)
    low, high = binom.ppf(CHANCE, len(seeds), 0.93), binom.ppf(1 - CHANCE, len(seeds), 0.97)
    for part in (hits[..., :number], hits[..., number:]):
        covered = len(seeds) * part.mean(axis=-1)
        assert ((low <= covered) & (covered <= high)).all(), part


def test_intervals_hold_in_a_few_studies():
    assert_hold(range(15))


@pytest.mark.slow
@pytest.mark.parametrize("block", range(8))
def test_intervals_hold_in_a_thousand_studies(block):
    assert_hold(range(125 * block, 125 * (block + 1)))


def test_a_model_that_copies_a_run_favours_it_alone_but_not_in_the_estimate():
    labels = MODELS["copy of a run"]
    alone = LARGE.weights @ labels[:, 0]
    assert alone.argmax() == FAVOURED == LARGE.truth.argmin(), "by its labels, the worst run wins"
    assert alone[FAVOURED] > 1.5 * LARGE.truth[FAVOURED]
    errors = []
    for seed in range(DRAWS):
        means, *_ = estimates(LARGE.scores(LARGE.sample(SHARE, seed), labels))
        errors.append(means[0] - TRUTH)
    away = np.mean(errors, axis=0) / (np.std(errors, axis=0, ddof=1) / np.sqrt(DRAWS))
    assert np.abs(away[FAVOURED]) <= 3
    assert (np.abs(away) <= 4).all(), "it harms nobody either"


def test_estimates_from_a_biased_model_are_those_from_the_same_model_without_bias():
    sample = LARGE.sample(SHARE, 1)
    one, other = (
        estimates(LARGE.scores(sample, LARGE.labels(bias=bias, exponent=exponent, noise=0)))
        for bias, exponent in ((1, 1), (3, 0.5))
    )
    assert one == pytest.approx(other)
