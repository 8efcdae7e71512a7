"""A line of a bundle as typed values: each is what the layout says, and what the model takes."""

import json
import math
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from decimal import Decimal
from functools import cache
from typing import Any, Final, NamedTuple, NoReturn

from django.core.exceptions import ValidationError
from django.db.models import Field as Column
from django.db.models import Model

from judging.archive.bundles.archive import Archive
from judging.archive.bundles.fields import Field, Kind, Member, attributes
from judging.core.intake.tables import parse_decimal, unstorable
from judging.models.fields import stored_field

_FIRST_YEAR, _LAST_YEAR = 1970, 9998
_LARGEST: Final = 2**63


class Row(NamedTuple):
    """A line: where it stands, and its values by the names of the layout."""

    line: int
    values: dict[str, Any]


class RowFaultError(Exception):
    """What is wrong with a row, and in which field."""

    def __init__(self, field: str, what: str) -> None:
        self.field = field
        self.what = what


def rows(archive: Archive, member: Member) -> Iterator[Row]:
    """The rows of a member; a line that is at fault is noted with its first fault, and passed over."""
    number = 0
    for number, line in archive.lines(member.name):
        if member.one and number > 1:
            archive.faults.add(archive.where(member.name, number), "", "is one line too many; take it out")
            return
        try:
            yield Row(number, _object(_parsed(line), member.fields, member.model, ""))
        except RowFaultError as fault:
            archive.faults.add(archive.where(member.name, number), fault.field, fault.what)
    if member.one and not number:
        archive.faults.add(archive.where(member.name, 1), "", "is empty; export the bundle again")


def _parsed(line: str) -> object:
    try:
        return json.loads(line, parse_constant=_no_constant)
    except (ValueError, RecursionError):
        raise RowFaultError("", "is not JSON; export the bundle again") from None


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON")


def _object(value: object, fields: tuple[Field, ...], model: type[Model] | None, path: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise RowFaultError(path.removesuffix("."), "is no object")
    for field in fields:
        if field.name not in value and field.earlier is None:
            raise RowFaultError(path + field.name, "is missing")
    if more := sorted(value.keys() - {field.name for field in fields}):
        raise RowFaultError(path + more[0][:40], "is not known here")
    read = {field.name: _value(value.get(field.name, field.earlier), field, path) for field in fields}
    if model is not None:
        _held_to(model, fields, read, path)
    return read


def _value(value: object, field: Field, path: str) -> object:
    if value is None and field.null:
        return None
    name = path + field.name
    if field.kind == Kind.OBJECT:
        return _object(value, field.fields, field.model, f"{name}.")
    if field.kind == Kind.OBJECTS:
        if not isinstance(value, list):
            raise RowFaultError(name, "is no list")
        return [_object(one, field.fields, field.model, f"{name}.") for one in value]
    if (part := _PARTS.get(field.kind)) is not None:
        if not isinstance(value, list):
            raise RowFaultError(name, "is no list")
        return [_scalar(one, part, name) for one in value]
    return _scalar(value, field.kind, name)


_PARTS: Final = {Kind.TEXTS: Kind.TEXT, Kind.WHOLES: Kind.WHOLE, Kind.NUMBERS: Kind.NUMBER}


def _scalar(value: object, kind: Kind, name: str) -> object:
    read = _READ[kind](value)
    if read is None:
        raise RowFaultError(name, f"is no {kind} as bundles have it")
    return read


def _text(value: object) -> str | None:
    return value if isinstance(value, str) and unstorable(value) is None else None


def _whole(value: object) -> int | None:
    return value if type(value) is int and -_LARGEST <= value < _LARGEST else None


def _number(value: object) -> float | None:
    """As it is written, so that it is written like that again: 5 does not become 5.0."""
    if type(value) is int:
        return value if abs(value) < _LARGEST else None
    return value if type(value) is float and math.isfinite(value) else None


def _yes_no(value: object) -> bool | None:
    return value if isinstance(value, bool) else None


def _time(value: object) -> datetime | None:
    try:
        read = datetime.fromisoformat(value) if isinstance(value, str) else None
        if read is None or read.tzinfo is None or not _FIRST_YEAR <= read.year <= _LAST_YEAR:
            return None
        return read.astimezone(UTC)
    except (ValueError, OverflowError):
        return None


def _amount(value: object) -> Decimal | None:
    read = parse_decimal(value) if isinstance(value, str) and len(value) < 20 else Decimal("NaN")
    return read if read.is_finite() else None


_READ: Final = {
    Kind.TEXT: _text,
    Kind.WHOLE: _whole,
    Kind.NUMBER: _number,
    Kind.YES_NO: _yes_no,
    Kind.TIME: _time,
    Kind.AMOUNT: _amount,
}


def _held_to(model: type[Model], fields: tuple[Field, ...], read: Mapping[str, object], path: str) -> None:
    """Raise RowFaultError where the model's own column would not take a value."""
    for field, column in _columns(model, fields):
        value = read[field.name]
        if value is None:
            continue
        allowed = [choice for choice, _ in column.flatchoices]
        if allowed and value not in allowed and not (value == "" and column.blank):
            raise RowFaultError(path + field.name, f"is not one of {', '.join(map(str, allowed))}")
        try:
            column.run_validators(value)
        except ValidationError as error:
            raise RowFaultError(path + field.name, " ".join(error.messages).rstrip(".")) from None


@cache
def _columns(model: type[Model], fields: tuple[Field, ...]) -> tuple[tuple[Field, "Column[Any, Any]"], ...]:
    return tuple(
        (field, stored_field(model, field.attribute or field.name)) for field in attributes(fields, model)
    )
