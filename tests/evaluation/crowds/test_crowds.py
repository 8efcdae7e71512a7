"""The simulated crowds: what must hold in every study, and that the figures are those that were published."""

from dataclasses import replace

import numpy as np
import polars as pl
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from evaluation.crowds import (
    CAREFUL,
    CROWDS,
    GRADES,
    LEAST_SECONDS,
    POOR,
    TASTES,
    TYPICAL,
    draw_levels,
    draw_truth,
    draw_workers,
    favourite,
    inverted,
    simulate_study,
)
from evaluation.errors import InputError
from tests.benchmarks.fit_crowd import FIGURES, figures_of, measured, round_numbers

TOPICS = [{"N": 6, "M": 3, "R": 3, "H": 2, "": 7}] * 4


def study(crowd=TYPICAL, seed=1, topics=TOPICS, **options):
    rng = np.random.default_rng(seed)
    return simulate_study(draw_truth(topics, crowd, rng), crowd, rng, **options)


@pytest.mark.parametrize("crowd", CROWDS.values(), ids=CROWDS)
def test_the_state_of_the_generator_decides_everything(crowd):
    first, second, other = study(crowd), study(crowd), study(crowd, seed=2)
    assert first.judgments.table.equals(second.judgments.table)
    assert (first.seconds == second.seconds).all()
    assert not first.judgments.table.equals(other.judgments.table)


@settings(max_examples=15, deadline=None)
@example(pool=27, judgments=2, size=3, crowd="poor")  # a worker with equal numbers inverts them
@given(
    pool=st.integers(1, 30),
    judgments=st.integers(1, 6),
    size=st.integers(3, 9),
    crowd=st.sampled_from([*CROWDS]),
)
def test_what_holds_in_every_study(pool, judgments, size, crowd):
    """Every document has its judgments, H is above N, and nobody has a topic twice."""
    topics = [{"N": 1, "H": 1, "": pool}, {"N": 2, "H": 1, "": 3}]
    result = study(CROWDS[crowd], topics=topics, judgments_per_document=judgments, unit_size=size)
    table = result.judgments.table
    counts = table.filter(gold="").group_by("document_id").len()["len"]
    assert set(counts) == {judgments}
    assert len(counts) == pool + 4
    units = table.group_by("topic_id", "unit_id", "worker_id").agg(
        pl.col("relevance_score").filter(pl.col("gold") == mark).sum().alias(mark) for mark in "HN"
    )
    assert units.height == table["unit_id"].n_unique()
    assert (units["H"] > units["N"]).all()
    assert not units.select("topic_id", "worker_id").is_duplicated().any()
    assert not table.select("unit_id", "document_id").is_duplicated().any()
    assert (result.judgments.magnitudes > 0).all()
    assert len(result.seconds) == table.height
    assert result.seconds.min() >= LEAST_SECONDS


def test_a_given_plan_is_kept():
    rng = np.random.default_rng(1)
    truth = draw_truth([{"N": 2, "H": 2, "": 2}], TYPICAL, rng)
    documents = [place for place in range(6) if place not in (*truth.high, *truth.low)]
    plan = np.array([documents[:2], documents[1:3], [documents[0], -1]])
    table = simulate_study(truth, TYPICAL, rng, plan=plan, unit_size=4, workers=9).judgments.table
    found = table.filter(gold="").group_by("unit_id", maintain_order=True).agg("document_id")["document_id"]
    expected = [[truth.documents[place] for place in unit if place >= 0] for unit in plan]
    assert [sorted(unit) for unit in found] == [sorted(unit) for unit in expected]


@pytest.mark.parametrize(
    ("options", "code"),
    [
        ({"unit_size": 2}, "no-unit-to-simulate"),
        ({"judgments_per_document": 0}, "no-unit-to-simulate"),
        ({"workers": 3}, "too-few-simulated-workers"),
    ],
)
def test_what_cannot_be_simulated_is_refused(options, code):
    with pytest.raises(InputError) as refusal:
        study(**options)
    assert refusal.value.code == code


def test_a_crowd_that_cannot_tell_the_anchors_apart_is_refused():
    """Everybody gives every document the same number, so no unit passes."""
    with pytest.raises(InputError) as refusal:
        study(replace(CAREFUL, exponent=0.0, noise=0.0), topics=TOPICS[:1], judgments_per_document=1)
    assert refusal.value.code == "units-never-pass"


def test_units_pass_in_the_end_when_everybody_has_had_the_topic():
    result = study(POOR, workers=41, topics=TOPICS[:1])
    assert result.judgments.table["unit_id"].n_unique() == 40
    assert result.judgments.table.select("worker_id", "unit_id").unique()["worker_id"].is_unique().all()


def test_a_topic_without_an_anchor_is_refused():
    with pytest.raises(InputError) as refusal:
        draw_truth([{"N": 3, "R": 2}], TYPICAL, np.random.default_rng(1))
    assert refusal.value.code == "topic-without-anchor"


def test_workers_who_see_the_truth_give_it_back():
    """Without noise, lapses and deviations, normalised numbers differ from the truth by rounding alone."""
    exact = replace(
        CAREFUL, document_sigma=0, wrong_grades=0, exponent_sigma=0, noise=0, lapses=0, rounding=(0, 0, 1)
    )
    result = study(exact)
    ratios = result.judgments.table.join(
        result.truth.gains().table, on=["topic_id", "document_id"]
    ).with_columns(scale=(pl.col("relevance_score") / pl.col("gain")).log())
    assert ratios.group_by("unit_id").agg(pl.col("scale").std())["scale"].max() < 0.05
    assert result.failed_units < 0.03  # some workers are too fast


def test_levels_follow_the_grades_and_the_unknown_are_mostly_not_relevant():
    grade = np.repeat([-1, 0, 1, 2, 3], 4000)
    levels = draw_levels(grade, np.zeros(len(grade), dtype=bool), TYPICAL, np.random.default_rng(1))
    means = levels.reshape(5, -1).mean(axis=1)
    off = TYPICAL.wrong_grades / 2 * TYPICAL.levels[1]
    middle = np.array([0.1 * np.mean(TYPICAL.levels[1:]), off, *TYPICAL.levels[1:3], TYPICAL.levels[3] - off])
    assert means == pytest.approx(middle, abs=0.06)
    assert levels[grade == 1].std() == pytest.approx(
        np.hypot(0.8, TYPICAL.levels[1] * np.sqrt(0.12)), abs=0.04
    )


def test_documents_do_not_depend_on_the_crowd():
    truths = [draw_truth(TOPICS, crowd, np.random.default_rng(1)) for crowd in CROWDS.values()]
    assert all((truth.level == truths[0].level).all() for truth in truths)


def test_anchors_are_clear_and_their_grades_are_right():
    grade, sure = np.full(5000, GRADES.index("H")), np.ones(5000, dtype=bool)
    levels = draw_levels(grade, sure, TYPICAL, np.random.default_rng(1))
    assert levels.mean() == pytest.approx(TYPICAL.levels[3], abs=0.03)
    assert 0.4 < levels.std() / TYPICAL.document_sigma < 0.5
    assert np.abs(levels - TYPICAL.levels[3]).max() <= 0.75 * TYPICAL.document_sigma


# --- workers -----------------------------------------------------------------------------------------------


def test_workers_have_the_traits_of_their_crowd():
    workers = draw_workers(TYPICAL, 20000, np.random.default_rng(1))
    assert np.median(workers.location) == pytest.approx(TYPICAL.location, abs=0.03)
    assert np.median(workers.exponent) == pytest.approx(1, abs=0.02)
    assert np.log(workers.noise).std() == pytest.approx(TYPICAL.noise_sigma, abs=0.02)
    assert workers.lapses.mean() == pytest.approx(TYPICAL.lapses, abs=0.003)
    assert np.median(workers.lapses) < TYPICAL.lapses / 10
    assert (~workers.reads).mean() == pytest.approx(TYPICAL.spammers, abs=0.005)
    assert not workers.corrects[~workers.reads].any()


def test_workers_speed_up_and_wait_for_the_minimum_time():
    workers = draw_workers(TYPICAL, 4000, np.random.default_rng(1))
    progress = np.tile(np.linspace(0, 1, 8), (4000, 1))
    _, seconds = workers.judge(np.zeros((4000, 8)), progress, np.array(False), np.random.default_rng(2))
    means = seconds.mean(axis=0)
    assert (np.diff(means) < 0).all()
    assert means[[0, -1]] == pytest.approx([81, 47], rel=0.03)
    assert (seconds < LEAST_SECONDS).mean() < 0.005


@pytest.mark.parametrize("taste", range(len(TASTES)))
def test_favourite_numbers_are_near_and_short(taste):
    values = np.random.default_rng(1).lognormal(1.5, 2.5, 2000)
    tastes = np.full(len(values), taste)
    chosen = favourite(values, tastes)
    # Half of the widest step: from 1 to 2, or from 5 to 8.
    assert np.abs(np.log(chosen / values)).max() < 0.36
    assert all(len(f"{number:e}".split("e")[0].rstrip("0")) <= 3 for number in chosen)
    assert favourite(chosen, tastes) == pytest.approx(chosen, rel=1e-12)


@given(st.lists(st.integers(1, 50), min_size=2, max_size=9))
def test_inverting_keeps_the_numbers_and_turns_the_order_round(numbers):
    (result,) = inverted(np.array([numbers], dtype=float))
    assert sorted(result) == sorted(numbers)
    ahead = np.subtract.outer(numbers, numbers) * np.subtract.outer(result, result)
    assert (ahead <= 0).all()


# --- published figures -------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def means():
    """The mean of each figure over four studies, for each crowd."""
    names = [figure.name for figure in FIGURES]
    return {
        name: dict(zip(names, figures_of(crowd, 4).mean(axis=0), strict=True))
        for name, crowd in CROWDS.items()
    }


def test_the_typical_crowd_has_the_published_figures(means):
    """Sources in `evaluation.crowds.model`. Exceptions: 12 of 72 in the data, standard error .044."""
    typical = means["typical"]
    assert typical["order agreement with experts"] == pytest.approx(0.77, abs=0.02)
    assert typical["exceptions, share of adjacent cells"] == pytest.approx(0.167, abs=0.09)
    assert typical["residual SD of ln magnitude"] == pytest.approx(1.0, abs=0.06)
    assert typical["H/N of units, median"] == pytest.approx(5, abs=1.2)
    assert 0.05 < typical["units that fail a check"] < 0.11
    assert typical["magnitudes from 2 to 15"] > 0.5
    assert 0.01 < typical["magnitudes of 100 or more"] < 0.1
    assert 0 < typical["magnitudes of 1,000 or more"] < 0.02
    assert typical["mean seconds, first document"] == pytest.approx(81, rel=0.04)
    assert typical["mean seconds, last document"] == pytest.approx(47, rel=0.04)
    assert typical["units by spammers"] > 0


@pytest.mark.parametrize(
    "figure", ["residual SD of ln magnitude", "units that fail a check", "units by spammers"]
)
def test_careful_typical_and_poor_are_in_this_order(means, figure):
    assert means["careful"][figure] < means["typical"][figure] < means["poor"][figure]


def test_careful_crowds_agree_more(means):
    agreement = {name: figures["order agreement with experts"] for name, figures in means.items()}
    assert agreement["careful"] > agreement["poor"]


def test_round_numbers_are_as_frequent_as_in_rankme():
    """Of RankME's numbers from 20 to 130, 92 and 94 % are multiples of 10, and 98 and 99 % of 5."""
    tens, fives = round_numbers(measured(TYPICAL, 0).magnitudes)
    assert tens == pytest.approx(0.92, abs=0.08)
    assert fives == pytest.approx(0.98, abs=0.03)


def test_poor_crowds_let_more_spammers_through():
    assert study(POOR).spam_units > study(CAREFUL).spam_units == 0
