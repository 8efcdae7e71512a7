"""Writing single rows in the steps that are taken most often, with SQL that is written once per process.

What `judging.selectors.prepared` is to reading: the ORM writes the text of such a statement anew each time,
at several times the cost of carrying it out. Columns, conversions and constraints are those of the models.
"""

from functools import cache

from django.db import DatabaseError, connection
from django.db.models import Field, Model


def save_fields(one: Model, *names: str) -> None:
    """Write these fields of a row that is there, as `save(update_fields=names)` does.

    Raises DatabaseError where the row is not there any more.
    """
    text, fields = _update(type(one), names, connection.vendor)
    if _run(text, [*_values(one, fields), one.pk]) != 1:
        raise DatabaseError(f"{one._meta.label} {one.pk} is not there any more.")


def insert(one: Model) -> None:
    """Write a new row, whose primary key nobody needs to know: `one` does not get it."""
    text, fields = _insert(type(one), connection.vendor)
    _run(text, _values(one, fields))


@cache
def _update(model: type[Model], names: tuple[str, ...], vendor: str) -> tuple[str, list[Field]]:
    fields = [model._meta.get_field(name) for name in names]
    new = ", ".join(f"{_quoted(field)} = %s" for field in fields)
    return f"UPDATE {_table(model)} SET {new} WHERE {_quoted(model._meta.pk)} = %s", fields  # noqa: S608


@cache
def _insert(model: type[Model], vendor: str) -> tuple[str, list[Field]]:
    fields = [field for field in model._meta.concrete_fields if not field.primary_key]
    columns, places = ", ".join(map(_quoted, fields)), ", ".join(["%s"] * len(fields))
    return f"INSERT INTO {_table(model)} ({columns}) VALUES ({places})", fields  # noqa: S608


def _values(one: Model, fields: list[Field]) -> list[object]:
    return [field.get_db_prep_save(getattr(one, field.attname), connection) for field in fields]


def _table(model: type[Model]) -> str:
    return connection.ops.quote_name(model._meta.db_table)


def _quoted(field: Field) -> str:
    return connection.ops.quote_name(field.column)


def _run(text: str, values: list[object]) -> int:
    with connection.cursor() as cursor:
        cursor.execute(text, values)
        return int(cursor.rowcount)
