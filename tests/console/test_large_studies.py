"""The console in front of many rows: made in bulk, with as many queries as for few."""

from collections import Counter
from itertools import product

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from judging.models import Event, Participation, PoolDocument, Study, Topic
from judging.selectors.audit_list import SORTED_BY, AuditFilter
from judging.selectors.audit_list import matching as entries
from judging.selectors.documents import JUDGMENTS_BY, judgments_of
from judging.selectors.event_list import EVENTS_BY, EventFilter, matching, rows_of
from judging.selectors.failures import BACK_BY, back_rows, used_back
from judging.selectors.figures import SORTS as FIGURE_SORTS
from judging.selectors.job_list import ALL, JOBS_BY, TITLE, jobs_of, jobs_page
from judging.selectors.judgments import accepted_judgments
from judging.selectors.live import RESERVATIONS_BY, reservations
from judging.selectors.members import ACCOUNTS_BY, MEMBERS_BY, accounts, members_of
from judging.selectors.worker_list import SORTS, workers_page
from judging.services.events import audit
from judging.services.figures import compute_figures
from tests.benchmarks.large_study import LargeStudy
from tests.console.test_studies import page
from tests.factories import later, make_study, make_worker
from tests.support.integrity import broken_invariants

LISTS = [
    "watch/",
    "quality/",
    "quality/?by=hour&topics=1&back=1",
    *(f"worker-figures/?sort={sort}" for sort in FIGURE_SORTS),
    "thresholds/",
    "table1/",
    "events/",
    "events/?check=c&topic=401&first=2026-03-03&last=2026-03-25",
    *(f"events/?sort={sort}" for sort in EVENTS_BY),
    *(f"quality/?sort_back={sort}" for sort in BACK_BY),
    *(f"watch/?sort_reserved={sort}" for sort in RESERVATIONS_BY),
    *(f"jobs/?sort={sort}" for sort in (*JOBS_BY, TITLE)),
    "?sort_topics=-judgments&sort_quality=-lapsed",
    "table1/?sort=-back_1",
    "understanding/?sort=-units",
    *(f"workers/?sort={sort}" for sort in SORTS),
]


def queries_of(console: Client, address: str) -> int:
    with CaptureQueriesContext(connection) as captured:
        assert console.get(address).status_code == 200
    return len(captured)


@pytest.fixture
def both(db: None) -> tuple[Study, Study]:
    """A study of 32 judgments and one of 3,200, with the figures of their workers."""
    small = LargeStudy(slug="small", judgments=32, topics=1).study
    large = LargeStudy(slug="large", judgments=3200, topics=8).study
    for study in (small, large):
        compute_figures(study=study, now=later(hours=999))
    return small, large


def test_a_bulk_study_is_as_the_services_would_leave_it(db: None) -> None:
    study = LargeStudy(judgments=320, topics=4).study
    assert accepted_judgments().count() == 320
    assert broken_invariants(study) == []


@pytest.mark.parametrize("where", ["", *LISTS])
def test_queries_do_not_grow_with_a_study(console: Client, both: tuple[Study, Study], where: str) -> None:
    small, large = (queries_of(console, f"/console/studies/{study.slug}/{where}") for study in both)
    assert small == large
    assert large <= 20


def test_queries_do_not_grow_with_a_worker(console: Client, both: tuple[Study, Study]) -> None:
    counts = set()
    for study in both:
        workers = Participation.objects.filter(study=study, events__isnull=False, assignments__number=1)
        busiest = max(workers, key=lambda worker: worker.assignments.filter(state="completed").count())
        counts.add(queries_of(console, f"/console/studies/{study.slug}/workers/{busiest.pseudonym}/"))
    assert len(counts) == 1
    assert max(counts) <= 17


def test_pages_together_hold_everything_once(both: tuple[Study, Study]) -> None:
    study = both[1]
    events = matching(study, EventFilter())
    rows = [row for start in range(0, events.count(), 50) for row in rows_of(events, start, start + 50)]
    assert len(rows) == Event.objects.filter(study=study).count() > 100
    assert [row.at for row in rows] == list(events.values_list("at", flat=True))
    for sort, descending in product(EVENTS_BY, (False, True)):
        sorted_events = matching(study, EventFilter(), sort=sort, descending=descending)
        parts = [rows_of(sorted_events, start, start + 50) for start in range(0, len(rows), 50)]
        assert Counter(row for part in parts for row in part) == Counter(rows), sort
    back = used_back(study)
    whole = back_rows(back, 0, 9999)
    assert len(whole) == back.count() > 50
    for sort, descending in product(BACK_BY, (False, True)):
        sorted_units = used_back(study, sort=sort, descending=descending)
        parts = [back_rows(sorted_units, start, start + 25) for start in range(0, len(whole), 25)]
        assert Counter(row for part in parts for row in part) == Counter(whole), sort
    names = sorted(study.participations.values_list("pseudonym", flat=True))
    assert len(names) > 50
    for sort, descending in product(SORTS, (False, True)):
        pages = [
            workers_page(study, sort=sort, descending=descending, start=start, stop=start + 50)
            for start in range(0, len(names), 50)
        ]
        assert sorted(worker.pseudonym for part in pages for worker in part) == names


def test_lists_are_the_same_on_both_databases(database: str) -> None:
    study = LargeStudy(judgments=320, topics=4).study
    for sort, sign in (("completed", -1), ("failures", -1), ("seen", -1)):
        workers = workers_page(study, sort=sort, descending=True, start=0, stop=100)
        keys = {
            "completed": lambda worker: worker.units.get("completed", 0),
            "failures": lambda worker: sum(worker.failures.values()),
            "seen": lambda worker: worker.last_seen.timestamp(),
        }
        assert workers == sorted(workers, key=lambda worker: (sign * keys[sort](worker), worker.pseudonym))
    assert len({worker.last_seen for worker in workers}) > 5
    assert len(rows_of(matching(study, EventFilter(check="c")), 0, 3)) == 3


def test_every_list_is_sorted_on_both_databases(database: str) -> None:
    study = LargeStudy(judgments=320, topics=4).study
    for topic, number in zip(study.topics.order_by("place"), ("10", "9", "MB2", "1"), strict=True):
        Topic.objects.filter(pk=topic.pk).update(number=number)
    make_worker(study, upto="question", now=later(hours=1))
    audit("paused", study=study, actor=None, now=later())
    pooled = PoolDocument.objects.filter(topic__study=study, anchor="H")[0]
    everything = EventFilter()
    for descending in (False, True):
        asked = {"descending": descending}
        assert all(rows_of(matching(study, everything, sort=sort, **asked), 0, 9) for sort in EVENTS_BY)
        assert all(back_rows(used_back(study, sort=sort, **asked), 0, 9) for sort in BACK_BY)
        assert all(reservations(study, now=later(), most=9, sort=sort, **asked) for sort in RESERVATIONS_BY)
        assert all(judgments_of(pooled, sort=sort, **asked)[:9] for sort in JUDGMENTS_BY)
        assert all(entries(study, AuditFilter(), sort=sort, **asked)[:9] for sort in SORTED_BY)
        assert not any(accounts(sort=sort, **asked) for sort in ACCOUNTS_BY)
        assert not any(members_of(study, sort=sort, **asked) for sort in MEMBERS_BY)
        assert not any(jobs_page(jobs_of(study, ALL), 0, 9, sort=sort, **asked) for sort in JOBS_BY)
    events = rows_of(matching(study, everything, sort="unit", descending=False), 0, 9999)
    assert list(dict.fromkeys(row.topic_id for row in events)) == ["1", "9", "10", "MB2", ""]
    units = back_rows(used_back(study, sort="unit", descending=True), 0, 9999)
    assert list(dict.fromkeys(row.topic_id for row in units)) == ["MB2", "10", "9", "1"]


def test_studies_come_in_pages(console: Client, db: None) -> None:
    for number in range(23):
        make_study(slug=f"study-{number:02}", topics=0, opened=False)
    assert page(console, "/console/").count("<article") == 20
    second = page(console, "/console/?page=2")
    assert second.count("<article") == 3
    assert "study-22" in second
    assert 'href="?page=1" rel="prev"' in second
    assert console.get("/console/?page=3").status_code == 404
