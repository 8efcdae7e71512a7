"""The worker statistics: by hand on a small study, kept, listed, and computed anew when units have ended."""

import re
from datetime import timedelta

import pytest
from django.test import Client

from judging.core.clock import now
from judging.core.stored_sentences import to_json
from judging.jobs import tidy
from judging.limits import STATISTICS_FRESH
from judging.models import Event, Job, Judgment, Participation, Study, WorkerFigures
from judging.protocol.unit_flags import REASONS
from judging.watching.jobs.worker_statistics import compute_statistics
from judging.watching.pages.statistic_cells import STATISTICS
from judging.watching.selectors.worker_statistics import medians_of, studies_to_compute
from judging.watching.services.curation import exclude_unit
from judging.watching.services.requests import request_statistics
from judging.worker.services.leaving import return_unit, withdraw
from tests.factories import (
    answer_wrongly,
    honest,
    inverted,
    judge_unit,
    later,
    make_study,
    make_worker,
)
from tests.support.headings import Page
from tests.watching.conftest import read

pytestmark = pytest.mark.django_db


def values(*magnitudes: str) -> object:
    """Judge the anchors by 100 and 1, and the others by these in the order of their ids."""

    def magnitude(judgment: Judgment) -> str:
        place = judgment.pool_document.document.document_id.rpartition("-")[2]
        return {"H": "100", "N": "1"}.get(place) or magnitudes[int(place)]

    return magnitude


def statistics_of(worker: Participation) -> WorkerFigures:
    return WorkerFigures.objects.get(participation=worker)


@pytest.fixture
def study() -> Study:
    """Two topics of one unit's documents each; room for many workers."""
    return make_study(topics=2, judgments_per_document=12)


def test_figures_by_hand(study: Study) -> None:
    first, second, third = (make_worker(study) for _ in range(3))
    for turn in range(2):
        at = {"now": later(hours=turn)}
        judge_unit(first, seconds=30, magnitude=values("5", "5", "10", "20", "40", "50"), **at)
        judge_unit(second, seconds=60, magnitude=values("10", "10", "20", "40", "80", "99"), **at)
    judge_unit(third, seconds=1, magnitude=inverted)
    answer_wrongly(make_worker(study, upto="question"))
    Judgment.objects.update(justification="So it seems.")
    moment = later(hours=9)
    assert compute_statistics(study=study, now=moment) == {"workers": 4, "flagged": 2}
    row = statistics_of(first)
    assert (row.begun, row.ended, row.completed, row.computed_at) == (2, 2, 2, moment)
    assert row.seconds == 30
    assert row.range == 100  # 100 / 1 in both units
    # Of 16 magnitudes, in each unit 100, 1, 5, 5, 10, 20, 40, 50: five of eight.
    assert row.favourites == 5 / 8
    assert (row.commonest, row.commonest_share) == (5, 1 / 4)
    assert row.repeats == 15 / 16  # always the same sentence
    assert row.shared == 12
    # Doubled, but for the last document: not quite 1.
    assert 0.99 < row.agreement < 1
    assert row.failures == 0
    failing = statistics_of(third)
    assert (failing.begun, failing.ended, failing.completed) == (1, 0, 0)
    assert failing.failures == 2, "one try, and both (c) and (d)"
    assert (failing.seconds, failing.range, failing.agreement, failing.repeats) == (None,) * 4
    wrong = WorkerFigures.objects.get(begun=1, ended=1)
    assert wrong.failures == 1
    result = medians_of(study)
    assert (result.workers, result.flagged, result.computed_at) == (2, 2, moment)
    assert result.figures.seconds == 45


def test_excluded_units_are_not_what_others_are_compared_with(study: Study) -> None:
    rising, falling = values("2", "3", "4", "5", "6", "7"), values("7", "6", "5", "4", "3", "2")
    honest, spammer, other = (make_worker(study) for _ in range(3))
    for turn in range(2):
        judge_unit(honest, now=later(hours=turn), magnitude=rising)
        judge_unit(other, now=later(hours=turn), magnitude=rising)
        unit = judge_unit(spammer, now=later(hours=turn), magnitude=falling)
        exclude_unit(unit=unit.unit, reason="Not read.", now=later(hours=9))
    compute_statistics(study=study, now=later(hours=9))
    assert statistics_of(honest).agreement == pytest.approx(1)
    assert statistics_of(spammer).agreement < -0.9


def test_they_are_computed_again_when_units_have_ended_and_they_are_old(study: Study) -> None:
    assert studies_to_compute(now=later()) == [], "nothing has ended"
    judge_unit(make_worker(study))
    assert studies_to_compute(now=later()) == [study]
    compute_statistics(study=study, now=later())
    assert studies_to_compute(now=later(hours=9)) == []
    judge_unit(make_worker(study), now=later(minutes=5))
    assert studies_to_compute(now=later() + STATISTICS_FRESH - timedelta(seconds=1)) == []
    assert studies_to_compute(now=later() + STATISTICS_FRESH) == [study]


def test_the_clock_asks_for_them_once(study: Study, django_capture_on_commit_callbacks: object) -> None:
    judge_unit(make_worker(study))
    assert [request_statistics(now=now()) for _ in range(2)] == [1, 1]
    job = Job.objects.get(kind="figures")
    assert (job.state, job.study) == ("queued", study)
    Job.objects.all().delete()
    with django_capture_on_commit_callbacks(execute=True):
        tidy()
    assert Job.objects.get(kind="figures").result["workers"] == 1
    assert WorkerFigures.objects.count() == 1


def test_who_leaves_and_asks_for_deletion_has_no_figures(study: Study) -> None:
    worker = make_worker(study)
    judge_unit(worker)
    compute_statistics(study=study, now=later())
    withdraw(participation=worker, delete_judgments=True, now=later(hours=1))
    assert not WorkerFigures.objects.exists()
    compute_statistics(study=study, now=later(hours=2))
    row = statistics_of(worker)
    assert (row.completed, row.seconds, row.commonest) == (0, None, None)


def test_the_page_lists_them_and_computes_them(
    study: Study, console: Client, django_capture_on_commit_callbacks: object
) -> None:
    worker = make_worker(study)
    judge_unit(worker, seconds=33)
    assert worker.pseudonym not in read(console, "worker-statistics/")
    with django_capture_on_commit_callbacks(execute=True):
        answer = console.post("/console/studies/study/worker-statistics/")
    assert (answer.status_code, answer.url) == (302, "/console/studies/study/worker-statistics/")
    text = read(console, "worker-statistics/")
    assert f"{worker.pseudonym} 0 1 1 33.0 100.0 25 % 12 % – 0 % 0.0" in text
    job = Job.objects.get(kind="figures")
    assert f"/jobs/{job.pk}/" not in console.get("/console/studies/study/jobs/").content.decode()
    assert "size" in read(console, "worker-statistics/?sort=size", 400)


@pytest.mark.parametrize(
    "sort", ["flags", "worker", "begun", "units", *(figure.name.removeprefix("-") for figure in STATISTICS)]
)
def test_sorting_puts_the_suspicious_first_and_the_unknown_last(
    study: Study, console: Client, sort: str
) -> None:
    fields = {"flags": "flagged", "units": "completed", "commonest": "commonest_share"}
    field = fields.get(sort, sort)
    workers = sorted((make_worker(study) for _ in range(3)), key=lambda one: one.pseudonym)
    low_first = sort in {"worker", *(figure.name for figure in STATISTICS)}
    for worker, value in zip(workers, (0.1, 0.9, None) if low_first else (0.9, 0.1, None), strict=True):
        row = WorkerFigures(participation=worker, computed_at=later(), begun=1, ended=1, completed=0)
        if field not in ("worker", "flagged", "begun", "completed"):
            setattr(row, field, value + 1 if value and sort == "range" else value)
        elif field != "worker":
            setattr(row, field, {0.9: 2, 0.1: 1, None: 0}[value])
        row.save()
    asked = sort if low_first else f"-{sort}"
    text = read(console, f"worker-statistics/?sort={asked}")
    places = [text.index(worker.pseudonym) for worker in workers]
    assert places == sorted(places)


def test_a_worker_s_page_says_why_to_look(study: Study, console: Client) -> None:
    worker = make_worker(study)
    page = f"workers/{worker.pseudonym}/"
    assert not statistics_shown(console, page)
    why = "3.2 times as quick as the median of 41 workers: 12.5 s a document against 40.1 s."
    WorkerFigures.objects.create(
        participation=worker,
        computed_at=later(),
        begun=2,
        ended=2,
        completed=2,
        seconds=12.5,
        flags=[why],
        flagged=1,
    )
    assert why in read(console, page)
    assert statistics_shown(console, page)[0] == ["12.5", "12.5"], "the worker's seconds, and the median"


def statistics_shown(console: Client, page: str) -> list[list[str]]:
    """Return the statistics on a worker's page, each beside the median."""
    html = console.get(f"/console/studies/study/{page}").content.decode()
    section = html.split('<h2 id="statistics">')[1].split("</section>")[0]
    return [[cell.said for cell in row[1:]] for table in Page(section).tables for row in table.rows]


def test_failures_on_a_bad_pair_of_anchors_count_against_nobody() -> None:
    """Five of five fail the one topic, which its anchors are to blame for; of the other's six one fails."""
    study = make_study(topics=2, judgments_per_document=12)
    workers = [make_worker(study) for _ in range(6)]
    bad, _ = study.topics.order_by("place")
    for turn in range(2):
        for place, worker in enumerate(workers):
            careless = place == 0

            def judged(judgment: Judgment, careless: bool = careless) -> str:
                fails = careless or judgment.pool_document.topic_id == bad.pk
                return (inverted if fails else honest)(judgment)

            judge_unit(worker, now=later(hours=turn), magnitude=judged)
            if live := worker.assignments.filter(state__in=["judging", "revising"]).first():
                assert "c" in live.failed_checks
                return_unit(participation=worker, now=later(hours=turn, minutes=30))
    compute_statistics(study=study, now=later(hours=10))
    failed = Event.objects.filter(kind="anchors_failed", topic=bad).values("participation").distinct()
    assert failed.count() == 6
    assert {statistics_of(worker).failures for worker in workers[1:]} == {0}
    assert statistics_of(workers[0]).failures == 1 / 2


def test_the_reasons_stand_above_the_table_with_the_worker(study: Study, console: Client) -> None:
    worker, other = make_worker(study), make_worker(study)
    common = {"computed_at": later(), "begun": 2, "ended": 2, "completed": 2}
    WorkerFigures.objects.create(participation=worker, flags=["Same reasons.", "Quick."], flagged=2, **common)
    WorkerFigures.objects.create(participation=other, **common)
    page = console.get("/console/studies/study/worker-statistics/").content.decode()
    above = page[page.index('aria-labelledby="why"') : page.index("<table")]
    assert worker.pseudonym in above
    assert above.index("Same reasons.") < above.index("Quick.")
    assert other.pseudonym not in above


def test_a_worker_s_page_shows_what_was_judged_in_completed_units_alone(
    study: Study, console: Client
) -> None:
    worker = make_worker(study)
    unit = judge_unit(worker, magnitude=values("5", "5", "10", "20", "40", "50"))
    judge_unit(worker, now=later(hours=1), magnitude=inverted)
    page = f"workers/{worker.pseudonym}/"

    def shown() -> list[str]:
        html = console.get(f"/console/studies/study/{page}").content.decode()
        return re.findall(r"<details data-judged.*?</details>", html, re.DOTALL)

    (judged,) = shown()
    ids = [row.pool_document.document.document_id for row in unit.judgments.order_by("position")]
    assert sorted(ids, key=judged.index) == ids, "in the order shown"
    assert "So it seems, 1." in judged
    exclude_unit(unit=unit.unit, reason="Not read.", now=later(hours=2))
    assert len(shown()) == 1, "an excluded unit can be looked at"
    withdraw(participation=worker, delete_judgments=True, now=later(hours=3))
    assert shown() == []


def test_with_one_unit_each_a_worker_is_flagged_by_the_unit_alone(console: Client) -> None:
    study = make_study(topics=1, judgments_per_document=12)
    one, *others = [make_worker(study) for _ in range(3)]
    judge_unit(one, magnitude=values(*"555555"), seconds=20.5)
    for worker in others:
        judge_unit(worker, seconds=40)
    Judgment.objects.update(justification="So it seems.")
    compute_statistics(study=study, now=later(hours=1))
    assert all(to_json(REASONS[sign]) in statistics_of(one).flags for sign in ("reason", "time"))
    assert len(statistics_of(one).flags) > 2
    assert [statistics_of(worker).flags for worker in others] == [[to_json(REASONS["reason"])]] * 2
    assert 'data-compares="no"' in console.get("/console/studies/study/worker-statistics/").content.decode()
