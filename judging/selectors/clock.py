"""The one clock: the database's. A page reads it once per request and hands it on as `now`."""

from datetime import UTC, datetime

from django.db import connection

_STATEMENTS = {
    "postgresql": "SELECT clock_timestamp()",
    "sqlite": "SELECT strftime('%Y-%m-%dT%H:%M:%f', 'now')",
}


def now() -> datetime:
    """The time by the database's clock, in UTC; on SQLite in milliseconds."""
    with connection.cursor() as cursor:
        cursor.execute(_STATEMENTS[connection.vendor])
        (read,) = cursor.fetchone()
    return datetime.fromisoformat(read).replace(tzinfo=UTC) if isinstance(read, str) else read.astimezone(UTC)
