"""Hours and days, computed by the database so that it can group rows by them."""

from datetime import UTC, datetime
from typing import Any, Final

from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models import CharField, Func
from django.db.models.sql.compiler import SQLCompiler

HOUR: Final = "hour"
DAY: Final = "day"
Sql = tuple[str, tuple[str | int, ...]]
_LENGTHS: Final = {HOUR: 13, DAY: 10}
_FORMATS: Final = {HOUR: "%Y-%m-%d %H", DAY: "%Y-%m-%d"}


class PeriodOf(Func):
    """An expression for the hour or day of a moment in UTC, for grouping rows. `begins` converts its values.

    On SQLite, Django's own truncation calls Python for every row. SQLite stores moments as text that starts
    with the period, so a prefix of the text is enough. On PostgreSQL, the value is a truncated moment,
    because truncating is faster than formatting.
    """

    output_field = CharField()

    def __init__(self, moment: str, *, period: str, **extra: Any) -> None:
        super().__init__(moment, **extra)
        self.period = period

    def as_sqlite(self, compiler: SQLCompiler, connection: BaseDatabaseWrapper, **context: Any) -> Sql:
        template = f"substr(%(expressions)s, 1, {_LENGTHS[self.period]})"
        return self.as_sql(compiler, connection, template=template, **context)

    def as_postgresql(self, compiler: SQLCompiler, connection: BaseDatabaseWrapper, **context: Any) -> Sql:
        template = f"date_trunc('{self.period}', %(expressions)s AT TIME ZONE 'UTC')"
        return self.as_sql(compiler, connection, template=template, **context)


def begins(value: str | datetime, period: str) -> datetime:
    """Return the start of a period in UTC. `value` is a value of `PeriodOf`, as the database returns it."""
    moment = value if isinstance(value, datetime) else datetime.strptime(value, _FORMATS[period])
    return moment.replace(tzinfo=UTC)
