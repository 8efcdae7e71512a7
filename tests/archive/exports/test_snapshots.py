"""An export in one piece, while workers go on: from one state of the study, and nobody waits for it."""

import json
import socket
from collections.abc import Callable
from io import StringIO
from threading import Thread
from time import monotonic, sleep
from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.core.management import call_command
from django.db import connection, connections
from django.test import Client
from pytest_django.live_server_helper import LiveServer

from judging.archive.catalogue import audited_chunks, export_chunks
from judging.core.formats import export_table, texts
from judging.core.formats.snapshot import one_snapshot
from judging.models import AuditEntry, Judgment, Study, Unit
from judging.payments.export import payment_chunks
from judging.watching.services.curation import exclude_unit
from tests.benchmarks.large_study import LargeStudy
from tests.factories import NOW, judge_unit, later, make_study, make_worker
from tests.support.exports import export_lines


def meanwhile(call: Callable[[], Any]) -> None:
    """Do something to its end on a database connection of its own, as another process would."""
    faults: list[BaseException] = []

    def run() -> None:
        try:
            call()
        except BaseException as fault:
            faults.append(fault)
        finally:
            connections.close_all()

    thread = Thread(target=run)
    thread.start()
    thread.join(60)
    assert not thread.is_alive(), "it waits for the export"
    if faults:
        raise faults[0]


def in_transaction() -> bool:
    """Whether the connection of this thread has a transaction open, as its driver sees it."""
    driver = connection.connection
    return bool(driver.in_transaction if connection.vendor == "sqlite" else driver.info.transaction_status)


@pytest.fixture
def study(database: str) -> Study:
    """A study of two topics, of which one worker has judged both."""
    study = make_study(judgments_per_document=2)
    worker = make_worker(study)
    for hours in range(2):
        judge_unit(worker, now=later(hours=hours))
    return study


def judge_more(study: Study) -> None:
    """Another worker judges both topics, and a unit of the first worker's is excluded."""
    worker = make_worker(study)
    for hours in range(2):
        judge_unit(worker, now=later(hours=3 + hours))
    done = Unit.objects.filter(state="done").order_by("-topic__number", "number")[0]
    exclude_unit(unit=done, reason="Odd.", now=later(hours=9))


@pytest.mark.parametrize("what", ["judgments", "gains", "units", "workers", "table1"])
def test_lines_are_of_the_state_at_the_first(study: Study, what: str) -> None:
    form = "jsonl"
    before = "".join(export_lines(study, what, form)).encode()
    chunks = audited_chunks(study, what, form, now=NOW)
    first = next(chunks)
    meanwhile(lambda: judge_more(study))
    assert first + b"".join(chunks) == before
    assert not in_transaction()
    assert "".join(export_lines(study, what, form)).encode() != before


def test_without_a_snapshot_a_later_topic_is_of_a_later_state(
    study: Study, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else the test above would prove nothing."""
    monkeypatch.setattr(texts, "LINES_AT_ONCE", 1)
    before = "".join(export_lines(study, "judgments", "jsonl")).encode()
    chunks = export_chunks(study, "judgments", "jsonl")
    first = next(chunks)
    meanwhile(lambda: judge_more(study))
    assert first + b"".join(chunks) != before


def test_a_download_is_one_snapshot(study: Study, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(texts, "LINES_AT_ONCE", 1)
    client = Client()
    client.force_login(get_user_model().objects.create_superuser("ada"))
    before = "".join(export_lines(study, "judgments", "csv"))
    answer = client.get("/console/studies/study/export/judgments.csv")
    given = [next(answer.streaming_content) for _ in range(2)]
    assert in_transaction()
    meanwhile(lambda: judge_more(study))
    assert b"".join([*given, *answer.streaming_content]).decode() == before
    assert not in_transaction()


def test_the_command_and_the_payments_are_snapshots_too(
    study: Study, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = StringIO()
    call_command("export", "study", "--what", "units", "--format", "jsonl", stdout=out)
    assert len([json.loads(line) for line in out.getvalue().splitlines()]) == 2
    within: list[bool] = []
    read = export_table.of
    monkeypatch.setattr(
        export_table, "of", lambda table, study: within.append(in_transaction()) or read(table, study)
    )
    lines = b"".join(payment_chunks(study, "csv", now=NOW)).splitlines()
    assert (len(lines), within, in_transaction()) == (3, [True], False)
    exported = AuditEntry.objects.filter(verb="exported").order_by("pk")
    assert [entry.detail["what"] for entry in exported] == ["units", "payments"]


@pytest.mark.parametrize("end", ["closed", "failed", "forgotten"])
def test_the_transaction_ends_with_the_lines(study: Study, end: str) -> None:
    lines = audited_chunks(study, "judgments", "csv", now=NOW)
    assert not in_transaction(), "nothing is asked for before the first line"
    next(lines)
    assert in_transaction()
    if end == "closed":
        lines.close()
    elif end == "failed":
        with pytest.raises(OSError, match="no space"):
            lines.throw(OSError("no space"))
    else:
        del lines
    assert not in_transaction()
    judge_unit(make_worker(study), now=later(hours=5))  # the connection is as good as new


def test_inside_a_transaction_it_is_that_one(db: None) -> None:
    study = make_study()
    with one_snapshot():
        Study.objects.filter(pk=study.pk).update(title="Written inside")
    assert Study.objects.get().title == "Written inside"


def held(database: str) -> bool:
    """Whether anybody else reads from an earlier state of the database."""
    with connection.cursor() as cursor:
        if database == "sqlite":
            Study.objects.update(title=f"Newer than what is read at {monotonic()}")  # the same writes nothing
            cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            return bool(cursor.fetchone()[0])
        cursor.execute(
            "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
            " AND backend_type = 'client backend' AND pid <> pg_backend_pid() AND backend_xmin IS NOT NULL"
        )
        return bool(cursor.fetchone()[0])


def test_a_reader_that_goes_away_leaves_no_transaction_behind(database: str, live_server: LiveServer) -> None:
    """With a real server and a real socket, in the midst of more than the buffers between them hold."""
    study = LargeStudy(judgments=1600, topics=2).study
    Judgment.objects.update(justification="so it seems to me " * 600)
    client = Client()
    client.force_login(get_user_model().objects.create_superuser("ada"))
    request = (
        f"GET /console/studies/{study.slug}/export/judgments.csv HTTP/1.0\r\nHost: localhost\r\n"
        f"Cookie: sessionid={client.cookies['sessionid'].value}\r\n\r\n"
    )
    with connection.cursor() as cursor:
        if database == "sqlite":
            cursor.execute("PRAGMA busy_timeout = 0")  # not to wait for the very reader that is looked for
    assert not held(database)
    with socket.create_connection((live_server.thread.host, live_server.thread.port), timeout=30) as reader:
        reader.sendall(request.encode())
        assert b"200 OK" in reader.recv(4096)
        assert held(database)
    deadline = monotonic() + 30
    while held(database):
        assert monotonic() < deadline, "the transaction outlives its reader"
        sleep(0.1)
