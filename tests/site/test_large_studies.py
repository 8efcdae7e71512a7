"""The console in front of many rows: made in bulk, with as many queries as for few."""

from collections import Counter
from itertools import product

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from judging.core.selectors.judgments import accepted_judgments
from judging.models import Event, Participation, Study
from judging.site.job_list import JOBS_BY, TITLE
from judging.watching.jobs.worker_statistics import compute_statistics
from judging.watching.selectors.event_list import EVENTS_BY, EventFilter, matching, rows_of
from judging.watching.selectors.live import RESERVATIONS_BY
from judging.watching.selectors.quality import back_rows, back_sorts, used_back
from judging.watching.selectors.worker_list import sorts, workers_page
from judging.watching.selectors.worker_statistics import SORTS as FIGURE_SORTS
from tests.benchmarks.large_study import LargeStudy
from tests.factories import later
from tests.support.integrity import broken_invariants

LISTS = [
    "watch/",
    "quality/",
    "quality/?by=hour&topics=1&back=1",
    *(f"worker-statistics/?sort={sort}" for sort in FIGURE_SORTS),
    "thresholds/",
    "table1/",
    "events/",
    "events/?check=c&topic=401&first=2026-03-03&last=2026-03-25",
    *(f"events/?sort={sort}" for sort in EVENTS_BY),
    *(f"quality/?sort_back={sort}" for sort in ("unit", "worker", "back", "revisions", "c", "d", "ended")),
    *(f"watch/?sort_reserved={sort}" for sort in RESERVATIONS_BY),
    *(f"jobs/?sort={sort}" for sort in (*JOBS_BY, TITLE)),
    "?sort_topics=-judgments&sort_quality=-lapsed",
    "table1/?sort=-back_1",
    "understanding/?sort=-units",
    *(f"workers/?sort={sort}" for sort in sorts()),
]


def queries_of(console: Client, address: str) -> int:
    with CaptureQueriesContext(connection) as captured:
        assert console.get(address).status_code == 200
    return len(captured)


@pytest.fixture(scope="module")
def both(module_db: None) -> tuple[Study, Study]:
    """A study of 32 judgments and one of 3,200, with the figures of their workers."""
    small = LargeStudy(slug="small", judgments=32, topics=1).study
    large = LargeStudy(slug="large", judgments=3200, topics=8).study
    for study in (small, large):
        compute_statistics(study=study, now=later(hours=999))
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


def test_pages_together_hold_everything_once(db: None, both: tuple[Study, Study]) -> None:
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
    for sort, descending in product(back_sorts(study), (False, True)):
        sorted_units = used_back(study, sort=sort, descending=descending)
        parts = [back_rows(sorted_units, start, start + 25) for start in range(0, len(whole), 25)]
        assert Counter(row for part in parts for row in part) == Counter(whole), sort
    names = sorted(study.participations.values_list("pseudonym", flat=True))
    assert len(names) > 50
    for sort, descending in product(sorts(), (False, True)):
        pages = [
            workers_page(study, sort=sort, descending=descending, start=start, stop=start + 50)
            for start in range(0, len(names), 50)
        ]
        assert sorted(worker.pseudonym for part in pages for worker in part) == names
