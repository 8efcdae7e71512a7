"""What several models share: choices and checks made from the states of the protocol."""

from collections.abc import Iterable
from enum import StrEnum
from typing import Any

from django.db import models


def choices(states: type[StrEnum]) -> list[tuple[str, str]]:
    return [(state.value, state.value.replace("_", " ")) for state in states]


def values(states: Iterable[StrEnum]) -> list[str]:
    """Plain texts, as queries and migrations want them."""
    return [state.value for state in states]


def one_of(field: str, states: type[StrEnum], *, name: str, empty: bool = False) -> models.CheckConstraint:
    """A constraint that holds `field` to the values of `states` (`empty`: or to the empty text)."""
    allowed = values(states) + ([""] if empty else [])
    return models.CheckConstraint(condition=models.Q(**{f"{field}__in": allowed}), name=name)


def stored_field(model: type[models.Model], name: str) -> "models.Field[Any, Any]":
    """Return the field of that name, which has a column."""
    field = model._meta.get_field(name)
    assert isinstance(field, models.Field), name
    return field


def column_of(field: "models.Field[Any, Any]") -> str:
    """Return the name of a field's column."""
    assert field.column is not None, field
    return field.column
