"""Hours and days of moments, counted by the database itself."""

from datetime import UTC, datetime
from typing import Any, Final

from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models import CharField, Func
from django.db.models.sql.compiler import SQLCompiler

HOUR: Final = "hour"
DAY: Final = "day"
Sql = tuple[str, tuple[str | int, ...]]
_LENGTHS: Final = {HOUR: 13, DAY: 10}
_READ: Final = {HOUR: "%Y-%m-%d %H", DAY: "%Y-%m-%d"}


class PeriodOf(Func):
    """The hour or day in UTC that a moment lies in, as `begins` reads it: what rows are grouped by.

    Django's own truncation is done in Python on SQLite, row by row; there moments are texts that begin with
    the period. PostgreSQL is quicker to cut moments than to write them as texts.
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


def begins(named: str | datetime, period: str) -> datetime:
    """When a period begins that `PeriodOf` has named."""
    moment = named if isinstance(named, datetime) else datetime.strptime(named, _READ[period])
    return moment.replace(tzinfo=UTC)
