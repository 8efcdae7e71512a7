"""The page “Plan” on every scale: the widths that it shows, and goals for them."""

import pytest
from django.test import Client

from evaluation.planning import Prediction
from evaluation.scales import SCALES as LIBRARY
from judging.core.selectors.magnitudes import gains_have_ratios
from judging.crowd.simulation import START, Crowd, prepare, simulate
from judging.models import Report, ReportKind, Study
from judging.protocol.scales import SCALES
from judging.understanding.selectors.reports import can_be_pilot
from judging.understanding.services.wanted import wanted_reports
from tests.archive.exports.conftest import add_run
from tests.factories import make_study
from tests.understanding.conftest import reports_folder as reports_folder
from tests.understanding.reading import charts_in, make

pytestmark = pytest.mark.django_db
PLAN = "/console/studies/scaled/plan/"
OTHER = {"factor": "margin", "margin": "factor"}
JUDGED = pytest.mark.parametrize("scale", [name for name, scale in SCALES.items() if scale.judging])


def study_on(scale: str) -> Study:
    return make_study(
        slug="scaled", scale=scale, opened=False, topics=2, documents=12, judgments_per_document=3
    )


def width_on(study: Study) -> str:
    return "factor" if gains_have_ratios(study) else "margin"


def of_fields(console: Client, **goals: float) -> list[tuple[int, int]]:
    """Return the topics and judgments of the sizes that reach the goals, from the page."""
    answer = console.get(PLAN, goals)
    assert answer.status_code == 200
    return [(size.row["topics"], size.row["judgments"]) for size in answer.context["reaching"]]


def assert_shows(page: str, width: str, chart: dict[str, list[list[object]]]) -> None:
    """Assert that the page has the chart, with a number in each row, and the field of this width only."""
    rows = chart[f"plan-{width}"]
    assert len(rows) == 5
    assert all(isinstance(value, float) for row in rows for value in row)
    assert f"plan-{OTHER[width]}" not in chart
    assert (f'name="{width}"' in page, f'name="{OTHER[width]}"' in page) == (True, False)


@pytest.mark.slow
@JUDGED
def test_judgments_on_a_scale_become_a_plan(console: Client, scale: str) -> None:
    study = study_on(scale)
    prepare(study, START)
    assert not can_be_pilot(study)
    simulate(study, Crowd(workers=20, seed=1), START)
    for tag in "ab":
        add_run(study, tag)
    assert (ReportKind.PLAN, {}) in list(wanted_reports(study))
    make(study, ReportKind.PLAN)
    content = Report.objects.get(study=study, kind=ReportKind.PLAN.value).content
    width = width_on(study)
    predictions = [
        Prediction(documents=0, units=0, magnitudes=0, cost=0, hours=0, **row)
        for row in content["predictions"]
    ]
    widths = {
        (prediction.topics, prediction.judgments): getattr(prediction, width) for prediction in predictions
    }
    assert all(getattr(prediction, OTHER[width]) is None for prediction in predictions)
    page = console.get(PLAN).content.decode()
    assert_shows(page, width, charts_in(page))
    assert {"plan-cost", "plan-budgets"} <= {*charts_in(page)}
    goal = sorted(set(widths.values()))[2]
    within = {size for size, value in widths.items() if value <= goal}
    assert set(of_fields(console, **{width: goal})) == within
    assert 0 < len(within) < len(widths)


@JUDGED
def test_a_study_is_planned_from_a_crowd_on_its_scale(console: Client, scale: str) -> None:
    study = study_on(scale)
    answer = console.get(PLAN)
    assert answer.status_code == 200
    width = width_on(study)
    page = answer.content.decode()
    assert_shows(page, width, charts_in(page))
    assert all(row[OTHER[width]] is None for row in answer.context["plan"]["predictions"])
    assert len(of_fields(console, **{width: 1000})) == 25
    assert console.get(PLAN, {width: 0}).status_code == 400


@pytest.mark.parametrize("scale", [name for name, scale in LIBRARY.items() if scale.answers is None])
def test_nothing_is_assumed_on_a_scale_without_a_crowd(console: Client, scale: str) -> None:
    study = study_on("magnitude")
    Study.objects.filter(pk=study.pk).update(scale=scale)
    for address in (PLAN, f"{PLAN}?crowd=poor"):
        answer = console.get(address)
        assert answer.status_code == 200
        assert answer.context["plan"] is None
        assert 'name="crowd"' not in answer.content.decode()
