"""Short texts for objects with arrays and tables, so that a terminal does not show thousands of numbers."""

from collections.abc import Collection
from dataclasses import fields
from typing import Any, TypeVar

import numpy as np
import polars as pl

Shown = TypeVar("Shown", bound=type)
MOST_ITEMS = 3
MOST_LETTERS = 60


def short_repr(cls: Shown) -> Shown:
    """Decorate a dataclass so that its repr describes arrays and tables by their sizes."""

    def represent(self: Any) -> str:
        shown = (f"{part.name}={_short(getattr(self, part.name))}" for part in fields(self) if part.repr)
        return f"{type(self).__name__}({', '.join(shown)})"

    cls.__repr__ = represent  # type: ignore[method-assign, assignment]
    return cls


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
