"""Sort a list by the column in the address: `sort=name` is ascending, `sort=-name` is descending.

The heading of each column links to the list sorted by that column. The heading of the current column has
`aria-sort` and links to the opposite order. These links lead to the first page and keep all other parameters.
If a web page has several lists, only the main one uses the parameter `sort`. Any other list uses `sort_KEY`,
where KEY is the list's `key`.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from math import isnan
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from django.http import HttpRequest
from django.utils.translation import gettext as _

from judging.core.pages.paging import KEY
from judging.core.selectors.ordering import natural

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

PARAMETER = "sort"
Row = TypeVar("Row")


class Heading(NamedTuple):
    """The link of a column heading. `state` is the heading's `aria-sort`, or "" if it has none."""

    address: str
    state: str


@dataclass(frozen=True)
class Sorting:
    """How a list is sorted. `key` is the name of the column by which it is sorted.

    `fault` is an error message if the address names an unknown column, otherwise "".
    """

    key: str
    descending: bool
    columns: dict[str, Heading]
    fault: str = ""

    @property
    def status(self) -> int:
        """The HTTP status of the response."""
        return 400 if self.fault else 200

    def headings(self, texts: "Mapping[str, StrOrPromise]") -> "list[tuple[StrOrPromise, Heading]]":
        """Return the text of each column's heading, and its link.

        `texts` maps the name of each column to the text. A leading - in a name is ignored.
        """
        return [(text, self.columns[name.removeprefix("-")]) for name, text in texts.items()]

    def rows(self, rows: Iterable[Row], by: Mapping[str, Callable[[Row], object]]) -> list[Row]:
        """Return rows sorted by the current column.

        `by` maps a column's name, with or without -, to a function that returns the column's value in a row.
        Numbers within text are compared as numbers. Rows without a value come last in both orders. Equal
        rows keep their order.
        """
        value_of = by[self.key] if self.key in by else by[f"-{self.key}"]
        valued = [(_comparable(value_of(row)), row) for row in rows]
        present = [(value, row) for value, row in valued if value is not None]
        present.sort(key=lambda pair: pair[0], reverse=self.descending)
        return [row for _, row in present] + [row for value, row in valued if value is None]


def sorting_of(request: HttpRequest, *columns: str, default: str, key: str = KEY) -> Sorting:
    """Return the sorting that the address requests, or `default` if the address names no known column.

    If the name of a column begins with -, the first click on its heading sorts in descending order, which
    suits columns of times. If `default` is "", the rows keep their order until the address names a known
    column.

    `key` is the name of the URL parameter for the page number. Unless `key` is `KEY`, `key` is also the id of
    the list's heading, and the links lead to that heading.
    """
    first = {column.removeprefix("-"): column for column in columns}
    parameter = PARAMETER if key == KEY else f"{PARAMETER}_{key}"
    requested = request.GET.get(parameter, default)
    is_known = requested == default or requested.removeprefix("-") in first
    used = requested if is_known else default
    column, descending = used.removeprefix("-"), used.startswith("-")

    def heading(name: str, sort: str) -> Heading:
        state = ""
        if name == column:
            sort, state = (name, "descending") if descending else (f"-{name}", "ascending")
        query = request.GET.copy()
        query.pop(key, None)
        query[parameter] = sort
        return Heading(f"?{query.urlencode()}{'' if key == KEY else f'#{key}'}", state)

    fault = ""
    if not is_known:
        fault = _(
            "This list has no column “{column}” to sort by. Click a column heading to sort the list."
        ).format(column=requested[:20])
    return Sorting(column, descending, {name: heading(name, sort) for name, sort in first.items()}, fault)


def _comparable(value: object) -> tuple[int, Any] | None:
    """Return the sort key of a value, or None if the value is missing. Numbers come before text."""
    if value is None or value == "" or (isinstance(value, float) and isnan(value)):
        return None
    return (1, natural(value)) if isinstance(value, str) else (0, value)
