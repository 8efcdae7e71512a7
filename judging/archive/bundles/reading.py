"""Read the rows of a query as JSON values, under the names of a bundle."""

from base64 import b64encode
from collections.abc import Iterable, Iterator
from datetime import datetime
from decimal import Decimal
from typing import Any, Final

from django.db.models import Model, QuerySet

from judging.archive.bundles.fields import Field, columns
from judging.core.formats.texts import moment
from judging.models import Study, Topic

Row = dict[str, Any]
"""A line, as a dict from field name to value. The layout defines the names and types."""
_CENT: Final = Decimal("0.01")


def topics_in_order(study: Study) -> QuerySet[Topic]:
    """Return the topics of a study, in the order of the study file."""
    return Topic.objects.filter(study=study).order_by("place")


def read_rows(fields: tuple[Field, ...], rows: QuerySet[Model], *more: str) -> Iterator[Row]:
    """Yield the rows of a query as dicts. The keys are the names of `fields`, and the columns in `more`."""
    names = columns(fields, rows.model)
    for row in rows.values(*names, *more).iterator(chunk_size=1000):
        yield {names.get(name, name): as_json(value) for name, value in row.items()}


def grouped(key: str, rows: Iterable[Row]) -> dict[int, list[Row]]:
    """Return a dict from each value of `key` to the rows that have it. Remove the key from the rows."""
    groups: dict[int, list[Row]] = {}
    for row in rows:
        groups.setdefault(row.pop(key), []).append(row)
    return groups


def as_json(value: object) -> object:
    """Return a value of a column as JSON can hold it."""
    if isinstance(value, datetime):
        return moment(value)
    if isinstance(value, bytes | memoryview):
        return b64encode(value).decode()
    return _amount(value) if isinstance(value, Decimal) else value


def _amount(value: Decimal) -> str:
    """Return an amount with two decimals, or with as many as it needs."""
    cents = value.quantize(_CENT)
    return str(cents) if cents == value else f"{value.normalize():f}"
