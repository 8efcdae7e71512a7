"""Generate the SQL of frequent statements only once per process. Only this module bypasses the ORM.

A worker's page reads a few rows by their keys and writes one or two rows. The ORM takes several times longer
to generate a statement than the database takes to run it. The text of the statement is always the same, so
this module caches the text and, on PostgreSQL, the plan. The results are the same as with the ORM. The
timings are in docs/understanding/measurements/judging.md.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import cache
from typing import TYPE_CHECKING, Any, Final, Generic, TypeVar

import psycopg
from django.db import DEFAULT_DB_ALIAS, DatabaseError, connection, connections
from django.db.backends.sqlite3.base import FORMAT_QMARK_REGEX, SQLiteCursorWrapper
from django.db.backends.utils import CursorWrapper
from django.db.models import Field, Model, QuerySet
from django.db.models.query import get_related_populators

from judging.models.fields import column_of, stored_field

if TYPE_CHECKING:
    from psycopg._queries import PostgresQuery
    from psycopg.abc import Params, Query

M = TypeVar("M", bound=Model)
Value = str | int | datetime
_STAND_INS: Final[Mapping[type, Callable[[int], Value]]] = {
    str: lambda place: f"\x02{place}",
    int: lambda place: 30_001 + place,  # small enough for a small integer column
    datetime: lambda place: datetime(1800 + place, 1, 1, tzinfo=UTC),
}
"""Maps each type of parameter to a function that turns a parameter's position into a stand-in value.

The SQL is generated with the stand-ins. When a query runs, real values replace them.
"""


@contextmanager
def statement_cursor() -> Iterator[CursorWrapper]:
    """Yield a cursor of the current connection, in its transaction. The cursor raises Django's errors.

    On SQLite, convert the placeholders of each SQL text only once. On PostgreSQL, Django's own cursor writes
    the values into the text. This cursor sends the text and the values separately, so the text stays the
    same. When the same text runs for the third time, the server stores a plan for it (`prepare_threshold` in
    the settings). Use the cursor only for a small number of different SQL texts.
    """
    connection = connections[DEFAULT_DB_ALIAS]
    connection.close_if_health_check_failed()
    connection.ensure_connection()
    with connection.wrap_database_errors:
        inner: Any = (  # the drivers have different types of cursors
            connection.connection.cursor(factory=_CachedText)
            if connection.vendor == "sqlite"
            else _CachedPlan(connection.connection)
        )
    make = connection.make_debug_cursor if connection.queries_logged else connection.make_cursor
    with make(inner) as cursor:
        yield cursor


class _CachedText(SQLiteCursorWrapper):
    """Django's SQLite cursor, except that it converts the placeholders of each SQL text only once."""

    def convert_query(self, query: str, *, param_names: Iterable[str] | None = None) -> str:
        return _with_question_marks(query)


class _CachedPlan(psycopg.Cursor[tuple[Any, ...]]):
    """psycopg's cursor, which sends text and values separately. It stores the last query for Django's log."""

    def _convert_query(self, query: "Query", params: "Params | None" = None) -> "PostgresQuery":
        self._query = super()._convert_query(query, params)
        return self._query


@cache
def _with_question_marks(text: str) -> str:
    return FORMAT_QMARK_REGEX.sub("?", text).replace("%%", "%")


class Prepared(Generic[M]):
    """A query with cached SQL. Each parameter has the type `str`, `int` or `datetime`.

    `make` takes the parameters by name and returns the queryset. The queryset may use the parameters only in
    comparisons. A test checks that the query and the queryset return the same rows.
    """

    def __init__(self, make: Callable[..., QuerySet[M]], **parameters: type) -> None:
        self._make = make
        self.parameters = parameters
        self._written: dict[str, _Written[M]] = {}

    def all(self, **values: Value) -> list[M]:
        """Return the rows, in the queryset's order."""
        written = self._written.get(connection.vendor)
        if written is None:
            written = self._written[connection.vendor] = _Written(self._make, self.parameters)
        return list(written.rows(values))

    def first(self, **values: Value) -> M | None:
        """Return the first row, or None. The queryset should have at most one row."""
        return next(iter(self.all(**values)), None)

    def queryset(self, **values: Value) -> QuerySet[M]:
        """Return the queryset for these values. `all` and `first` run the same query with cached SQL."""
        return self._make(**values)


class _Written(Generic[M]):
    """The SQL of a query for the current database, and how to convert its rows into model instances."""

    def __init__(self, make: Callable[..., QuerySet[M]], parameters: Mapping[str, type]) -> None:
        stand_ins = {name: _STAND_INS[kind](place) for place, (name, kind) in enumerate(parameters.items())}
        names = {_for_database(stand_in): name for name, stand_in in stand_ins.items()}
        compiler = make(**stand_ins).query.get_compiler(connection=connection)
        self._sql, sql_values = compiler.as_sql()
        self._names = [(names.get(value), value) for value in sql_values]
        unused = set(parameters) - {name for name, _ in self._names}
        assert not unused, f"the query does not use these parameters: {unused}"
        self._compiler = compiler
        self._alias = connection.alias
        self._converters = compiler.get_converters([column for column, _, _ in compiler.select])
        self._info: dict[str, Any] = compiler.klass_info or {}
        places = self._info["select_fields"]
        self._columns = slice(places[0], places[-1] + 1)
        self._attributes = [compiler.select[place][0].target.attname for place in places]
        self._annotations = list(compiler.annotation_col_map.items())
        self._related = get_related_populators(  # type: ignore[call-arg]  # Django 6.1 asks for a fetch mode
            self._info, compiler.select, self._alias
        )

    def rows(self, values: Mapping[str, Value]) -> Iterator[M]:
        with statement_cursor() as cursor:
            cursor.execute(
                self._sql, [_for_database(values[name]) if name else value for name, value in self._names]
            )
            rows = cursor.fetchall()
        if self._converters:
            rows = self._compiler.apply_converters(rows, self._converters)
        for row in rows:
            instance = self._info["model"].from_db(self._alias, self._attributes, row[self._columns])
            for related in self._related:
                related.populate(row, instance)
            for name, place in self._annotations:
                setattr(instance, name, row[place])
            yield instance


def _for_database(value: Value) -> Value | None:
    return connection.ops.adapt_datetimefield_value(value) if isinstance(value, datetime) else value


def save_fields(instance: Model, *names: str) -> None:
    """Save these fields of an existing row, as `save(update_fields=names)` does.

    Raise DatabaseError if the row has been deleted.
    """
    text, fields = _update(type(instance), names, connection.vendor)
    values = [field.get_db_prep_save(getattr(instance, field.attname), connection) for field in fields]
    with statement_cursor() as cursor:
        cursor.execute(text, [*values, instance.pk])
        if cursor.rowcount != 1:
            raise DatabaseError(f"{instance._meta.label} {instance.pk} has been deleted.")


@cache
def _update(model: type[Model], names: tuple[str, ...], vendor: str) -> tuple[str, "list[Field[Any, Any]]"]:
    quoted = connection.ops.quote_name
    fields = [stored_field(model, name) for name in names]
    new = ", ".join(f"{quoted(column_of(field))} = %s" for field in fields)
    key = quoted(column_of(model._meta.pk))
    table = quoted(model._meta.db_table)
    return f"UPDATE {table} SET {new} WHERE {key} = %s", fields  # noqa: S608 - names of our models
