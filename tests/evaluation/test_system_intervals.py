"""Intervals of mean scores: their laws, their degenerate cases, and coverage with a known truth."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from evaluation.allocation.uncertainty import estimate
from evaluation.comparison.system_intervals import COVERAGE, TARGETS, system_intervals
from evaluation.crowds import CAREFUL, draw_truth, simulate_study
from evaluation.frames import Judgments
from evaluation.magnitudes import METHODS, gains, normalise
from evaluation.magnitudes.gains_anew import judge_anew
from evaluation.measures import parse
from evaluation.planning import estimate_pilot
from evaluation.runs import Run
from evaluation.scores import score
from tests.benchmarks.coverage import Bank, outcomes
from tests.evaluation.refusals import OPTION, refused

GRADES = {"H": 2, "R": 3, "M": 3, "N": 6}
RESAMPLED = [method for method in METHODS if method != "model"]
MEASURES = ["nDCG@5", 'ERR(stop="share")@5']


def study(topics=6, judgments=6, seed=1):
    """A study of a careful crowd, and three runs of falling quality."""
    rng = np.random.default_rng(seed)
    truth = draw_truth([GRADES] * topics, CAREFUL, rng)
    table = truth.table
    runs = [
        Run.from_columns(tag, *table, truth.level + rng.normal(0, noise, len(table)))
        for tag, noise in (("good", 0.3), ("fair", 1.0), ("poor", 4.0))
    ]
    return simulate_study(truth, CAREFUL, rng, judgments_per_document=judgments).judgments, runs


def computed(judgments, runs, measures=MEASURES, **options):
    return system_intervals(
        judgments, runs, measures, rng=np.random.default_rng(5), **{"resamples": 60, **options}
    )


def frames(results):
    return [result.means(target) for result in results.values() for target in TARGETS]


# --- the laws of resampled gains ---------------------------------------------------------------------------


@pytest.mark.parametrize("method", RESAMPLED)
@pytest.mark.parametrize("statistic", ["median", "gmean"])
def test_every_document_keeps_a_gain_in_every_resample(method, statistic):
    judgments, _ = study(topics=2, judgments=2)
    anew = judge_anew(judgments, np.random.default_rng(1), method=method, statistic=statistic, resamples=200)
    assert np.isfinite(anew.deviations).all()
    expected = gains(judgments, normalise(judgments, method), statistic)
    assert anew.gain.tolist() == expected.values.tolist()
    assert anew.judgments.min() == 2


def rows_of(values, method="geometric"):
    """Two units, whose anchors are d0 and d1, of two workers."""
    rows = [
        ("t", unit, f"d{place}", value, unit, "HN"[place] if place < 2 else "")
        for unit, numbers in values.items()
        for place, value in enumerate(numbers)
    ]
    return Judgments.from_columns(*zip(*rows, strict=True))


@pytest.mark.parametrize("method", RESAMPLED)
def test_scales_are_normalised_again_with_the_weights(method):
    """A unit with weight 2 counts as the unit and its copy."""
    first, second = [9.0, 1.0, 4.0, 2.0], [30.0, 2.0, 7.0, 11.0]
    judgments, copied = (
        rows_of({"a": first, "b": second}),
        rows_of({"a": first, "b": second, "c": second}),
    )
    anew = judge_anew(judgments, Weights([1.0, 2.0]), method=method, statistic="gmean", resamples=2)
    expected = gains(copied, normalise(copied, method), "gmean").values
    own = gains(judgments, normalise(judgments, method), "gmean").values
    of_gmean = np.sqrt(3)  # the root of (n + 1)/(n − 1) for n = 2
    assert anew.deviations[0] / of_gmean == pytest.approx(np.log(expected / own))


def test_the_model_is_refused_instead_of_resampled_as_another_method():
    judgments, runs = study(topics=2, judgments=2)
    with refused("model-without-resamples", "model"):
        judge_anew(judgments, np.random.default_rng(1), method="model")
    with refused("model-without-resamples", "model"):
        computed(judgments, runs, method="model")


class Weights:
    """A generator that gives every worker a fixed weight."""

    def __init__(self, weights):
        self.weights = weights

    def standard_exponential(self, shape):
        return np.broadcast_to(self.weights, shape)


def test_a_worker_has_one_weight_in_all_topics():
    rows = [
        (topic, f"{topic}{worker}", document, value * scale, worker)
        for topic in ("t1", "t2")
        for worker, values in {"a": (1.0, 9.0), "b": (2.0, 3.0), "c": (1.0, 5.0)}.items()
        for document, value in zip(("d1", "d2"), values, strict=True)
        for scale in ({"t1": 1.0, "t2": 7.0}[topic],)
    ]
    topic, unit, document, value, worker = zip(*rows, strict=True)
    with_workers = Judgments.from_columns(topic, unit, document, value, worker)
    without = Judgments.from_columns(topic, unit, document, value)
    one, other = (judge_anew(part, np.random.default_rng(1)).deviations for part in (with_workers, without))
    assert one[:, :2] == pytest.approx(one[:, 2:])
    assert abs(np.corrcoef(other[:, 0], other[:, 2])[0, 1]) < 0.2


def test_a_spread_that_is_all_noise_leaves_equal_centres():
    judgments, _ = study(topics=2)
    anew = judge_anew(judgments, np.random.default_rng(1), resamples=50)
    centres = anew.centres(anew.gain)
    for topic in (0, 1):
        own = anew.topic == topic
        assert np.log(centres[own]).std() < np.log(anew.gain[own]).std()
        assert np.log(centres[own]).mean() == pytest.approx(np.log(anew.gain[own]).mean())
        assert (np.argsort(centres[own]) == np.argsort(anew.gain[own])).all()
    equal = anew.centres(np.exp(np.where(np.arange(len(anew.gain)) % 2, 0.01, 0.0)))
    assert [np.ptp(equal[anew.topic == topic]) for topic in (0, 1)] == [0, 0]


def spreads(anew, gain):
    """The variance of ln gain over the documents of each topic."""
    logs = np.log(gain)
    return np.stack([logs[..., anew.topic == topic].var(axis=-1, ddof=1) for topic in (0, 1)], axis=-1)


def test_centres_with_noise_spread_as_far_as_the_gains():
    judgments, _ = study(topics=2)
    anew = judge_anew(judgments, np.random.default_rng(1), resamples=50)
    again = spreads(anew, anew.centres(anew.gain) * anew.noise).mean(axis=0)
    assert again == pytest.approx(spreads(anew, anew.gain))


def test_noise_has_the_geometric_mean_1():
    judgments, _ = study(topics=2)
    anew = judge_anew(judgments, np.random.default_rng(1), resamples=50)
    assert np.log(anew.noise).mean(axis=0) == pytest.approx(0)
    unknown = replace(anew, deviations=np.where(np.arange(len(anew.gain)) == 3, np.nan, anew.deviations))
    assert (unknown.noise[:, 3] == 1).all()


def test_noise_that_all_documents_share_leaves_the_centres_as_they_are():
    judgments, _ = study(topics=2)
    anew = judge_anew(judgments, np.random.default_rng(1), resamples=50)
    shared = np.random.default_rng(2).normal(size=(50, 2))[:, anew.topic]
    moved = replace(anew, deviations=anew.deviations + shared)
    assert moved.centres(anew.gain) == pytest.approx(anew.centres(anew.gain))


# --- the laws of the intervals -----------------------------------------------------------------------------


def test_the_order_of_the_rows_does_not_matter():
    judgments, runs = study(topics=3)
    shuffled = judgments.replaced(table=judgments.table.sample(fraction=1, shuffle=True, seed=3))
    for one, other in zip(frames(computed(judgments, runs)), frames(computed(shuffled, runs)), strict=True):
        assert one.equals(other)


def test_the_observed_means_are_the_scores_of_the_study():
    judgments, runs = study()
    expected = {(row.measure, row.run): row.value for row in score(gains(judgments), runs, MEASURES).means()}
    for name, result in computed(judgments, runs).items():
        for row in result.means().iter_rows(named=True):
            assert row["observed"] == pytest.approx(expected[name, row["run"]])
            assert row["low"] < row["mean"] < row["high"]
            assert row["target"] == "new_topics"
            assert row["topics"] == 6


def test_the_bias_of_a_run_is_a_share_of_its_scores():
    judgments, runs = study()
    for result in computed(judgments, runs).values():
        shares = result.bias / result.observed
        assert shares == pytest.approx(np.broadcast_to(shares[:, :1], shares.shape))


def test_these_topics_have_the_narrower_intervals():
    judgments, runs = study()
    for result in computed(judgments, runs).values():
        new, these = (result.means(target) for target in TARGETS)
        widths = [table["high"] - table["low"] for table in (these, new)]
        assert (widths[0] <= widths[1] + 1e-12).all()
        assert widths[0].sum() < widths[1].sum()
        assert these["mean"].equals(new["mean"])


def test_a_lower_level_gives_a_narrower_interval():
    judgments, runs = study(topics=3)
    result = computed(judgments, runs)["nDCG@5"]
    for target in TARGETS:
        wide, narrow = (result.means(target, level=level) for level in (0.95, 0.5))
        assert ((narrow["high"] - narrow["low"]) < (wide["high"] - wide["low"])).all()


def test_differences_are_those_of_the_means():
    judgments, runs = study()
    result = computed(judgments, runs)["nDCG@5"]
    means = {row["run"]: row for row in result.means().iter_rows(named=True)}
    for target in TARGETS:
        row = result.difference("good", "poor", target).row(0, named=True)
        back = result.difference("poor", "good", target).row(0, named=True)
        for name in ("observed", "mean"):
            assert row[name] == pytest.approx(means["good"][name] - means["poor"][name])
        assert (row["low"], row["high"]) == pytest.approx((-back["high"], -back["low"]))
        same = result.difference("good", "good", target).row(0, named=True)
        assert (same["low"], same["high"]) == (0, 0)


# --- degenerate cases --------------------------------------------------------------------------------------


def test_one_judgment_of_each_document_shows_no_noise():
    judgments, runs = study(judgments=1)
    alone = judgments.replaced(table=judgments.table.filter(pl.col("gold") == ""))
    result = computed(alone, runs)["nDCG@5"]
    assert result.single == 1
    new, these = (result.means(target) for target in TARGETS)
    assert these["low"].null_count() == these["high"].null_count() == 3
    assert new["mean"].to_list() == pytest.approx(new["observed"].to_list())
    assert new["low"].null_count() == 0


@pytest.mark.parametrize(("number", "expected"), [(1, 2), (3, 1), (6, 0)])
def test_few_judgments_have_a_notice(number, expected):
    judgments, runs = study(topics=2, judgments=number)
    assert len(computed(judgments, runs, ["nDCG@5"])["nDCG@5"].notices()) == expected


def test_the_notice_has_the_lowest_coverage_that_was_measured():
    page = Path(__file__).parents[2] / "docs/understanding/measurements/intervals.md"
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in page.read_text().splitlines()]
    heads = next(row for row in rows if "coverage" in row)
    for target in TARGETS:
        measured = [
            float(row[heads.index("coverage")])
            for row in rows
            if row[:1] == ["3"] and row[heads.index("target")] == target.replace("_", " ")
        ]
        assert round(min(measured)) == round(100 * COVERAGE[target])


def test_measures_keep_the_names_that_they_are_given():
    judgments, runs = study(topics=2)
    names = ["ndcg_cut_5", parse("nDCG@5")]
    assert list(computed(judgments, runs, names)) == [str(name) for name in names]


def test_one_topic_says_nothing_about_new_topics():
    judgments, runs = study(topics=1)
    result = computed(judgments, runs)["nDCG@5"]
    new, these = (result.means(target) for target in TARGETS)
    assert new["low"].null_count() == 3
    assert these["low"].null_count() == 0


def test_what_has_no_intervals():
    judgments, runs = study(topics=1)
    result = computed(judgments, runs)["nDCG@5"]
    with refused(OPTION):
        result.means("topics")
    with refused("level-out-of-bounds"):
        result.means(level=1)
    with refused("run-without-interval"):
        result.difference("good", "other")
    with refused("too-few-resamples-of-workers"):
        computed(judgments, runs, resamples=1)
    with refused("statistic-without-noise"):
        computed(judgments, runs, statistic="trimmed")


# --- known truth -------------------------------------------------------------------------------------------


def test_coverage_where_the_truth_is_known():
    """A short version of tests/benchmarks/coverage.py: the tolerance is that of 10 studies of 5 runs."""
    bank = Bank.draw(CAREFUL, 12, np.random.default_rng(2), judgments=40)
    for outcome in outcomes(bank, CAREFUL, 10, 4, seeds=range(10), resamples=40):
        error, observed = (outcome.mean - outcome.truth).mean(), (outcome.observed - outcome.truth).mean()
        assert abs(error) < 0.03
        assert observed < error
        assert outcome.coverage().mean() > 0.85


# --- the command -------------------------------------------------------------------------------------------

ROWS = [
    ("topic_id", "unit_id", "document_id", "relevance_score"),
    *(
        (topic, unit, document, f"{1 + 3 * place + int(unit)}")
        for topic in "12"
        for unit in "123"
        for place, document in enumerate("abcd")
    ),
]


def test_the_command_prints_what_the_library_computes(file, shell):
    file("\n".join(",".join(row) for row in ROWS) + "\n", "judgments.csv")
    for tag, order in (("up", "abcd"), ("down", "dcba")):
        lines = [
            f"{topic} Q0 {document} {rank} {-rank} {tag}\n"
            for topic in "12"
            for rank, document in enumerate(order)
        ]
        file("".join(lines), f"{tag}.run")
    words = ["--judgments", "judgments.csv", "--runs", "up.run", "down.run", "-m", "nDCG@2", "AP(rel=5)"]
    done = shell("intervals", *words, "--resamples", "30", "--seed", "7", "--format", "csv")
    printed = pl.read_csv(done.stdout.encode())
    results = system_intervals(
        "judgments.csv",
        ["up.run", "down.run"],
        ["nDCG@2", "AP(rel=5)"],
        rng=np.random.default_rng(7),
        resamples=30,
    )
    for measure, result in results.items():
        expected = pl.concat(result.means(target) for target in TARGETS)
        assert printed.filter(measure=measure).drop("measure").rows() == expected.rows()
    done = shell("intervals", *words, "--resamples", "30", "--baseline", "up", "--seed", "7")
    assert [line.split("\t")[:5] for line in done.stdout.splitlines()] == [
        [target, measure, "down", "up", "2"] for measure in results for target in TARGETS
    ]


@pytest.mark.parametrize(
    ("words", "named"),
    [(["-m", "nDGC@2"], "nDGC"), (["--baseline", "best"], "best"), (["--seed", "-1"], "-1")],
)
def test_what_the_command_refuses(file, shell, words, named):
    file("\n".join(",".join(row) for row in ROWS) + "\n", "judgments.csv")
    file("1 Q0 a 1 1 up\n", "up.run")
    done = shell("intervals", "--judgments", "judgments.csv", "--runs", "up.run", "-m", "nDCG@2", *words)
    assert done.returncode == 1
    assert named in done.stderr
    assert len(done.stderr.splitlines()) == 1


@pytest.mark.parametrize("statistic", ["trimmed", "model"])
def test_statistics_whose_noise_is_unknown_are_refused(statistic):
    judgments, runs = study(topics=2, judgments=2)
    with refused("statistic-without-noise"):
        computed(judgments, runs, statistic=statistic)
    with refused("statistic-without-noise"):
        estimate_pilot(judgments, rng=np.random.default_rng(1), statistic=statistic)
    with refused("statistic-without-noise"):
        estimate(judgments, normalise(judgments), statistic)
