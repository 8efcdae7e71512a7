"""The page of quality: failing checks over time, bad anchors and questions from what workers really did."""

import re
from collections.abc import Callable

import pytest
from django.test import Client

from judging.core.services.studies import retire_topic
from judging.models import Judgment, Study
from judging.protocol.checks import CHECKS
from judging.watching.selectors.live import activity
from judging.watching.selectors.quality import failures_over_time, used_back
from judging.watching.selectors.topic_quality import TopicQuality, topic_quality
from judging.worker.services.leaving import return_unit
from tests.factories import (
    NOW,
    answer_wrongly,
    fail_practice,
    honest,
    inverted,
    judge_unit,
    later,
    make_study,
    make_worker,
    send,
    tied,
)
from tests.support.html import compact
from tests.watching.conftest import read

pytestmark = pytest.mark.django_db


def study_of(magnitudes: list[Callable[[Judgment], str]], **settings: object) -> Study:
    """One topic, judged once by a worker for each way to judge."""
    study = make_study(topics=1, judgments_per_document=9, **settings)
    for magnitude in magnitudes:
        judge_unit(make_worker(study), magnitude=magnitude)
    return study


def only(study: Study) -> TopicQuality:
    (topic,) = topic_quality(study)
    return topic


def test_a_pair_that_many_different_workers_fail_is_bad() -> None:
    study = study_of([honest, inverted, inverted, inverted])
    make_worker(study, upto="judging")
    assert only(study).bad_anchor is None, "of four workers nobody can say"
    judge_unit(make_worker(study), magnitude=tied)
    topic = only(study)
    assert (topic.pair.workers, topic.pair.failed, topic.pair.tied, topic.pair.inverted) == (5, 4, 1, 3)
    assert re.findall(r"\d+", str(topic.bad_anchor))[:2] == ["4", "5"]
    assert (topic.h_id, topic.n_id, topic.bad_question) == ("D401-H", "D401-N", None)


def test_one_worker_who_fails_again_and_again_makes_no_pair_bad() -> None:
    study = study_of([honest] * 4, check_attempts=None)
    worker = make_worker(study)
    judge_unit(worker, magnitude=inverted)
    for turn in range(4):
        send(worker, action="back", now=later(minutes=20 + turn))
        judge_unit(
            worker,
            now=later(minutes=20 + turn),
            magnitude=lambda judgment, times=turn + 2: f"{times * float(inverted(judgment))}",
        )
    topic = only(study)
    assert topic.pair.inverted > 1
    assert (topic.pair.workers, topic.pair.failed, topic.bad_anchor) == (5, 1, None)


def test_who_failed_and_gave_back_counts_against_the_pair() -> None:
    study = study_of([inverted])
    return_unit(participation=study.participations.get(), now=later(hours=1))
    topic = only(study)
    assert (topic.pair.workers, topic.pair.failed, topic.failed_units) == (1, 1, 1)


def test_a_question_that_most_answer_wrongly_is_bad() -> None:
    study = study_of([honest])
    for _ in range(4):
        answer_wrongly(make_worker(study, upto="question"))
    make_worker(study, upto="question")
    topic = only(study)
    assert (topic.question.workers, topic.question.wrong) == (5, 4), "who has not answered is not counted"
    assert sum(topic.question.options.values()) == 4
    assert re.findall(r"\d+", str(topic.bad_question))[:2] == ["4", "5"]


def test_failures_by_day_and_by_hour() -> None:
    study = study_of([honest, inverted])
    fail_practice(make_worker(study, upto="practising"), now=later(hours=2))
    judge_unit(make_worker(study), now=later(hours=30), seconds=1, magnitude=inverted)
    days = failures_over_time(study, activity(study, now=later(hours=31)), by="day")
    assert [(f"{item.begins:%d}", dict(item.failures), item.completed) for item in days] == [
        ("03", {"c": 1, "d": 1}, 0),
        ("02", {"a": 1, "c": 1}, 1),
    ]
    by_hour = failures_over_time(study, activity(study, now=later(hours=31)), by="hour")
    assert [item.begins for item in by_hour] == [later(hours=30), later(hours=2), NOW]


def test_units_whose_worker_went_back() -> None:
    study = make_study(topics=1, judgments_per_document=3)
    worker = make_worker(study, upto="judging")
    send(worker)
    send(worker, action="back")
    judge_unit(worker, now=later(minutes=1))
    judge_unit(make_worker(study))
    assert [unit.back_uses for unit in used_back(study)] == [1]
    assert only(study).used_back == 1


def suspects(console: Client, page: str) -> list[tuple[str, str]]:
    """What a page finds bad, "anchor" or "question", and of which topic."""
    html = console.get(f"/console/studies/study/{page}").content.decode()
    return re.findall(r'data-suspect="(\w+)" data-topic="(\w+)"', html)


def test_the_page_points_at_the_bad_ones(console: Client) -> None:
    study = study_of([inverted] * 5)
    answer_wrongly(make_worker(study, upto="question"))
    text = read(console, "quality/")
    assert suspects(console, "quality/") == suspects(console, "") == [("anchor", "401")]
    assert "D401-H D401-N 6 1 17 % 5 5 100 % 5 0 0 0" in text
    for worker in study.participations.all():
        assert worker.pseudonym in text


@pytest.mark.parametrize("by", ["day", "hour"])
def test_the_chart_of_checks_keeps_every_number(console: Client, by: str) -> None:
    study = study_of([inverted] * 5)
    answer_wrongly(make_worker(study, upto="question"))
    judge_unit(make_worker(study), now=later(hours=30))
    html = console.get(f"/console/studies/study/quality/?by={by}").content.decode()
    periods = failures_over_time(study, activity(study, now=later(hours=31)), by=by)
    assert len(periods) == 2
    numbers = [
        (period.begins.isoformat(), str(period.failures.get(letter, 0)), str(period.completed))
        for period in reversed(periods)
        for letter in CHECKS
    ]
    assert charted(html) == numbers
    assert f'href="?by={by}#time" aria-current="true"' in compact(html)


def charted(html: str) -> list[tuple[str, str, str]]:
    """The table of the chart: the time of each row, the failures of its check, and the units completed."""
    figure = html.split('id="checks-over-time"')[1].split("</figure>")[0]
    rows = figure.split("<tbody>")[1].split("<tr>")[1:]
    found = [
        (re.findall('datetime="([^"]+)"', row), re.findall('<data value="([^"]+)"', row)) for row in rows
    ]
    return [(times[0], *numbers[-2:]) for times, numbers in found]


def test_a_study_without_events_has_no_chart_of_checks(console: Client) -> None:
    make_study()
    html = console.get("/console/studies/study/quality/").content.decode()
    assert "checks-over-time" not in html


def test_it_says_what_to_do_about_a_bad_pair_until_the_topic_is_retired(console: Client) -> None:
    study = study_of([inverted] * 5)
    page = console.get("/console/studies/study/quality/").content.decode()
    for document in ("D401-H", "D401-N"):
        address = f"/console/studies/study/understanding/document/?topic=401&amp;id={document}"
        assert f'href="{address}"' in page
        assert console.get(address.replace("&amp;", "&")).status_code == 200
    mend = "/console/studies/study/quality/topic/?number=401"
    assert f'href="{mend}"' in page
    assert console.get(mend).status_code == 200
    retire_topic(topic=study.topics.get(), now=later(hours=9))
    assert suspects(console, "quality/") == [("anchor", "401")]


def test_what_is_wrong_with_the_address_is_told(console: Client) -> None:
    make_study()
    assert "week" in read(console, "quality/?by=week", 400)
    read(console, "quality/?back=3", 404)
    assert suspects(console, "quality/") == []


def test_table_1_refreshes_too(console: Client) -> None:
    study_of([honest])
    page = console.get("/console/studies/study/table1/").content.decode()
    assert re.search(r'data-live="1 ', page)
    assert "js/live.js" in page
