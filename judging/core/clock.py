"""The database's clock, the only clock that Plumbline uses. A page reads the time once and passes it on."""

from datetime import UTC, datetime
from typing import Final

from django.db import connection
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models import DateTimeField, Func
from django.db.models.sql.compiler import SQLCompiler

_EXPRESSIONS: Final = {
    "postgresql": "clock_timestamp()",
    "sqlite": "strftime('%%Y-%%m-%%dT%%H:%%M:%%f', 'now')",
}


class DatabaseTime(Func):
    """An expression that returns the database's time in a query, to the millisecond on SQLite."""

    output_field = DateTimeField()

    def as_sql(
        self, compiler: SQLCompiler, connection: BaseDatabaseWrapper, *names: str | None, **context: object
    ) -> tuple[str, tuple[()]]:
        """Return the expression for the current database."""
        return _EXPRESSIONS[connection.vendor], ()


def now() -> datetime:
    """Return the database's time in UTC, to the millisecond on SQLite."""
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {_EXPRESSIONS[connection.vendor]}", [])
        (read,) = cursor.fetchone()
    return when(datetime.fromisoformat(read).replace(tzinfo=UTC) if isinstance(read, str) else read)


def when(read: datetime) -> datetime:
    """Return a time from the database's clock, converted to UTC."""
    return read.astimezone(UTC)
