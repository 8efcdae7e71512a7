"""The list of events: each filter alone and all together, in the address, and every wrong value told."""

import re
from datetime import timedelta
from html import unescape

import pytest
from django.test import Client
from django.utils.http import urlencode

from judging.models import Event, Study
from judging.protocol.checks import anchors
from judging.worker.services.leaving import return_unit
from tests.factories import (
    NOW,
    answer_wrongly,
    fail_practice,
    inverted,
    judge_unit,
    later,
    live_assignment,
    make_study,
    make_worker,
)
from tests.site.test_studies import page
from tests.support.html import compact
from tests.support.problems import problems_in

ADDRESS = "/console/studies/study/events/"
DAY = timedelta(days=1)


@pytest.fixture(scope="module")
def study(module_db: None) -> Study:
    """Five days of trouble in two topics; another study has its own."""
    study = make_study(judgments_per_document=4, check_attempts=1)
    for days in range(5):
        now = NOW + days * DAY
        fail_practice(make_worker(study, upto="practising", now=now), now=now)
        answer_wrongly(make_worker(study, upto="question", now=now), now=now)
    judge_unit(make_worker(study), now=later(hours=1), seconds=1, magnitude=inverted)
    return_unit(participation=make_worker(study, upto="judging"), now=later(minutes=5))
    other = make_study(slug="other")
    fail_practice(make_worker(other, upto="practising"))
    return study


def look(console: Client, **query: str) -> list[tuple[str, str, str, str, str]]:
    """Day, kind, check, unit and worker of the events that are shown."""
    text = page(console, f"{ADDRESS}?{urlencode(query)}")
    row = r'<tr><th scope="row"><time datetime="([^T]+)T[^"]+">[^<]+</time></th>'
    row += r'<td><data value="(\w+)">[^<]*</data></td><td>([^<]*)</td>'
    return re.findall(row + r"<td>[^<]*</td><td>([^<]*)</td><td><a[^>]*>([^<]*)</a></td></tr>", text)


def test_all_events_of_the_study_are_shown_the_latest_first(console: Client, study: Study) -> None:
    events = Event.objects.filter(study=study).order_by("-at", "-pk")
    assert [(kind, worker) for _, kind, _, _, worker in look(console)] == [
        (event.kind, event.participation.pseudonym) for event in events
    ]
    assert f'<h2 id="found">{events.count()} ' in page(console, ADDRESS)


@pytest.mark.parametrize(
    ("check", "kinds"),
    [
        ("a", {"practice_failed"}),
        ("b", {"comprehension_failed"}),
        ("c", {"anchors_failed"}),
        ("d", {"time_failed"}),
    ],
)
def test_a_check_narrows(console: Client, study: Study, check: str, kinds: set[str]) -> None:
    found = look(console, check=check)
    assert {kind for _, kind, *_ in found} == kinds
    assert {shown for _, _, shown, *_ in found} == {f"({check})"}
    assert len(found) == Event.objects.filter(study=study, check_name=check).count()


def test_a_kind_narrows(console: Client, study: Study) -> None:
    ((_, kind, check, _, _),) = look(console, kind="returned")
    assert (kind, check) == ("returned", "")


def test_a_topic_narrows(console: Client, study: Study) -> None:
    numbers = {number: len(look(console, topic=number)) for number in ("401", "402")}
    topics = Event.objects.filter(study=study)
    assert numbers == {number: topics.filter(topic__number=number).count() for number in numbers}
    assert {unit[:3] for _, _, _, unit, _ in look(console, topic="401")} <= {"401"}


def test_a_worker_narrows(console: Client, study: Study) -> None:
    pseudonym = Event.objects.get(kind="checks_failed").participation.pseudonym
    found = look(console, worker=f" {pseudonym} ")
    assert sorted(kind for _, kind, *_ in found) == ["anchors_failed", "checks_failed", "time_failed"]
    assert {worker for *_, worker in found} == {pseudonym}


@pytest.mark.parametrize(
    ("first", "last", "days"),
    [
        ("2026-03-04", "", {"2026-03-04", "2026-03-05", "2026-03-06"}),
        ("", "2026-03-02", {"2026-03-02"}),
        ("2026-03-03", "2026-03-04", {"2026-03-03", "2026-03-04"}),
        ("2026-03-05", "2026-03-05", {"2026-03-05"}),
        ("0001-01-01", "9999-12-31", {f"2026-03-{day:02}" for day in range(2, 7)}),
        ("2026-03-07", "", set()),
    ],
)
def test_days_narrow_and_belong_to_it(
    console: Client, study: Study, first: str, last: str, days: set[str]
) -> None:
    assert {day for day, *_ in look(console, first=first, last=last)} == days


def test_a_day_is_one_of_utc_from_its_first_moment_to_its_last(console: Client, study: Study) -> None:
    midnight = NOW.replace(hour=0) + 10 * DAY
    event = Event.objects.filter(study=study)[0]
    for moment in (
        midnight - timedelta(microseconds=1),
        midnight,
        midnight + DAY - timedelta(microseconds=1),
    ):
        Event.objects.create(
            study=study, participation=event.participation, kind=event.kind, check_name="a", at=moment
        )
    assert len(look(console, first="2026-03-12", last="2026-03-12")) == 2


def test_all_filters_together(console: Client, study: Study) -> None:
    event = Event.objects.get(kind="anchors_failed")
    everything = {
        "check": "c",
        "kind": "anchors_failed",
        "topic": event.topic.number,
        "worker": event.participation.pseudonym,
        "first": "2026-03-02",
        "last": "2026-03-02",
    }
    assert len(look(console, **everything)) == 1
    elsewhere = "402" if event.topic.number == "401" else "401"
    for changed in ({"check": "d"}, {"kind": "time_failed"}, {"topic": elsewhere}, {"first": "2026-03-01"}):
        assert len(look(console, **everything | changed)) == ("first" in changed)


def test_the_form_keeps_what_was_asked_and_the_counts_lead_on(console: Client, study: Study) -> None:
    query = {"check": "b", "topic": "401", "first": "2026-03-02", "last": "2026-03-05"}
    text = page(console, f"{ADDRESS}?{urlencode(query)}")
    assert re.findall(r'<option value="([^"]+)" selected>', text) == ["b", "401"]
    assert re.findall(r'type="date" name="(\w+)" value="([^"]+)"', text) == [
        ("first", "2026-03-02"),
        ("last", "2026-03-05"),
    ]
    text = page(console, f"{ADDRESS}?page=1&last=2026-03-05")
    counts = re.findall(r'<li><a href="([^"]+)">([^<]+)</a> <b>(\d+)</b>', text)
    assert [number for address, _, number in counts if "kind=practice_failed" in address] == ["4"]
    for address, words, number in counts:
        assert "page=" not in address
        assert "last=2026-03-05" in address
        query = dict(part.split("=") for part in unescape(address).lstrip("?").split("&"))
        found = look(console, **query)
        assert len(found) == int(number), words


@pytest.mark.parametrize(
    ("query", "status", "field"),
    [
        ({"check": "?"}, 400, "check"),
        ({"kind": "<b>"}, 400, "kind"),
        ({"topic": "999"}, 404, "topic"),
        ({"worker": "nobody"}, 404, "worker"),
        ({"worker": "a\0b"}, 400, "worker"),
        ({"first": "yesterday"}, 400, "first"),
        ({"last": "2026-02-30"}, 400, "last"),
        ({"first": "2026-03-04", "last": "2026-03-03"}, 400, ""),
        ({"page": "none"}, 404, ""),
        ({"page": "2"}, 404, ""),
        ({"page": "9" * 9999}, 404, ""),
    ],
)
def test_a_wrong_value_is_told_once(
    console: Client, db: None, query: dict[str, str], status: int, field: str
) -> None:
    make_study(slug="empty", opened=False)
    answer = console.get(ADDRESS.replace("/study/", "/empty/"), query)
    assert answer.status_code == status
    html = compact(answer.content.decode())
    results = [*re.findall(r'role="alert">([^<]*)</p>', html), *problems_in(html)]
    assert len(results) == 1
    if field and status == 400:
        ((where, _),) = problems_in(html)
        assert where == field


def test_a_worker_of_another_study_is_not_found(console: Client, study: Study) -> None:
    stranger = Event.objects.get(study__slug="other").participation.pseudonym
    assert console.get(ADDRESS, {"worker": stranger}).status_code == 404


def test_a_page_holds_fifty_and_keeps_the_filters(console: Client, study: Study) -> None:
    event = Event.objects.filter(study=study, kind="practice_failed")[0]
    Event.objects.bulk_create(
        Event(study=study, participation=event.participation, kind="practice_failed", check_name="a", at=NOW)
        for _ in range(115)
    )
    seen = [look(console, check="a", page=str(number)) for number in (1, 2, 3)]
    assert [len(rows) for rows in seen] == [50, 50, 20]
    text = page(console, f"{ADDRESS}?check=a&page=2")
    assert re.search(r"<caption>\D+51\D+100\b", text)
    assert re.findall(r'href="(\?[^"]+)" rel="(?:prev|next)"', text) == ["?check=a&page=1", "?check=a&page=3"]
    text = page(console, f"{ADDRESS}?check=a&page=3")
    assert 'rel="next"' not in text


def test_no_event_tells_what_an_unfinished_unit_holds(console: Client, study: Study) -> None:
    worker = make_worker(study, upto="judging", platform_id="person-77", now=later(hours=9))
    judge_unit(worker, now=later(hours=9), seconds=1, magnitude=lambda judgment: "6543")
    assert live_assignment(worker).state == "checks_failed"
    text = page(console, ADDRESS)
    assert "6543" not in text
    assert "person-77" not in text
    tied = str(anchors.CHECK.facts[0].words("tied"))
    assert re.search(rf"<td>[^<]*\b1\b[^<]*\b{tied}</td>", text)


def test_a_study_without_events_has_no_table(console: Client, db: None) -> None:
    make_study(slug="empty", opened=False)
    for query in ("", "?check=a"):
        assert "<table" not in page(console, ADDRESS.replace("/study/", "/empty/") + query)
