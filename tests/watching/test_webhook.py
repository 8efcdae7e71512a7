"""Webhooks, to a real server: what is posted, tried again, given up, and never sent into this network."""

import socket
import ssl
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from threading import Event
from typing import Any

import pytest
from pytest_django import Settings

from judging.core.clock import now
from judging.core.services import jobs
from judging.jobs import TASKS
from judging.limits import MOST_ATTEMPTS_TO_TELL
from judging.models import Job, JobKind, JobState, Study, Watch
from judging.watching.jobs.posting import _is_public
from judging.watching.services.requests import request_notices
from tests.factories import inverted, judge_unit, later, make_study, make_worker
from tests.support.nginx import HOST, make_certificate
from tests.support.receiver import Receiver
from tests.watching.test_thresholds import watched


@pytest.fixture
def study(transactional_db: None, receiver: Receiver, settings: Settings) -> Study:
    """A study with a bad anchor, and a webhook that it is told to."""
    settings.WEBHOOK_HOSTS = ["localhost"]
    study = make_study(topics=1, judgments_per_document=9)
    for _ in range(5):
        judge_unit(make_worker(study), magnitude=inverted)
    watched(study, bad_anchor=True, webhook_url=f"http://localhost:{receiver.port}/hooks/1?a=b")
    return study


def the_job() -> Job:
    return Job.objects.get(kind="webhook")


def test_what_is_posted(study: Study, receiver: Receiver) -> None:
    assert [request_notices(now=later(hours=1)) for _ in range(2)] == [1, 0]
    job = the_job()
    assert (job.state, job.result) == (JobState.DONE, {"host": "localhost", "status": 204})
    ((path, body),) = receiver.received
    assert path == "/hooks/1?a=b"
    text = body.pop("text")
    assert all(part in text for part in ("The study study", "401", "D401-H", "D401-N"))
    assert body == {
        "id": job.pk,
        "at": later(hours=1).isoformat(),
        "study": "study",
        "title": "The study study",
        "about": body["about"],
        "value": "",
        "limit": "",
    }


@pytest.mark.parametrize("answer", [500, 429])
def test_it_is_tried_again_while_the_server_is_in_trouble(
    study: Study, receiver: Receiver, answer: int
) -> None:
    receiver.status = answer
    request_notices(now=later(hours=1))
    assert (the_job().state, the_job().attempts) == (JobState.QUEUED, 1)
    receiver.status = 200
    assert jobs.reap(now=now() + jobs.STALE) == 1
    assert (the_job().state, the_job().attempts) == (JobState.DONE, 2)
    assert len(receiver.received) == 2
    assert receiver.received[0] == receiver.received[1], "the id tells a double"


def test_a_server_that_is_away_is_given_up_after_a_day(study: Study, receiver: Receiver) -> None:
    receiver.stop()
    request_notices(now=later(hours=1))
    assert the_job().state == JobState.QUEUED
    Job.objects.update(attempts=MOST_ATTEMPTS_TO_TELL - 1)
    TASKS[JobKind.WEBHOOK](the_job().pk)
    assert the_job().state == JobState.FAILED
    assert "localhost" in the_job().error


@pytest.mark.parametrize("answer", [302, 404])
def test_what_will_not_change_is_given_up_at_once(study: Study, receiver: Receiver, answer: int) -> None:
    receiver.status = answer
    request_notices(now=later(hours=1))
    assert the_job().state == JobState.FAILED
    assert str(answer) in the_job().error
    assert [path for path, _ in receiver.received] == ["/hooks/1?a=b"]


def test_nothing_is_sent_into_the_network_of_the_server(
    study: Study, receiver: Receiver, settings: Settings
) -> None:
    settings.WEBHOOK_HOSTS = []
    request_notices(now=later(hours=1))
    assert the_job().state == JobState.FAILED
    assert "localhost" in the_job().error
    assert receiver.received == []


def test_the_name_is_looked_up_once_and_cannot_lead_elsewhere_after_that(
    study: Study, receiver: Receiver, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A name that stands for a public and a private address is refused: the second would be within."""
    settings.WEBHOOK_HOSTS = []
    looked_up: list[str] = []

    def lookup(host: str, port: int, **options: Any) -> list[Any]:
        looked_up.append(host)
        return [
            (socket.AF_INET, socket.SOCK_STREAM, 6, "", (ip, port)) for ip in ("93.184.216.34", "10.0.0.1")
        ]

    monkeypatch.setattr("judging.watching.jobs.posting.socket.getaddrinfo", lookup)
    Watch.objects.update(webhook_url="https://rebound.example.org/")
    request_notices(now=later(hours=1))
    assert the_job().state == JobState.FAILED
    assert looked_up == ["rebound.example.org"]


@pytest.mark.parametrize(("host", "received"), [(HOST, 1), ("other.example.org", 0)])
def test_tls_checks_the_name_at_the_address_that_was_looked_up(
    study: Study,
    settings: Settings,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    host: str,
    received: int,
) -> None:
    make_certificate(tmp_path, tmp_path / "certificate.pem")
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(tmp_path / "certificate.pem", tmp_path / "key.pem")
    asked_for: list[str | None] = []
    context.sni_callback = lambda _socket, name, _context: asked_for.append(name)
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "certificate.pem"))
    settings.WEBHOOK_HOSTS = [host]
    looked_up: list[str] = []
    original = socket.getaddrinfo

    def lookup(name: str, port: int, *more: Any, **options: Any) -> list[Any]:
        if name == host:
            looked_up.append(name)
            name = "127.0.0.1" if looked_up == [host] else "192.0.2.1"
        return original(name, port, *more, **options)

    monkeypatch.setattr("judging.watching.jobs.posting.socket.getaddrinfo", lookup)
    server = Receiver(context)
    Watch.objects.update(webhook_url=f"https://{host}:{server.port}/")
    request_notices(now=later(hours=1))
    server.stop()
    assert (looked_up, asked_for, len(server.received)) == ([host], [host], received)
    assert the_job().state == (JobState.DONE if received else JobState.QUEUED)


@pytest.mark.parametrize("secure", [False, True])
def test_a_server_that_drips_is_cut_off_as_a_whole(
    study: Study, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, secure: bool
) -> None:
    """Each byte comes long before the time-out of a step; all of them would take for ever."""
    monkeypatch.setattr("judging.watching.jobs.posting.WEBHOOK_SECONDS", 0.4)
    enough = Event()
    with socket.create_server(("127.0.0.1", 0)) as server, ThreadPoolExecutor(1) as pool:

        def drip() -> int:
            sent = 0
            connection, _ = server.accept()
            with connection, suppress(OSError):  # the site cuts it off: that is what is tried
                connection.sendall(b"" if secure else b"HTTP/1.1 200 ")
                while not enough.wait(0.05):
                    # As the beginning of a handshake of TLS: a record of 16 KB, a byte at a time.
                    connection.sendall(b"\x16\x03\x03\x40\x00"[sent : sent + 1] or b"." if secure else b"O")
                    sent += 1
            return sent

        dripping = pool.submit(drip)
        Watch.objects.update(
            webhook_url=f"http{'s' if secure else ''}://localhost:{server.getsockname()[1]}/"
        )
        request_notices(now=later(hours=1))
        enough.set()
        assert dripping.result() > 1, "it went on while it was waited for"
    assert (the_job().state, the_job().attempts) == (JobState.QUEUED, 1), "it is tried again"
    assert "localhost" in caplog.text


def test_a_webhook_that_was_taken_away_gets_nothing(study: Study, receiver: Receiver) -> None:
    receiver.status = 503
    request_notices(now=later(hours=1))
    Watch.objects.update(webhook_url="")
    jobs.reap(now=now() + jobs.STALE)
    assert the_job().state == JobState.FAILED
    assert len(receiver.received) == 1


@pytest.mark.parametrize(
    ("address", "public"),
    [
        ("93.184.216.34", True),
        ("2606:2800:220:1::1", True),
        ("127.0.0.1", False),
        ("10.1.2.3", False),
        ("192.168.0.1", False),
        ("172.16.0.1", False),
        ("169.254.169.254", False),
        ("0.0.0.0", False),
        ("224.0.0.1", False),
        ("::1", False),
        ("fe80::1%eth0", False),
        ("fd00::1", False),
        ("::ffff:127.0.0.1", False),
        ("2002:7f00:1::", False),
        ("64:ff9b::5db8:d822", True),
        ("64:ff9b::7f00:1", False),
        ("64:ff9b::a9fe:a9fe", False),
        ("64:ff9b:1::5db8:d822", False),
        ("64:ff9b:1:7f00:0:100::", False),
        ("::127.0.0.1", False),
        ("::5db8:d822", False),
        ("::", False),
        ("fec0::1", False),
        ("2001:0:5db8:d822::1", False),
        ("2001:db8::1", False),
        ("ff0e::1", False),
        ("100::1", False),
    ],
)
def test_public_addresses(address: str, public: bool) -> None:
    assert _is_public(address) is public
