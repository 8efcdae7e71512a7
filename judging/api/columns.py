"""Make the serializers that describe the published tables in the OpenAPI document."""

from functools import cache
from typing import Any, Final

from rest_framework.fields import (
    BooleanField,
    CharField,
    ChoiceField,
    DateTimeField,
    Field,
    FloatField,
    IntegerField,
)

from judging.api.serializers import Described
from judging.core.published.table import AnyPublished, Column, Kind

_FIELDS: Final[dict[Kind, type[Field[Any, Any, Any, Any]]]] = {
    Kind.TEXT: CharField,
    Kind.WHOLE: IntegerField,
    Kind.NUMBER: FloatField,
    Kind.YES_NO: BooleanField,
    Kind.TIME: DateTimeField,
    Kind.AMOUNT: CharField,  # as text, to stay exact
}


@cache
def serializer_of(table: AnyPublished) -> type[Described]:
    """Return the serializer class for a table's rows. It omits columns that differ between studies."""
    name = f"{table.row.__name__.removesuffix('Row')}Serializer"
    return type(
        name, (Described,), {column.name: _field(column) for column in table.columns() if column.name}
    )


def _field(column: Column) -> Field[Any, Any, Any, Any]:
    options: dict[str, Any] = {"help_text": column.meaning} | ({"allow_null": True} if column.null else {})
    if column.options:
        return ChoiceField(choices=column.options, **options)
    return _FIELDS[column.kind](**options)
