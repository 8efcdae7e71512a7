"""The benchmark of samples: a short version of its grid, and the methods of the peers."""

from itertools import pairwise

import numpy as np
import polars as pl
import pytest
import pytrec_eval

from evaluation.crowds import CROWDS
from evaluation.sampling import estimate
from tests.benchmarks.sampling import grid, tables
from tests.benchmarks.sampling.average_precision import (
    average_precision,
    draw_for_stat,
    draw_strata,
    inferred_ap,
    stat_ap,
)
from tests.benchmarks.sampling.bank import MEASURE, Bank
from tests.benchmarks.sampling.ratio import ideal

DOCUMENTS = 60
RNG = np.random.default_rng(5)
RELEVANT = RNG.random(DOCUMENTS) < 0.3
RANKS = np.stack([RNG.permutation(DOCUMENTS) + 1 for _ in range(3)])


@pytest.fixture(scope="module")
def bank():
    return Bank.draw(CROWDS["typical"], 30, np.random.default_rng(9), method="additive", judgments=100)


@pytest.mark.slow
def test_intervals_of_a_short_grid_hold_and_the_naive_filling_does_not(bank, tmp_path):
    part = grid.Part("typical", 18, 0.3, range(8))
    grid.tally(bank, part, "additive").write_csv(tmp_path / part.name)
    cells = tables.summary(tmp_path)
    offered = cells.filter(pl.col("evidence").is_in(["people", "predictions", "shown"]))
    assert set(offered["kind"]) == {*grid.KINDS, *grid.LAWS}
    assert (offered["offered"] == 1).all()
    assert (offered["covered"] >= 0.8).all()  # The runs of a study share its error, and there are 8 studies.
    assert offered.filter(what="difference")["covered"].mean() >= 0.93
    naive = cells.filter(evidence="filled", kind="none", what="mean", target="new_topics")
    assert naive["covered"].item() < 0.6
    these = cells.filter(what="difference", target="these_topics")
    error = {kind: these.filter(kind=kind, evidence="predictions")["error"].item() for kind in grid.KINDS[1:]}
    assert error["good"] < these.filter(evidence="people")["error"].item()


def test_a_stopped_grid_continues_where_it_was(bank, tmp_path, monkeypatch):
    made = []

    def tally(_bank, part, _method):
        made.append(part)
        return pl.DataFrame({"crowd": [part.crowd]})

    monkeypatch.setattr(grid, "tally", tally)
    grid._keep({"typical": bank}, tmp_path, None)
    left = [part for part in grid.parts(20) if part.crowd == "typical"]
    assert len(left) == 2 * len(grid.TOPICS) * len(grid.SHARES)
    grid._write(left[0])
    assert [path.name for path in tmp_path.iterdir()] == [left[0].name]
    assert left[0] not in grid.unfinished(tmp_path, 20)
    assert set(grid.unfinished(tmp_path, 20)) | {left[0]} == set(grid.parts(20))


def test_infap_is_that_of_trec_eval():
    stratum = np.zeros(DOCUMENTS, dtype=np.int64)
    place = draw_strata(stratum, np.array([25]), np.random.default_rng(2))
    found = inferred_ap(RANKS, RELEVANT, stratum, place)
    qrel = {f"d{at}": int(RELEVANT[at]) if at in place else -1 for at in range(DOCUMENTS)}
    peer = pytrec_eval.RelevanceEvaluator({"t": qrel}, {"infAP"})
    runs = [{"t": {f"d{at}": float(-rank) for at, rank in enumerate(ranks)}} for ranks in RANKS]
    assert found == pytest.approx([peer.evaluate(run)["t"]["infAP"] for run in runs], abs=1e-4)


@pytest.mark.parametrize("cut", [1, 20, DOCUMENTS])
def test_with_every_document_the_peers_give_average_precision(cut):
    expected = average_precision(RANKS, RELEVANT)
    stratum = (np.arange(DOCUMENTS) >= cut).astype(np.int64)
    inferred = inferred_ap(RANKS, RELEVANT, stratum, np.arange(DOCUMENTS))
    assert inferred == pytest.approx(expected, abs=1e-3)
    found, covariance = stat_ap(RANKS, RELEVANT, draw_for_stat(RANKS, DOCUMENTS, np.random.default_rng(1)))
    assert found == pytest.approx(expected)
    assert covariance == pytest.approx(np.zeros((3, 3)), abs=1e-12)


def test_statap_draws_documents_and_pairs_as_often_as_its_chances_say():
    drawn, pairs, draws = np.zeros(DOCUMENTS), np.zeros((DOCUMENTS, DOCUMENTS)), 4000
    chance, both = np.zeros(DOCUMENTS), np.zeros((DOCUMENTS, DOCUMENTS))
    for seed in range(draws):
        sample = draw_for_stat(RANKS, 12, np.random.default_rng(seed))
        assert len(set(sample.place)) == 12
        drawn[sample.place] += 1 / draws
        pairs[np.ix_(sample.place, sample.place)] += 1 / draws
        chance[sample.place] = sample.chance
        both[np.ix_(sample.place, sample.place)] = sample.pair
    assert drawn == pytest.approx(chance, abs=5 * np.sqrt(0.25 / draws))
    assert pairs == pytest.approx(both, abs=5 * np.sqrt(0.25 / draws))


def test_statap_has_little_bias_and_its_variance_is_that_of_its_errors():
    found = [
        stat_ap(RANKS, RELEVANT, draw_for_stat(RANKS, 20, np.random.default_rng(seed)))
        for seed in range(1500)
    ]
    estimates = np.array([estimate for estimate, _ in found])
    assert estimates.mean(axis=0) == pytest.approx(average_precision(RANKS, RELEVANT), abs=0.05)
    claimed = np.mean([covariance.diagonal() for _, covariance in found], axis=0)
    assert claimed == pytest.approx(estimates.var(axis=0, ddof=1), rel=0.5)


def test_the_estimated_ideal_counts_each_gain_as_often_as_its_chance_says():
    gain, whole = np.array([3.0, 2.0, 1.0]), np.ones(3)
    discounts = 1 / np.log2(np.arange(2, 12))
    assert ideal(gain, whole) == pytest.approx(discounts[:3] @ gain)
    twice = sum(g * sum(discounts[a:b]) for g, (a, b) in zip(gain, pairwise((0, 2, 4, 6)), strict=True))
    assert ideal(gain, whole / 2) == pytest.approx(twice)


def test_noise_that_is_computed_once_gives_the_same_intervals(bank):
    rng = np.random.default_rng(3)
    study = bank.study(6, rng)
    sample = study.sample(0.4, rng)
    judgments = study.judge(sample.sampled, CROWDS["typical"], 3, rng)
    settings = {"resamples": 20, "seed": 4}
    for kind in ("none", "good", "weak"):
        given = grid.predictions(study, kind, rng)
        with grid.noise_of(judgments):
            once = estimate(judgments, study.runs, MEASURE, sample, predictions=given, **settings)[MEASURE]
        again = estimate(judgments, study.runs, MEASURE, sample, predictions=given, **settings)[MEASURE]
        assert once.means().equals(again.means())
