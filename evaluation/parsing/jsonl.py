"""Parse JSONL: a JSON object in each line, whose keys are the columns of a table."""

import json
import re
from collections.abc import Iterator, Sequence
from typing import Final

from ..errors import InputError, shown

_SURROGATE: Final = re.compile("[\ud800-\udfff]")
"""Half of a character, which JSON can write, but which no text has."""


def keys_of_first(text: str, path: str) -> list[str]:
    """Return the keys of the first object. Raise `InputError` if the first line is not a JSON object."""
    return next(([*item] for _, item in _objects(text, path)), [])


def rows_of_objects(text: str, path: str, keys: Sequence[str]) -> Iterator[tuple[int, list[str]]]:
    """Yield the line of each object and the values of these keys. Other keys are ignored.

    Raise `InputError` for a line that is not a JSON object, for an object that lacks a key, and for a value
    that is neither text nor a number.
    """
    for line, item in _objects(text, path):
        where = f"{path}:{line}"
        if missing := [key for key in keys if key not in item]:
            raise InputError(
                "json-key-missing",
                "the object lacks the key {key}; give all objects the keys of the first",
                where,
                key=shown(missing[0]),
            )
        yield line, [_cell(item[key], key, where) for key in keys]


def _objects(text: str, path: str) -> Iterator[tuple[int, dict[str, object]]]:
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip():
            yield number, _object(line, f"{path}:{number}")


def _object(line: str, where: str) -> dict[str, object]:
    try:
        item = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise InputError(
            "malformed-jsonl", "the line is not JSON ({reason}); correct it", where, reason=str(error)
        ) from None
    if not isinstance(item, dict):
        raise InputError(
            "jsonl-without-object", "the line is not a JSON object; write one object in each line", where
        )
    return item


def _cell(value: object, key: str, where: str) -> str:
    """Return a value of JSON as a cell. An object, a list or a truth value is no cell."""
    if value is None:
        return ""
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise InputError(
            "json-value-not-a-cell",
            "{key} is {value}, but must be text or a number; correct it",
            where,
            key=key,
            value=shown(value),
        )
    if not isinstance(value, str):
        return repr(value)
    if _SURROGATE.search(value):
        raise InputError(
            "json-half-character",
            "{key} has half of a character (a lone surrogate); correct it",
            where,
            key=key,
        )
    return value.strip()
