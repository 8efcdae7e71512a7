"""TERM ends a busy site within ten seconds, so that no supervisor has to kill it."""

import time
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx
from django.db import transaction

from judging.core.clock import now
from judging.models import Judgment, Visit
from tests.factories import make_study, make_worker
from tests.jobs.workers import database_url
from tests.support.databases import ON_SQLITE
from tests.support.visitor import Visitor, through_http
from tests.support.website import served

SECONDS = 10
CLIENTS = 30


@ON_SQLITE
def test_a_site_whose_requests_wait_for_the_database_stops_in_time(database: str, tmp_path: Path) -> None:
    """The first request waits for a lock, and all others wait for the thread that it keeps."""
    study = make_study()
    study.refresh_from_db()
    worker = make_worker(study, upto="judging", now=now())
    with served(tmp_path, database_url(), workers=1) as site, ThreadPoolExecutor(1 + CLIENTS) as pool:
        browser = Visitor(through_http(site.address))
        browser.open(f"/s/{study.slug}/resume/{worker.token}/")
        with transaction.atomic():
            Visit.objects.select_for_update().get(closed_at__isnull=True)
            answer = {"magnitude": "7", "justification": "Half of it."}
            requests: list[Future[Any]] = [pool.submit(browser.send, "next", **answer)]
            time.sleep(0.5)
            for _ in range(CLIENTS):
                requests.append(pool.submit(httpx.get, f"{site.address}/healthz", timeout=60))
            time.sleep(0.5)
            assert not any(request.done() for request in requests)
            result = time.monotonic()
            site.stop()
            assert time.monotonic() - result < SECONDS
            for request in requests:
                assert isinstance(request.exception(timeout=30), httpx.TransportError)
    assert not Judgment.objects.exclude(raw_input="").exists()
