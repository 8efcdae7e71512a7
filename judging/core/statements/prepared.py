"""Reads: a queryset whose SQL is written once, and filled in with its parameters from then on."""

from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime
from typing import Any, Final, Generic, TypeVar

from django.db import connection
from django.db.models import Model, QuerySet
from django.db.models.query import get_related_populators

from judging.core.statements.cursor import statement_cursor

M = TypeVar("M", bound=Model)
Value = str | int | datetime
_STAND_INS: Final[Mapping[type, Callable[[int], Value]]] = {
    str: lambda place: f"\x02{place}",
    int: lambda place: 30_001 + place,  # fits the smallest of our columns
    datetime: lambda place: datetime(1800 + place, 1, 1, tzinfo=UTC),
}
"""What is in a parameter's place while the query is written: a value that no query has of its own."""


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
