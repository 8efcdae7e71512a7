"""The overview of a study in progress: units by state, topic and time, reservations, the end, and money."""

import re
from datetime import timedelta

import pytest
from django.test import Client

from judging.core.services.studies import pause_study
from judging.models import Assignment, Study, WorkerFigures
from judging.protocol.checks import CHECKS
from judging.protocol.pace import Pace
from judging.watching.jobs.worker_statistics import compute_statistics
from judging.watching.pages.progress_charts import checks_chart, period_of, units_chart
from judging.watching.pages.watch import expected_end
from judging.watching.selectors.live import activity, pace, reservations
from judging.watching.selectors.progress import Progress, total, units_by_topic
from judging.watching.selectors.quality import failures_over_time
from judging.watching.selectors.worker_statistics import number_flagged
from judging.worker.services.lapse import expire_assignments
from judging.worker.services.leaving import return_unit, withdraw
from tests.factories import NOW, answer_wrongly, judge_unit, later, make_study, make_worker
from tests.support.headings import Page, Table
from tests.support.html import compact
from tests.support.rehearsals import into_rehearsal
from tests.watching.conftest import read

pytestmark = pytest.mark.django_db


def lively() -> Study:
    """Two units done in the first hour, a third begun in the second; one each lapsed, failed, returned."""
    study = make_study(topics=1, judgments_per_document=6, pay_per_unit="0.25")
    for _ in range(2):
        judge_unit(make_worker(study))
    answer_wrongly(make_worker(study, upto="question"))
    return_unit(participation=make_worker(study, upto="judging"), now=later(minutes=5))
    make_worker(study, upto="judging")
    expire_assignments(now=later(minutes=60))
    make_worker(study, upto="judging", now=later(minutes=70))
    return study


def test_the_charts_count_units_and_failures_hour_by_hour() -> None:
    study = lively()
    judge_unit(make_worker(study), now=later(hours=3))
    recent = activity(study, now=later(hours=4))
    periods = failures_over_time(study, recent, by=period_of(recent))
    units = total(list(units_by_topic(study).values()))
    assert units_chart("hour", periods, units, later(hours=9)).rows == [
        [NOW, 0, None],
        [later(hours=1), 2, None],
        [later(hours=4), 3, 3],
        [later(hours=9), None, 6],
    ]
    rates = {(row[0], row[1]): row[2:] for row in checks_chart("hour", periods).rows}
    assert rates[NOW, CHECKS["b"].heading] == [66.7, 1, 2], "two of three passed"
    assert rates[NOW, CHECKS["c"].heading] == [100, 0, 2]
    assert rates[later(hours=3), CHECKS["b"].heading] == [100, 0, 1]


def test_no_total_is_below_zero_when_a_worker_deletes_their_judgments() -> None:
    study = make_study(topics=1, judgments_per_document=6)
    workers = [make_worker(study) for _ in range(2)]
    for worker in workers:
        judge_unit(worker)
    withdraw(participation=workers[0], delete_judgments=True, now=later(hours=1))
    units = total(list(units_by_topic(study).values()))
    recent = activity(study, now=later(hours=2))
    chart = units_chart("hour", failures_over_time(study, recent, by="hour"), units, None)
    assert [row[1] for row in chart.rows] == [0, 1]


def test_an_idle_study_is_shown_as_of_its_last_change() -> None:
    study = lively()
    busy, rested = (activity(study, now=later(hours=at)) for at in (25, 26))
    assert (busy.past, busy.until) == (False, later(hours=25))
    assert (rested.past, rested.until) == (True, later(minutes=70))
    study = into_rehearsal(study)
    assert activity(study, now=later(hours=2)).until == later(minutes=70), "by the clock of the crowd"
    assert not activity(make_study(slug="new"), now=NOW).past


def test_reservations_name_who_lapses_first() -> None:
    study = lively()
    make_worker(study, upto="question", now=later(minutes=10))
    first, second = reservations(study).order_by("lapses_at")
    assert (first.lapses_at, first.state) == (later(minutes=70), "question")
    assert second.lapses_at == later(minutes=130)
    assert first == Assignment.objects.get(state="question")


def test_the_pace_counts_what_was_completed_in_the_last_hours() -> None:
    study = lively()
    result = pace(study, activity(study, now=later(hours=2)))
    assert result == Pace(2, timedelta(hours=2), later(hours=2))
    assert pace(study, activity(study, now=later(hours=7))) == Pace(0, timedelta(hours=6), later(hours=7))
    assert pace(study, activity(study, now=later(minutes=20))) is None


@pytest.mark.parametrize(
    ("progress", "settings", "wanted"),
    [
        (Progress(), {}, []),
        (Progress(done=9), {}, []),
        (Progress(open=3, reserved=1), {}, ["2026-03-02T13:00", "2.0", "2.0", "4"]),
        (Progress(open=1), {"state": "paused"}, ["1"]),
        (Progress(open=1), {"closes_at": later(hours=1)}, ["1"]),
        (
            Progress(open=4),
            {"closes_at": later(hours=3)},
            ["2026-03-02T13:00", "2.0", "2.0", "4", "2026-03-02T12:00"],
        ),
    ],
)
def test_the_expected_end(progress: Progress, settings: dict[str, object], wanted: list[str]) -> None:
    """When it is, at which pace of the last hours, how many units are left, and when the study closes."""
    study = make_study()
    for field, value in settings.items():
        setattr(study, field, value)
    now = later(hours=2)
    assert figures_in(expected_end(study, progress, Pace(4, timedelta(hours=2), now), now)) == wanted


def test_the_expected_end_is_never_in_the_past() -> None:
    """Nobody has worked since 11:00: two units at two per hour would have been done at 12:00."""
    study, left, worked = make_study(), Progress(open=2), Pace(4, timedelta(hours=2), later(hours=2))
    wanted = ["2026-03-02T11:00", "2"]
    assert figures_in(expected_end(study, left, worked, later(hours=3))) == wanted
    assert figures_in(expected_end(study, left, worked, later(hours=720))) == wanted
    still = ["2026-03-02T12:00", "2.0", "2026-03-02T11:00", "2.0", "2"]
    assert figures_in(expected_end(study, left, worked, later(hours=2, minutes=59))) == still


def figures_in(sentence: str) -> list[str]:
    times = re.sub(r'<time datetime="(.{16}).*?</time>', r"\1", sentence)
    return re.findall(r"\d{4}-\d\d-\d\dT\d\d:\d\d|\d+(?:\.\d+)?", times)


def test_no_end_without_a_pace() -> None:
    study, left, now = make_study(), Progress(open=2), later(hours=2)
    for found in (None, Pace(0, timedelta(hours=2), now)):
        assert figures_in(expected_end(study, left, found, now)) == ["2"]


def test_the_page_says_it_all(console: Client) -> None:
    study = lively()
    text = read(console, "")
    html = compact(console.get("/console/studies/study/").content.decode())
    units, reserved, judgments, money, failed, wrong = facts(html, "now")[:6]
    assert (units, reserved, judgments) == (["2", "6"], ["1"], ["16"])
    assert money == ["0.50", "1.50"], "spent, and at most"
    assert failed == ["0", "2"]
    assert wrong == ["1", "6"], "who lapsed and who gave back had answered"
    # paid, due, held, committed, for units that nobody has
    assert [[cell.said for cell in row[1:]] for row in table_below(html, "money").rows] == [
        ["0.0", "0"],
        ["0.5", "2"],
        ["0.0", "0"],
        ["0.25", "1"],
        ["0.75", "3"],
    ]
    topics = table_below(html, "topics").rows[0]
    counts = ["2", "1", "3", "0", "0", "1", "16"]
    assert [cell.said for cell in topics] == ["401 Title of topic 401", "33", "8", *counts]
    sums = html.split("<tfoot>")[1].split("</tfoot>")[0]
    assert re.findall(r"<td[^>]*>(.*?)</td>", sums) == ["33 %", "8", *counts]
    assert Assignment.objects.get(state="judging").participation.pseudonym in text
    pause_study(study=study, now=later(hours=2))
    study.refresh_from_db()
    assert expected_end(study, Progress(open=3, reserved=1), None, later()) in read(console, "")


def facts(html: str, place: str) -> list[list[str]]:
    """Return the numbers of each fact below the heading with this id."""
    section = html.split(f'<h2 id="{place}">')[1].split("</section>")[0]
    return [re.findall(r"\d+(?:\.\d+)?", fact) for fact in re.findall(r"<dd>(.*?)</dd>", section)]


def table_below(html: str, place: str) -> Table:
    """Return the first table after the element with this id."""
    return Page(html.split(f' id="{place}"')[1]).tables[0]


def test_the_page_of_an_empty_study(console: Client) -> None:
    make_study(opened=False)
    read(console, "")
    read(console, "?topics=9", 404)


def test_a_blocked_worker_needs_no_more_attention() -> None:
    study = lively()
    worker = study.participations.order_by("pk")[0]
    compute_statistics(study=study, now=later(hours=1))
    WorkerFigures.objects.filter(participation=worker).update(flagged=1)
    assert number_flagged(study) == 1
    study.participations.filter(pk=worker.pk).update(state="blocked")
    assert number_flagged(study) == 0
