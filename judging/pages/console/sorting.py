"""How a list is sorted: the address says by which column, `sort=name`, or `sort=-name` the other way round.

The heading of a column links to the list sorted by it; that of the column in use says so (`aria-sort`), and
links to the other way round. Pages begin again at the first.
"""

from dataclasses import dataclass
from typing import NamedTuple

from django.http import HttpRequest

PARAMETER = "sort"


class Heading(NamedTuple):
    """What the heading of a column asks for, and how it says that the list is sorted by it, else ""."""

    asks: str
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


def sorting_of(request: HttpRequest, *columns: str, default: str) -> Sorting:
    """The sorting that the address asks for, among these columns; else `default`, with - or without.

    A column named with a leading - is the other way round when first asked for: times, the latest first.
    """
    first = {column.lstrip("-"): column for column in columns}
    asked = request.GET.get(PARAMETER, default)
    known = asked.removeprefix("-") in first
    used = asked if known else default
    key, descending = used.removeprefix("-"), used.startswith("-")
    headings = {}
    for name, asks in first.items():
        if name == key:
            headings[name] = Heading(
                name if descending else f"-{name}", "descending" if descending else "ascending"
            )
        else:
            headings[name] = Heading(asks, "")
    fault = "" if known else f"This list cannot be sorted by “{asked[:20]}”: use the headings of its columns."
    return Sorting(key, descending, headings, fault)
