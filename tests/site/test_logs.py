"""The log has a line per request with its id, a record per fault, and no personal data."""

import json
import logging
import re
from collections.abc import Iterator
from io import StringIO
from typing import Any

import pytest
from django.db import DatabaseError
from django.test import Client
from django.views.generic import TemplateView
from pytest_django import Settings

from deploy.logs import SkipRefusedRequests, formatter
from judging.core.clock import now
from judging.core.observing import request_ids
from judging.core.services import jobs
from judging.models import JobKind
from tests.factories import make_study, make_worker

LOG = logging.getLogger("plumbline.request")
SECRET = "eyes-only-1793"


@pytest.fixture
def log() -> Iterator[StringIO]:
    """Return the lines of the log, parsed as JSON."""
    written = StringIO()
    handler = logging.StreamHandler(written)
    handler.setFormatter(formatter("json"))
    handler.addFilter(SkipRefusedRequests())
    logging.getLogger().addHandler(handler)
    yield written
    logging.getLogger().removeHandler(handler)


def lines(log: StringIO) -> list[dict[str, Any]]:
    return [json.loads(line) for line in log.getvalue().splitlines()]


def test_a_request_is_one_line_without_anybody_in_it(db: None, client: Client, log: StringIO) -> None:
    make_study(platform="generic", id_parameter="PID")
    answer = client.get(f"/s/study/?PID={SECRET}", headers={"user-agent": SECRET, "referer": SECRET})
    (line,) = lines(log)
    assert line.pop("timestamp").endswith("Z")
    assert line.pop("ms") > 0
    assert line == {
        "event": "request",
        "level": "info",
        "logger": "plumbline.request",
        "route": "worker:information",
        "method": "GET",
        "status": 200,
        "bytes": len(answer.content),
        "request_id": answer["X-Request-ID"],
    }


def test_an_id_is_made_or_taken_where_it_is_safe(client: Client) -> None:
    made = {client.get("/healthz")["X-Request-ID"] for _ in range(3)}
    assert len(made) == 3
    assert all(re.fullmatch("[0-9a-f]{16}", item) for item in made)
    for given in ("proxy-17.abc_DEF", "a" * 64):
        assert client.get("/healthz", headers={"x-request-id": given})["X-Request-ID"] == given
    for given in ("", "short", "a" * 65, "a b c d e f", 'x"y<script>z', "ünsafe-value", "line\x0bbreak0"):
        assert client.get("/healthz", headers={"x-request-id": given})["X-Request-ID"] != given


@pytest.mark.parametrize(
    "address", ["/healthz", "/readyz", "/metrics", "/static/console.css", "/favicon.ico"]
)
def test_what_comes_all_the_time_is_not_logged(address: str, db: None, client: Client, log: StringIO) -> None:
    assert client.get(address).status_code in (200, 302)
    assert lines(log) == []


def test_what_is_not_found_or_not_allowed_is_one_line_without_its_path(db: None, log: StringIO) -> None:
    client = Client(enforce_csrf_checks=True)
    worker = make_worker(make_study())
    client.get(f"/no/{SECRET}/")
    client.get(f"/console/invitation/{SECRET}/")
    client.post("/s/study/", {"consent": SECRET})
    client.post(f"/s/study/resume/{worker.token}/")
    output = lines(log)
    assert [line["status"] for line in output] == [404, 404, 200, 403]
    text = log.getvalue()
    assert SECRET not in text
    assert worker.token not in text


def broken(*arguments: object, **named: object) -> None:
    raise DatabaseError(
        f'duplicate key value violates "one"\nDETAIL:  Key (id)=({SECRET}) already exists.\n(ada@example.org)'
    )


def test_a_fault_is_one_record_and_its_page_says_the_number(
    db: None, log: StringIO, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_study()
    client = Client(raise_request_exception=False)
    monkeypatch.setattr(TemplateView, "get", broken)
    answer = client.get(f"/?typed={SECRET}")
    assert answer.status_code == 500
    fault, line = lines(log)
    assert fault["route"] == line["route"] == "home"
    assert line["status"] == 500
    assert "Traceback" in fault["exception"]
    assert "\nDETAIL: " in fault["exception"]
    assert fault["request_id"] == line["request_id"] == answer["X-Request-ID"]
    assert f"<code>{answer['X-Request-ID']}</code>" in answer.content.decode()
    text = log.getvalue()
    assert SECRET not in text
    assert "ada@" not in text


def test_a_job_is_logged_under_the_request_that_asked_for_it(
    db: None, log: StringIO, settings: Settings, tmp_path: Any
) -> None:
    settings.EXPORTS_FOLDER = tmp_path
    study = make_study()
    with request_ids.bound(request_id="asked-here"):
        job = jobs.request(
            kind=JobKind.EXPORT, study=study, parameters={"what": "judgments", "format": "csv"}, now=now()
        )
        jobs.send(job)  # nothing is committed here
    asked, done = lines(log)
    assert (asked["event"], asked["job"], asked["kind"]) == ("job requested", job.pk, "export")
    assert (done["event"], done["job"], done["outcome"]) == ("job", job.pk, "done")
    assert asked["request_id"] == done["request_id"] == "asked-here"
    assert request_ids.current() == ""


@pytest.mark.parametrize("form", ["plain", "json"])
def test_both_forms_say_the_same(form: str) -> None:
    record = LOG.makeRecord(
        LOG.name, logging.INFO, __file__, 1, "request", (), None, extra={"route": "home", "worker": SECRET}
    )
    with request_ids.bound(request_id="12345678", job=7):
        line = formatter(form).format(record)
    assert SECRET not in line
    if form == "json":
        content = json.loads(line)
        assert (content["route"], content["job"], content["request_id"]) == ("home", 7, "12345678")
    else:
        assert line.endswith("INFO plumbline.request: request route=home request_id=12345678 job=7")
