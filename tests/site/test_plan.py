"""The page “Plan”: from assumptions before anybody has judged, and from the judgments of a pilot."""

import json
import re
from dataclasses import replace
from typing import Any

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from evaluation.crowds import CROWDS
from evaluation.planning import TOPICS, WAYS, Pilot, Plan, plan
from judging.models import PoolDocument, Report, ReportKind, Study
from judging.protocol.estimates import estimate
from judging.setup.estimating import terms_of
from judging.site.plan_forms import CROWD_NAMES
from judging.understanding.reports import plans
from tests.factories import judge_unit, later, make_study, make_worker
from tests.understanding.conftest import judged
from tests.understanding.reading import make

PLAN = "/console/studies/first/plan/"


def charts_of(page: str) -> list[str]:
    return re.findall(r'<figure class="chart" id="([\w-]+)"', page)


@pytest.fixture
def pilot(db: None) -> Study:
    study = make_study(slug="first", topics=2, judgments_per_document=3)
    for _ in range(3):
        worker = make_worker(study)
        for unit in range(2):
            judge_unit(worker, now=later(minutes=30 * unit))
    return study


def test_the_crowds_of_the_page_are_those_of_the_library() -> None:
    assert set(plans.CROWDS) == set(CROWDS) == set(CROWD_NAMES)


def test_a_study_without_judgments_is_planned_from_assumptions(console: Client, db: None) -> None:
    study = make_study(slug="first", opened=False)
    page = console.get(PLAN).content.decode()
    assert charts_of(page) == ["plan-cost", "plan-replicate", "plan-power", "plan-factor", "plan-budgets"]
    content = plans.assumed_content("poor", 20, 10, 0.1)
    assert content["systems"] == 10
    asked = console.get(f"{PLAN}?crowd=poor&documents=20&systems=10&difference=0.1")
    assert asked.context["plan"] == content
    cost = asked.context["charts"][0].rows[0][3]
    terms = terms_of(study)
    first = content["predictions"][0]
    expected = estimate([20] * first["topics"], type(terms)(**{**vars(terms), "judgments_per_document": 1}))
    assert cost == float(expected.total)


def test_a_plan_and_its_costs_have_the_same_documents(monkeypatch: pytest.MonkeyPatch) -> None:
    pilots: list[Pilot] = []

    def noted(pilot: Pilot, **options: Any) -> Plan:
        pilots.append(pilot)
        return plan(pilot, **options)

    monkeypatch.setattr("evaluation.planning.plan", noted)
    plans.assumed_content("careful", 17, 3, 0.1)
    assert [pilot.documents for pilot in pilots] == [17], "the anchors come on top"


@pytest.mark.parametrize("asked", [{"crowd": "none"}, {"crowd": "poor", "systems": "1"}])
def test_invalid_assumptions_are_refused(console: Client, db: None, asked: dict[str, str]) -> None:
    make_study(slug="first", opened=False)
    answer = console.get(PLAN, asked)
    assert answer.status_code == 400
    assert charts_of(answer.content.decode()) == []


def test_the_cheapest_size_that_reaches_the_goals_is_named(console: Client, db: None) -> None:
    make_study(slug="first", opened=False, pay_per_unit="0.20")
    query = {"crowd": "careful", "documents": "20", "systems": "10", "difference": "0.1"}
    asked = console.get(PLAN, {**query, "tau": "0.8", "power": "50", "factor": "2.5"})
    rows = plans.assumed_content("careful", 20, 10, 0.1)["predictions"]
    reached = [row for row in rows if row["tau"][0] >= 0.8 and row["power"] >= 0.5 and row["factor"] <= 2.5]
    reaching = asked.context["reaching"]
    assert sorted((size.row["topics"], size.row["judgments"]) for size in reaching) == sorted(
        (row["topics"], row["judgments"]) for row in reached
    )
    costs = [size.estimate.total for size in reaching]
    assert costs == sorted(costs)
    page = asked.content.decode()
    assert f'data-reaching="{len(reached)}"' in page
    assert f'data-topics="{reaching[0].row["topics"]}"' in page
    marked = [row for row in asked.context["charts"][0].rows if row[-1]]
    assert len(marked) == len(reached)
    for name, value in query.items():
        assert f'<input type="hidden" name="{name}" value="{value}">' in page, "the other form keeps it"


def test_goals_out_of_reach_and_out_of_bounds(console: Client, db: None) -> None:
    make_study(slug="first", opened=False)
    none = console.get(PLAN, {"crowd": "poor", "factor": "1.01"})
    assert 'data-reaching="0"' in none.content.decode()
    assert none.context["reaching"] == []
    refused = console.get(PLAN, {"crowd": "poor", "tau": "2"})
    assert refused.status_code == 400
    assert charts_of(refused.content.decode())


def test_goals_also_hold_for_the_plan_from_judgments(console: Client, pilot: Study) -> None:
    make(pilot, ReportKind.PLAN)
    asked = console.get(PLAN, {"factor": "1000"})
    assert len(asked.context["reaching"]) == 25
    assert console.get(PLAN, {"tau": "0.1"}).context["reaching"] == [], "there are no runs, so no τ"


def test_a_pilot_is_planned_from_its_judgments(console: Client, pilot: Study) -> None:
    assert charts_of(console.get(PLAN).content.decode()) == []
    assert console.post(PLAN).status_code == 302
    make(pilot, ReportKind.PLAN)
    report = Report.objects.get(study=pilot, kind=ReportKind.PLAN.value)
    assert json.loads(json.dumps(report.content, allow_nan=False)) == report.content
    assert {row["judgments"] for row in report.content["predictions"]} == {1, 3, 5, 10, 15}
    assert "plan-factor" in charts_of(console.get(PLAN).content.decode())


def test_queries(
    console: Client, pilot: Study, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    make(pilot, ReportKind.PLAN)
    # session, user, study, members, the report, its changes, its job, the recent jobs, the pools, the frame
    with django_assert_max_num_queries(14):
        console.get(PLAN)


@pytest.fixture
def budgets(console: Client, db: None) -> dict[str, str]:
    """A study that is not open yet, and the assumptions of its plan."""
    make_study(slug="first", opened=False, pay_per_unit="0.20")
    return {"crowd": "careful", "documents": "20", "systems": "10", "difference": "0.1"}


def test_the_numbers_of_topics_are_those_of_the_library() -> None:
    assert plans.TOPICS == TOPICS


def test_the_ways_are_on_one_chart_and_the_cheapest_is_named(
    console: Client, budgets: dict[str, str]
) -> None:
    asked = console.get(PLAN, {**budgets, "topics": "25", "half_width": "12", "explained": "0.5"})
    comparison = asked.context["comparison"]
    page = asked.content.decode()
    assert charts_of(page)[-1] == "plan-budgets"
    rows = [
        row
        for row in plans.assumed_content("careful", 20, 10, 0.1)["budgets"]["rows"]
        if row["topics"] == 25 and row["explained"] in {None, 0.5}
    ]
    terms = terms_of(Study.objects.get(slug="first"))
    costs = {
        (row["way"], row["share"], row["judgments"]): estimate(
            [round(row["share"] * 20)] * 25, replace(terms, judgments_per_document=row["judgments"])
        ).total
        for row in rows
    }
    enough = [row for row in rows if row["half_width"] <= 0.12]
    best = comparison.cheapest
    assert best.estimate.total == min(costs[row["way"], row["share"], row["judgments"]] for row in enough)
    assert f'data-cheapest="{best.row["way"]}"' in page
    chart = comparison.chart
    assert len({row[0] for row in chart.rows}) == len(WAYS)
    for way in {row[0] for row in chart.rows}:
        shown = [(row[4], row[6]) for row in chart.rows if row[0] == way]
        assert shown == sorted(shown), "the cost rises"
        widths = [width for _, width in shown]
        assert widths == sorted(widths, reverse=True), "and the interval becomes narrower"
    for name, value in budgets.items():
        assert f'<input type="hidden" name="{name}" value="{value}">' in page, "the other forms keep it"


def test_intervals_for_new_topics_are_wider(console: Client, budgets: dict[str, str]) -> None:
    these, new = (
        console.get(PLAN, {**budgets, "topics": "12", "target": target}).context["comparison"].chart.rows
        for target in ("these_topics", "new_topics")
    )
    assert min(row[6] for row in new) > min(row[6] for row in these)


def test_a_half_width_out_of_reach_and_invalid_ones(console: Client, budgets: dict[str, str]) -> None:
    none = console.get(PLAN, {**budgets, "half_width": "0.1"})
    assert none.context["comparison"].cheapest is None
    assert 'data-cheapest=""' in none.content.decode()
    for wrong in (
        *({"half_width": "0"}, {"topics": "7"}, {"explained": "2"}, {"target": "none"}),
        *({"model_cost": "-1"}, {"model_cost": "dear"}, {"model_cost": "1001"}, {"model_cost": "NaN"}),
    ):
        refused = console.get(PLAN, {**budgets, **wrong})
        assert refused.status_code == 400
        assert "plan-budgets" not in charts_of(refused.content.decode())
        assert "plan-cost" in charts_of(refused.content.decode()), "the other charts stay"
        ((name, typed),) = wrong.items()
        form = refused.context["budgets_form"]
        assert list(form.errors) == [name]
        assert form[name].value() == typed, "what was typed is kept"


def test_a_dear_model_makes_another_way_the_cheapest(console: Client, budgets: dict[str, str]) -> None:
    rows = plans.assumed_content("careful", 20, 10, 0.1)["budgets"]["rows"]
    widths = {
        row["way"]: row["half_width"]
        for row in rows
        if (row["topics"], row["share"], row["judgments"]) == (25, 0.3, 5) and row["explained"] in {None, 0.5}
    }
    asked = {
        **budgets,
        "topics": "25",
        "explained": "0.5",
        "half_width": str(100 * widths["predicted"] + 0.01),
    }
    free, dear = (
        console.get(PLAN, {**asked, "model_cost": money}).context["comparison"] for money in ("0", "2")
    )
    assert free.cheapest.row["way"] == "predicted"
    assert dear.cheapest.row["way"] != "predicted"
    (way,) = {row[0] for row in free.chart.rows} - {
        row[0] for row in free.chart.rows if row in dear.chart.rows
    }
    costs = [[row[4] for row in each.chart.rows if row[0] == way] for each in (free, dear)]
    assert [after - before for before, after in zip(*costs, strict=True)] == pytest.approx(
        [2 * 20 * 25] * len(costs[0])
    )


def test_a_model_is_free_unless_a_machine_judge_was_measured(
    console: Client, budgets: dict[str, str]
) -> None:
    assert console.get(PLAN).context["budgets_form"]["model_cost"].value() == "0"


def test_a_study_without_pay_is_compared_by_hours(console: Client, db: None) -> None:
    make_study(slug="first", opened=False, pay_per_unit="0")
    chart = console.get(PLAN).context["comparison"].chart
    assert chart.x.column == "hours"


def test_a_pilot_without_runs_has_no_budgets(console: Client, pilot: Study) -> None:
    make(pilot, ReportKind.PLAN)
    assert Report.objects.get(study=pilot, kind=ReportKind.PLAN.value).content["budgets"] is None
    assert "plan-budgets" not in charts_of(console.get(PLAN).content.decode())


def test_a_pilot_with_runs_has_budgets(console: Client, db: None) -> None:
    study = judged()
    make(study, ReportKind.PLAN)
    content = Report.objects.get(study=study, kind=ReportKind.PLAN.value).content
    assert json.loads(json.dumps(content, allow_nan=False)) == content
    assert {row["way"] for row in content["budgets"]["rows"]} == set(WAYS)
    page = console.get(f"/console/studies/{study.slug}/plan/").content.decode()
    assert "plan-budgets" in charts_of(page)


def test_the_ways_are_about_whole_pools_even_if_a_sample_is_judged(console: Client, db: None) -> None:
    study = judged()
    make(study, ReportKind.PLAN)
    address = f"/console/studies/{study.slug}/plan/"
    before = console.get(address).context["comparison"].chart.rows
    half = PoolDocument.objects.filter(topic__study=study, anchor="").order_by("pk").values("pk")[::2]
    PoolDocument.objects.filter(pk__in=[row["pk"] for row in half]).update(sampled=False, inclusion=0.5)
    assert console.get(address).context["comparison"].chart.rows == before
