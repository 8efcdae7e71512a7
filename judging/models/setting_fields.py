"""What the model `Study` takes from the declarations of its settings: defaults, bounds, choices and lengths.

A setting of this tree has a column, which a class attribute of `Study` names, so that types are checked. A
setting of an installed package has no column, because the database of a site must not depend on the packages
that happen to be installed. Its value is in the JSON column `further`, and `Study` has a property for it.
"""

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from decimal import Decimal
from functools import partial
from typing import Any, Final

from django.core.exceptions import ValidationError
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext

from judging.models.fields import TextsField
from judging.protocol.settings import SETTINGS, Kind, Setting
from judging.protocol.short_texts import texts_fault

_FIELDS: Final[dict[Kind, type["models.Field[Any, Any]"]]] = {
    Kind.MARKDOWN: models.TextField,
    Kind.WHOLE: models.BigIntegerField,
    Kind.NUMBER: models.FloatField,
    Kind.AMOUNT: models.DecimalField,
    Kind.MOMENT: models.DateTimeField,
    Kind.TEXTS: TextsField,
}
_DIGITS: Final = 12


def declared_as(key: str) -> dict[str, Any]:
    """Return the arguments with which a field of the model follows the declaration of its setting.

    Where the value can be None, also give the field `null=True`, so that type checkers see it.
    """
    setting = SETTINGS[key]
    arguments: dict[str, Any] = {"blank": setting.can_be_empty or setting.default == ""}
    if setting.kind == Kind.TEXTS:
        arguments |= {
            "default": partial(tuple, setting.default),
            "db_default": models.Value(list(setting.default), models.JSONField()),
        }
    elif setting.default is not None:
        arguments |= {"default": setting.default, "db_default": setting.default}
    if setting.kind == Kind.AMOUNT:
        arguments |= {"max_digits": _DIGITS, "decimal_places": 2}
    elif setting.kind in (Kind.LINE, Kind.ADDRESS, Kind.CHOICE):
        arguments["max_length"] = setting.longest or 40
    return arguments


def setting_constraints() -> Iterator[models.CheckConstraint]:
    """Yield a constraint for each setting of this tree that has bounds or fixed options."""
    for key, setting in SETTINGS.items():
        if setting.package:
            continue
        if setting.is_number and setting.least > -(2**63):  # a column has no other numbers
            within = Q(**{f"{key}__gte": setting.least, f"{key}__lte": setting.most})
            if setting.can_be_empty:
                within |= Q(**{f"{key}__isnull": True})
            yield models.CheckConstraint(condition=within, name=f"study_{key}_in_range")
        elif setting.kind == Kind.CHOICE and not setting.extensible:
            known = Q(**{f"{key}__in": setting.options})
            yield models.CheckConstraint(condition=known, name=f"study_{key}_known")
        elif setting.kind == Kind.TEXTS:
            within = Q(
                **{f"{key}__{setting.least - 1}__isnull": False, f"{key}__{setting.most}__isnull": True}
            )
            yield models.CheckConstraint(condition=within, name=f"study_{key}_in_range")


def field_of(setting: Setting) -> "models.Field[Any, Any]":
    """Return a field that belongs to no model, to validate values with."""
    arguments: dict[str, Any] = {"blank": setting.can_be_empty or not setting.default}
    if setting.is_number:
        arguments["validators"] = [MinValueValidator(setting.least), MaxValueValidator(setting.most)]
    if setting.kind == Kind.TEXTS:
        arguments["validators"] = [partial(_validate_texts, setting)]
    if setting.kind == Kind.AMOUNT:
        arguments |= {"max_digits": _DIGITS, "decimal_places": 2}
    if setting.kind == Kind.CHOICE:
        arguments["choices"] = [(option, option) for option in setting.options]
    if setting.kind in (Kind.LINE, Kind.ADDRESS, Kind.CHOICE):
        arguments["max_length"] = setting.longest or 40
    return _FIELDS.get(setting.kind, models.CharField)(**arguments)


def _validate_texts(setting: Setting, texts: Sequence[str]) -> None:
    if (fault := texts_fault(setting, texts)) is not None:
        raise ValidationError(gettext(fault.text).format(**fault.values))


def columns_of_settings(keys: Iterable[str]) -> set[str]:
    """Return the columns of `Study` that hold these settings."""
    return {"further" if key in SETTINGS and SETTINGS[key].package else key for key in keys}


def further_setting(setting: Setting) -> property:
    """Return the property of `Study` for a setting of an installed package.

    JSON keeps amounts and times as text, and a tuple as a list.
    """

    def read(study: Any) -> Any:
        value = study.further.get(setting.key, setting.default)
        if isinstance(value, str) and setting.kind == Kind.AMOUNT:
            return Decimal(value)
        if isinstance(value, str) and setting.kind == Kind.MOMENT:
            return datetime.fromisoformat(value)
        if setting.kind == Kind.TEXTS:
            return tuple(value)
        return value

    def write(study: Any, value: Any) -> None:
        if isinstance(value, Decimal):
            value = str(value)
        elif isinstance(value, datetime):
            value = value.isoformat()
        study.further = {**study.further, setting.key: value}

    return property(read, write)
