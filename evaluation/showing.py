"""Short texts for objects with arrays and tables, so that a terminal does not show thousands of numbers."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import fields
from itertools import islice
from typing import Any, TypeVar

import numpy as np
import polars as pl

Shown = TypeVar("Shown", bound=type)
MOST_ITEMS = 3
MOST_LETTERS = 60
MOST_ROWS = 10


def short_repr(cls: Shown) -> Shown:
    """Decorate a dataclass so that its repr, as text and as HTML, describes arrays by their sizes."""

    def parts_of(item: Any) -> list[tuple[str, str]]:
        return [(part.name, _short(getattr(item, part.name))) for part in fields(item) if part.repr]

    def represent(self: Any) -> str:
        return f"{type(self).__name__}({', '.join(f'{name}={value}' for name, value in parts_of(self))})"

    def represent_in_html(self: Any) -> str:
        return html_table(type(self).__name__, ("", "value"), parts_of(self))

    cls.__repr__ = represent  # type: ignore[method-assign, assignment]
    cls._repr_html_ = represent_in_html  # type: ignore[attr-defined]  # the decorator adds it to the class
    return cls


def html_table(caption: str, header: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Return the first rows as an HTML table, for a notebook."""
    from .rendering import Cell, Table, to_html  # which itself shows results

    shown = tuple(tuple(Cell(str(value)) for value in row) for row in islice(rows, MOST_ROWS))
    return to_html(Table(caption, tuple(header), shown))


def _short(value: object) -> str:
    if isinstance(value, np.ndarray):
        return f"<array {' × '.join(map(str, value.shape))}>"
    if isinstance(value, pl.DataFrame):
        return f"<table {value.height} × {value.width}>"
    if isinstance(value, Collection) and not isinstance(value, str) and len(value) > MOST_ITEMS:
        return f"<{len(value)} items>"
    text = repr(value)
    return text if len(text) <= MOST_LETTERS else f"<{type(value).__name__}>"


def counted(number: int, noun: str) -> str:
    """Return a number with its noun: `1 run`, `2 runs`."""
    return f"{number} {noun}{'s' * (number != 1)}"
