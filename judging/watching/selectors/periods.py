"""Hours and days in UTC, and how many rows of a table fall into each."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from django.db import connection
from django.db.models import F, Func, QuerySet
from django.db.models.expressions import RawSQL

HOUR: Final = "hour"
DAY: Final = "day"
PERIODS: Final = {HOUR: timedelta(hours=1), DAY: timedelta(days=1)}


def last_periods(by: str, *, first: datetime, until: datetime, most: int) -> list[datetime]:
    """Return the start of each period from `first` to `until`, the newest first, at most `most` of them."""
    step = PERIODS[by]
    midnight = until.astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    latest = midnight + (until - midnight) // step * step
    number = min(most, (latest - first) // step + 2) if first <= latest else 1
    return [latest - step * place for place in range(number)]


def count_in_periods(
    starts: Sequence[datetime], by: str, counted: Sequence[tuple[QuerySet[Any], str]]
) -> list[list[int]]:
    """Return a list for each period, with the number of rows from each query that fall into the period.

    `starts` holds the start of each period, the newest first. `counted` holds pairs: a query, and the name of
    the column with the time of each row. The database counts all rows in one query, by ranges of an index.
    Grouping all rows by their period would take eight times as long.
    """
    columns, parameters = [], list[Any]()
    for rows, moment in counted:
        bounds = {
            f"{moment}__gte": RawSQL("period.starts", ()),
            f"{moment}__lt": RawSQL("period.ends", ()),
        }
        number = rows.filter(**bounds).order_by().values_list(Func(F("pk"), function="COUNT"))
        sql, values = number.query.sql_with_params()
        columns.append(f"({sql})")
        parameters.extend(values)
    moments = [
        connection.ops.adapt_datetimefield_value(moment)
        for start in starts
        for moment in (start, start + PERIODS[by])
    ]
    table = ", ".join(["(%s, %s)"] * len(starts))
    with connection.cursor() as cursor:
        cursor.execute(
            f"WITH period (starts, ends) AS (VALUES {table})"  # noqa: S608 - placeholders, and the ORM's SQL
            f" SELECT {', '.join(columns)} FROM period ORDER BY starts DESC",
            [*moments, *parameters],
        )
        return [list(row) for row in cursor.fetchall()]
