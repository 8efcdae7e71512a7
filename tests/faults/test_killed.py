"""`kill -9` in the middle of the work: of the web processes, of PostgreSQL, of Valkey. Nothing is lost."""

import os
import signal
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
import pytest
from django.contrib.auth import get_user_model
from django.core.management import call_command
from django.db import connection, transaction
from pytest_django import DjangoDbBlocker

from judging.core.clock import now
from judging.models import Judgment, Study, Unit, Visit
from tests.factories import live_assignment, make_worker
from tests.faults.steady import Crowd, Ledger
from tests.jobs.workers import database_url
from tests.support.databases import ON_SQLITE, as_default, configured
from tests.support.http_crowd import memory_of
from tests.support.integrity import broken_invariants
from tests.support.people import PASSWORD
from tests.support.postgresql import PostgreSQLServer
from tests.support.quick_sample import SECONDS, open_sample
from tests.support.valkey import start
from tests.support.visitor import Visitor, through_http
from tests.support.website import served

KEPT = ("raw_input", "justification")
WORKERS = 8
"""More than a topic has units: all units are done when they have left."""


def judged_whole(study: Study, ledger: Ledger) -> None:
    """Every unit is done once, nothing that was acknowledged is missing, and no rule is broken."""
    units = Unit.objects.filter(topic__study=study)
    assert set(units.values_list("state", flat=True)) == {"done"}
    assert Judgment.objects.filter(assignment__participation__study=study).count() == 8 * units.count()
    assert ledger.lost() == set()
    assert broken_invariants(study) == []


@ON_SQLITE
def test_web_processes_killed(study: Study, tmp_path: Path) -> None:
    ledger = Ledger()
    with served(tmp_path, database_url(), workers=2) as site:
        crowd = Crowd(site.address, study.slug, memory_of(study), ledger, SECONDS, WORKERS)
        crowd.wait_for_answers(15)
        site.workers()[0].kill()
        crowd.wait_for_answers(15)
        site.kill()
        site.start()
        crowd.finish()
    assert ledger.faltered, "nobody noticed the kills: they tell nothing"
    judged_whole(study, ledger)


@pytest.mark.parametrize("database", ["postgresql"], indirect=True)
def test_web_processes_killed_between_two_writes_of_an_answer(study: Study, tmp_path: Path) -> None:
    """The answer is written, but for the end of its visit, for which somebody else is in the way."""
    study.refresh_from_db()
    worker = make_worker(study, upto="judging", now=now())
    written = {"magnitude": "7", "justification": "Half of it."}
    with served(tmp_path, database_url()) as site, ThreadPoolExecutor(1) as pool:
        browser = Visitor(through_http(site.address))
        browser.open(f"/s/{study.slug}/resume/{worker.token}/")
        with transaction.atomic():
            Visit.objects.select_for_update().get(closed_at__isnull=True)
            sent = pool.submit(browser.send, "next", **written)
            wait_until(somebody_waits_for_a_row)
            site.kill()
            with pytest.raises(httpx.TransportError):
                sent.result(timeout=30)
        assert not Judgment.objects.exclude(raw_input="", justification="").exists()
        site.start()
        browser.send("next", **written)
    (kept,) = Judgment.objects.exclude(raw_input="").values("position", "revisions", *KEPT)
    assert kept == {"position": 0, "revisions": 0, "raw_input": "7", "justification": "Half of it."}
    assert live_assignment(worker).cursor == 1
    assert broken_invariants(study) == []


def somebody_waits_for_a_row() -> bool:
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'")
        return bool(cursor.fetchone()[0])


def wait_until(true: Callable[[], bool]) -> None:
    ends = time.monotonic() + 30
    while not true():
        assert time.monotonic() < ends
        time.sleep(0.05)


@pytest.fixture
def own_postgresql(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[PostgreSQLServer]:
    """A server of this test's own, as safe as in earnest, whose database is Django's default."""
    server = PostgreSQLServer("fsync=on", "full_page_writes=on", "synchronous_commit=on")
    try:
        with django_db_blocker.unblock(), as_default(configured(server.url)):
            call_command("migrate", verbosity=0)
            yield server
    finally:
        server.stop()


def test_postgresql_killed(own_postgresql: PostgreSQLServer, tmp_path: Path) -> None:
    study, ledger = open_sample(tmp_path, "faults", judgments=1), Ledger()
    with served(tmp_path, own_postgresql.url) as site:
        crowd = Crowd(site.address, study.slug, memory_of(study), ledger, SECONDS, WORKERS)
        crowd.wait_for_answers(15)
        own_postgresql.kill()
        site.wait_until(503)
        own_postgresql.start_again()
        site.wait_until(200)
        crowd.finish()
    connection.close()  # the one of before the kill
    assert ledger.faltered, "nobody noticed the kills: they tell nothing"
    judged_whole(study, ledger)


@pytest.mark.long
@pytest.mark.parametrize("database", ["postgresql"], indirect=True)
def test_valkey_killed(study: Study, tmp_path: Path) -> None:
    """Those who judge notice nothing while the cache is away; the console neither."""
    valkey, ledger = start(), Ledger()
    pid = int(valkey.client().info()["process_id"])
    get_user_model().objects.create_superuser("ada", password=PASSWORD)
    with served(tmp_path, database_url(), f"redis://127.0.0.1:{valkey.port}/0") as site:
        crowd = Crowd(site.address, study.slug, memory_of(study), ledger, SECONDS, WORKERS)
        researcher = Visitor(through_http(site.address))
        researcher.open("/console/")
        researcher.send(username="ada", password=PASSWORD)
        assert researcher.page.path == "/console/"
        crowd.wait_for_answers(15)
        os.kill(pid, signal.SIGKILL)
        crowd.wait_for_answers(15)
        for path in (f"/console/studies/{study.slug}/", "/api/v1/studies/"):
            assert researcher.open(path).status == 200
        again = Visitor(through_http(site.address))
        again.open("/console/")
        again.send(username="ada", password=PASSWORD)
        assert again.page.path == "/console/"
        crowd.finish()
    assert ledger.faltered == []
    judged_whole(study, ledger)
