"""What several models share: choices and checks made from the states of the protocol."""

from collections.abc import Iterable
from enum import StrEnum

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
