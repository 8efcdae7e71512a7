"""The parameters of measures: a name means one thing in all of them, and is checked in one place."""

import math
from collections.abc import Callable

from evaluation.measures.schemes import SCHEMES, is_scheme

Value = str | int | float


def _number(value: Value) -> bool:
    return not isinstance(value, str) and math.isfinite(value)


def _above(bound: float) -> Callable[[Value], bool]:
    return lambda value: not isinstance(value, str) and math.isfinite(value) and value > bound


def _one_of(*names: str) -> tuple[Callable[[Value], bool], str]:
    return lambda value: value in names, " or ".join(f'"{name}"' for name in names)


PARAMETERS: dict[str, tuple[Callable[[Value], bool], str]] = {
    "base": (_above(1), "a number above 1"),
    "discount": _one_of("log2", "jk", "rank", "none"),
    "gain": (is_scheme, SCHEMES),
    "gmax": (
        lambda value: value in ("file", "topic") or _above(0)(value),
        '"file", "topic" or a number above 0',
    ),
    "ideal": _one_of("recall_base", "retrieved"),
    "norm": _one_of("R", "min"),
    "rel": (_number, "a number, the lowest relevant judged value"),
}
"""Per parameter: the test of a value, and what it must be in words."""
