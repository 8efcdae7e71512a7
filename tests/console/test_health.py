"""What load balancers and monitors ask."""

import pytest
from django.db import DatabaseError, connection
from django.db.migrations.recorder import MigrationRecorder
from django.test import Client


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
    assert answer.content.decode().endswith("not applied to the database; run: manage.py migrate\n")
    assert answer.content.count(b"\n") == 1


def test_not_ready_where_the_database_does_not_answer(
    client: Client, db: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse() -> None:
        raise DatabaseError("connection refused at secret-host")

    with monkeypatch.context() as patch:
        patch.setattr(connection, "cursor", refuse)
        answer = client.get("/readyz")
    assert (answer.status_code, answer.content) == (503, b"the database does not answer\n")


@pytest.mark.parametrize("address", ["/healthz", "/readyz"])
def test_only_for_reading(client: Client, address: str) -> None:
    assert client.post(address).status_code == 405
