"""Values as a backup writes them: JSON, with times, decimals and bytes as text."""

import json
from base64 import b64encode
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import UTC, datetime
from decimal import Decimal
from itertools import islice
from typing import Any, Final

from django.db import connection
from django.db.models import F, Field, ForeignKey, Model, Value

from judging.core.selectors.previews import without_previews
from judging.models.fields import column_of

BATCH: Final = 2000
"""The number of rows in memory at once."""
_AS_IT_IS: Final = frozenset(
    {
        "AutoField",
        "BigAutoField",
        "BigIntegerField",
        "BooleanField",
        "CharField",
        "EmailField",
        "FloatField",
        "IntegerField",
        "PositiveIntegerField",
        "PositiveSmallIntegerField",
        "SlugField",
        "SmallIntegerField",
        "TextField",
    }
)
_CONVERTED: Final = frozenset({"BinaryField", "DateTimeField", "DecimalField", "JSONField"})
_LEFT_EMPTY: Final = {"judging_assignment": {"held_from": ""}}
"""Maps tables to the columns that a backup leaves empty. A hash of a network address is personal data."""

Row = list[Any]
"""The values of a row, as the database driver accepts them."""


def fields_of(model: type[Model], columns: Sequence[str] = ()) -> "list[Field[Any, Any]]":
    """Return the columns of a table, in the order of the model or of `columns`.

    Raise TypeError if a backup cannot store the type of a column.
    """
    fields = list(model._meta.local_concrete_fields)
    if columns:
        fields.sort(key=lambda field: columns.index(field.column))
    for field in fields:
        if _kind(field) not in _AS_IT_IS | _CONVERTED:
            raise TypeError(f"{field}: a backup cannot store a {_kind(field)}")
    return fields


def lines_of(model: type[Model], columns: Sequence[str] = ()) -> Iterator[bytes]:
    """Yield the rows of a table as lines, sorted by key, without the rows of previews."""
    empty = _LEFT_EMPTY.get(model._meta.db_table, {})
    values = [
        Value(empty[field.attname]) if field.attname in empty else F(field.attname)
        for field in fields_of(model, columns)
    ]
    rows = without_previews(model._base_manager.all()).order_by("pk").values_list(*values)
    encoder = json.JSONEncoder(
        ensure_ascii=False, sort_keys=True, separators=(",", ":"), default=_as_text, allow_nan=False
    )
    for row in rows.iterator(chunk_size=BATCH):
        yield encoder.encode(row).encode() + b"\n"


def load(model: type[Model], columns: Sequence[str], lines: Iterable[bytes]) -> None:
    """Write the rows of a table, including their keys.

    Each line has the values of `columns`. The models' signals, defaults and validation are bypassed.
    """
    fields = fields_of(model, columns)
    converted = [(at, field) for at, field in enumerate(fields) if _kind(field) in _CONVERTED]

    def stored(line: bytes) -> Row:
        row: Row = json.loads(line)
        for at, field in converted:
            row[at] = field.get_db_prep_save(field.to_python(row[at]), connection)
        return row

    quote = connection.ops.quote_name
    table, names = quote(model._meta.db_table), ", ".join(quote(column_of(field)) for field in fields)
    _LOADERS[connection.vendor](table, names, len(fields), map(stored, lines))


def _copy(table: str, columns: str, width: int, rows: Iterable[Row]) -> None:
    into = f"COPY {table} ({columns}) FROM STDIN"
    with connection.wrap_database_errors, connection.cursor() as cursor, cursor.copy(into) as copy:
        for row in rows:
            copy.write_row(row)


def _insert(table: str, columns: str, width: int, rows: Iterable[Row]) -> None:
    # The names come from our own models, and the values are parameters.
    statement = f"INSERT INTO {table} ({columns}) VALUES ({', '.join(['%s'] * width)})"  # noqa: S608
    with connection.cursor() as cursor:
        rows = iter(rows)
        while batch := list(islice(rows, BATCH)):
            cursor.executemany(statement, batch)


_LOADERS: Final[dict[str, Callable[[str, str, int, Iterable[Row]], None]]] = {
    "postgresql": _copy,
    "sqlite": _insert,
}


def same_row(line: bytes, other: bytes) -> bool:
    """Return whether two lines hold the same row, even if they write large numbers differently."""
    return line == other or json.loads(line, parse_int=float) == json.loads(other, parse_int=float)


def _as_text(value: object) -> str:
    if isinstance(value, datetime):
        return value.astimezone(UTC).isoformat()
    if isinstance(value, Decimal):
        return str(value)
    if isinstance(value, bytes | memoryview):  # PostgreSQL gives the bytes of a picture as a view
        return b64encode(value).decode()
    raise TypeError(f"a backup cannot store a {type(value).__name__}")


def _kind(field: "Field[Any, Any]") -> str:
    """Return the type of a column. For a foreign key, return the type of the column it refers to."""
    return _kind(field.target_field) if isinstance(field, ForeignKey) else field.get_internal_type()
