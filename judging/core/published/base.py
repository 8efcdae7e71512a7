"""The classes with which a module declares a published table. A table takes its columns from its row type."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from decimal import Decimal
from enum import StrEnum
from functools import cache
from types import NoneType
from typing import Any, Final, Generic, TypeVar, get_args, get_origin, get_type_hints

from judging.models import Study

Objects = list[dict[str, str | float | None]]
"""A cell with a list of objects, which only JSON Lines can hold."""
Cell = str | int | float | bool | datetime | Decimal | Objects | None
FORMATS: Final = ("csv", "jsonl", "parquet", "spreadsheet")
"""The formats that every table has. The first is the default."""


class Kind(StrEnum):
    """The type of a column's cells."""

    TEXT = "text"
    WHOLE = "whole number"
    NUMBER = "number"
    YES_NO = "yes or no"
    TIME = "time"
    AMOUNT = "amount"
    OBJECTS = "list of objects"


_KINDS: Final[dict[type, Kind]] = {
    str: Kind.TEXT,
    int: Kind.WHOLE,
    float: Kind.NUMBER,
    bool: Kind.YES_NO,
    datetime: Kind.TIME,
    Decimal: Kind.AMOUNT,
    list: Kind.OBJECTS,
}


def kind_of(type: type) -> Kind:
    """Return the kind of a column whose values have this Python type."""
    return _KINDS[type]


@dataclass(frozen=True)
class Column:
    """A column. `unit` is "" for text and for numbers without a unit.

    `options` lists the possible texts, or is empty if any text is possible. `null` says whether cells can be
    empty. A column is declared as the annotation of a field of the row type. The field provides `name`,
    `kind` and `null`.
    """

    meaning: str
    unit: str = ""
    options: tuple[str, ...] = ()
    name: str = ""
    kind: Kind = Kind.TEXT
    null: bool = False


def as_objects(columns: Iterable[Column]) -> list[dict[str, str]]:
    """Return the data dictionary of these columns as JSON objects."""
    return [
        {
            "name": column.name,
            "type": column.kind.value,
            "unit": column.unit,
            "meaning": column.meaning,
        }
        for column in columns
    ]


@dataclass(frozen=True)
class Several:
    """Columns that share one field of the row. The field holds a tuple of their cells.

    `columns` returns the columns for a study, or the columns for the documentation if the study is None.
    """

    columns: Callable[[Study | None], Sequence[Column]]


Row = TypeVar("Row", bound=tuple[Any, ...], covariant=True)


@dataclass(frozen=True)
class Published(Generic[Row]):
    """A published table. All tables can be exported. Tables with `chosen` are also in the API.

    `rows` returns all rows of a study. `chosen` returns the rows with the given primary keys, in the order in
    which the API lists them. A `personal` table identifies workers on their platform, so only people who may
    pay workers can download it. Lists of tables are sorted by `place`.
    """

    name: str
    what: str
    row: type[Row]
    rows: Callable[[Study], Iterable[Row]]
    place: int
    chosen: Callable[[Study, Sequence[int]], Iterable[Row]] | None = None
    formats: tuple[str, ...] = FORMATS
    personal: bool = False

    def columns(self, study: Study | None = None) -> list[Column]:
        """Return the columns in order. If `study` is None, return the columns for the documentation."""
        return [
            column
            for field in _declared(self.row)
            for column in (field.columns(study) if isinstance(field, Several) else (field,))
        ]

    def cells(self, rows: Iterable[Row]) -> Iterator[Sequence[Cell]]:
        """Yield the cells of each row in the order of the columns."""
        several = [place for place, field in enumerate(_declared(self.row)) if isinstance(field, Several)]
        if not several:
            yield from rows
            return
        for row in rows:
            cells = list[Any](row)
            for place in reversed(several):
                cells[place : place + 1] = row[place]
            yield cells


AnyPublished = Published[tuple[object, ...]]
"""A published table with any type of rows."""


@cache
def _declared(row: type) -> tuple[Column | Several, ...]:
    """Return the columns of a row type, with names and kinds from its fields."""
    return tuple(_field(name, hint) for name, hint in get_type_hints(row, include_extras=True).items())


def _field(name: str, hint: Any) -> Column | Several:
    typed, declared = get_args(hint)
    if isinstance(declared, Several):
        return declared
    origin = get_origin(typed)
    types = (origin,) if origin is list else get_args(typed) if origin else (typed,)
    (cell,) = (option for option in types if option is not NoneType)
    assert isinstance(declared, Column)
    return replace(declared, name=name, kind=kind_of(cell), null=NoneType in types)
