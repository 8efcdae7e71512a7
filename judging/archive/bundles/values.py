"""Read the values in a line of a bundle, and check them against the layout and the model."""

import json
import math
from base64 import b64decode
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
from judging.core.storable import parse_decimal, unstorable
from judging.core.words import as_sentence
from judging.models import Study
from judging.models.fields import stored_field
from judging.models.setting_fields import field_of
from judging.protocol.settings import SETTINGS
from judging.protocol.words import gettext_noop as _

_FIRST_YEAR, _LAST_YEAR = 1970, 9998
_LARGEST: Final = 2**63
_NOT_A_LIST: Final = _("The value is not a list. Export the bundle again.")
_NOT_OF_TYPE: Final = _("The value does not have the type “{type}”. Export the bundle again.")
_NOT_ALLOWED: Final = _("The value is not one of these: {values}. Export the bundle again.")


class Row(NamedTuple):
    """The number of a line, and a dict from field name to value."""

    line: int
    values: dict[str, Any]


class RowFaultError(Exception):
    """A fault in a row, and the field that has the fault."""

    def __init__(self, field: str, text: str, /, **values: object) -> None:
        self.field = field
        self.sentence = as_sentence(text, values)


def rows(archive: Archive, member: Member) -> Iterator[Row]:
    """Yield the rows of a member. Skip each faulty line, and add its first fault to `archive.faults`."""
    number = 0
    for number, line in archive.lines(member.name):
        if member.single_line and number > 1:
            more = _("The file has more than one line. Export the bundle again.")
            archive.faults.add(archive.where(member.name, number), "", more)
            return
        try:
            yield Row(number, _object(_parsed(line), member.fields, member.model, ""))
        except RowFaultError as fault:
            archive.faults.add(archive.where(member.name, number), fault.field, fault.sentence)
    if member.single_line and not number:
        archive.faults.add(
            archive.where(member.name, 1), "", _("The file is empty. Export the bundle again.")
        )


def _parsed(line: str) -> object:
    try:
        return json.loads(line, parse_constant=_no_constant)
    except (ValueError, RecursionError):
        raise RowFaultError("", _("The line is not valid JSON. Export the bundle again.")) from None


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")


def _object(value: object, fields: tuple[Field, ...], model: type[Model] | None, path: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise RowFaultError(
            path.removesuffix("."), _("The value is not a JSON object. Export the bundle again.")
        )
    for field in fields:
        if field.name not in value and field.earlier is None and not field.null:
            raise RowFaultError(path + field.name, _("The field is missing. Export the bundle again."))
    if more := sorted(value.keys() - {field.name for field in fields}):
        raise RowFaultError(path + more[0][:40], _("The field is unknown. Export the bundle again."))
    read = {field.name: _value(value.get(field.name, _earlier(field)), field, path) for field in fields}
    if model is not None:
        _check_columns(model, fields, read, path)
    return read


def _earlier(field: Field) -> object:
    return list(field.earlier) if isinstance(field.earlier, tuple) else field.earlier


def _value(value: object, field: Field, path: str) -> object:
    if value is None and field.null:
        return None
    name = path + field.name
    if field.kind == Kind.OBJECT:
        return _object(value, field.fields, field.model, f"{name}.")
    if field.kind == Kind.OBJECTS:
        if not isinstance(value, list):
            raise RowFaultError(name, _NOT_A_LIST)
        return [_object(part, field.fields, field.model, f"{name}.") for part in value]
    if (part := _PARTS.get(field.kind)) is not None:
        if not isinstance(value, list):
            raise RowFaultError(name, _NOT_A_LIST)
        return [_scalar(entry, part, name) for entry in value]
    return _scalar(value, field.kind, name)


_PARTS: Final = {Kind.TEXTS: Kind.TEXT, Kind.WHOLES: Kind.WHOLE, Kind.NUMBERS: Kind.NUMBER}


def _scalar(value: object, kind: Kind, name: str) -> object:
    read = _READ[kind](value)
    if read is None:
        raise RowFaultError(name, _NOT_OF_TYPE, type=kind.value)
    return read


def _text(value: object) -> str | None:
    return value if isinstance(value, str) and unstorable(value) is None else None


def _whole(value: object) -> int | None:
    return value if type(value) is int and -_LARGEST <= value < _LARGEST else None


def _number(value: object) -> float | None:
    """Return the value unchanged if it is a finite float or an int that is not too large, otherwise None.

    Ints do not become floats, so that 5 is not exported as 5.0.
    """
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


def _bytes(value: object) -> bytes | None:
    try:
        return b64decode(value, validate=True) if isinstance(value, str) else None
    except ValueError:
        return None


_READ: Final = {
    Kind.TEXT: _text,
    Kind.WHOLE: _whole,
    Kind.NUMBER: _number,
    Kind.YES_NO: _yes_no,
    Kind.TIME: _time,
    Kind.AMOUNT: _amount,
    Kind.BYTES: _bytes,
}


def _check_columns(
    model: type[Model], fields: tuple[Field, ...], read: Mapping[str, object], path: str
) -> None:
    """Raise RowFaultError if a column of the model does not accept its value."""
    for field, column in _columns(model, fields):
        value = read[field.name]
        if value is None:
            continue
        allowed = [choice for choice, _ in column.flatchoices]
        if allowed and value not in allowed and not (value == "" and column.blank):
            raise RowFaultError(path + field.name, _NOT_ALLOWED, values=", ".join(map(str, allowed)))
        try:
            column.run_validators(value)
        except ValidationError as error:
            raise RowFaultError(path + field.name, " ".join(error.messages)) from None


@cache
def _columns(model: type[Model], fields: tuple[Field, ...]) -> tuple[tuple[Field, "Column[Any, Any]"], ...]:
    return tuple(
        (field, _column(model, field.attribute or field.name)) for field in attributes(fields, model)
    )


def _column(model: type[Model], name: str) -> "Column[Any, Any]":
    """Return the column of a model or, for a setting, a field with all that the setting declares."""
    if model is Study and name in SETTINGS:
        return field_of(SETTINGS[name])
    return stored_field(model, name)
