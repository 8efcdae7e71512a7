"""The arms of a study side by side: the simulated crowd, the report, its page, and the API."""

import json
from collections.abc import Callable
from pathlib import Path
from zipfile import ZipFile

import pytest
from django.contrib.auth import get_user_model
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse
from playwright.sync_api import Page
from pytest_django import Settings

from evaluation.side_by_side.result import PARTS
from judging.core.selectors.arms import arms_of
from judging.core.selectors.payments import totals
from judging.core.services.jobs import request
from judging.models import Job, JobKind, Participation, Report, ReportKind, Study, Unit
from judging.protocol.states import UnitState
from judging.understanding.selectors.arm_work import work_of
from judging.understanding.selectors.reports import changes_since, find_report, report_key
from judging.watching.services.curation import exclude_unit
from tests.factories import NOW, judge_unit, later, make_arms, make_study, make_worker
from tests.support.browser import axe
from tests.support.integrity import broken_invariants

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def reports_folder(tmp_path: Path, settings: Settings) -> None:
    settings.REPORTS_FOLDER = tmp_path / "reports"


def compute(front: Study) -> Job:
    about = {"report": "arms", "parameters": {}, "key": report_key(ReportKind.ARMS, {})}
    job = request(kind=JobKind.REPORT, study=front, parameters=about, now=NOW)
    return Job.objects.get(pk=job.pk)


@pytest.fixture
def front() -> Study:
    """Two arms that a simulated crowd has judged."""
    arms = make_arms(
        "any",
        "decimals",
        opened=False,
        topics=3,
        judgments_per_document=4,
        pay_per_unit="0.50",
        platform_fee="20",
        seed=3,
        own={"decimals": {"numbers": "decimals", "pay_per_unit": "0.25"}},
    )
    call_command("simulate", "study", "--workers", "24", "--seed", "2")
    arms[0].refresh_from_db()
    return arms[0]


def test_the_crowd_goes_to_the_arms_as_workers_do(front: Study, capsys: pytest.CaptureFixture[str]) -> None:
    arms = arms_of(front)
    workers = [Participation.objects.filter(study=arm).count() for arm in arms]
    assert sum(workers) == 24
    assert min(workers) >= 5
    assert all(arm.simulated and arm.state == "open" for arm in arms)
    done = [arm.topics.filter(units__state=UnitState.DONE).count() for arm in arms]
    assert min(done) > 0
    assert not [fault for arm in arms for fault in broken_invariants(arm)]


def test_simulating_an_arm_alone_points_to_the_front(front: Study) -> None:
    with pytest.raises(CommandError, match="study"):
        call_command("simulate", "study-decimals", "--workers", "1", "--seed", "2")


def test_the_work_of_an_arm_is_what_its_rows_say() -> None:
    arms = make_arms("a", "b", pay_per_unit="1.00", platform_fee="50")
    worker = make_worker(arms[0])
    judge_unit(worker, now=NOW, seconds=30)
    own, other = worker.study, next(arm for arm in arms if arm != worker.study)
    work = work_of(own)
    assert work.paid == float(totals(own).spent) * 1.5 == 1.5
    assert (work.units, work.attempts) == (1, 1)
    assert work.unit_seconds == pytest.approx(8 * 30)
    assert work.document_seconds == pytest.approx(30)
    assert set(work.failures.values()) == {0}
    assert work_of(other).paid == 0
    failing = make_worker(own.entrance, upto="judging", now=later(hours=1))
    assert work_of(failing.study).attempts in (0, 1)


def test_the_report_compares_all_arms(front: Study) -> None:
    job = compute(front)
    assert (job.state, job.error) == ("done", "")
    report = find_report(front, ReportKind.ARMS, {})
    assert report is not None
    keys = [table["key"] for table in report.content["tables"]]
    # There are no runs.
    assert keys == [part for part in PARTS if part not in ("power", "ranking", "rankings")]
    summary = report.content["summary"]
    assert [row["arm"] for row in summary["cost"]] == ["any", "decimals"]
    assert [row["per_unit"] for row in summary["cost"]] == pytest.approx([0.6, 0.3])
    assert report.seen_judgments == sum(row["judgments"] for row in summary["cost"])
    assert not changes_since(report, front).changed
    unit = Unit.objects.filter(topic__study=arms_of(front)[1], state=UnitState.DONE)[0]
    exclude_unit(unit=unit, reason="A test.", now=NOW)
    changes = changes_since(report, front)
    assert (changes.changed, changes.removed_units) == (True, 1)


def test_a_single_judged_arm_is_nothing_to_compare() -> None:
    arms = make_arms("a", "b")
    worker = make_worker(arms[0])
    judge_unit(worker, now=NOW)
    job = compute(arms[0])
    assert job.state == "failed"
    assert not Report.objects.exists()


def test_the_page_belongs_to_the_front(front: Study, console: Client) -> None:
    address = reverse("console:arms", args=[front.slug])
    assert console.get(reverse("console:arms", args=["study-decimals"]))["Location"] == address
    before = console.get(address)
    assert before.status_code == 200
    assert 'data-report="none"' in before.content.decode()
    assert console.post(address).status_code == 302
    after = console.get(address).content.decode()
    assert 'data-report="made"' in after
    assert "data-sentences" in after
    for arm in arms_of(front):
        assert reverse("console:study", args=[arm.slug]) in after


def test_a_study_without_arms_says_how_to_get_some(console: Client) -> None:
    make_study()
    address = reverse("console:arms", args=["study"])
    for answer in (console.get(address), console.post(address)):
        assert answer.status_code == 200
        assert 'data-empty="arms"' in answer.content.decode()
    assert not Job.objects.exists()


def test_the_list_of_studies_shows_arms_with_their_front(front: Study, console: Client) -> None:
    page = console.get(reverse("console:studies")).content.decode()
    assert page.count("<article") == 1
    assert "data-arms" in page
    for arm in arms_of(front):
        assert reverse("console:study", args=[arm.slug]) in page


@pytest.mark.parametrize("action", ["open", "pause", "close"])
def test_the_buttons_are_on_the_page_of_the_front(front: Study, console: Client, action: str) -> None:
    console.force_login(get_user_model().objects.create_superuser("root"))
    front_page, arm_page = (reverse("console:study", args=[slug]) for slug in ("study", "study-decimals"))
    button = reverse("console:state", args=["study-decimals", action])
    assert button not in console.get(arm_page).content.decode()
    for answer in (console.get(button), console.post(button, {"sure": "on"})):
        assert answer["Location"] == front_page
    assert set(Study.objects.values_list("state", flat=True)) == {"open"}


def test_an_arm_in_a_bundle_stands_alone_and_says_where_it_is_from(front: Study, tmp_path: Path) -> None:
    path = tmp_path / "arm.zip"
    call_command("export", "study-decimals", "--what", "bundle", "-o", str(path))
    with ZipFile(path) as opened:
        described = json.loads(opened.read("study.json"))
    assert (described["arm"], described["front"]) == ("decimals", "study")
    call_command("import_study", str(path), "--slug", "alone")
    alone = Study.objects.get(slug="alone")
    assert (alone.has_arms, alone.front, alone.numbers) == (False, None, "decimals")


def test_the_api_has_the_summary(front: Study, console: Client) -> None:
    address = "/api/v1/studies/study-decimals/arms/"
    assert console.get(address).status_code == 404
    compute(front)
    answer = console.get(address)
    assert answer.status_code == 200
    found = json.loads(answer.content)
    assert found["is_current"] is True
    assert [row["arm"] for row in found["result"]["agreement"]] == ["any", "decimals"]


@pytest.mark.parametrize("width", [375, 1440])
def test_the_page_in_a_browser(
    front: Study, open_console: Callable[..., Page], width: int, tmp_path: Path
) -> None:
    compute(front)
    page = open_console(reverse("console:arms", args=[front.slug]), width=width)
    assert page.locator("[data-arms]").get_attribute("data-arms") == "2"
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    axe(page)
