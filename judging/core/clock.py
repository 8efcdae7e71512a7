"""The database's clock, the only clock that Plumbline uses.

Each view reads the time once, and passes it to the functions that it calls.
"""

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
    """An expression for the database's time in a query. SQLite's time is only precise to the millisecond."""

    output_field = DateTimeField()

    def as_sql(
        self, compiler: SQLCompiler, connection: BaseDatabaseWrapper, *names: str | None, **context: object
    ) -> tuple[str, tuple[()]]:
        """Return the expression for the current database."""
        return _EXPRESSIONS[connection.vendor], ()


def now() -> datetime:
    """Return the database's time in UTC. On SQLite, it is only precise to the millisecond."""
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {_EXPRESSIONS[connection.vendor]}", [])
        (read,) = cursor.fetchone()
    return when(datetime.fromisoformat(read).replace(tzinfo=UTC) if isinstance(read, str) else read)


def when(read: datetime) -> datetime:
    """Return `read`, a time that the database gave, in UTC."""
    return read.astimezone(UTC)
