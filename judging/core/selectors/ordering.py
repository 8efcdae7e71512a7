"""Sort lists in natural order, with missing values last. Every database gives the same order."""

import re
from collections.abc import Sequence
from typing import Final, TypeVar

from django.db.models import Case, F, IntegerField, Model, QuerySet, Value, When
from django.db.models.expressions import BaseExpression, OrderBy

from judging.models import Study

_DIGITS: Final = re.compile("([0-9]+)")

M = TypeVar("M", bound=Model)
Sortable = str | F | BaseExpression
"""A sort key for rows: the name of a column, or an expression."""
Natural = tuple[tuple[tuple[int, int, str], ...], str]


def natural(text: str) -> Natural:
    """Return a sort key for natural order: digits count as a number, and numbers come before other text.

    >>> sorted(["10", "9", "MB2", "MB010", "09"], key=natural)
    ['09', '9', '10', 'MB2', 'MB010']
    """
    parts = [part for part in _DIGITS.split(text) if part]
    return tuple((0, int(part), "") if part[0] in "0123456789" else (1, 0, part) for part in parts), text


def place_of_topic(study: Study) -> F | Case:
    """Return an expression that sorts a study's rows by the number of their `topic`, in natural order.

    The expression is null for rows without a topic. This takes one query.
    """
    topics = study.topics.order_by().values_list("pk", "number")
    keys = [pk for pk, _ in sorted(topics, key=lambda topic: natural(topic[1]))]
    if keys == sorted(keys):  # usual, and much faster than a CASE expression
        return F("topic_id")
    whens = [When(topic=pk, then=Value(place)) for place, pk in enumerate(keys)]
    return Case(*whens, default=None, output_field=IntegerField())


def cut_first(page: QuerySet[M]) -> QuerySet[M]:
    """Return a query for only the rows of this page, in the same order.

    Callers that need other tables should join them to the returned query. If they joined them to `page`, the
    database would also join all rows before the page.
    """
    rows = page.model._default_manager.filter(pk__in=page.values("pk"))
    return rows.order_by(*page.query.order_by)


def by_columns(columns: Sequence[Sortable], *, descending: bool) -> list[str | OrderBy]:
    """Return the arguments of `order_by` for these columns.

    A column given by name must not be nullable, so that the database can sort with an index. Null values of
    expressions come last.
    """
    return [_ordered(column, descending) for column in columns]


def _ordered(column: Sortable, descending: bool) -> str | OrderBy:
    if isinstance(column, str):
        return f"-{column}" if descending else column
    return column.desc(nulls_last=True) if descending else column.asc(nulls_last=True)
