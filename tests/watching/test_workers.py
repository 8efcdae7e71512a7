"""The list of workers and the page of one of them: what became of the units, and why."""

import re
from datetime import datetime
from html import unescape

import pytest
from django.contrib.auth.base_user import AbstractBaseUser
from django.test import Client
from django.urls import reverse

from judging.models import Assignment, Judgment, Participation, Study, Unit
from judging.protocol.checks import CHECKS, anchors
from judging.watching.services.curation import exclude_unit
from judging.watching.services.workers import block_worker
from judging.worker.services.lapse import expire_assignments
from judging.worker.services.leaving import return_unit, withdraw
from tests.factories import (
    NOW,
    answer_wrongly,
    fail_practice,
    form,
    inverted,
    judge_unit,
    later,
    live_assignment,
    make_study,
    make_worker,
    pass_practice,
    see,
    send,
)
from tests.site.test_studies import page
from tests.support.html import compact

ADDRESS = "/console/studies/study/workers/"
SECRETS = {"magnitude": "6543.25", "justification": "Nobody else may read this"}


@pytest.fixture
def study(db: None) -> Study:
    return make_study(judgments_per_document=5, check_attempts=1, pay_per_unit="0.20")


def row_of(text: str, worker: Participation) -> list[str]:
    """The cells after the name, of a worker's row in the list."""
    row = text.split(f">{worker.pseudonym}</a></th>")[1].split("</tr>")[0]
    return [re.sub(r"<[^>]+>", "", cell).strip() for cell in re.findall(r"<td.*?</td>", row, re.DOTALL)]


def story(console: Client, worker: Participation) -> str:
    return page(console, reverse("console:worker", args=(worker.study.slug, worker.pseudonym)))


def reasons(text: str) -> list[tuple[str, list[str]]]:
    """Return the kind of each event on a worker's page, with the numbers and checks that it tells."""
    events = re.findall(r'<li data-event="(\w+)"><time.*?</time>(.*?)</li>', text, re.DOTALL)
    return [(kind, re.findall(r"\d+|\([a-d]\)", told)) for kind, told in events]


def shown(moment: datetime) -> str:
    return f"{moment:%Y-%m-%d %H:%M}"


def test_the_list_counts_units_by_their_end_and_failures_by_check(console: Client, study: Study) -> None:
    worker = make_worker(study, upto="practising")
    fail_practice(worker)
    pass_practice(worker)
    worker.refresh_from_db()
    judge_unit(worker, now=later(hours=1))
    judge_unit(worker, now=later(hours=2), seconds=1, magnitude=inverted)
    text = page(console, ADDRESS)
    # state; live, completed, question failed, tries used up, lapsed, returned, cancelled, reported;
    # (a) to (d); seen
    others = ["0"] * (len(CHECKS) - 4)
    assert row_of(text, worker) == ["ready", *"01010000", *"1011", *others, "2026-03-02 11:00"]


def test_each_end_has_its_column(console: Client, study: Study) -> None:
    wrong, back, lapsed, cancelled, live = (make_worker(study, upto="question") for _ in range(5))
    answer_wrongly(wrong)
    return_unit(participation=back, now=later(minutes=1))
    block_worker(participation=cancelled, now=later(minutes=1))
    Assignment.objects.filter(participation=live).update(lapses_at=later(hours=9))
    expire_assignments(now=later(hours=2))
    text = page(console, ADDRESS)
    assert [row_of(text, worker)[1:9].index("1") for worker in (live, wrong, lapsed, back, cancelled)] == [
        0,
        2,
        4,
        5,
        6,
    ]
    assert row_of(text, wrong)[9:13] == list("0100")
    assert row_of(text, cancelled)[0] == "blocked"


def test_last_seen_is_what_the_worker_did_last_not_what_was_done_to_them(
    console: Client, study: Study
) -> None:
    opened, idle, blocked, completed = (make_worker(study, upto="judging") for _ in range(4))
    see(opened, now=later(minutes=10))
    judge_unit(completed, now=later(minutes=20), seconds=60)
    block_worker(participation=blocked, now=later(minutes=45))
    expire_assignments(now=later(hours=2))
    fresh = make_worker(study, upto="consented", now=later(hours=3))
    text = page(console, ADDRESS)
    times = {
        opened: later(minutes=10),
        idle: NOW,
        blocked: NOW,
        completed: later(minutes=28),
        fresh: later(hours=3),
    }
    assert {worker: row_of(text, worker)[-1] for worker in times} == {
        worker: shown(time) for worker, time in times.items()
    }
    order = re.findall(r'<a class="id" [^>]*>(\w+)</a>', text)
    assert order[:3] == [fresh.pseudonym, completed.pseudonym, opened.pseudonym]


def test_it_can_be_sorted(console: Client, study: Study) -> None:
    first, second = make_worker(study), make_worker(study)
    third = make_worker(study, upto="question", now=later(hours=1))
    judge_unit(first)
    judge_unit(second)
    judge_unit(second, now=later(minutes=30))
    answer_wrongly(third, now=later(hours=2))
    block_worker(participation=first, now=later(hours=3))

    def order(sort: str) -> list[str]:
        return re.findall(r'<a class="id" [^>]*>(\w+)</a>', page(console, f"{ADDRESS}?sort={sort}"))

    names = sorted(worker.pseudonym for worker in (first, second, third))
    assert order("worker") == names
    assert order("state")[0] == first.pseudonym
    assert order("-completed") == [worker.pseudonym for worker in (second, first, third)]
    assert order("-failures")[0] == third.pseudonym
    assert order("-b") == [third.pseudonym, *(name for name in names if name != third.pseudonym)]
    assert order("-question") == order("-b")
    assert order("-seen") == [worker.pseudonym for worker in (third, second, first)]
    assert order("seen") == [worker.pseudonym for worker in (first, second, third)]
    assert order("-worker") == names[::-1]


@pytest.mark.parametrize(
    ("query", "status", "named"),
    [
        ("sort=platform_id", 400, ["platform_id"]),
        ("page=7", 404, ["7", "1"]),
        ("page=-1", 404, ["-1", "1"]),
    ],
)
def test_a_wrong_value_is_told(
    console: Client, study: Study, query: str, status: int, named: list[str]
) -> None:
    make_worker(study)
    answer = console.get(f"{ADDRESS}?{query}")
    assert answer.status_code == status
    text = compact(answer.content.decode())
    (fault,) = re.findall(r'role="alert">([^<]*)</p>', text)
    assert re.findall(r"platform_id|-?\d+", fault) == named
    assert '<h1 id="workers">1 ' in text


def test_a_page_holds_fifty_workers_and_keeps_their_sorting(console: Client, study: Study) -> None:
    for _ in range(52):
        make_worker(study, upto="consented")
    names = sorted(Participation.objects.values_list("pseudonym", flat=True))
    text = page(console, f"{ADDRESS}?sort=worker&page=2")
    assert re.findall(r'<a class="id" [^>]*>(\w+)</a>', text) == names[50:]
    assert re.search(r"<caption>\D+51\D+52\b", text)
    assert 'href="?sort=worker&page=1" rel="prev"' in text


def test_a_study_without_workers_says_so(console: Client, study: Study) -> None:
    assert 'data-empty="new"' in page(console, ADDRESS)


def test_a_worker_page_says_why_units_failed(console: Client, study: Study) -> None:
    worker = make_worker(study, upto="practising")
    fail_practice(worker)
    pass_practice(worker)
    worker.refresh_from_db()
    first = judge_unit(worker, now=later(hours=1), seconds=1, magnitude=inverted)
    assert first.state == "checks_failed"
    wrong = make_worker(study, upto="question")
    answer_wrongly(wrong)
    text = story(console, worker)
    assert reasons(text) == [
        ("checks_failed", ["1"]),
        ("time_failed", ["(d)", "1", "8"]),
        ("anchors_failed", ["(c)", "1"]),
        ("practice_failed", ["(a)", "1"]),
    ]
    assert str(anchors.CHECK.facts[0].words("inverted")) in text
    (told,) = re.findall(r'data-failed-finishes="1">(.*?)</p>', text)
    others = [part for letter in CHECKS if letter not in "abcd" for part in (f"({letter})", "0")]
    assert re.findall(r"\d+|\([a-z]\)", told) == ["1", "(c)", "1", "(d)", "1", *others, "0", "0"]
    option = wrong.events.get().option
    assert reasons(story(console, wrong)) == [("comprehension_failed", ["(b)", "1", str(option + 1)])]


def test_a_completed_unit_shows_its_seconds_per_document(console: Client, study: Study) -> None:
    worker = make_worker(study)
    judge_unit(worker, seconds=25)
    (told,) = re.findall(r'data-seconds="25.0">(.*?)</p>', story(console, worker))
    assert re.findall(r"[\d.]*\d", told) == ["25.0"] * 9, "the mean, and each of the eight documents"
    unfinished = make_worker(study, upto="judging")
    see(unfinished)
    send(unfinished, now=later(25))
    assert "data-seconds" not in story(console, unfinished)


def test_no_answer_of_an_unfinished_unit_is_shown_and_nobody_is_named(console: Client, study: Study) -> None:
    worker = make_worker(study, upto="judging", platform_id="person-77", submission_id="visit-88")
    for state in ("judging", "lapsed"):
        if state == "judging":
            see(worker)
            send(worker, form(worker, **SECRETS), now=later(25))
        else:
            expire_assignments(now=later(hours=2))
        assert live_assignment(worker).state == state
        assert Judgment.objects.filter(assignment__participation=worker, number=6543.25).exists()
        for text in (story(console, worker), page(console, ADDRESS), page(console, ADDRESS + "?sort=worker")):
            assert worker.pseudonym in text
            for secret in ("6543", "Nobody else may", "person-77", "visit-88", worker.token):
                assert secret not in text


def test_codes_are_for_those_who_manage(
    console: Client, study: Study, monkeypatch: pytest.MonkeyPatch
) -> None:
    worker = make_worker(study)
    code = judge_unit(worker).completion_code
    assert code in story(console, worker)
    monkeypatch.setattr("judging.core.access.may_manage", lambda user, study: False)
    assert code not in story(console, worker)
    assert "completed" in story(console, worker)


def test_excluded_and_deleted_units_are_told(console: Client, study: Study) -> None:
    worker = make_worker(study)
    judge_unit(worker)
    exclude_unit(unit=Unit.objects.get(state="done"), reason="Typed at random.", now=later(hours=1))
    assert re.search(r"data-excluded>[^<]*Typed at random\.", story(console, worker))
    withdraw(participation=worker, delete_judgments=True, now=later(hours=2))
    text = story(console, worker)
    assert "data-deleted" in text
    assert "Typed at random." not in text
    assert reasons(text) == [("withdrawn", [])]


def test_units_of_a_worker_come_in_pages(console: Client, db: None) -> None:
    study = make_study(topics=27, judgments_per_document=1)
    worker = make_worker(study, upto="ready")
    for hours in range(27):
        judge_unit(worker, now=later(hours=hours), seconds=20)
    address = reverse("console:worker", args=("study", worker.pseudonym))
    cards = [
        page(console, f"{address}?page={number}").count('<article class="card unit">') for number in (1, 2)
    ]
    assert cards == [25, 2]
    assert console.get(f"{address}?page=3").status_code == 404


@pytest.mark.parametrize("name", ["nobody", "a%00b", "a/b", "%2F", "é"])
def test_an_unknown_worker_is_not_found(console: Client, study: Study, name: str) -> None:
    assert console.get(f"{ADDRESS}{name}/").status_code == 404


def test_a_worker_of_another_study_is_not_found(console: Client, study: Study) -> None:
    stranger = make_worker(make_study(slug="other"), upto="consented")
    assert console.get(f"{ADDRESS}{stranger.pseudonym}/").status_code == 404
    assert console.get(f"/console/studies/other/workers/{stranger.pseudonym}/").status_code == 200


def test_a_pseudonym_may_be_any_text(console: Client, study: Study) -> None:
    Participation.objects.filter(pk=make_worker(study, upto="practising").pk).update(pseudonym="a/b ?<i>&")
    worker = Participation.objects.get()
    fail_practice(worker)
    (address,) = re.findall(r'<a class="id" href="([^"]+)"', console.get(ADDRESS).content.decode())
    text = console.get(unescape(address)).content.decode()
    assert "a/b ?&lt;i&gt;&amp;" in text
    (events,) = re.findall(r'href="([^"]*events[^"]*)"', text)
    assert console.get(unescape(events)).content.decode().count("a/b ?&lt;i&gt;&amp;</a>") == 1


@pytest.mark.parametrize("where", ["table1/", "events/", "workers/", "workers/w2345678/"])
def test_the_pages_are_for_the_console_alone(
    client: Client, outsider: AbstractBaseUser, study: Study, where: str
) -> None:
    address = f"/console/studies/study/{where}"
    assert client.get(address).url == f"/console/login/?next={address}"
    client.force_login(outsider)
    assert client.get(address).status_code == 403


@pytest.mark.parametrize(
    ("where", "led_from"),
    [("table1/", "quality/"), ("events/", "quality/"), ("workers/", "")],
)
def test_they_are_strict_read_only_and_find_their_study(
    console: Client, study: Study, where: str, led_from: str
) -> None:
    answer = console.get(f"/console/studies/study/{where}")
    assert "no-store" in answer["Cache-Control"]
    assert not re.search(r"<style|<script(?! src=)|style=|onclick=", answer.content.decode())
    assert console.post(f"/console/studies/study/{where}").status_code == 405
    assert console.get(f"/console/studies/none/{where}").status_code == 404
    assert f'href="/console/studies/study/{where}"' in page(console, f"/console/studies/study/{led_from}")
