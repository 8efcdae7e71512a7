"""Resampling by plain loops and by arrays, the same whatever the processes; and simulated systems."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.comparison import tau_b
from evaluation.comparison.resampling import resample, taus_with
from evaluation.comparison.simulated import simulate_systems
from evaluation.frames import Gains, Judgments
from evaluation.magnitudes import gains, normalise
from evaluation.measures import parse
from evaluation.measures.many_gains import values_of_many
from evaluation.ranking import rank
from evaluation.runs import Run
from evaluation.scores import score
from tests.evaluation.refusals import refused

DOCUMENTS, WORKERS, TOPICS = 12, 4, 3
LINEAR = ["CG@5", "DCG@5", "nCG@5", "nDCG@5", "SR@5", "MSR@5", 'nDCG(discount="jk", base=2)@3', "nDCG@50"]
OTHERS = [
    *("nDCG", "AP", 'ERR(gmax="file")@5', 'nDCG(gain="exp")@5'),
    *('nDCG(ideal="retrieved")@5', 'nDCG(adjust="agr")@5'),
]


def generator(seed=1):
    return np.random.default_rng(seed)


def study(systems=6):
    """Magnitudes of three topics by four workers, and runs of falling quality."""
    rng, rows, runs = generator(), [], []
    truth = {(t, d): rng.lognormal() for t in range(TOPICS) for d in range(DOCUMENTS)}
    for (topic, document), value in truth.items():
        for worker in range(WORKERS):
            rows.append((f"t{topic}", f"u{worker}", f"d{document:02}", value * rng.lognormal(0, 0.6)))
    for system in range(systems):
        results = {pair: value * rng.lognormal(0, 0.3 + system / 4) for pair, value in truth.items()}
        kept = sorted(results, key=results.get, reverse=True)[:30]
        columns = zip(*((f"t{t}", f"d{d:02}", results[t, d]) for t, d in kept), strict=True)
        runs.append(Run.from_columns(f"r{system}", *columns))
    judgments = Judgments.from_columns(*zip(*rows, strict=True))
    return judgments, normalise(judgments), runs


# --- many assignments of gains -----------------------------------------------------------------------------


@pytest.mark.parametrize("name", [*LINEAR, *OTHERS])
def test_values_of_many_are_the_values_of_each(name):
    judgments, normalized, runs = study()
    lists, measure = rank(gains(judgments, normalized), runs).lists, parse(name)
    many = generator().exponential(size=(7, len(lists.topic)))
    many[3, lists.topic == 1] = 0  # a topic without any gain has no value
    result = values_of_many(measure, lists)(many)
    each = np.stack([measure.values(lists.with_gains(row)) for row in many])
    assert result == pytest.approx(each, abs=1e-12, nan_ok=True)
    assert np.isnan(result[3, :, 1]).all()
    assert np.isnan(result).sum() == len(runs)


# --- τ of many rankings ------------------------------------------------------------------------------------

RANKING = st.lists(st.integers(0, 3), min_size=5, max_size=5)


@given(fixed=RANKING, others=st.lists(RANKING, min_size=1, max_size=6))
def test_taus_with_is_tau_b_of_each(fixed, others):
    # Values that differ by less than a tie do not count as different.
    means = np.array(others) + generator().uniform(0, 1e-13, size=(len(others), 5))
    expected = [tau_b(fixed, row) for row in means]
    result = taus_with(np.array(fixed, dtype=float), means)
    assert result == pytest.approx([np.nan if tau is None else tau for tau in expected], nan_ok=True)


# --- resampling --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["nDCG@5", 'ERR(gmax="topic")@5'])
def test_each_draw_takes_one_magnitude_of_each_document(name):
    judgments, normalized, runs = study()
    resampled = resample(judgments, normalized, runs, name, rng=generator(), times=300)
    medians = score(gains(judgments, normalized), runs, [name])
    assert resampled.reference.tolist() == pytest.approx([row.value for row in medians.means()])
    by_document = {}
    for (topic, _, document, _), value in zip(judgments.table.iter_rows(), normalized, strict=True):
        by_document.setdefault((topic, document), []).append(value)
    # The same dice as in the first chunk of 250, thrown for the documents in the order of their ids.
    rng = generator().spawn(2)[0].random((250, len(by_document)))
    for draw in (0, 249):
        drawn = {
            pair: sorted(values)[int(rng[draw, place] * len(values))]
            for place, (pair, values) in enumerate(sorted(by_document.items()))
        }
        sampled = Gains.from_columns(*zip(*((*pair, value) for pair, value in drawn.items()), strict=True))
        means = [row.value for row in score(sampled, runs, [name]).means()]
        assert resampled.means[draw].tolist() == pytest.approx(means, abs=1e-12)
        assert resampled.taus[draw] == pytest.approx(tau_b(resampled.reference, means))
    assert resampled.taus.shape == (300,)
    assert resampled.taus.std() > 0


def test_the_reference_may_be_known_grades():
    judgments, normalized, runs = study()
    medians = gains(judgments, normalized)
    grades = Gains.from_columns(
        medians.table["topic_id"], medians.table["document_id"], (medians.values > 1).astype(float)
    )
    resampled = resample(judgments, normalized, runs, "nDCG@5", rng=generator(), reference=grades, times=10)
    assert resampled.reference.tolist() == pytest.approx(
        [r.value for r in score(grades, runs, ["nDCG@5"]).means()]
    )


def test_only_topics_that_both_judge_are_compared():
    judgments, normalized, runs = study()
    medians = gains(judgments, normalized).table
    others = [("t1", "d01", 1.0), ("t9", "d01", 1.0)]
    grades = Gains.from_columns(*zip(*others, strict=True))
    resampled = resample(judgments, normalized, runs, "nDCG@5", rng=generator(), reference=grades, times=3)
    alone = score(Gains.from_columns(*zip(others[0], strict=True)), runs, ["nDCG@5"])
    assert resampled.reference.tolist() == pytest.approx([row.value for row in alone.means()])
    assert medians["topic_id"].n_unique() == TOPICS
    with refused("reference-of-other-topics"):
        resample(
            *(judgments, normalized, runs, "nDCG@5"),
            rng=generator(),
            reference=Gains.from_columns(*zip(others[1], strict=True)),
        )


@pytest.mark.slow
def test_the_same_dice_give_the_same_draws_whatever_the_processes():
    judgments, normalized, runs = study()
    results = []

    def draws(seed, processes=1):
        return resample(
            judgments,
            normalized,
            runs,
            "nDCG@5",
            rng=generator(seed),
            times=520,
            processes=processes,
            progress=lambda done, total: results.append((done, total)),
        ).means

    one = draws(1)
    assert results == [(250, 520), (500, 520), (520, 520)]
    assert (one == draws(1, processes=2)).all()
    assert results[3:] == results[:3]
    assert (one != draws(2)).any()


def test_one_judgment_a_document_leaves_nothing_to_chance():
    judgments, _, runs = study()
    single = Judgments.from_columns(*judgments.table.filter(judgments.table["unit_id"] == "u1").get_columns())
    resampled = resample(single, normalise(single), runs, "nDCG@5", rng=generator(), times=5)
    assert resampled.taus.tolist() == [1] * 5


def test_what_cannot_be_resampled():
    judgments, normalized, runs = study()
    with refused("too-few-runs", "1"):
        resample(judgments, normalized, runs[:1], "nDCG@5", rng=generator(), times=10)
    with refused("too-few-draws", "0"):
        resample(judgments, normalized, runs, "nDCG@5", rng=generator(), times=0)


# --- simulated systems -------------------------------------------------------------------------------------


def graded_to(depths):
    """Runs r0, r1, … whose lists for topics t0, t1, … are graded to the given depths, of 4 documents each."""
    grades, runs = [], []
    for system, row in enumerate(depths):
        ranked = []
        for topic, depth in enumerate(row):
            for place in range(4):
                document = f"r{system}-{place}"
                ranked.append((f"t{topic}", document, -place))
                if place < depth:
                    grades.append((f"t{topic}", document, float((system + place) % 3)))
        runs.append(Run.from_columns(f"r{system}", *zip(*ranked, strict=True)))
    return Gains.from_columns(*zip(*grades, strict=True)), runs


def test_only_complete_lists_of_kept_topics_are_drawn():
    # To depth 3 topic t0 has the lists of r0 and r2, t1 that of r1 alone, t2 all three.
    grades, runs = graded_to([[3, 2, 4], [0, 3, 3], [4, 1, 3]])
    result = simulate_systems(grades, runs, rng=generator(), systems=60, depth=3)
    assert result.topics == ("t0", "t2")
    assert result.complete == (2, 3)
    assert [set(column) for column in result.picks.T.tolist()] == [{0, 2}, {0, 1, 2}]
    assert result.names[0] == "simulated-01"
    scores = score(grades, runs, ["nDCG@3", "P@1"])
    simulated = result.scores(scores)
    assert simulated.values.shape == (60, 2, 2)
    for system, picks in enumerate(result.picks):
        assert simulated.values[system, 0].tolist() == scores.values[picks[0], 0].tolist()
        assert simulated.values[system, 1].tolist() == scores.values[picks[1], 2].tolist()


def test_the_same_dice_give_the_same_systems():
    grades, runs = graded_to([[3, 3], [3, 3], [3, 3]])
    one, two, other = (
        simulate_systems(grades, runs, rng=generator(seed), depth=3).picks for seed in (1, 1, 2)
    )
    assert (one == two).all()
    assert (one != other).any()
    assert one.shape == (100, 2)


def test_what_cannot_be_simulated():
    grades, runs = graded_to([[3, 2], [2, 3]])
    with refused("no-complete-lists", "3"):
        simulate_systems(grades, runs, rng=generator(), depth=3)
    result = simulate_systems(grades, runs, rng=generator(), depth=2)
    for name in ("nDCG@3", "AP"):
        with refused("measure-below-depth", name, "2"):
            result.scores(score(grades, runs, [name]))
    with refused("scores-of-other-runs"):
        result.scores(score(grades, runs[:1], ["P@1"]))
    with refused("too-few-simulated-systems", "0"):
        simulate_systems(grades, runs, rng=generator(), systems=0)
