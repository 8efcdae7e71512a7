"""The parameters of measures: a name means one thing in all of them, and is checked in one place."""

import math
from collections.abc import Callable

from evaluation.measures.schemes import SCHEMES, is_scheme

Value = str | int | float


def _number(value: Value) -> bool:
    return not isinstance(value, str) and math.isfinite(value)


def _above(bound: float) -> Callable[[Value], bool]:
    return lambda value: not isinstance(value, str) and math.isfinite(value) and value > bound


def _whole(value: Value) -> bool:
    return isinstance(value, int) and value >= 1


def _one_of(*names: str) -> tuple[Callable[[Value], bool], str]:
    return lambda value: value in names, " or ".join(f'"{name}"' for name in names)


PARAMETERS: dict[str, tuple[Callable[[Value], bool], str]] = {
    "N": (_whole, "a whole number from 1 up, the documents in the collection"),
    "adjust": _one_of("none", "agr"),
    "base": (_above(1), "a number above 1"),
    "beta": (lambda value: _number(value) and float(value) >= 0, "a number from 0 up"),
    "count": _one_of("irrelevant", "all"),
    "discount": _one_of("log2", "jk", "rank", "none"),
    "gain": (is_scheme, SCHEMES),
    "gmax": (
        lambda value: value in ("file", "topic") or _above(0)(value),
        '"file", "topic" or a number above 0',
    ),
    "ideal": _one_of("recall_base", "retrieved"),
    "levels": _one_of("exact", "trec_eval", "trec_eval9"),
    "norm": _one_of("R", "min"),
    "p": (lambda value: _number(value) and 0 < float(value) < 1, "a number between 0 and 1"),
    "q": (_whole, "a whole number from 1 up"),
    "recall": (lambda value: _number(value) and 0 <= float(value) <= 1, "a number from 0 to 1"),
    "rel": (_number, "a number, the lowest relevant judged value"),
}
"""Per parameter: the test of a value, and what it must be in words."""
