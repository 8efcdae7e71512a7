"""Emptying the database after a test that commits, in a hundredth of the time of Django's `flush`.

Nobody may delete from the audit log, so its triggers are off meanwhile. Content types and permissions stay.
"""

from collections.abc import Iterator
from typing import Any

import pytest
from django.db import connection, transaction

KEPT = {"django_migrations", "django_content_type", "auth_permission"}


def empty_tables(_test: Any = None) -> None:
    """Delete every row of Django's default database but those that the migrations leave there."""
    assert not connection.in_atomic_block, "a test commits inside a transaction: see the fixture `module_db`"
    with transaction.atomic(), connection.cursor() as cursor:
        tables = sorted(set(connection.introspection.table_names(cursor)) - KEPT)
        deletions = [f'DELETE FROM "{table}"' for table in tables]
        if connection.vendor == "postgresql":
            cursor.execute("SET LOCAL session_replication_role = replica")
            cursor.execute("; ".join(deletions))
            return
        cursor.execute("PRAGMA defer_foreign_keys = ON")
        cursor.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'")
        triggers = cursor.fetchall()
        statements = [f'DROP TRIGGER "{name}"' for name, _ in triggers]
        for statement in (*statements, *deletions, *(sql for _, sql in triggers)):
            cursor.execute(statement)


@pytest.fixture(scope="session", autouse=True)
def tests_that_commit_end_by_deletion() -> Iterator[None]:
    from django.test import TransactionTestCase

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(TransactionTestCase, "_fixture_teardown", empty_tables)
        yield
