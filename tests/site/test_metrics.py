"""`/metrics`: access, correct numbers, and no personal data."""

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.db import DatabaseError, connection
from django.http import HttpResponse
from django.test import Client
from django.test.utils import CaptureQueriesContext
from prometheus_client.parser import text_string_to_metric_families
from pytest_django import Settings

from judging.core.clock import now
from judging.models import Job, JobKind, JobState
from judging.site import metrics as page
from judging.worker.services.reservation import reserve_unit
from tests.factories import NOW, dice, inverted, judge_unit, make_study, make_worker

TOKEN = "a-token-of-27-characters-xx"


@pytest.fixture(autouse=True)
def nothing_kept() -> Iterator[None]:
    page.counts.forget()
    yield
    page.counts.forget()


def samples(answer: HttpResponse) -> dict[tuple[str, ...], float]:
    """Return (name, values of the labels in the order of their names) → value."""
    assert answer.status_code == 200
    return {
        (sample.name, *(sample.labels[name] for name in sorted(sample.labels))): sample.value
        for family in text_string_to_metric_families(answer.content.decode())
        for sample in family.samples
    }


@pytest.mark.parametrize(
    ("token", "sent", "status"),
    [
        ("", {}, 200),
        ("", {"REMOTE_ADDR": "::1"}, 200),
        ("", {"REMOTE_ADDR": "192.0.2.1"}, 404),
        ("", {"REMOTE_ADDR": ""}, 404),
        ("", {"HTTP_X_FORWARDED_FOR": "192.0.2.1"}, 404),
        ("", {"HTTP_FORWARDED": "for=192.0.2.1"}, 404),
        ("", {"HTTP_AUTHORIZATION": "Bearer ", "REMOTE_ADDR": "192.0.2.1"}, 404),
        (TOKEN, {}, 404),
        (TOKEN, {"HTTP_AUTHORIZATION": f"Bearer {TOKEN}x"}, 404),
        (TOKEN, {"HTTP_AUTHORIZATION": "Bearer é"}, 404),
        (TOKEN, {"HTTP_AUTHORIZATION": TOKEN}, 404),
        (TOKEN, {"HTTP_AUTHORIZATION": f"Bearer {TOKEN}", "REMOTE_ADDR": "192.0.2.1"}, 200),
    ],
)
def test_who_may_read_it(
    token: str, sent: dict[str, Any], status: int, db: None, client: Client, settings: Settings
) -> None:
    settings.METRICS_TOKEN = token
    assert client.get("/metrics", **sent).status_code == status


def test_the_numbers_are_those_of_the_data(db: None, client: Client) -> None:
    study = make_study(judgments_per_document=2)
    make_study(slug="other", opened=False)
    worker = make_worker(study)
    judge_unit(worker)
    reserve_unit(participation=worker, now=NOW, rng=dice(worker, NOW))
    judge_unit(make_worker(study), magnitude=inverted, seconds=1)
    waiting = {"kind": JobKind.EXPORT.value, "study": study, "created_at": now(), "heartbeat_at": now()}
    Job.objects.create(**(waiting | {"created_at": now() - timedelta(hours=1)}))
    Job.objects.create(**waiting)
    failed = {"state": JobState.FAILED.value, "error": "no", "finished_at": NOW}
    Job.objects.create(**(waiting | failed | {"kind": JobKind.REPORT.value}))
    result = samples(client.get("/metrics"))
    units = {name[1]: number for name, number in result.items() if name[::2] == ("plumbline_units", "study")}
    assert units == {"done": 1, "reserved": 2, "open": 1}
    assert result["plumbline_study", "open", "study"] == result["plumbline_study", "draft", "other"] == 1
    assert result["plumbline_judgments", "study"] == 8
    assert result["plumbline_judgments", "other"] == 0
    assert result["plumbline_reservations", "study"] == 2
    assert result["plumbline_check_failures", "c", "study"] == 1
    assert result["plumbline_check_failures", "d", "study"] == 1
    assert result["plumbline_jobs_waiting", "export"] == 2
    assert result["plumbline_jobs_waiting", "notice"] == 0
    assert 3600 <= result["plumbline_jobs_oldest_seconds", "export"] < 3700
    assert result["plumbline_jobs_oldest_seconds", "notice"] == 0
    assert result["plumbline_jobs_failed", "report"] == 1
    assert result["plumbline_database_up",] == 1
    (build,) = (sample for sample in result if sample[0] == "plumbline_build_info")
    assert connection.vendor in build


def test_requests_are_counted_by_the_name_of_their_route(db: None, client: Client) -> None:
    make_study()
    count = ("plumbline_request_seconds_count", "worker:information", "2xx")
    before = samples(client.get("/metrics")).get(count, 0)
    client.get("/s/study/?PID=eyes-only")
    client.get("/s/study/?PID=eyes-only-too")
    client.get("/no/such/address/of/eyes-only")
    answer = client.get("/metrics")
    result = samples(answer)
    assert result[count] == before + 2
    assert result["plumbline_request_seconds_count", "none", "4xx"] >= 1
    assert ("plumbline_request_seconds_bucket", "0.005", "worker:information", "2xx") in result
    assert "eyes-only" not in answer.content.decode()


def test_it_tells_of_no_person_and_no_document(db: None, client: Client) -> None:
    study = make_study(platform="generic", id_parameter="PID")
    worker = make_worker(study, platform_id="eyes-only-7")
    judge_unit(worker)
    text = client.get("/metrics").content.decode()
    for secret in ("eyes-only", worker.pseudonym, worker.token, "D401", study.title, '"401'):
        assert secret not in text
    # Pages of the console have anchors in their names, which a test before may have asked for.
    assert not [line for line in text.splitlines() if "anchor" in line and "plumbline_request" not in line]


def test_it_asks_as_often_on_a_large_site_and_not_at_each_reading(db: None, client: Client) -> None:
    def asked() -> int:
        with CaptureQueriesContext(connection) as queries:
            client.get("/metrics")
        return len(queries)

    make_study()
    first = asked()
    assert (first, asked()) == (7, 0)
    for number in range(3):
        study = make_study(slug=f"study-{number}")
        judge_unit(make_worker(study))
    page.counts.forget()
    assert asked() == first


def test_without_its_database_a_site_says_so(
    db: None, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    def away() -> None:
        raise DatabaseError("connection refused at secret-host")

    monkeypatch.setattr(page, "site_counts", away)
    result = samples(client.get("/metrics"))
    assert result["plumbline_database_up",] == 0
    assert not any(name == "plumbline_units" for name, *_ in result)
