"""A running site: metrics of all processes, reports of faults, and no personal data in either."""

import gzip
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from django.db import connection

from tests.factories import make_study, make_worker
from tests.jobs.workers import database_url
from tests.site.test_metrics import samples
from tests.support.http_client import get
from tests.support.listening import Listening, Request, reply
from tests.support.visitor import Visitor, through_http
from tests.support.website import Website, served

TYPED, PLATFORM_ID = "typed-eyes-only-1793", "platform-eyes-only-42"
COUNT = ("plumbline_request_seconds_count", "home", "2xx")


class Reports(Listening):
    """Accepts everything that a Sentry client sends."""

    def __init__(self) -> None:
        self.bodies: list[bytes] = []
        super().__init__()
        self.dsn = f"http://key@127.0.0.1:{self.port}/7"

    def answer(self, request: Request, body: bytes) -> None:
        is_packed = request.headers["Content-Encoding"] == "gzip"
        self.bodies.append(gzip.decompress(body) if is_packed else body)
        reply(request, 200, b"{}")

    def events(self) -> list[dict[str, Any]]:
        """Return the events in all envelopes, from each line that is an event."""
        lines = [json.loads(line) for body in self.bodies for line in body.splitlines() if line]
        return [line for line in lines if "exception" in line]


@pytest.fixture
def reports() -> Iterator[Reports]:
    reports = Reports()
    yield reports
    reports.stop()


@contextmanager
def without_table(name: str) -> Iterator[None]:
    """Cause a fault: rename a table while a page needs it."""
    with connection.cursor() as cursor:
        cursor.execute(f"ALTER TABLE {name} RENAME TO {name}_away")
    try:
        yield
    finally:
        with connection.cursor() as cursor:
            cursor.execute(f"ALTER TABLE {name}_away RENAME TO {name}")


def told(site: Website) -> list[dict[str, Any]]:
    return [json.loads(line) for line in site.log.read_text().splitlines() if line.startswith("{")]


@pytest.mark.parametrize("database", ["sqlite"], indirect=True)
def test_what_goes_wrong_is_reported_and_logged_and_nobody_is_named(
    database: str, tmp_path: Path, reports: Reports
) -> None:
    study = make_study(platform="generic", id_parameter="PID")
    token = make_worker(study).token
    with served(tmp_path, database_url(), PLUMBLINE_LOG="json", PLUMBLINE_SENTRY_DSN=reports.dsn) as site:
        visitor = Visitor(through_http(site.address))
        visitor.open(f"/s/{study.slug}/?PID={PLATFORM_ID}")
        with without_table("judging_platformidentity"):
            form = visitor.page.form_with("consent")
            typed = visitor.filled(form, consent="yes") | {"justification": TYPED}
            visitor.post(visitor.target(form), typed)
            assert visitor.page.status == 500
        cookies = dict(get(f"{site.address}/s/{study.slug}/?PID=x").cookies)
        get(f"{site.address}/s/{study.slug}/resume/{token}/", headers={"cookie": f"typed={TYPED}"})
    (event,) = reports.events()  # a process that ends has sent what it had to send
    fault = event["exception"]["values"][-1]
    (line,) = [line for line in told(site) if line.get("status") == 500]
    assert fault["type"] == "OperationalError"
    modules = [frame["module"] for frame in fault["stacktrace"]["frames"]]
    assert any(re.match(r"judging\.(\w+\.)?(services|selectors)\.", module) for module in modules)
    assert event["release"].startswith("plumbline@")
    assert event["transaction"] == "/s/{slug}/"
    assert event["tags"]["request_id"] == line["request_id"]
    assert line["request_id"] in visitor.page.html
    everything = b"".join(reports.bodies).decode() + site.log.read_text()
    for secret in (TYPED, PLATFORM_ID, token, "csrftoken", *cookies.values()):
        assert secret not in everything


@pytest.mark.parametrize("database", ["sqlite"], indirect=True)
def test_processes_add_up_and_none_is_lost_with_one_that_dies(database: str, tmp_path: Path) -> None:
    def seen(site: Website) -> dict[tuple[str, ...], float]:
        return samples(get(f"{site.address}/metrics"))

    def ask(site: Website, times: int) -> None:
        for _ in range(times):  # a connection each, so that all processes have their share
            assert get(site.address).status_code == 200

    with served(tmp_path, database_url(), workers=2) as site:
        assert COUNT not in seen(site)
        ask(site, 20)
        assert seen(site)[COUNT] == seen(site)[COUNT] == 20
        first, *_ = site.workers()
        first.kill()
        first.wait(10)
        site.wait_until(200)
        ask(site, 20)
        assert seen(site)[COUNT] == 40
        site.kill()
        site.start()
        assert COUNT not in seen(site)


def test_without_a_dsn_the_reporting_is_not_even_imported() -> None:
    script = "import django, sys; django.setup(); sys.exit('sentry_sdk' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", script], check=False).returncode == 0
