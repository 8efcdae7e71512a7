"""The parts of a bundle's layout: members, their fields, and the kinds of their values."""

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from django.db.models import Model

from judging.models import Study
from judging.protocol.settings import SETTINGS


class Kind(StrEnum):
    """The type of a value in JSON. Times, amounts and bytes are text, to keep them exact."""

    TEXT = "text"
    WHOLE = "whole number"
    NUMBER = "number"
    YES_NO = "true or false"
    TIME = "time"
    BYTES = "bytes in base64"
    AMOUNT = "amount"
    TEXTS = "list of texts"
    WHOLES = "list of whole numbers"
    NUMBERS = "list of numbers"
    OBJECT = "object"
    OBJECTS = "list of objects"


@dataclass(frozen=True)
class Field:
    """A field of a member.

    `attribute` is the field's name in the model, or a path into another model. It is empty if the model and
    the bundle use the same name. `null` says whether the value can be null. `earlier` is the value for
    bundles that are older than the field, or None if all bundles have the field. `model` and `fields`
    describe the objects that the field contains.
    """

    name: str
    kind: Kind
    meaning: str
    attribute: str = ""
    null: bool = False
    model: type[Model] | None = None
    fields: tuple["Field", ...] = ()
    earlier: str | float | tuple[str, ...] | None = None


@dataclass(frozen=True)
class Member:
    """A file of the bundle, with one object per line. The columns of `model` must accept the objects' values.

    If `single_line` is true, the file has exactly one line. If `is_needed` is false, a bundle has the file
    only if it has lines. `like` is the member whose fields come first in this one.
    """

    name: str
    description: str
    model: type[Model]
    fields: tuple[Field, ...]
    single_line: bool = False
    is_needed: bool = True
    like: "Member | None" = None

    def with_more(self, name: str, description: str, *more: Field) -> "Member":
        """Return an optional member with the fields of this one, and with more fields."""
        return replace(
            self,
            name=name,
            description=description,
            fields=(*self.fields, *more),
            is_needed=False,
            like=self,
        )

    def parts(self, name: str) -> tuple[Field, ...]:
        """Return the fields of the objects that the field `name` contains."""
        return next(field.fields for field in self.fields if field.name == name)


@dataclass(frozen=True)
class Work:
    """The members with the work of the kinds of judges that a study counts, or of one other kind."""

    units: Member
    workers: Member
    attempts: Member
    judgments: Member
    events: Member
    kind: str = ""

    @property
    def kinds(self) -> list[str] | None:
        """Return the name of the other kind in a list, or None for the kinds that a study counts."""
        return [self.kind] if self.kind else None


def attributes(fields: tuple[Field, ...], model: type[Model]) -> list[Field]:
    """Return the fields that are columns of the model, even if the columns have other names.

    The settings of installed packages share one column of the model `Study`, and count as columns.
    """
    known = {column.name for column in model._meta.concrete_fields if not column.is_relation}
    if model is Study:
        known |= {key for key, setting in SETTINGS.items() if setting.package}
    return [field for field in fields if (field.attribute or field.name) in known]


def columns(fields: tuple[Field, ...], model: type[Model]) -> dict[str, str]:
    """Return a dict from paths in the model to names in the bundle, for the fields that a query can read."""
    paths = [field for field in fields if "__" in field.attribute]
    return {field.attribute or field.name: field.name for field in (*attributes(fields, model), *paths)}


def fields_of(*rows: tuple[str, Kind, str], null: bool = False) -> tuple[Field, ...]:
    """Return a field for each name, kind and meaning."""
    return tuple(Field(*row, null=null) for row in rows)


TOPIC: Final = Field("topic", Kind.TEXT, "the topic's number", "topic__number")
