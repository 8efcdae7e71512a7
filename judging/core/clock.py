"""The one clock: the database's. A page reads it once per request and hands it on as `now`."""

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
    """The time by the database's clock, for a query that reads it along; on SQLite in milliseconds."""

    output_field = DateTimeField()

    def as_sql(
        self, compiler: SQLCompiler, connection: BaseDatabaseWrapper, *names: str | None, **context: object
    ) -> tuple[str, tuple[()]]:
        """The expression of the database in use."""
        return _EXPRESSIONS[connection.vendor], ()


def now() -> datetime:
    """The time by the database's clock, in UTC; on SQLite in milliseconds."""
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {_EXPRESSIONS[connection.vendor]}", [])
        (read,) = cursor.fetchone()
    return when(datetime.fromisoformat(read).replace(tzinfo=UTC) if isinstance(read, str) else read)


def when(read: datetime) -> datetime:
    """A time that was read of the database's clock, in UTC."""
    return read.astimezone(UTC)
