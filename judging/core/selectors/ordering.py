"""What lists are sorted by: texts as people count, and what has no value last, the same on every database."""

import re
from collections.abc import Sequence
from typing import Final, TypeVar

from django.db.models import Case, F, IntegerField, Model, QuerySet, Value, When
from django.db.models.expressions import BaseExpression, OrderBy

from judging.models import Study

_DIGITS: Final = re.compile("([0-9]+)")

M = TypeVar("M", bound=Model)
Sortable = str | F | BaseExpression
"""What rows are sorted by: the name of a column, or an expression."""
Natural = tuple[tuple[tuple[int, int, str], ...], str]


def natural(text: str) -> Natural:
    """What texts are compared by: runs of digits as numbers, before all else; equal ones by code point.

    >>> sorted(["10", "9", "MB2", "MB010", "09"], key=natural)
    ['09', '9', '10', 'MB2', 'MB010']
    """
    parts = [part for part in _DIGITS.split(text) if part]
    return tuple((0, int(part), "") if part[0] in "0123456789" else (1, 0, part) for part in parts), text


def place_of_topic(study: Study) -> F | Case:
    """An expression that sorts rows of a study by the number of their `topic`; in one query.

    Rows without a topic have no place.
    """
    topics = study.topics.order_by().values_list("pk", "number")
    keys = [pk for pk, _ in sorted(topics, key=lambda topic: natural(topic[1]))]
    if keys == sorted(keys):  # They were brought in like that: far quicker than to look each of them up.
        return F("topic_id")
    whens = [When(topic=pk, then=Value(place)) for place, pk in enumerate(keys)]
    return Case(*whens, default=None, output_field=IntegerField())


def cut_first(page: QuerySet[M]) -> QuerySet[M]:
    """Return the rows of a page in their order, for who joins other tables to them.

    Joined before the page is cut, each row passed over would be looked up too.
    """
    rows = page.model._default_manager.filter(pk__in=page.values("pk"))
    return rows.order_by(*page.query.order_by)


def by_columns(columns: Sequence[Sortable], *, descending: bool) -> list[str | OrderBy]:
    """The order by these columns, one after the other.

    A column by name always has a value, so that an index serves it; of an expression, what has none is last.
    """
    return [_ordered(column, descending) for column in columns]


def _ordered(column: Sortable, descending: bool) -> str | OrderBy:
    if isinstance(column, str):
        return f"-{column}" if descending else column
    return column.desc(nulls_last=True) if descending else column.asc(nulls_last=True)
