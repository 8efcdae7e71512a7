"""The live page: units by state, topic and hour, reservations, the expected end, and money."""

import re
from dataclasses import astuple
from datetime import timedelta

import pytest
from django.test import Client

from judging.core.services.studies import pause_study
from judging.models import Assignment, Study
from judging.protocol.pace import Pace
from judging.watching.pages.watch import expected_end
from judging.watching.selectors.live import HOURS, activity, hours, pace, reservations
from judging.watching.selectors.progress import Progress
from judging.worker.services.lapse import expire_assignments
from judging.worker.services.leaving import return_unit
from tests.factories import NOW, answer_wrongly, judge_unit, later, make_study, make_worker
from tests.support.headings import Page
from tests.support.html import compact
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


def test_units_hour_by_hour_with_empty_hours_between() -> None:
    study = lively()
    rows = hours(study, activity(study, now=later(minutes=75)))
    assert len(rows) == HOURS
    assert [row.begins for row in rows[:3]] == [later(hours=1), NOW, later(hours=-1)]
    assert astuple(rows[0])[1:] == (1, 0, 1, 0, 0), "begun, completed, lapsed, failed, otherwise"
    assert astuple(rows[1])[1:] == (5, 2, 0, 1, 1)
    assert all(astuple(row)[1:] == (0, 0, 0, 0, 0) for row in rows[2:])


def test_a_study_that_rests_is_shown_as_it_was_when_it_last_moved() -> None:
    study = lively()
    busy, rested = (activity(study, now=later(hours=at)) for at in (25, 26))
    assert (busy.past, busy.until) == (False, later(hours=25))
    assert (rested.past, rested.until) == (True, later(minutes=70))
    Study.objects.update(simulated=True)
    study.refresh_from_db()
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


def figures_in(sentence: str) -> list[str]:
    times = re.sub(r'<time datetime="(.{16}).*?</time>', r"\1", sentence)
    return re.findall(r"\d{4}-\d\d-\d\dT\d\d:\d\d|\d+(?:\.\d+)?", times)


def test_no_end_without_a_pace() -> None:
    study, left, now = make_study(), Progress(open=2), later(hours=2)
    for found in (None, Pace(0, timedelta(hours=2), now)):
        assert figures_in(expected_end(study, left, found, now)) == ["2"]


def test_the_page_says_it_all(console: Client) -> None:
    study = lively()
    text = read(console, "watch/")
    html = compact(console.get("/console/studies/study/watch/").content.decode())
    # units done, reserved, open, lapsed, excluded
    assert facts(html, "now") == [["2"], ["1"], ["3"], ["1"], ["0"]]
    # money spent, paid, committed, for units that nobody has
    assert facts(html, "money")[:4] == [["0.50"], ["0.00"], ["0.25"], ["0.75"]]
    assert facts(html, "suspects")[1] == ["1", "6"], "who lapsed and who gave back had answered"
    topics = Page(html).tables[0]
    assert [cell.said for cell in topics.rows[0]] == ["401 Title of topic 401", "33", "2", "1", "3", "1"]
    assert re.findall(r"<td>(.*?)</td>", html.split("<tfoot>")[1].split("</tfoot>")[0]) == [
        "33 %",
        "2",
        "1",
        "3",
        "1",
    ]
    assert Assignment.objects.get(state="judging").participation.pseudonym in text
    pause_study(study=study, now=later(hours=2))
    study.refresh_from_db()
    assert expected_end(study, Progress(open=3, reserved=1), None, later()) in read(console, "watch/")


def facts(html: str, place: str) -> list[list[str]]:
    """Return the numbers of each fact below the heading with this id."""
    section = html.split(f'<h2 id="{place}">')[1].split("</section>")[0]
    return [re.findall(r"\d+(?:\.\d+)?", fact) for fact in re.findall(r"<dd>(.*?)</dd>", section)]


def test_the_page_of_an_empty_study(console: Client) -> None:
    make_study(opened=False)
    read(console, "watch/")
    read(console, "watch/?page=9", 404)
