"""Helpers for models: choices and constraints from the states of the protocol."""

from collections.abc import Iterable
from typing import Any, cast

from django.core.validators import RegexValidator
from django.db import models
from django.utils.translation import gettext_lazy

from judging.protocol.grades import LEVEL
from judging.protocol.judges import PERSON, kind_choices


def choices(states: Iterable[str]) -> list[tuple[str, str]]:
    """Return the choices of a field: each value with its label. Pages translate the labels."""
    words = ((str(state), getattr(state, "words", state.replace("_", " "))) for state in states)
    return [(value, cast("str", gettext_lazy(text))) for value, text in words]


def values(states: Iterable[str]) -> list[str]:
    """Return the states as plain strings, for queries and migrations."""
    return [str(state) for state in states]


def one_of(field: str, states: Iterable[str], *, name: str, empty: bool = False) -> models.CheckConstraint:
    """Return a constraint that `field` is one of `states`. If `empty` is true, "" is also allowed."""
    allowed = values(states) + ([""] if empty else [])
    return models.CheckConstraint(condition=models.Q(**{f"{field}__in": allowed}), name=name)


def level_field(help_text: str, *, blank: bool = False) -> "models.CharField[str, str]":
    """Return a field for the level of a known grade: N, M, R or H, or a number."""
    validator = RegexValidator(LEVEL, gettext_lazy("This must be N, M, R, H or a number."))
    return models.CharField(max_length=20, blank=blank, help_text=help_text, validators=[validator])


def level_known(field: str, *, name: str, empty: bool = False) -> models.CheckConstraint:
    """Return a constraint that `field` is a valid level. If `empty` is true, "" is also allowed."""
    condition = models.Q(**{f"{field}__regex": LEVEL})
    return models.CheckConstraint(
        condition=condition | models.Q(**{field: ""}) if empty else condition, name=name
    )


def stored_field(model: type[models.Model], name: str) -> "models.Field[Any, Any]":
    """Return the field with this name. The field must have a column."""
    field = model._meta.get_field(name)
    assert isinstance(field, models.Field), name
    return field


def column_of(field: "models.Field[Any, Any]") -> str:
    """Return the name of a field's column."""
    assert field.column is not None, field
    return field.column


class TextsField(models.JSONField):
    """A list of short texts. Its value is a tuple, so that nobody changes it in place."""

    def from_db_value(self, value: Any, expression: Any, connection: Any) -> tuple[str, ...] | None:
        texts = super().from_db_value(value, expression, connection)
        return None if texts is None else tuple(texts)


def judge_kind_field(help_text: str) -> "models.CharField[str, str]":
    """Return a field for the name of a kind of judge: people, unless stated."""
    return models.CharField(
        max_length=20,
        choices=kind_choices,
        default=PERSON.name,
        db_default=PERSON.name,
        help_text=help_text,
    )
