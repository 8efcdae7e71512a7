"""The planner: its parts on worked examples and known truth, its laws, its refusals and its command."""

import json
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from evaluation.crowds import CAREFUL, CROWDS, POOR, TYPICAL, draw_truth, simulate_study
from evaluation.errors import InputError
from evaluation.frames import Judgments
from evaluation.magnitudes import gains
from evaluation.planning import (
    Assumptions,
    Pilot,
    Terms,
    assumed_pilot,
    estimate_pilot,
    grades_like,
    plan,
)
from evaluation.planning.assumptions import DOCUMENTS, simulate_runs
from evaluation.planning.deconvolution import level_draws
from evaluation.planning.pilot import cross_topic_variance
from evaluation.planning.spending import plan_budgets
from evaluation.runs import Run
from evaluation.scales import scale_named
from tests.benchmarks import planning as benchmark

TINY = {"N": 5, "M": 3, "R": 2, "H": 2}


def a_pilot(assumptions: Assumptions | None = None, *, seed: int = 1) -> tuple[Judgments, list[Run]]:
    assumed = assumptions or Assumptions(documents=TINY, systems=8)
    return assumed_pilot(assumed, np.random.default_rng(seed), topics=6)


@pytest.fixture(scope="module")
def pilot() -> Pilot:
    return estimate_pilot(*a_pilot(), rng=np.random.default_rng(2))


def planned(pilot: Pilot, **options: Any) -> Any:
    return plan(pilot, **{"rng": np.random.default_rng(3), "times": 100, **options})


def test_what_topics_share_is_the_product_of_deviations_in_different_topics() -> None:
    # Deviations are ±1 in the first topic and ±3 in the second: (1·3 + 3·1 + 1·3 + 3·1) / (2·1·1) = 6
    assert cross_topic_variance(np.array([[2.0, 6.0], [0.0, 0.0]])) == pytest.approx(6)
    # A system that wins one topic and loses the other by as much: −(1 + 1 + 1 + 1) / 2
    assert cross_topic_variance(np.array([[2.0, 0.0], [0.0, 2.0]])) == pytest.approx(-2)


def test_noise_in_topics_does_not_add_to_what_they_share() -> None:
    rng = np.random.default_rng(4)
    skill = rng.normal(size=(300, 30, 1))
    found = [cross_topic_variance(scores) for scores in skill + rng.normal(scale=2, size=(300, 30, 5))]
    assert np.mean(found) == pytest.approx(1, abs=0.05)


def test_drawn_levels_spread_as_far_as_true_levels() -> None:
    rng = np.random.default_rng(5)
    true = np.where(rng.random(500) < 0.7, 0.0, 1.5) + rng.normal(scale=0.1, size=500)
    measured = true + rng.normal(scale=0.6, size=500)
    drawn = level_draws(measured, np.full(500, 0.6), rng, number=40)
    assert measured.std() > true.std() + 0.15
    assert drawn.std() == pytest.approx(true.std(), abs=0.05)
    assert np.corrcoef(drawn.mean(axis=0), true)[0, 1] > np.corrcoef(measured, true)[0, 1]


def test_levels_without_noise_stay_and_equal_levels_have_no_spread() -> None:
    rng = np.random.default_rng(6)
    measured = np.linspace(0, 3, 30)
    assert level_draws(measured, np.zeros(30), rng, number=5) == pytest.approx(
        np.tile(measured, (5, 1)), abs=0.06
    )
    assert (level_draws(np.ones(4), np.ones(4), rng, number=2) == 1).all()


def test_noise_and_spread_are_those_of_the_crowd() -> None:
    """Without what the crowd adds to its noise, the noise is the stated one; the spread is that of levels."""
    plain = replace(
        CAREFUL,
        noise=0.5,
        noise_sigma=0,
        lapses=0,
        exponent_sigma=0,
        location_sigma=0,
        rounding=(0, 0, 1),
        corrections=1.0,
    )
    judgments, _ = a_pilot(Assumptions(plain, documents={"N": 30, "H": 30}))
    pilot = estimate_pilot(
        judgments, rng=np.random.default_rng(1), normalized=judgments.magnitudes.astype(float)
    )
    others = np.sqrt(plain.document_sigma**2 + (plain.levels[3] / 2) ** 2)
    assert pilot.noise == pytest.approx(0.5, abs=0.05)
    assert pilot.spread == pytest.approx(others, abs=0.1)


def test_a_median_of_many_judgments_has_the_noise_of_theory() -> None:
    residuals = np.sort(np.random.default_rng(7).normal(scale=0.7, size=20_000))
    zero = np.zeros((300, 20))
    pilot = Pilot(("1",), np.zeros(20, dtype=np.int64), np.zeros(20, dtype=bool), residuals, zero, "median")
    rng = np.random.default_rng(8)
    for judgments, spread in ((1, 0.7), (25, 0.7 * np.sqrt(np.pi / 2 / 25))):
        assert pilot.judged(judgments, rng).std() == pytest.approx(spread, rel=0.04)
    means = replace(pilot, statistic="gmean").judged(9, rng)
    assert means.std() == pytest.approx(0.7 / 3, rel=0.04)


def test_more_work_never_predicts_less(pilot: Pilot) -> None:
    found = planned(pilot, topics=[4, 40], judgments=[1, 12], terms=Terms(pay=2, fee=0.5, seconds=90))
    small, few_topics, few_judgments, large = (
        found.at(t, j) for t, j in ((4, 1), (4, 12), (40, 1), (40, 12))
    )
    assert small.factor == few_judgments.factor > large.factor == few_topics.factor > 1
    assert small.tau.mean < few_topics.tau.mean < large.tau.mean
    assert small.tau_topics.mean < few_judgments.tau_topics.mean < large.tau_topics.mean
    assert small.power < few_judgments.power < large.power <= 1
    for prediction in found.predictions:
        assert prediction.tau.low <= prediction.tau.mean <= prediction.tau.high <= 1
        assert prediction.tau_replicate.mean < prediction.tau.mean
    # 40 topics with 10 documents each: 40 · ⌈12 · 10 / 6⌉ = 800 units
    assert (large.units, large.magnitudes, large.documents) == (800, 6400, 400)
    assert (large.cost, large.hours) == (800 * 3, 800 * 8 * 90 / 3600)


def test_the_order_of_rows_does_not_matter() -> None:
    judgments, runs = a_pilot()
    rng = np.random.default_rng(1)
    expected = planned(estimate_pilot(judgments, runs, rng=np.random.default_rng(1)), topics=[5]).to_polars()
    shuffled = judgments.replaced(table=judgments.table[rng.permutation(len(judgments.table))])
    found = planned(estimate_pilot(shuffled, runs, rng=np.random.default_rng(1)), topics=[5]).to_polars()
    assert found.equals(expected)


def test_a_pilot_without_runs_predicts_intervals_alone() -> None:
    judgments, _ = a_pilot()
    found = planned(estimate_pilot(judgments, rng=np.random.default_rng(1)), topics=[5], judgments=[3])
    (prediction,) = found.predictions
    assert prediction.factor > 1
    assert prediction.tau is prediction.tau_replicate is prediction.tau_topics is prediction.power is None
    assert found.to_polars()["tau"].to_list() == [None]


def test_goals_leave_what_reaches_them_with_the_least_work_first(pilot: Pilot) -> None:
    found = planned(pilot, topics=[4, 10, 30], judgments=[1, 5, 12])
    goal = found.at(10, 5).tau.mean
    reached = found.reaching(tau=goal, factor=found.at(4, 5).factor)
    assert {(p.topics, p.judgments) for p in reached.predictions} >= {(10, 5), (30, 5), (30, 12)}
    units = [p.units for p in reached.predictions]
    assert units == sorted(units)
    assert not found.reaching(factor=1.0001).predictions


@pytest.mark.parametrize(
    ("goal", "code"),
    [
        ({"tau": 1.5}, "goal-out-of-bounds"),
        ({"power": 0}, "goal-out-of-bounds"),
        ({"factor": 1}, "factor-too-small"),
        ({"margin": 0}, "margin-too-small"),
    ],
)
def test_impossible_goals_are_refused(pilot: Pilot, goal: dict[str, float], code: str) -> None:
    with pytest.raises(InputError) as caught:
        planned(pilot, topics=[4], judgments=[1]).reaching(**goal)
    assert caught.value.code == code


def test_a_poor_crowd_needs_more(pilot: Pilot) -> None:
    poor = estimate_pilot(
        *a_pilot(Assumptions(POOR, documents=TINY, systems=8)), rng=np.random.default_rng(2)
    )
    good = estimate_pilot(
        *a_pilot(Assumptions(CROWDS["careful"], documents=TINY, systems=8)), rng=np.random.default_rng(2)
    )
    sizes: dict[str, Any] = {"topics": [10], "judgments": [5]}
    assert planned(poor, **sizes).at(10, 5).factor > planned(good, **sizes).at(10, 5).factor
    assert planned(poor, **sizes).at(10, 5).tau.mean < planned(good, **sizes).at(10, 5).tau.mean


@pytest.mark.parametrize("documents", [4, 10, 40, 99])
def test_grades_keep_their_proportions(documents: int) -> None:
    grades = grades_like(documents)
    assert sum(grades.values()) == documents
    assert min(grades[grade] for grade in DOCUMENTS if grade) >= 1
    assert documents != 40 or grades == DOCUMENTS


def test_what_cannot_be_planned_is_refused(pilot: Pilot) -> None:
    judgments, runs = a_pilot()
    once = judgments.replaced(table=judgments.table.unique(["topic_id", "document_id"]))
    rng = np.random.default_rng(1)
    refused = {
        "statistic-without-noise": lambda: estimate_pilot(judgments, rng=rng, statistic="trimmed"),
        "pilot-without-repeated-judgments": lambda: estimate_pilot(once, rng=rng),
        "pilot-too-small-for-systems": lambda: estimate_pilot(judgments, runs[:1], rng=rng),
        "nothing-to-plan": lambda: planned(pilot, topics=[0]),
        "difference-out-of-bounds": lambda: planned(pilot, difference=0),
        "too-few-simulated-draws": lambda: planned(pilot, times=1),
        "amount-out-of-bounds": lambda: Terms(model_cost=-1),
        "unit-without-documents": lambda: Terms(unit_size=2),
        "too-few-runs": lambda: Assumptions(systems=1),
        "too-few-documents-to-plan": lambda: grades_like(3),
    }
    for code, call in refused.items():
        with pytest.raises(InputError) as error:
            call()
        assert error.value.code == code


def test_predictions_of_known_studies_hold() -> None:
    """A short version of the benchmark: crowds that nothing was fitted to, and systems of another model."""
    found = [
        benchmark.outcome(crowd, [3, place], pilot=(6, 5), planned=(10, 5), again=3, many=40)
        for place, crowd in enumerate(benchmark.CROWDS)
    ]
    of_truth = benchmark.summary(found)
    assert of_truth["predicted"] == pytest.approx(of_truth["real"], abs=0.05)
    assert of_truth["covered"] >= 0.7
    for one in found:
        assert one.predicted.factor == pytest.approx(one.factor, rel=0.25)


def test_the_command_plans_from_a_pilot_and_from_assumptions(shell: Any, tmp_path: Any) -> None:
    judgments, runs = a_pilot()
    judgments.table.write_csv(tmp_path / "pilot.csv")
    for run in runs:
        lines = (f"{t} Q0 {d} 0 {s} {run.tag}\n" for t, d, s in run.table.iter_rows())
        (tmp_path / f"{run.tag}.run").write_text("".join(lines))
    files = sorted(path.name for path in tmp_path.glob("*.run"))
    sizes = ("--topics", "5", "--judgments", "3", "--format", "json")
    (row,) = json.loads(shell("plan", "pilot.csv", "--runs", *files, *sizes, "--pay", "2").stdout)
    assert (row["topics"], row["judgments"], row["cost"]) == (5, 3, 2 * row["units"])
    assert row["tau_low"] <= row["tau"] <= row["tau_high"]
    assert json.loads(shell("plan", "pilot.csv", *sizes).stdout)[0]["tau"] is None
    (assumed,) = json.loads(shell("plan", "--crowd", "poor", "--documents", "N=6", "H=3", *sizes).stdout)
    assert assumed["documents"] == 5 * (9 - 2)
    for wrong in (("pilot.csv", "--crowd", "poor"), ("--runs", files[0]), ("--seed", "-1")):
        assert shell("plan", *wrong).returncode == 1


@pytest.mark.parametrize("scale", ["0-100", "grades", "preference"])
def test_other_scales_are_planned_in_their_own_terms(scale: str) -> None:
    """The width of gains holds in new studies by the same crowd, and more judgments make plans better."""
    rng = np.random.default_rng(1)
    truth = draw_truth([{"N": 6, "M": 4, "R": 3, "H": 3, "": 10}] * 5, TYPICAL, rng)
    runs = simulate_runs(truth, 6, (0.5, 1.5), rng)

    def judged(number: int) -> Judgments:
        return simulate_study(truth, TYPICAL, rng, judgments_per_document=number, scale=scale).judgments

    parts = estimate_pilot(judged(6), runs, rng=rng)
    found = planned(parts, topics=[5], judgments=[4, 12])
    few, many = found.at(5, 4), found.at(5, 12)
    assert few.tau is not None
    assert many.tau is not None
    assert few.tau.mean < many.tau.mean
    has_ratios = scale_named(scale).gains_have_ratios(parts.statistic)
    assert (few.factor is None, few.margin is None) == (not has_ratios, has_ratios)
    of_both = [found.reaching(**{name: 1000.0}).predictions for name in ("factor", "margin")]
    assert [len(reached) for reached in of_both] == ([2, 0] if has_ratios else [0, 2])
    if not has_ratios:
        assert found.reaching(margin=many.margin).predictions == (many,)
    true = gains(judged(60)).values
    errors = [gains(judged(4)).values for _ in range(3)]
    away = np.concatenate([np.log(one / true) if has_ratios else one - true for one in errors])
    real = np.diff(np.quantile(away, (0.025, 0.975)))[0] / 2
    width = np.log(few.factor) if has_ratios else few.margin
    assert width == pytest.approx(real, rel=0.4)
    budgets = plan_budgets(
        estimate_pilot(judged(6), runs, rng=rng, measure="DCG@5"), rng=rng, topics=[5], judgments=[4, 12]
    )
    assert budgets.at("fixed", 5, 1.0, 12).half_width < budgets.at("fixed", 5, 1.0, 4).half_width
