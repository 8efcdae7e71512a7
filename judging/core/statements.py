"""The one place where judging goes round the ORM: statements whose SQL is written once per process.

A page of a worker reads a handful of rows by their keys and writes one or two. The ORM needs several times as
long to write such a statement as the database to carry it out, and writes the very same text every time. Here
the text is kept, and on PostgreSQL its plan too; rows become objects as the ORM makes them, and columns,
conversions and constraints are those of the models. A worker's unit takes about twice as long without
(docs/understanding/measurements/judging.md).
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
    int: lambda place: 30_001 + place,  # fits the smallest of our columns
    datetime: lambda place: datetime(1800 + place, 1, 1, tzinfo=UTC),
}
"""What is in a parameter's place while the query is written: a value that no query has of its own."""


@contextmanager
def statement_cursor() -> Iterator[CursorWrapper]:
    """A cursor of the connection in use, within its transaction, and with Django's errors.

    On SQLite the places of values are found once. On PostgreSQL, where Django writes values into the text of
    a statement so that no two are alike, text and values go apart, and from the third time on the server
    keeps a plan (`prepare_threshold` in the settings). Its SQL must be one of a few texts.
    """
    connection = connections[DEFAULT_DB_ALIAS]
    connection.close_if_health_check_failed()
    connection.ensure_connection()
    with connection.wrap_database_errors:
        inner: Any = (  # the driver's own cursor, which is another with each database
            connection.connection.cursor(factory=_KnownText)
            if connection.vendor == "sqlite"
            else _KeptPlan(connection.connection)
        )
    make = connection.make_debug_cursor if connection.queries_logged else connection.make_cursor
    with make(inner) as cursor:
        yield cursor


class _KnownText(SQLiteCursorWrapper):
    """Django's cursor, which would look for the places of values each time."""

    def convert_query(self, query: str, *, param_names: Iterable[str] | None = None) -> str:
        return _with_question_marks(query)


class _KeptPlan(psycopg.Cursor[tuple[Any, ...]]):
    """psycopg's cursor, which sends text and values apart, and knows what it has sent last, for the log."""

    def _convert_query(self, query: "Query", params: "Params | None" = None) -> "PostgresQuery":
        self._query = super()._convert_query(query, params)
        return self._query


@cache
def _with_question_marks(text: str) -> str:
    return FORMAT_QMARK_REGEX.sub("?", text).replace("%%", "%")


class Prepared(Generic[M]):
    """The read that `make` describes, of parameters of the types `str`, `int` and `datetime`.

    `make` takes the parameters by name and returns a queryset; it may compare with them and nothing else.
    What is read is the same as the queryset would read, as a test compares.
    """

    def __init__(self, make: Callable[..., QuerySet[M]], **parameters: type) -> None:
        self._make = make
        self.parameters = parameters
        self._written: dict[str, _Written[M]] = {}

    def all(self, **values: Value) -> list[M]:
        """The rows, in the queryset's order."""
        written = self._written.get(connection.vendor)
        if written is None:
            written = self._written[connection.vendor] = _Written(self._make, self.parameters)
        return list(written.rows(values))

    def first(self, **values: Value) -> M | None:
        """The first row, or None; the queryset should be cut to one."""
        return next(iter(self.all(**values)), None)

    def queryset(self, **values: Value) -> QuerySet[M]:
        """The same read by way of the ORM."""
        return self._make(**values)


class _Written(Generic[M]):
    """The text of a read for the database in use, and how its rows are turned into objects."""

    def __init__(self, make: Callable[..., QuerySet[M]], parameters: Mapping[str, type]) -> None:
        stand_ins = {name: _STAND_INS[kind](place) for place, (name, kind) in enumerate(parameters.items())}
        names = {_for_database(stand_in): name for name, stand_in in stand_ins.items()}
        compiler = make(**stand_ins).query.get_compiler(connection=connection)
        self._sql, given = compiler.as_sql()
        self._names = [(names.get(value), value) for value in given]
        left_out = set(parameters) - {name for name, _ in self._names}
        assert not left_out, f"no such parameter in the query: {left_out}"
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
            found = cursor.fetchall()
        if self._converters:
            found = self._compiler.apply_converters(found, self._converters)
        for row in found:
            one = self._info["model"].from_db(self._alias, self._attributes, row[self._columns])
            for related in self._related:
                related.populate(row, one)
            for name, place in self._annotations:
                setattr(one, name, row[place])
            yield one


def _for_database(value: Value) -> Value | None:
    return connection.ops.adapt_datetimefield_value(value) if isinstance(value, datetime) else value


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
