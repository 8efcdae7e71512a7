"""The database's clock, the only clock that Plumbline uses.

Each view reads the time once, and passes it to the functions that it calls.
"""

from datetime import UTC, datetime
from typing import Final

from django.db import connection

_EXPRESSIONS: Final = {
    "postgresql": "clock_timestamp()",
    "sqlite": "strftime('%%Y-%%m-%%dT%%H:%%M:%%f', 'now')",
}


def now() -> datetime:
    """Return the database's time in UTC. On SQLite, it is only precise to the millisecond."""
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {_EXPRESSIONS[connection.vendor]}", [])
        (read,) = cursor.fetchone()
    return when(datetime.fromisoformat(read).replace(tzinfo=UTC) if isinstance(read, str) else read)


def when(read: datetime) -> datetime:
    """Return `read`, a time that the database gave, in UTC."""
    return read.astimezone(UTC)
