"""The pages of the console show a study's data."""

import re
from datetime import timedelta
from html import unescape

import pytest
from django.test import Client

from judging.core import clock
from judging.core.services.studies import mark_simulated, retire_topic
from judging.models import Event, Study, Unit
from judging.watching.selectors.progress import study_progress, topic_progress
from judging.watching.services.curation import exclude_unit
from tests.factories import (
    answer_wrongly,
    fail_practice,
    inverted,
    judge_unit,
    later,
    make_study,
    make_worker,
)
from tests.support.html import compact

SET_UP = "/console/studies/study/set-up/"


def page(client: Client, address: str) -> str:
    answer = client.get(address)
    assert answer.status_code == 200
    return unescape(compact(answer.content.decode()))


def table(text: str, place: str) -> dict[str, list[str]]:
    """Return first cell → other cells of the table below the heading with this id."""
    body = text.split(f'<h2 id="{place}">')[1].split("</table>")[0]
    rows = re.findall(r"<tr[^>]*>(.*?)</tr>", body, re.DOTALL)
    cells = [
        [re.sub(r"<[^>]+>", "", cell).strip() for cell in re.findall(r"<t[hd].*?</t[hd]>", row, re.DOTALL)]
        for row in rows
    ]
    return {row[0]: row[1:] for row in cells}


def test_without_studies_the_list_says_how_to_get_one(console: Client) -> None:
    assert "python manage.py import_study study.toml" in page(console, "/console/")


def test_the_list_shows_state_and_progress(console: Client) -> None:
    make_study(slug="draft", opened=False)
    study = make_study(slug="running", judgments_per_document=1)
    judge_unit(make_worker(study))
    text = page(console, "/console/")
    assert 'href="/console/studies/draft/"' in text
    card = text.split("/console/studies/running/")[1]
    assert '<span class="state open">open</span>' in card
    assert 'value="50"' in card
    # units done, reserved and open; judgments
    assert re.findall(r"<dd>([^<]+)</dd>", card) == ["1", "0", "1", "8"]


def test_a_study_shows_its_topics(console: Client) -> None:
    study = make_study(judgments_per_document=2)
    topic = study.topics.get(number="401")
    worker = make_worker(study)
    judge_unit(worker)
    judge_unit(worker, now=later(hours=1))
    exclude_unit(unit=Unit.objects.get(topic=topic, state="done"), reason="Odd.", now=later(hours=2))
    reserved = make_worker(study, upto="judging").assignments.get().topic.number
    rows = table(page(console, "/console/studies/study/"), "topics")
    # documents, done, reserved, open, retired, excluded, lapsed, judgments
    assert rows["401 Title of topic 401"][1:] == [
        "8",
        "1",
        *(("1", "0") if reserved == "401" else ("0", "1")),
        "0",
        "1",
        "0",
        "0",
    ]
    assert list(rows.values())[-1] == ["50 %", "16", "2", "1", "1", "0", "1", "0", "8"]


def test_retired_units_are_no_longer_waited_for(db: None) -> None:
    study = make_study(judgments_per_document=2)
    judge_unit(make_worker(study))
    done = Unit.objects.get(state="done").topic
    retire_topic(topic=done, now=later(hours=1))
    (retired,) = [part.units for part in topic_progress(study) if part.topic == done]
    assert (retired.done, retired.retired, retired.open, retired.wanted, retired.percent) == (1, 1, 0, 1, 100)
    assert study_progress([study])[study.pk].wanted == 3


def test_a_study_shows_its_latest_events(console: Client) -> None:
    study = make_study(topics=1, judgments_per_document=3, check_attempts=1)
    fail_practice(make_worker(study, upto="practising"))
    answer_wrongly(make_worker(study, upto="question"))
    judge_unit(make_worker(study), seconds=1, magnitude=inverted)
    text = page(console, "/console/studies/study/")
    latest = text.split('<h2 id="events">')[1].split("</table>")[0]
    matches = re.findall(r'<td><data value="(\w+)">[^<]+</data></td><td>(\([a-d]\))?</td>', latest)
    assert [kind for kind, _ in matches] == [event.kind for event in Event.objects.order_by("-pk")]
    assert dict(matches)["anchors_failed"] == "(c)"


def test_the_way_in_is_a_whole_address_and_names_the_platform_parameters(console: Client) -> None:
    make_study(platform="generic", id_parameter="PID", submission_parameter="SESSION")
    text = page(console, SET_UP)
    assert 'href="http://testserver/s/study/"' in text
    assert "?PID=…&SESSION=…" in text


@pytest.mark.parametrize("opened", [True, False])
def test_it_says_when_nobody_can_come_in(console: Client, opened: bool) -> None:
    study = make_study(opened=opened)
    assert turned_away(page(console, SET_UP)) == ([] if opened else ["state"])
    mark_simulated(study=study, now=later(hours=1))
    assert turned_away(page(console, SET_UP)) == ["simulated"]


def turned_away(text: str) -> list[str]:
    """Return why the page says that workers cannot start."""
    return re.findall(r'data-turned-away="(\w+)"', text)


@pytest.mark.parametrize(
    ("opens", "closes", "takes_work"),
    [(-1, 1, True), (1, None, False), (None, -1, False), (-1, None, True), (None, None, True)],
    ids=["within", "not yet", "over", "begun", "no dates"],
)
def test_it_says_when_nobody_can_come_in_for_the_dates(
    console: Client, opens: int | None, closes: int | None, takes_work: bool
) -> None:
    study = make_study()
    dates = [None if days is None else clock.now() + timedelta(days=days) for days in (opens, closes)]
    Study.objects.update(opens_at=dates[0], closes_at=dates[1])
    text = page(console, SET_UP)
    assert turned_away(text) == ([] if takes_work else ["dates"])
    assert ('id="consent"' in page(Client(), f"/s/{study.slug}/")) is takes_work
    shown = re.findall(r"<dd>(.*?)</dd>", text.split('<h2 id="way-in">')[1].split("</section>")[0])
    assert shown == [f"{date:%Y-%m-%d %H:%M}" for date in dates if date is not None]


def test_texts_of_a_study_are_never_markup(console: Client) -> None:
    make_study(title="<script>alert(1)</script>", opened=False)
    for address in (
        "/console/",
        *(f"/console/studies/study/{where}" for where in ("", "set-up/", "search/?q=<script>")),
    ):
        text = console.get(address).content.decode()
        assert "&lt;script&gt;" in text
        assert not re.search(r"<script(?! src=)", text)


def test_an_unknown_study_is_not_found(console: Client) -> None:
    assert console.get("/console/studies/nope/").status_code == 404
    assert Study.objects.count() == 0


def test_pages_are_personal_and_strict(console: Client) -> None:
    make_study(opened=False)
    for address in ("/console/", "/console/studies/study/", SET_UP):
        answer = console.get(address)
        assert "no-store" in answer["Cache-Control"]
        assert "'unsafe-inline'" not in answer["Content-Security-Policy"]
        assert not re.search(r"<style|<script(?! src=)|style=|onclick=", answer.content.decode())


def test_studies_come_in_pages(console: Client, db: None) -> None:
    for number in range(23):
        make_study(slug=f"study-{number:02}", topics=0, opened=False)
    assert page(console, "/console/").count("<article") == 20
    second = page(console, "/console/?page=2")
    assert second.count("<article") == 3
    assert "study-22" in second
    assert 'href="?page=1" rel="prev"' in second
    assert console.get("/console/?page=3").status_code == 404
