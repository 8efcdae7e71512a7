"""How the layout of a bundle is told: members, their fields, and what kind of value each is."""

from dataclasses import dataclass
from enum import StrEnum

from django.db.models import Model


class Kind(StrEnum):
    """What a value is in JSON: times and amounts are text, so that nothing of them is lost."""

    TEXT = "text"
    WHOLE = "whole number"
    NUMBER = "number"
    YES_NO = "true or false"
    TIME = "time"
    AMOUNT = "amount"
    TEXTS = "list of texts"
    WHOLES = "list of whole numbers"
    NUMBERS = "list of numbers"
    OBJECT = "object"
    OBJECTS = "list of objects"


@dataclass(frozen=True)
class Field:
    """`attribute` is the model's name for it, where it has another, or the path to it in another model.

    `null` says whether it may be null. `earlier` is the value in bundles written before there was the field;
    None: every bundle has it.
    """

    name: str
    kind: Kind
    meaning: str
    attribute: str = ""
    null: bool = False
    model: type[Model] | None = None
    fields: tuple["Field", ...] = ()
    earlier: str | None = None


@dataclass(frozen=True)
class Member:
    """A file of the bundle, an object a line; `model` is the one whose rules its fields keep."""

    name: str
    what: str
    model: type[Model]
    fields: tuple[Field, ...]
    one: bool = False

    def parts(self, name: str) -> tuple[Field, ...]:
        """Return the fields of the objects inside one of its fields."""
        return next(field.fields for field in self.fields if field.name == name)


def attributes(fields: tuple[Field, ...], model: type[Model]) -> list[Field]:
    """The fields that are columns of the model, under whichever name."""
    known = {column.name for column in model._meta.concrete_fields if not column.is_relation}
    return [field for field in fields if (field.attribute or field.name) in known]


def columns(fields: tuple[Field, ...], model: type[Model]) -> dict[str, str]:
    """Return name or path in the model → name in the bundle, of the fields that a query can read."""
    paths = [field for field in fields if "__" in field.attribute]
    return {field.attribute or field.name: field.name for field in (*attributes(fields, model), *paths)}
