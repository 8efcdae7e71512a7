"""The classes with which a module declares a published table. A table takes its columns from its row type."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from decimal import Decimal
from enum import StrEnum
from functools import cache
from types import NoneType
from typing import Any, Final, Generic, TypeVar, get_args, get_origin, get_type_hints

from judging.core.selectors.kinds import Kinds
from judging.models import Study
from judging.protocol.declared import installed

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


@dataclass(frozen=True)
class AddedColumn:
    """A column that an installed package adds to the end of a published table.

    `table` is the name of the table. The column has its name and kind. `cells` takes a study and returns a
    function from a row to the cell, so that it can load once what all rows need.
    """

    table: str
    column: Column
    cells: Callable[[Study], Callable[[Any], Cell]]


@cache
def added_to(table: str) -> tuple[AddedColumn, ...]:
    """Return the columns that installed packages add to a table, by entry points in `plumbline.columns`."""
    return tuple(added for added in installed("columns", AddedColumn) if added.table == table)


Row = TypeVar("Row", bound=tuple[Any, ...], covariant=True)


@dataclass(frozen=True)
class Published(Generic[Row]):
    """A published table. All tables can be exported. Tables with `chosen` are also in the API.

    `rows` returns all rows of a study. `chosen` returns the rows with the given primary keys, in the order in
    which the API lists them. `of_kinds` returns the rows of the given kinds of judges. It is None if nobody
    can choose the kinds. A `personal` table identifies workers on their platform, so only people who may pay
    workers can download it. Lists of tables are sorted by `place`.
    """

    name: str
    what: str
    row: type[Row]
    rows: Callable[[Study], Iterable[Row]]
    place: int
    chosen: Callable[[Study, Sequence[int]], Iterable[Row]] | None = None
    of_kinds: Callable[[Study, Kinds], Iterable[Row]] | None = None
    formats: tuple[str, ...] = FORMATS
    personal: bool = False

    def columns(self, study: Study | None = None) -> list[Column]:
        """Return the columns in order. If `study` is None, return the columns for the documentation."""
        own = [
            column
            for field in _declared(self.row)
            for column in (field.columns(study) if isinstance(field, Several) else (field,))
        ]
        return [*own, *(added.column for added in added_to(self.name))]

    def cells(self, rows: Iterable[Row], study: Study) -> Iterator[Sequence[Cell]]:
        """Yield the cells of each row of a study, in the order of the columns."""
        several = [place for place, field in enumerate(_declared(self.row)) if isinstance(field, Several)]
        added = [column.cells(study) for column in added_to(self.name)]
        if not several and not added:
            yield from rows
            return
        for row in rows:
            cells = list[Any](row)
            for place in reversed(several):
                cells[place : place + 1] = row[place]
            yield [*cells, *(cell(row) for cell in added)]


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
