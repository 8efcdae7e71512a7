"""The health checks for load balancers and monitors."""

import errno
import os
from functools import partial
from pathlib import Path

import pytest
from django.db import DatabaseError, connection
from django.db.migrations.recorder import MigrationRecorder
from django.test import Client
from pytest_django import Settings

from judging.site import health


def test_alive_without_a_database(client: Client) -> None:
    # No mark that opens the database: a query would fail this test.
    answer = client.get("/healthz")
    assert (answer.status_code, answer.content) == (200, b"alive\n")


def test_ready_where_the_database_has_every_migration(client: Client, db: None) -> None:
    answer = client.get("/readyz")
    assert (answer.status_code, answer.content) == (200, b"ready\n")


def test_not_ready_while_a_migration_is_missing(client: Client, db: None) -> None:
    MigrationRecorder.Migration.objects.filter(app="judging").delete()
    answer = client.get("/readyz")
    assert answer.status_code == 503
    assert answer.content.endswith(b"\n")
    assert answer.content.count(b"\n") == 1


def test_not_ready_where_the_database_does_not_answer(
    client: Client, db: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse() -> None:
        raise DatabaseError("connection refused at secret-host")

    with monkeypatch.context() as patch:
        patch.setattr(connection, "cursor", refuse)
        answer = client.get("/readyz")
    assert answer.status_code == 503
    assert b"secret-host" not in answer.content


def test_not_ready_where_nothing_can_be_stored(
    client: Client, db: None, settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.VAR = tmp_path / "gone"
    answer = client.get("/readyz")
    assert answer.status_code == 503
    assert os.strerror(errno.ENOENT) in answer.content.decode()
    settings.VAR = tmp_path
    assert client.get("/readyz").status_code == 200
    assert list(tmp_path.iterdir()) == []
    full = partial(Path("/dev/full").open, "wb")
    monkeypatch.setattr(health, "TemporaryFile", lambda dir: full())
    answer = client.get("/readyz")
    assert answer.status_code == 503
    assert os.strerror(errno.ENOSPC) in answer.content.decode()


def test_ready_while_the_database_is_newer_than_the_program(client: Client, db: None) -> None:
    MigrationRecorder.Migration.objects.create(app="judging", name="9999_of_the_next_version")
    assert client.get("/readyz").status_code == 200


@pytest.mark.parametrize("address", ["/healthz", "/readyz"])
def test_only_for_reading(client: Client, address: str) -> None:
    assert client.post(address).status_code == 405
