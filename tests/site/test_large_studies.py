"""The console needs as many queries for many rows as for few."""

from collections.abc import Iterator
from itertools import count, cycle

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from judging.core.selectors.judgments import accepted_judgments
from judging.models import Event, Participation, Study
from judging.protocol.checks import CHECKS
from judging.site.job_list import JOBS_BY, TITLE
from judging.watching.jobs.worker_statistics import compute_statistics
from judging.watching.pages.statistic_cells import STATISTICS
from judging.watching.pages.workers import UNITS
from tests.benchmarks.large_study import LargeStudy
from tests.factories import later
from tests.support.headings import Page
from tests.support.integrity import broken_invariants

EVENTS = ("at", "kind", "check", "unit", "worker")
BACK = ("unit", "worker", "back", "revisions", "c", "d", "ended")
OVERVIEW, OTHERS = 32, 22
"""The largest numbers of queries of the overview, which has a part of every place, and of other pages."""
WORKERS = ("worker", "state", *UNITS, "failures", *CHECKS, "seen")
LISTS = [
    "quality/",
    "quality/?by=hour&topics=1&back=1",
    *(f"worker-statistics/?sort={sort}" for sort in ("flags", "worker", "begun", "units")),
    *(f"worker-statistics/?sort={statistic.name}" for statistic in STATISTICS),
    "thresholds/",
    "table1/",
    "events/",
    "events/?check=c&topic=401&first=2026-03-03&last=2026-03-25",
    *(f"events/?sort={sort}" for sort in EVENTS),
    *(f"quality/?sort_back={sort}" for sort in BACK),
    *(f"?sort_reserved={sort}" for sort in ("unit", "worker", "state", "begun", "lapses")),
    *(f"jobs/?sort={sort}" for sort in (*JOBS_BY, TITLE)),
    "?sort_topics=-judgments&sort_reserved=-lapses",
    "search/?q=D4",
    "set-up/",
    "table1/?sort=-back_1",
    "understanding/?sort_topics=-units",
    *(f"workers/?sort={sort}" for sort in WORKERS),
]


def queries_of(console: Client, address: str) -> int:
    with CaptureQueriesContext(connection) as captured:
        assert console.get(address).status_code == 200
    return len(captured)


@pytest.fixture(scope="module")
def both(module_db: None) -> tuple[Study, Study]:
    """Return a study of 32 judgments and one of 3,200, with statistics of their workers."""
    small = LargeStudy(slug="small", judgments=32, topics=1).study
    large = LargeStudy(slug="large", judgments=3200, topics=8).study
    for study in (small, large):
        compute_statistics(study=study, now=later(hours=999))
    return small, large


def test_a_bulk_study_is_as_the_services_would_leave_it(db: None) -> None:
    study = LargeStudy(judgments=320, topics=4).study
    assert accepted_judgments(study).count() == 320
    assert broken_invariants(study) == []


@pytest.mark.parametrize("where", ["", *LISTS])
def test_queries_do_not_grow_with_a_study(console: Client, both: tuple[Study, Study], where: str) -> None:
    small, large = (queries_of(console, f"/console/studies/{study.slug}/{where}") for study in both)
    assert small == large
    assert large <= (OVERVIEW if where.startswith("?") or not where else OTHERS)


def test_queries_do_not_grow_with_a_worker(console: Client, both: tuple[Study, Study]) -> None:
    counts = set()
    for study in both:
        workers = Participation.objects.filter(study=study, events__isnull=False, assignments__number=1)
        busiest = max(workers, key=lambda worker: worker.assignments.filter(state="completed").count())
        counts.add(queries_of(console, f"/console/studies/{study.slug}/workers/{busiest.pseudonym}/"))
    assert len(counts) == 1
    assert max(counts) <= 20


def rows_of(console: Client, address: str, *, heading: str, page: str) -> Iterator[tuple[str, ...]]:
    """Yield the cells of the rows of the table that has a heading, page after page."""
    for number in count(1):
        answer = console.get(f"{address}&{page}={number}")
        if answer.status_code == 404:
            return
        tables = Page(answer.content.decode()).tables
        table = next(item for item in tables if heading in [cell.said for _, cell in item.columns()])
        yield from (tuple(cell.said for cell in row) for row in table.rows)


def test_pages_together_hold_everything_once(console: Client, both: tuple[Study, Study]) -> None:
    """Sort columns up and down in turn. Events differ only by their details, so equal ones are counted."""
    study = both[1]
    home = f"/console/studies/{study.slug}/"
    for where, heading, page, sorts, least in (
        ("events/?sort=", "Details", "page", EVENTS, 100),
        ("quality/?sort_back=", "Revisions", "back", BACK, 50),
        ("workers/?sort=", "Last seen", "page", WORKERS, 50),
    ):
        lists = [
            sorted(rows_of(console, f"{home}{where}{sign}{sort}", heading=heading, page=page))
            for sort, sign in zip(sorts, cycle(("", "-")), strict=False)
        ]
        assert len(lists[0]) > least
        assert all(rows == lists[0] for rows in lists), where
    assert Event.objects.filter(study=study).count() == len(
        [*rows_of(console, f"{home}events/?sort=at", heading="Details", page="page")]
    )
