"""Plans of budgets: formulas on worked examples, laws, simulated studies, refusals and the command."""

import json
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from evaluation.crowds import CROWDS
from evaluation.errors import InputError
from evaluation.measures import parse
from evaluation.planning import (
    WAYS,
    Assumptions,
    Budgets,
    Pilot,
    Terms,
    assumed_pilot,
    estimate_pilot,
    plan_budgets,
)
from evaluation.planning.spending import _expected_tau
from evaluation.planning.variances import Variances
from evaluation.ranking import rank
from evaluation.sampling.inclusion import capped
from evaluation.sampling.linear import LinearMeasure
from tests.benchmarks import budgets as benchmark

SMALL = {"N": 8, "M": 4, "R": 4, "H": 4}


@pytest.fixture(scope="module")
def pilot() -> Pilot:
    rng = np.random.default_rng(1)
    judgments, runs = assumed_pilot(Assumptions(documents=SMALL, systems=6), rng, topics=8)
    return estimate_pilot(judgments, runs, rng=rng, measure="DCG@5")


def planned(pilot: Pilot, **options: Any) -> Budgets:
    return plan_budgets(pilot, **{"rng": np.random.default_rng(2), "times": 100, **options})


def test_the_variance_of_a_difference_is_a_sum_over_documents() -> None:
    """Two runs rank two documents in opposite orders, so the weights of each differ by 1 − 1/log2 3."""
    runs = {"one": {"401": {"a": 2, "b": 1}}, "two": {"401": {"a": 1, "b": 2}}}
    lists = rank({"401": {"a": 4.0, "b": 1.0}}, runs).lists
    levels = np.log(np.array([[4.0, 1.0]]))
    nobody = np.zeros(2, dtype=bool)
    pilot = Pilot(("401",), np.zeros(2, dtype=np.int64), nobody, np.array([-1.0, 1.0]), levels, "gmean")
    linear = LinearMeasure.of("DCG@2")
    variances = Variances.of(pilot, lists, linear, 6, np.random.default_rng(1))
    weight = 1 - 1 / np.log2(3)
    assert variances.influence == pytest.approx([weight, weight])
    assert variances.score == pytest.approx((4 + 1) * (1 + 1 / np.log2(3)) / 2)
    # The mean gain is 2.5, so both documents are 1.5 from it.
    assert variances.spread == pytest.approx([2.25, 2.25])
    # One judgment of ±1 in ln gain: the variance of the gain is (e − 1)·g².
    assert variances.complete(1) == pytest.approx(np.expm1(1) * np.array([16, 1]), rel=0.02)
    # Half of the documents with equal influence have the chance 1/2: (1 − ½)/½ · 2.25 + v/½.
    noise = variances.complete(1)
    assert variances.sampled(0.5, 1, 0.0) == pytest.approx(2.25 + noise / 0.5)
    assert variances.sampled(0.5, 1, 0.4) == pytest.approx(0.6 * 2.25 + noise / 0.5)
    assert variances.of_pairs(np.array([3.0, 5.0])) == pytest.approx(np.array([[8 * weight**2]]))


def test_judgments_are_shared_out_by_need_within_bounds() -> None:
    # With c = 4, 4·(1, 2, 0.5) is 4, 8 and 2, of which the last is raised to 3: the mean is 5.
    need = np.array([1.0, 2.0, 0.5])
    assert 100 * capped(need, 15 / 100, 3 / 100) == pytest.approx([4, 8, 3])
    assert 7 * capped(need, 15 / 7, 3 / 7) == pytest.approx([5, 7, 3])
    assert 7 * capped(np.zeros(3), 15 / 7, 3 / 7) == pytest.approx([5, 5, 5])


def test_the_expected_tau_is_the_mean_chance_of_the_right_order() -> None:
    # Φ(1) = .8413 for the first pair, and the others are certain: (2·.8413 − 1 + 1 + 1) / 3
    assert _expected_tau(np.array([[0.0, 1.0, 9.0]]), np.array([1.0, 0.0, 0.0])) == pytest.approx(
        (0.6827 + 2) / 3, abs=1e-4
    )


def test_every_way_has_its_budgets(pilot: Pilot) -> None:
    found = planned(pilot, topics=[1, 20], shares=[0.2, 0.5], judgments=[3, 6], explained=[0.3])
    table = found.to_polars()
    rows = table.select("way", "topics", "share", "judgments").rows()
    of_ways = {way: [row[2:] for row in rows if row[:2] == (way, 20)] for way in WAYS}
    assert of_ways["fixed"] == [(1.0, 3), (1.0, 6)]
    assert of_ways["adaptive"] == [(1.0, 6)], "an adaptive study starts with 3 judgments"
    assert of_ways["sampled"] == of_ways["predicted"] == [(0.2, 3), (0.2, 6), (0.5, 3), (0.5, 6)]
    assert table.filter(topics=1)["half_width_new_topics"].null_count() == len(rows) // 2
    assert planned(pilot).to_polars().filter(way="predicted").is_empty()


def test_costs_follow_from_the_terms(pilot: Pilot) -> None:
    found = planned(pilot, topics=[20], shares=[0.5], judgments=[3], terms=Terms(pay=2, fee=0.5, seconds=90))
    # 18 documents besides the anchors: half of them, 3 times, in units with 6 places, are 5 units per topic.
    budget = found.at("sampled", 20, 0.5, 3)
    assert (budget.documents, budget.units, budget.magnitudes) == (180, 100, 800)
    assert (budget.cost, budget.hours) == (300, 100 * 8 * 90 / 3600)


def test_a_model_costs_money_for_every_document_of_the_pool(pilot: Pilot) -> None:
    options: dict[str, Any] = {"topics": [20], "shares": [0.5], "judgments": [3], "explained": [0.5]}
    free, dear = (
        planned(pilot, **options, terms=Terms(pay=2, model_cost=money)).to_polars() for money in (0, 0.25)
    )
    added = (dear["cost"] - free["cost"]).to_list()
    # 18 documents besides the anchors in each of 20 topics
    assert added == [18 * 20 * 0.25 if way == "predicted" else 0 for way in dear["way"]]
    assert dear.drop("cost").equals(free.drop("cost"))


def test_the_cheapest_way_depends_on_the_cost_of_the_model(pilot: Pilot) -> None:
    found = planned(pilot, explained=[0.5])
    wanted = found.at("predicted", 18, 0.5, 5, 0.5).half_width
    for money, way in ((0.0, "predicted"), (10.0, "adaptive")):
        dear = planned(pilot, explained=[0.5], terms=Terms(pay=1, model_cost=money))
        reached = dear.reaching(wanted).budgets
        assert reached[0].way == way
        assert [budget.cost for budget in reached] == sorted(budget.cost for budget in reached)


def test_more_work_and_better_predictions_never_buy_less(pilot: Pilot) -> None:
    found = planned(pilot, shares=[0.1, 0.3, 0.6], judgments=[3, 5, 9], explained=[0.4])
    for way in ("sampled", "predicted"):
        known = 0.4 if way == "predicted" else None
        grid = [
            [found.at(way, 18, share, number, known) for number in (3, 5, 9)] for share in (0.1, 0.3, 0.6)
        ]
        for field, sign in (("half_width", 1), ("half_width_new_topics", 1), ("tau", -1), ("power", -1)):
            values = sign * np.array([[getattr(budget, field) for budget in row] for row in grid])
            assert (np.diff(values, axis=0) < 0).all(), field
            assert (np.diff(values, axis=1) < 0).all(), field
    for budget in found.budgets:
        assert budget.half_width < budget.half_width_new_topics
        if budget.way == "predicted":
            assert budget.half_width < found.at("sampled", 18, budget.share, budget.judgments).half_width
    assert found.at("adaptive", 18, 1.0, 9).half_width < found.at("fixed", 18, 1.0, 9).half_width
    again = planned(pilot, topics=[36], shares=[0.3], judgments=[5]).at("sampled", 36, 0.3, 5)
    assert again.half_width < found.at("sampled", 18, 0.3, 5).half_width


def test_a_sample_of_everything_is_a_fixed_study(pilot: Pilot) -> None:
    found = planned(pilot, shares=[1.0], judgments=[5], explained=[0.5])
    fixed, *others = (
        replace(budget, way="fixed", explained=None) for budget in found.budgets if budget.way != "adaptive"
    )
    assert others == [fixed, fixed]


def test_predictions_that_explain_everything_leave_the_noise_of_judgments(pilot: Pilot) -> None:
    quiet = replace(pilot, residuals=np.zeros(5))
    found = planned(quiet, shares=[0.2], judgments=[5], explained=[1.0])
    assert found.at("predicted", 18, 0.2, 5, 1.0).half_width == pytest.approx(0, abs=1e-9)
    assert found.at("fixed", 18, 1.0, 5).tau == pytest.approx(1)
    assert found.at("sampled", 18, 0.2, 5).half_width > 0.05


def test_half_widths_do_not_depend_on_the_unit_of_gains(pilot: Pilot) -> None:
    ten = replace(pilot, levels=pilot.levels + np.log(10))
    one, other = planned(pilot, judgments=[5]), planned(ten, judgments=[5])
    assert other.score == pytest.approx(10 * one.score)
    assert [b.half_width for b in other.budgets] == pytest.approx([b.half_width for b in one.budgets])


@pytest.mark.parametrize("target", ["these_topics", "new_topics"])
def test_the_cheapest_budget_that_reaches_a_half_width_comes_first(pilot: Pilot, target: Any) -> None:
    found = planned(pilot, explained=[0.3])
    wanted = found.at("sampled", 18, 0.5, 5).half_width_of(target)
    reached = found.reaching(wanted, target).budgets
    enough = [budget for budget in found.budgets if budget.half_width_of(target) <= wanted]
    assert sorted(reached, key=repr) == sorted(enough, key=repr)
    assert 0 < len(enough) < len(found.budgets)
    assert reached[0].units == min(budget.units for budget in enough)
    units = [budget.units for budget in reached]
    assert units == sorted(units)
    assert not found.reaching(1e-6, target).budgets


@pytest.mark.parametrize(
    ("options", "code"),
    [
        ({"topics": [0]}, "nothing-to-plan"),
        ({"judgments": []}, "nothing-to-plan"),
        ({"shares": [0.01]}, "share-of-documents-out-of-bounds"),
        ({"shares": [1.5]}, "share-of-documents-out-of-bounds"),
        ({"shares": []}, "share-of-documents-out-of-bounds"),
        ({"explained": [1.2]}, "explained-out-of-bounds"),
        ({"explained": [0.1, float("nan")]}, "explained-out-of-bounds"),
        ({"difference": 0}, "difference-out-of-bounds"),
        ({"times": 1}, "too-few-simulated-draws"),
    ],
)
def test_budgets_that_cannot_be_planned_are_refused(pilot: Pilot, options: dict[str, Any], code: str) -> None:
    with pytest.raises(InputError) as caught:
        planned(pilot, **options)
    assert caught.value.code == code


def test_pilots_without_runs_or_with_other_measures_are_refused(pilot: Pilot) -> None:
    for other, code in (
        (replace(pilot, lists=None, measure=None), "budgets-without-runs"),
        (replace(pilot, measure=parse("nDCG@5")), "measure-not-linear"),
    ):
        with pytest.raises(InputError) as caught:
            planned(other)
        assert caught.value.code == code
    for width in (0, -1, float("nan"), float("inf")):
        with pytest.raises(InputError) as caught:
            planned(pilot).reaching(width)
        assert caught.value.code == "half-width-out-of-bounds"


def test_plans_hold_in_simulated_studies() -> None:
    """A short version of the benchmark, with real samples, estimates and crowds. The pilot is large."""
    rows = benchmark.compared(
        CROWDS["careful"], range(10), pilot=(18, 10), cells=benchmark.SHORT, systems=10, reference=40
    )
    for row in rows:
        assert row["planned"] == pytest.approx(row["real"], rel=0.35), row
        assert row["planned_tau"] == pytest.approx(row["real_tau"], abs=0.1), row


def test_the_command_compares_ways_and_names_the_cheapest(shell: Any) -> None:
    assumed = ("--crowd", "careful", "--systems", "5", "--documents", "N=8", "M=4", "R=4", "H=4")
    common = (
        "plan",
        *assumed,
        "--judgments",
        "5",
        "--shares",
        ".3",
        "--explained",
        ".25",
        "--format",
        "json",
    )
    rows = json.loads(shell(*common, "--pay", "2").stdout)
    assert [row["way"] for row in rows] == list(WAYS)
    assert {row["topics"] for row in rows} == {18}
    assert rows[0]["cost"] == 2 * rows[0]["units"]
    dear = json.loads(shell(*common, "--pay", "2", "--model-cost", ".5").stdout)
    # 18 topics with 18 documents besides the anchors
    assert dear[-1]["cost"] == rows[-1]["cost"] + 18 * 18 * 0.5
    assert dear[:-1] == rows[:-1]
    widths = {row["way"]: row["half_width"] for row in rows}
    wanted = ("--half-width", str(widths["predicted"] + 1e-9))
    best, *_ = json.loads(shell(*common, *wanted).stdout)
    assert best["way"] == "predicted"
    none = shell(*common, "--half-width", ".00001")
    assert (json.loads(none.stdout), none.returncode, bool(none.stderr)) == ([], 0, True)
    for wrong in (
        ("plan", "--half-width", ".1"),
        ("plan", "--explained", ".1"),
        ("plan", "--model-cost", ".1"),
        (*common, "--model-cost", "-1"),
        (*common, "--tau", ".9"),
        (*common, "-m", "nDCG@10"),
    ):
        refused = shell(*wrong)
        assert (refused.returncode, refused.stderr.count("\n")) == (1, 1)
