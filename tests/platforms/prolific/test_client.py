"""The client for Prolific's API, with a server that is slow, busy, broken or hostile."""

from dataclasses import replace

import pytest

from judging.core.services.errors import RefusedError
from judging.platforms.operations import UnansweredError
from judging.platforms.prolific.client import Client
from tests.platforms.prolific.stand_in import TOKEN, Failure, Prolific


@pytest.fixture
def waits() -> list[float]:
    return []


@pytest.fixture
def client(prolific: Prolific, waits: list[float]) -> Client:
    return Client(prolific.address, TOKEN, pause=waits.append)


def test_it_follows_the_pages_of_submissions(prolific: Prolific, client: Client) -> None:
    for number in range(5):
        prolific.add(f"S{number}", f"P{number}", "ACTIVE")
    read = list(client.submissions("study-1"))
    assert [(one.id, one.worker, one.status) for one in read] == [
        (f"S{number}", f"P{number}", "ACTIVE") for number in range(5)
    ]


def test_it_never_sends_the_token_to_another_host(prolific: Prolific, client: Client) -> None:
    prolific.add("S1", "P1", "ACTIVE")
    prolific.next_page = "http://127.0.0.2:9/steal"
    with pytest.raises(RefusedError):
        list(client.submissions("study-1"))
    assert len(prolific.requests) == 1


def test_it_ends_a_list_that_does_not_end(
    prolific: Prolific, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("judging.platforms.prolific.client._MOST_PAGES", 5)
    prolific.next_page = "/api/v1/studies/study-1/submissions/?start=0"
    with pytest.raises(UnansweredError):
        list(client.submissions("study-1"))


def test_ids_cannot_change_the_path(prolific: Prolific, client: Client) -> None:
    list(client.submissions("../../messages?"))
    assert prolific.requests == ["GET /api/v1/studies/..%2F..%2Fmessages%3F/submissions/"]


@pytest.mark.parametrize("status", [429, 500, 503, 0])
def test_it_repeats_a_request_if_prolific_is_busy(
    prolific: Prolific, client: Client, waits: list[float], status: int
) -> None:
    prolific.add("S1", "P1", "AWAITING REVIEW")
    prolific.failures = [Failure(status), Failure(status)]
    client.approve("S1")
    assert prolific.submissions["S1"]["status"] == "APPROVED"
    assert waits == [2.0, 4.0]


@pytest.mark.parametrize(("asked", "waited"), [("7", 7.0), ("86400", 30.0), ("soon", 2.0), ("-1", 2.0)])
def test_it_waits_as_long_as_prolific_asks_up_to_a_limit(
    prolific: Prolific, client: Client, waits: list[float], asked: str, waited: float
) -> None:
    prolific.failures = [Failure(429, headers={"Retry-After": asked})]
    list(client.submissions("study-1"))
    assert waits == [waited]


def test_it_gives_up(prolific: Prolific, client: Client) -> None:
    prolific.failures = [Failure(503) for _ in range(9)]
    with pytest.raises(UnansweredError):
        list(client.submissions("study-1"))
    assert len(prolific.requests) == 4


@pytest.mark.parametrize("failure", [Failure(500), Failure(0), Failure(202, delay=0.5)])
def test_it_never_pays_twice(prolific: Prolific, failure: Failure) -> None:
    client = Client(prolific.address, TOKEN, seconds=0.2)
    bonuses, _ = client.set_up_bonuses("study-1", "S1,0.50\n")
    prolific.failures = [replace(failure, done=True)]
    with pytest.raises(UnansweredError):
        client.pay_bonuses(bonuses)
    assert prolific.paid == ["S1,0.50\n"]


@pytest.mark.parametrize(
    "body",
    [
        b"<html>busy</html>",
        b"[]",
        b"{}",
        b'{"results": {}}',
        b'{"results": [1]}',
        b'{"results": [{"id": "S1"}]}',
        b"\xff",
        b'{"results": [], "_links": {"next": {"href": "/',
    ],
)
def test_malformed_answers_are_one_error(prolific: Prolific, client: Client, body: bytes) -> None:
    prolific.failures = [Failure(200, body)]
    with pytest.raises(UnansweredError):
        list(client.submissions("study-1"))


def test_a_refusal_says_what_prolific_says(prolific: Prolific, client: Client) -> None:
    prolific.failures = [Failure(400, b'{"error": "The study   has no money"}')]
    with pytest.raises(RefusedError, match="The study has no money") as refusal:
        list(client.submissions("study-1"))
    assert not isinstance(refusal.value, UnansweredError)
    with pytest.raises(RefusedError, match="401"):
        list(Client(prolific.address, "another token").submissions("study-1"))


def test_a_redirect_is_not_followed(prolific: Prolific, client: Client) -> None:
    prolific.failures = [Failure(302, headers={"Location": f"{prolific.address}/elsewhere"})]
    with pytest.raises(RefusedError):
        client.message("P1", "study-1", "Hello")
    assert len(prolific.requests) == 1


def test_a_subscription_is_confirmed_with_its_secret(prolific: Prolific, client: Client) -> None:
    assert client.create_secret("workspace-1") == "the-secret-of-the-workspace"
    assert client.subscribe("workspace-1", "https://judging.example.org/hooks/prolific/") == "sub-1"
    assert prolific.confirmed == ["sub-1 handshake"]
    prolific.failures = [Failure(201, b'{"id": "sub-2"}')]
    with pytest.raises(UnansweredError):
        client.subscribe("workspace-1", "https://judging.example.org/hooks/prolific/")
