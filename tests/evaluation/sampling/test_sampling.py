"""Samples and estimates from them: influence, variances, evidence, files, and what is refused."""

import io
from dataclasses import replace

import numpy as np
import polars as pl
import pytest

import evaluation
from evaluation.crowds import TYPICAL, draw_truth, simulate_study
from evaluation.files import read_inclusion, write_inclusion
from evaluation.frames import Gains, Judgments
from evaluation.runs import Run
from evaluation.sampling import draw, estimate, inclusion_probabilities, influence, pool_of
from evaluation.sampling.design import Sample
from evaluation.sampling.inclusion import least_budget
from tests.evaluation.refusals import refused
from tests.evaluation.sampling.simulated import MEASURE, Collection

RUNS = {
    "a": {"1": {"x": 3, "y": 2, "z": 1}, "2": {"x": 2, "y": 1}},
    "b": {"1": {"y": 3, "x": 2, "w": 1}, "2": {"x": 2, "v": 1}},
    "c": {"1": {"x": 3, "y": 2, "w": 1}},
}
GAINS = Gains({"1": {"x": 3, "y": 1, "z": 2, "w": 1}, "2": {"x": 1, "y": 2, "v": 2}})
POOL = pool_of(RUNS, 3)
SMALL = Collection.of(12, documents=25, systems=4)


def whole(pool=POOL):
    return draw(pool, np.ones(len(pool.table)), len(pool.table), rng=np.random.default_rng(1))


def test_the_pool_has_each_document_once_with_its_ranks():
    assert POOL.table.rows() == [
        ("1", "w"),
        ("1", "x"),
        ("1", "y"),
        ("1", "z"),
        ("2", "v"),
        ("2", "x"),
        ("2", "y"),
    ]
    assert POOL.ranks.tolist() == [[0, 1, 2, 3, 0, 1, 2], [3, 2, 1, 0, 2, 1, 0], [3, 1, 2, 0, 0, 0, 0]]
    assert len(pool_of(RUNS, 1).table) == 3


def test_the_pool_can_leave_documents_out_and_have_others():
    listed = pl.DataFrame({"topic_id": ["2", "1", "1"], "document_id": ["y", "x", "anchor"]})
    pool = pool_of(RUNS, 3, documents=listed)
    assert pool.table.rows() == [("1", "anchor"), ("1", "x"), ("2", "y")]
    assert pool.ranks.tolist() == [[0, 1, 2], [0, 2, 0], [0, 1, 0]]
    assert influence(pool, "CG@3")[0] == 0
    sample = draw(pool, influence(pool, "CG@3"), 2, rng=np.random.default_rng(1), always=listed[2:])
    assert sample.table.row(0) == ("1", "anchor", 1.0, True)
    with refused("pool-empty"):
        pool_of(RUNS, 3, documents=listed.clear())


def test_the_least_budget_is_the_smallest_that_can_be_drawn():
    always = np.arange(100) < 7
    assert least_budget(100, 7) == 9
    assert inclusion_probabilities(np.ones(100), 9, always=always).sum() == pytest.approx(9)
    with refused("budget-too-small"):
        inclusion_probabilities(np.ones(100), 8, always=always)


def test_a_file_of_the_whole_pool_says_which_documents_are_sampled(tmp_path):
    sample = draw(POOL, influence(POOL, "CG@3"), 4, rng=np.random.default_rng(1))
    assert 0 < len(sample.sampled) < len(POOL.table)
    for words in (("1", "0"), ("True", "False")):
        path = tmp_path / "pool.csv"
        texts = [words[0] if sampled else words[1] for sampled in sample.table["sampled"]]
        sample.table.with_columns(sampled=pl.Series(texts)).write_csv(path)
        assert read_inclusion(path).table.equals(sample.table)
    path.write_text("topic_id,document_id,inclusion,sampled\n1,x,1,1\n1,y,.5,perhaps\n")
    with refused("sampled-neither-yes-nor-no", "perhaps", at=f"{path}:3"):
        read_inclusion(path)


def test_influence_is_the_root_mean_square_over_pairs():
    weights = np.array([[0, 1, 1, 1, 0, 1, 1], [1, 1, 1, 0, 1, 1, 0], [1, 1, 1, 0, 0, 0, 0]]) / 2
    pairs = [(0, 1), (0, 2), (1, 2)]
    squares = [(weights[a] - weights[b]) ** 2 for a, b in pairs]
    assert influence(POOL, "CG@3") == pytest.approx(np.sqrt(np.mean(squares, axis=0)))
    of_baseline = influence(POOL, "CG@3", "baseline", baseline="a")
    assert of_baseline == pytest.approx(np.sqrt(np.mean(squares[:2], axis=0)))
    assert influence(POOL, "CG@3", among=["b", "c"]) == pytest.approx(np.sqrt(squares[2]))
    assert influence(POOL, "CG@3", among=["b"]) == pytest.approx(weights[1])


def test_the_poisson_variance_is_that_of_its_formula():
    sample = SMALL.sample(0.5, 1, "poisson")
    draw_of = SMALL.scores(sample, SMALL.predictions["none"]).chosen.draw
    chosen = draw_of.sampled & (draw_of.chances < 1)
    chances, weights = draw_of.chances[chosen], draw_of.weights[0][chosen]
    least = ((1 - chances) / chances**2 * (weights * draw_of.errors[chosen]) ** 2).sum()
    found = draw_of.of(0).of_topics.sum()
    assert least - 1e-12 <= found
    exact = replace(draw_of, predicted=np.zeros_like(draw_of.predicted))
    assert exact.of(0).of_topics.sum() == pytest.approx(least)


def test_the_noise_of_judgments_widens_intervals():
    rng = np.random.default_rng(2)
    truth = draw_truth([{"N": 8, "M": 4, "R": 4, "H": 3}] * 8, TYPICAL, rng)
    study = simulate_study(truth, TYPICAL, rng, judgments_per_document=4)
    runs = [
        Run.from_columns(f"r{run}", *truth.table, pl.Series(truth.level + rng.normal(size=len(truth.table))))
        for run in range(3)
    ]
    pool = pool_of(runs, 10)
    sample = draw(pool, influence(pool), 60, rng=rng)
    gains = evaluation.gains(study.judgments)
    with_noise, without = (
        estimate(source, runs, MEASURE, sample)[MEASURE] for source in (study.judgments, gains)
    )
    assert [code for code, _ in without.notices()] == ["noise-unknown"]
    assert "noise-unknown" not in [code for code, _ in with_noise.notices()]
    widths = [
        (rows["high"] - rows["low"]).to_numpy()
        for rows in (each.means("these_topics").filter(evidence="people") for each in (with_noise, without))
    ]
    assert (widths[0] > widths[1]).all()


def test_missing_gains_are_filled_in_the_naive_estimate():
    table = whole().table.with_columns(sampled=pl.col("document_id") != "x")
    rows = estimate(GAINS, RUNS, "CG@3", table)["CG@3"].means().filter(evidence="filled")
    assert rows["mean"].to_list() == [(1 + 2 + 2) / 2, (1 + 1 + 2) / 2, (1 + 1) / 2]
    assert (rows["low"].to_list(), rows["valid"].to_list()) == ([None] * 3, [False] * 3)


def test_predictions_that_widen_intervals_are_left_out():
    sample = SMALL.sample(0.3, 2)
    worse = SMALL.pool.table.with_columns(score=pl.Series(SMALL.noise))
    better = SMALL.pool.table.with_columns(score=pl.Series(SMALL.worth))
    for given, evidence in ((worse, "people"), (better, "predictions")):
        scores = estimate(SMALL.gains, SMALL.runs, MEASURE, sample, predictions=[given])[MEASURE]
        codes = [code for code, _ in scores.notices()]
        assert (scores.evidence, "predictions-left-out" in codes) == (evidence, evidence == "people")
    plain = estimate(SMALL.gains, SMALL.runs, MEASURE, sample)[MEASURE]
    assert (plain.evidence, list(plain.intervals)) == ("people", ["people"])


def test_an_estimate_from_a_file_is_that_from_the_sample(tmp_path):
    sample = SMALL.sample(0.3, 2)
    out = io.StringIO()
    write_inclusion(sample.table, out)
    (tmp_path / "sample.csv").write_text(out.getvalue())
    read = read_inclusion(tmp_path / "sample.csv")
    assert read.table.equals(sample.table)
    for given in (read, tmp_path / "sample.csv", sample.table, sample.table.to_dicts()):
        found, expected = (
            estimate(SMALL.gains, SMALL.runs, MEASURE, source)[MEASURE].means() for source in (given, sample)
        )
        assert found.equals(expected)


def test_sampled_documents_alone_give_nearly_the_same_means():
    sample = SMALL.sample(0.3, 2)
    found, expected = (
        estimate(SMALL.gains, SMALL.runs, MEASURE, source)[MEASURE].means()
        for source in (sample.sampled, sample)
    )
    # Without the pool, it is not known how many documents of a topic were expected to be sampled.
    assert found["mean"].to_list() == pytest.approx(expected["mean"].to_list(), rel=0.01)
    assert found["low"].null_count() == expected["low"].null_count()


def test_without_enough_sampled_documents_there_is_no_interval():
    one = pl.DataFrame({"topic_id": ["1"], "document_id": ["x"], "inclusion": [0.5]})
    rows = estimate(GAINS, RUNS, "CG@3", one)["CG@3"].means("these_topics").filter("valid")
    assert rows["low"].null_count() == len(rows) == 3


def test_judgments_that_are_still_to_come_are_said_to_be():
    rng = np.random.default_rng(2)
    truth = draw_truth([{"N": 8, "M": 4, "R": 4, "H": 3}] * 2, TYPICAL, rng)
    study = simulate_study(truth, TYPICAL, rng, judgments_per_document=2)
    runs = [Run.from_columns("r", *truth.table, pl.Series(truth.level))]
    pool = pool_of(runs, 10)
    sample = draw(pool, influence(pool), 12, rng=rng)
    missing = sample.sampled.row(0)[:2]
    kept = study.judgments.table.filter(
        ~((pl.col("topic_id") == missing[0]) & (pl.col("document_id") == missing[1]))
    )
    with refused("sampled-document-not-judged", f"'{missing[1]}'"):
        estimate(Judgments.from_checked(kept), runs, MEASURE, sample)


@pytest.mark.parametrize("measure", ["nDCG@3", "ERR@3", "AP@3", "P@3"])
def test_measures_that_are_not_linear_are_refused(measure):
    with refused("measure-not-linear", measure, "DCG"):
        estimate(GAINS, RUNS, measure, whole())


@pytest.mark.parametrize(
    ("code", "measure"),
    [
        ("sampled-measure-without-cutoff", "DCG"),
        ("parameter-with-sample", 'DCG(ties="averaged")@3'),
        ("parameter-with-sample", 'CG(adjust="agr")@3'),
        ("sampled-measure-without-gmax", "gP@3"),
        ("gain-above-gmax", "gP(gmax=2)@3"),
    ],
)
def test_forms_of_measures_that_a_sample_cannot_estimate(code, measure):
    with refused(code):
        estimate(GAINS, RUNS, measure, whole())


def test_a_pool_must_reach_down_to_the_cutoff():
    with refused("pool-not-deep-enough", "DCG@10", "3"):
        influence(POOL, "DCG@10")


def test_unusable_sizes_and_budgets():
    with refused("budget-too-small", "1", "100"):
        inclusion_probabilities(np.ones(100), 1)
    with refused("least-inclusion-out-of-bounds"):
        inclusion_probabilities(np.ones(4), 1, least=0)
    with refused("size-out-of-bounds"):
        inclusion_probabilities(np.array([1.0, np.nan]), 1)
    with refused("pool-empty"):
        pool_of({}, 3)


def test_unusable_pairs():
    with refused("run-not-in-pool", "'d'"):
        influence(POOL, "CG@3", "baseline", baseline="d")
    for pairs, baseline in (("all", "a"), ("baseline", None)):
        with refused("baseline-and-pairs-differ"):
            influence(POOL, "CG@3", pairs, baseline=baseline)


def test_documents_that_are_always_in_must_be_in_the_pool():
    listed = pl.DataFrame({"topic_id": ["1"], "document_id": ["other"]})
    with refused("always-document-not-in-pool", "other"):
        draw(POOL, np.ones(7), 3, rng=np.random.default_rng(1), always=listed)
    kept = draw(POOL, np.ones(7), 3, rng=np.random.default_rng(1), always=POOL.table[[2]])
    assert kept.table.row(2) == ("1", "y", 1.0, True)


def test_a_second_draw_has_the_same_design():
    with refused("designs-differ", "systematic"):
        draw(POOL, np.ones(7), 3, rng=np.random.default_rng(1), design="poisson", earlier=whole())


def test_what_an_estimate_needs():
    with refused("sampled-document-without-gain", "'v'", at="row 5"):
        estimate(
            GAINS.replaced(table=GAINS.table.filter(pl.col("document_id") != "v")), RUNS, "CG@3", whole()
        )
    with refused("document-without-prediction", "1", "'w'"):
        estimate(GAINS, RUNS, "CG@3", whole(), predictions=[{"1": {"x": 1}}])
    with refused("document-without-chance", "'v'"):
        estimate(GAINS, RUNS, "CG@3", Sample("poisson", whole().table.filter(pl.col("document_id") != "v")))
    with refused("table-without-column", "inclusion"):
        estimate(GAINS, RUNS, "CG@3", POOL.table)
    with refused("convention-with-sample", "unjudged=drop"):
        evaluation.score(GAINS, RUNS, "CG@3", unjudged="drop", inclusion=whole())
    with refused("ready-scores-with-more"):
        evaluation.compare(evaluation.score(GAINS, RUNS, "CG@3"), inclusion=whole())
    with refused("gains-too-large-to-add", "CG@3"):
        estimate(
            Gains({"1": dict.fromkeys("xyzw", 1e300), "2": dict.fromkeys("xyv", 1)}), RUNS, "CG@3", whole()
        )


@pytest.mark.parametrize(
    ("code", "line"),
    [
        *(("inclusion-out-of-bounds", "1,a,0"), ("inclusion-out-of-bounds", "1,a,1.5")),
        *(("inclusion-out-of-bounds", "1,a,nan"), ("not-a-number", "1,a,half")),
        ("document-sampled-twice", "1,b,.5"),
        ("sampled-neither-yes-nor-no", "1,a,.5,2"),
    ],
)
def test_a_file_with_an_invalid_row(tmp_path, code, line):
    path = tmp_path / "sample.csv"
    line = line if line.count(",") == 3 else f"{line},1"
    path.write_text(f"topic_id,document_id,inclusion,sampled\n1,b,.5,0\n{line}\n")
    with refused(code, at=f"{path}:3"):
        read_inclusion(path)
