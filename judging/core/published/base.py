"""How a published table is declared: its columns once, in the type of its rows."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from decimal import Decimal
from enum import StrEnum
from functools import cache
from types import NoneType
from typing import Any, Final, Generic, TypeVar, get_args, get_origin, get_type_hints

from judging.models import Study

Cell = str | int | float | bool | datetime | Decimal | None
FORMATS: Final = ("csv", "jsonl", "parquet", "spreadsheet")
"""The formats that every table has; the first is the default."""


class Kind(StrEnum):
    """What the cells of a column are."""

    TEXT = "text"
    WHOLE = "whole number"
    NUMBER = "number"
    YES_NO = "yes or no"
    TIME = "time"
    AMOUNT = "amount"


_KINDS: Final[dict[type, Kind]] = {
    str: Kind.TEXT,
    int: Kind.WHOLE,
    float: Kind.NUMBER,
    bool: Kind.YES_NO,
    datetime: Kind.TIME,
    Decimal: Kind.AMOUNT,
}


def kind_of(type: type) -> Kind:
    """Return the kind of the cells that hold values of a Python type."""
    return _KINDS[type]


@dataclass(frozen=True)
class Column:
    """A column. `unit` is empty where the numbers count nothing that has one; `null`: cells may be absent.

    Name, kind and null follow from the field of the row that it annotates. `options` are all the texts that a
    cell may hold.
    """

    meaning: str
    unit: str = ""
    options: tuple[str, ...] = ()
    name: str = ""
    kind: Kind = Kind.TEXT
    null: bool = False


def as_objects(columns: Iterable[Column]) -> list[dict[str, str]]:
    """Return the data dictionary of these columns, for programs."""
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
    """Columns that are known when a table is made; the field of the row holds a tuple of their cells.

    Without a study, `columns` gives those that the documentation names.
    """

    columns: Callable[[Study | None], Sequence[Column]]


Row = TypeVar("Row", bound=tuple[Any, ...], covariant=True)


@dataclass(frozen=True)
class Published(Generic[Row]):
    """A table that is published: by the exports, and page by page by the API where it has `chosen`.

    `rows` reads all rows of a study, `chosen` those of some primary keys, in their order. `personal`: it says
    who the workers are on their platform, and is for those alone who pay them. `place`: tables are offered in
    the order of their places.
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
        """Return the columns in their order; without a study, those that the documentation names."""
        return [
            column
            for field in _declared(self.row)
            for column in (field.columns(study) if isinstance(field, Several) else (field,))
        ]

    def cells(self, rows: Iterable[Row]) -> Iterator[Sequence[Cell]]:
        """Yield the cells of each row, in the order of the columns."""
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
"""A table of the catalogue, whatever its rows."""


@cache
def _declared(row: type) -> tuple[Column | Several, ...]:
    """The columns that annotate the fields of a row, each with the name and the type of its field."""
    return tuple(_field(name, hint) for name, hint in get_type_hints(row, include_extras=True).items())


def _field(name: str, hint: Any) -> Column | Several:
    typed, declared = get_args(hint)
    if isinstance(declared, Several):
        return declared
    types = get_args(typed) if get_origin(typed) else (typed,)
    (cell,) = (one for one in types if one is not NoneType)
    assert isinstance(declared, Column)
    return replace(declared, name=name, kind=kind_of(cell), null=NoneType in types)
