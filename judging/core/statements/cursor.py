"""A cursor for SQL that a process sends again and again: what was done about a text is not done anew."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import cache
from typing import TYPE_CHECKING, Any

import psycopg
from django.db import connections
from django.db.backends.sqlite3.base import FORMAT_QMARK_REGEX, SQLiteCursorWrapper
from django.db.backends.utils import CursorWrapper
from django.db.utils import DEFAULT_DB_ALIAS

if TYPE_CHECKING:
    from psycopg._queries import PostgresQuery
    from psycopg.abc import Params, Query


@contextmanager
def statement_cursor() -> Iterator[CursorWrapper]:
    """A cursor of the connection in use, within its transaction, and with Django's errors.

    On SQLite the places of values are found once. On PostgreSQL, where Django writes values into the text of
    a statement so that no two are alike, text and values go apart, and from the third time on the server
    keeps a plan (`prepare_threshold` in the settings). Its SQL must be one of a few texts.
    """
    connection = connections[DEFAULT_DB_ALIAS]
    connection.close_if_health_check_failed()
    connection.ensure_connection()
    with connection.wrap_database_errors:
        inner: Any = (  # the driver's own cursor, which is another with each database
            connection.connection.cursor(factory=_KnownText)
            if connection.vendor == "sqlite"
            else _KeptPlan(connection.connection)
        )
    make = connection.make_debug_cursor if connection.queries_logged else connection.make_cursor
    with make(inner) as cursor:
        yield cursor


class _KnownText(SQLiteCursorWrapper):
    """Django's cursor, which would look for the places of values each time."""

    def convert_query(self, query: str, *, param_names: Iterable[str] | None = None) -> str:
        return _with_question_marks(query)


class _KeptPlan(psycopg.Cursor[tuple[Any, ...]]):
    """psycopg's cursor, which sends text and values apart, and knows what it has sent last, for the log."""

    def _convert_query(self, query: "Query", params: "Params | None" = None) -> "PostgresQuery":
        self._query = super()._convert_query(query, params)
        return self._query


@cache
def _with_question_marks(text: str) -> str:
    return FORMAT_QMARK_REGEX.sub("?", text).replace("%%", "%")
