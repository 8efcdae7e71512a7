"""The messages that Prolific sends: who signed them, and what they change, in any order and any number."""

import json
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.test import Client

from judging.core.clock import now
from judging.models import Assignment, Event, EventKind, PlatformSubmission, Study
from judging.platforms.prolific.messages import OLDEST, signature
from judging.platforms.prolific.pages import EVENT
from judging.worker.services.arrival import link_submission
from judging.worker.services.reservation import reserve_unit
from tests.factories import answer_rightly, dice, judge_unit, make_worker

SECRET = "the-secret-of-the-workspace"
ADDRESS = "/hooks/prolific/"
SIGNED_BY_OPENSSL = "JBZTrXjE8+4dulSMuxymEg6mNMm6S35YJLBIsF/wKMk="


@pytest.fixture(autouse=True)
def with_secret(settings: Any) -> None:
    settings.PROLIFIC_HOOK_SECRET = SECRET


def body_of(status: str = "RETURNED", *, submission: str = "S1", participant: str = "P1") -> dict[str, str]:
    return {
        "event_type": EVENT,
        "resource_id": submission,
        "participant_id": participant,
        "status": status,
    }


def send(
    body: Any,
    *,
    age: timedelta = timedelta(0),
    **headers: str,
) -> Any:
    """Send a message that Prolific signed `age` ago; `headers` replace its headers."""
    raw = body if isinstance(body, bytes) else json.dumps(body).encode()
    timestamp = str(int((datetime.now(UTC) - age).timestamp()))
    sent = {
        "X-Prolific-Request-Timestamp": timestamp,
        "X-Prolific-Request-Signature": signature(SECRET, timestamp, raw),
    } | {name.replace("_", "-"): value for name, value in headers.items()}
    return Client().post(
        ADDRESS,
        raw,
        content_type="application/json",
        headers=sent,
    )


def state_of_unit() -> str:
    return Assignment.objects.latest("pk").state


@pytest.fixture
def judging(study: Study) -> None:
    """A worker on Prolific with a unit in work."""
    make_worker(study, platform_id="P1", submission_id="S1", upto="judging", now=now())


def test_the_signature_is_that_of_prolifics_documentation() -> None:
    """HMAC-SHA256 over the timestamp and the body, in base64; the value is from openssl."""
    assert signature("key", "1700000000", b'{"a":1}') == SIGNED_BY_OPENSSL


@pytest.mark.parametrize("status", ["RETURNED", "TIMED-OUT"])
def test_a_submission_that_is_given_up_frees_its_unit(judging: None, status: str) -> None:
    answer = send(body_of(status))
    assert (answer.status_code, answer.json()) == (200, {"effect": "freed"})
    assert state_of_unit() == "returned"
    assert PlatformSubmission.objects.get().status == status


@pytest.mark.parametrize("status", ["RESERVED", "ACTIVE", "AWAITING REVIEW", "APPROVED", "REJECTED", "NEW"])
def test_other_statuses_are_noted(judging: None, status: str) -> None:
    assert send(body_of(status)).json() == {"effect": "noted"}
    assert state_of_unit() == "judging"
    assert PlatformSubmission.objects.get().status == status


def test_a_message_that_came_before_changes_nothing(judging: None) -> None:
    timestamp = str(int(datetime.now(UTC).timestamp()))
    raw = json.dumps(body_of("AWAITING REVIEW")).encode()
    signed = {
        "X_Prolific_Request_Timestamp": timestamp,
        "X_Prolific_Request_Signature": signature(SECRET, timestamp, raw),
    }
    assert send(raw, **signed, X_Event_ID="E1").json() == {"effect": "noted"}
    for unsigned in ({"X_Event_ID": "E1"}, {"X_Event_ID": "E2", "X_Timestamp": "2099-01-01T00:00:00Z"}, {}):
        repeated = send(raw, **signed, **unsigned)
        assert (repeated.status_code, repeated.json()) == (200, {"effect": "repeated"})
    assert state_of_unit() == "judging"


def test_an_event_id_that_nobody_signed_hides_no_other_message(judging: None) -> None:
    send(body_of("AWAITING REVIEW"), X_Event_ID="E1")
    assert send(body_of("RETURNED"), X_Event_ID="E1").json() == {"effect": "freed"}


def test_an_older_message_changes_nothing(judging: None) -> None:
    send(body_of("AWAITING REVIEW"))
    late = send(body_of("RETURNED"), age=timedelta(seconds=9), X_Timestamp="2099-01-01T00:00:00Z")
    assert late.json() == {"effect": "older"}
    assert state_of_unit() == "judging"
    assert PlatformSubmission.objects.get().status == "AWAITING REVIEW"


def test_a_returned_submission_does_not_touch_the_unit_of_a_later_one(study: Study) -> None:
    worker = make_worker(study, platform_id="P1", submission_id="S1", now=now())
    link_submission(participation=worker, submission_id="S2", now=now() + timedelta(seconds=5))
    moment = now() + timedelta(seconds=9)
    assert reserve_unit(participation=worker, now=moment, rng=dice(worker, moment))
    answer_rightly(worker, now=moment)
    assert send(body_of("RETURNED")).json() == {"effect": "noted"}
    assert state_of_unit() == "judging"
    assert send(body_of("RETURNED", submission="S2")).json() == {"effect": "freed"}


def test_a_completed_unit_stays_complete(study: Study) -> None:
    judge_unit(make_worker(study, platform_id="P1", submission_id="S1", now=now()), now=now())
    assert send(body_of("RETURNED")).json() == {"effect": "noted"}
    assert state_of_unit() == "completed"
    assert Event.objects.filter(kind=EventKind.RETURNED_LATE).count() == 1


@pytest.mark.parametrize("ids", [{"submission": "S9"}, {"participant": "P9"}])
def test_a_message_about_nobody_changes_nothing(judging: None, ids: dict[str, str]) -> None:
    assert send(body_of("RETURNED", **ids)).json() == {"effect": "unknown"}
    assert state_of_unit() == "judging"


def test_the_ids_of_another_platform_are_not_meant(study: Study, judging: None) -> None:
    Study.objects.update(platform="generic", id_parameter="PROLIFIC_PID")
    assert send(body_of("RETURNED")).json() == {"effect": "unknown"}


@pytest.mark.parametrize(
    "headers",
    [
        {"X_Prolific_Request_Signature": signature("another", "1700000000", b"{}")},
        {"X_Prolific_Request_Signature": ""},
        {"X_Prolific_Request_Signature": "é"},
        {"X_Prolific_Request_Timestamp": ""},
        {"X_Prolific_Request_Timestamp": "yesterday"},
        {"X_Prolific_Request_Timestamp": "9" * 400},
    ],
)
def test_a_message_that_prolific_did_not_sign_is_refused(judging: None, headers: dict[str, str]) -> None:
    assert send(body_of(), **headers).status_code == 403
    assert state_of_unit() == "judging"


@pytest.mark.parametrize("age", [OLDEST + timedelta(seconds=5), -OLDEST - timedelta(seconds=5)])
def test_a_recorded_message_is_refused_later(judging: None, age: timedelta) -> None:
    assert send(body_of(), age=age).status_code == 403
    assert state_of_unit() == "judging"


def test_a_changed_body_is_refused(judging: None) -> None:
    timestamp = str(int(datetime.now(UTC).timestamp()))
    signed = signature(SECRET, timestamp, json.dumps(body_of("ACTIVE")).encode())
    answer = send(
        body_of("RETURNED"), X_Prolific_Request_Timestamp=timestamp, X_Prolific_Request_Signature=signed
    )
    assert answer.status_code == 403
    assert state_of_unit() == "judging"


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"not JSON",
        b"\xff",
        b"[" * 60_000,
        b"[]",
        {"event_type": EVENT},
        body_of() | {"status": 7},
        body_of() | {"participant_id": "P" * 201},
        body_of() | {"resource_id": "S\0"},
    ],
)
def test_a_malformed_message_is_refused(judging: None, body: Any) -> None:
    answer = send(body)
    assert answer.status_code == 400
    assert answer.json()["error"]


def test_a_huge_message_is_refused(judging: None) -> None:
    assert send(b"{" + b" " * 70_000 + b"}").status_code == 413


def test_messages_about_other_things_are_ignored(judging: None) -> None:
    assert send(body_of() | {"event_type": "study.status.change"}).json() == {"effect": "ignored"}


def test_without_a_secret_there_is_no_such_address(judging: None, settings: Any) -> None:
    settings.PROLIFIC_HOOK_SECRET = ""
    assert send(body_of()).status_code == 404
    assert Client().get(ADDRESS).status_code == 405
