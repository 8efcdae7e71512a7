"""Hours and days of moments, counted by the database itself."""

from datetime import UTC, datetime
from typing import Any, Final

from django.db.models import CharField, Func

HOUR: Final = "hour"
DAY: Final = "day"
_LENGTHS: Final = {HOUR: 13, DAY: 10}
_READ: Final = {HOUR: "%Y-%m-%d %H", DAY: "%Y-%m-%d"}
_WRITTEN: Final = {HOUR: "YYYY-MM-DD HH24", DAY: "YYYY-MM-DD"}


class PeriodOf(Func):
    """The hour or day in UTC that a moment lies in, as text that `begins` reads.

    Django's own truncation is done in Python on SQLite, row by row; there moments are texts that begin with
    the period.
    """

    output_field = CharField()

    def __init__(self, moment: str, *, period: str, **extra: Any) -> None:
        super().__init__(moment, **extra)
        self.period = period

    def as_sqlite(self, compiler: Any, connection: Any, **context: Any) -> tuple[str, Any]:
        template = f"substr(%(expressions)s, 1, {_LENGTHS[self.period]})"
        return self.as_sql(compiler, connection, template=template, **context)

    def as_postgresql(self, compiler: Any, connection: Any, **context: Any) -> tuple[str, Any]:
        template = f"to_char(%(expressions)s AT TIME ZONE 'UTC', '{_WRITTEN[self.period]}')"
        return self.as_sql(compiler, connection, template=template, **context)


def begins(text: str, period: str) -> datetime:
    """When a period begins that `PeriodOf` has named."""
    return datetime.strptime(text, _READ[period]).replace(tzinfo=UTC)
