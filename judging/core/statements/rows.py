"""Writes: some fields of a row that is there."""

from functools import cache
from typing import Any

from django.db import DatabaseError, connection
from django.db.models import Field, Model

from judging.core.statements.cursor import statement_cursor
from judging.models.fields import column_of, stored_field


def save_fields(one: Model, *names: str) -> None:
    """Write these fields of a row that is there, as `save(update_fields=names)` does.

    Raises DatabaseError where the row is not there any more.
    """
    text, fields = _update(type(one), names, connection.vendor)
    values = [field.get_db_prep_save(getattr(one, field.attname), connection) for field in fields]
    with statement_cursor() as cursor:
        cursor.execute(text, [*values, one.pk])
        if cursor.rowcount != 1:
            raise DatabaseError(f"{one._meta.label} {one.pk} is not there any more.")


@cache
def _update(model: type[Model], names: tuple[str, ...], vendor: str) -> tuple[str, "list[Field[Any, Any]]"]:
    quoted = connection.ops.quote_name
    fields = [stored_field(model, name) for name in names]
    new = ", ".join(f"{quoted(column_of(field))} = %s" for field in fields)
    key = quoted(column_of(model._meta.pk))
    table = quoted(model._meta.db_table)
    return f"UPDATE {table} SET {new} WHERE {key} = %s", fields  # noqa: S608 - names of our models
