"""Emptying the database after a test that commits: the audit log, which nobody may delete from, too.

On PostgreSQL a flush truncates, which no trigger of ours refuses. On SQLite it deletes row by row: there the
triggers are taken away for as long as that takes, and put back as they were.
"""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.db import transaction
from django.db.backends.sqlite3.operations import DatabaseOperations

Flush = Callable[[DatabaseOperations, list[str]], None]


@pytest.fixture(scope="session", autouse=True)
def flush_empties_the_audit_log_too() -> Iterator[None]:
    original = DatabaseOperations.execute_sql_flush

    def flush(operations: Any, sql_list: list[str]) -> None:
        with transaction.atomic(using=operations.connection.alias), operations.connection.cursor() as cursor:
            cursor.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'")
            triggers = cursor.fetchall()
            for name, _ in triggers:
                cursor.execute(f'DROP TRIGGER "{name}"')
            original(operations, sql_list)
            for _, sql in triggers:
                cursor.execute(sql)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(DatabaseOperations, "execute_sql_flush", flush)
        yield
