"""SQL that a process sends again and again: nothing is done about its text that was done before."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.db import connection
from django.db.backends.sqlite3.base import FORMAT_QMARK_REGEX


def final(text: str) -> str:
    """SQL as Django writes it, with `%s` for each value, as the database in use takes it."""
    if connection.vendor == "sqlite":
        return FORMAT_QMARK_REGEX.sub("?", text).replace("%%", "%")
    return text


@contextmanager
def statement_cursor() -> Iterator[Any]:
    """A cursor for `final` SQL, of the connection in use, within its transaction, and with Django's errors.

    On SQLite the text goes as it is. On PostgreSQL, where Django writes values into the text of a statement
    so that no two are alike, text and values go apart, and from the third time on (`prepare_threshold` in the
    settings) the server keeps a plan.
    """
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.cursor = connection.connection.cursor()
        else:
            import psycopg

            cursor.cursor = psycopg.Cursor(connection.connection)
        yield cursor
