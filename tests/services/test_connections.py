"""A connection to PostgreSQL is known to be there without a question, and to be gone when it is."""

import time

import pytest
from django.db import connection
from django.db.backends.postgresql.base import DatabaseWrapper

pytestmark = pytest.mark.parametrize("database", ["postgresql"], indirect=True)


def begin_a_request() -> None:
    """As Django does at the start of each."""
    connection.health_check_enabled, connection.health_check_done = True, False


def process() -> int:
    """The server's process behind the connection."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        return int(cursor.fetchone()[0])


def test_one_that_is_there_is_not_asked(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    before = process()
    monkeypatch.setattr(DatabaseWrapper, "is_usable", lambda self: pytest.fail("the server was asked"))
    begin_a_request()
    assert process() == before


def test_one_that_the_server_has_closed_is_opened_anew(database: str) -> None:
    before = process()
    other = connection.copy()
    with other.cursor() as cursor:
        cursor.execute("SELECT pg_terminate_backend(%s)", [before])
    other.close()
    deadline = time.monotonic() + 10
    while connection.is_usable():
        assert time.monotonic() < deadline, "the end of the connection is not noticed"
        time.sleep(0.01)
    begin_a_request()
    assert process() != before


def test_one_that_was_closed_here_is_none(database: str) -> None:
    process()
    connection.connection.close()
    assert not connection.is_usable()
    connection.close()
    assert process()
