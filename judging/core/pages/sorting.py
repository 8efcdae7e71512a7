"""How a list is sorted: the address says by which column, `sort=name`, or `sort=-name` the other way round.

The heading of a column links to the list sorted by it; that of the column in use says so (`aria-sort`), and
links to the other way round. Pages begin again at the first, what else the address asks for stays. Of several
lists on one page each has a parameter of its own, `sort_` and the `key` that asks for its pages.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from math import isnan
from typing import Any, NamedTuple, TypeVar

from django.http import HttpRequest

from judging.core.pages.paging import KEY
from judging.core.selectors.ordering import natural

PARAMETER = "sort"
Row = TypeVar("Row")


class Heading(NamedTuple):
    """Where the heading of a column leads, and how it says that the list is sorted by it, else ""."""

    address: str
    state: str


@dataclass(frozen=True)
class Sorting:
    """`key` is the column, `fault` what was wrong with the one asked for."""

    key: str
    descending: bool
    columns: dict[str, Heading]
    fault: str = ""

    @property
    def status(self) -> int:
        """The HTTP status to answer with."""
        return 400 if self.fault else 200

    def headings(self, words: Mapping[str, str]) -> list[tuple[str, Heading]]:
        """The words of these columns, each with its heading; a leading - in their names is passed over."""
        return [(text, self.columns[name.removeprefix("-")]) for name, text in words.items()]

    def rows(self, rows: Iterable[Row], by: Mapping[str, Callable[[Row], object]]) -> list[Row]:
        """Rows at hand, sorted by what `by`, with - or without, says of each for the column asked for.

        Texts as people count, and what has no value last either way; equal rows stay in their order.
        """
        value_of = by[self.key] if self.key in by else by[f"-{self.key}"]
        valued = [(_comparable(value_of(row)), row) for row in rows]
        known = [(value, row) for value, row in valued if value is not None]
        known.sort(key=lambda pair: pair[0], reverse=self.descending)
        return [row for _, row in known] + [row for value, row in valued if value is None]


def sorting_of(request: HttpRequest, *columns: str, default: str, key: str = KEY) -> Sorting:
    """The sorting that the address asks for, among these columns; else `default`, with - or without.

    A column named with a leading - is the other way round when first asked for: times, the latest first. The
    default "" leaves the rows as they are.
    `key` is that of the list's pages; with one of its own a link leads to the heading of that id.
    """
    first = {column.removeprefix("-"): column for column in columns}
    parameter = PARAMETER if key == KEY else f"{PARAMETER}_{key}"
    asked = request.GET.get(parameter, default)
    known = asked == default or asked.removeprefix("-") in first
    used = asked if known else default
    column, descending = used.removeprefix("-"), used.startswith("-")

    def heading(name: str, asks: str) -> Heading:
        state = ""
        if name == column:
            asks, state = (name, "descending") if descending else (f"-{name}", "ascending")
        query = request.GET.copy()
        query.pop(key, None)
        query[parameter] = asks
        return Heading(f"?{query.urlencode()}{'' if key == KEY else f'#{key}'}", state)

    fault = "" if known else f"This list cannot be sorted by “{asked[:20]}”: use the headings of its columns."
    return Sorting(column, descending, {name: heading(name, asks) for name, asks in first.items()}, fault)


def _comparable(value: object) -> tuple[int, Any] | None:
    """What a value is compared by, numbers before texts; None for what is none."""
    if value is None or value == "" or (isinstance(value, float) and isnan(value)):
        return None
    return (1, natural(value)) if isinstance(value, str) else (0, value)
