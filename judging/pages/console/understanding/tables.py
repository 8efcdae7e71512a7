"""Tables of reports on a page, page by page, and as CSV."""

import csv
import io
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from operator import itemgetter
from typing import Any, NamedTuple

from django.http import HttpRequest
from django.urls import reverse
from django.utils.http import urlencode

from judging.analysis.reports.tables import GRADES, number_of_rows, rows_of
from judging.models import Report, Study
from judging.pages.console.paging import Pages, page_of
from judging.pages.console.sorting import Heading, Sorting, sorting_of

DOCUMENT_COLUMNS = (
    "document",
    "grade",
    "anchor",
    "judgments",
    "gain",
    "low",
    "high",
    "spread",
    "least",
    "most",
)

LEVELS = tuple(GRADES.values())

_WORDS = {
    "topic_id": "Topic",
    "document_id": "Document",
    "unit_id": "Unit",
    "worker_id": "Worker",
    "q1": "First quartile",
    "q3": "Third quartile",
    "n": "N",
    "h": "H",
    "p": "p",
    "t": "t",
    "tau_b": "τ_b",
    "tau_ap": "τ_AP",
    "tau_a": "τ_a",
    "tau_c": "τ_c",
    "rho": "ρ",
    "alpha": "α",
    "alpha_as_given": "α as given",
}


class Column(NamedTuple):
    """A column of a report's table, with the heading by which it is sorted."""

    name: str
    numeric: bool
    heading: Heading

    @property
    def words(self) -> str:
        """Its heading on a page; in files it keeps its name."""
        return _WORDS.get(self.name) or self.name.replace("_", " ").capitalize()


class Cell(NamedTuple):
    value: Any
    numeric: bool
    address: str


@dataclass(frozen=True)
class ShownTable:
    """One page of a table; its heading's id, and the parameter that asks for another page, is `page.key`.

    `sorting` has the key "" where nobody asked for one: the rows stand as the report has them.
    """

    title: str
    note: str
    columns: list[Column]
    rows: list[list[Cell]]
    page: Pages
    sorting: Sorting
    download: str


def shown_tables(
    request: HttpRequest, study: Study, report: Report, tables: Sequence[dict[str, Any]]
) -> list[ShownTable]:
    """The pages of a report's tables that the address asks for; documents lead to their own pages."""
    return [_shown(request, study, report, table, place) for place, table in enumerate(tables, start=1)]


def status_of(tables: Sequence[ShownTable]) -> int:
    return max((one.status for table in tables for one in (table.page, table.sorting)), default=200)


def _shown(
    request: HttpRequest, study: Study, report: Report, table: dict[str, Any], place: int
) -> ShownTable:
    key = f"table{place}"
    names = [name for name, _ in table["columns"]]
    asks = [f"-{name}" if numeric else name for name, numeric in table["columns"]]
    sorting = sorting_of(request, *asks, default="", key=key)
    columns = [Column(name, numeric, sorting.columns[name]) for name, numeric in table["columns"]]
    page = page_of(request, number_of_rows(table), key=key)
    found = rows_of(table, None if sorting.key else page.places.stop)
    if sorting.key:
        found = sorting.rows(found, {sorting.key: _values(found, names.index(sorting.key))})
    rows = [
        [
            Cell(value, column.numeric, _address(study, names, row) if column.name == "document_id" else "")
            for column, value in zip(columns, row, strict=True)
        ]
        for row in found[page.places.start : page.places.stop]
    ]
    download = reverse("console:report_table", args=[study.slug, report.pk])
    return ShownTable(
        table["title"],
        table["note"],
        columns,
        rows,
        page,
        sorting,
        f"{download}?{urlencode({'table': table['key']})}",
    )


def _values(rows: Sequence[list[Any]], number: int) -> Callable[[list[Any]], Any]:
    """What rows are sorted by for one of their columns: grades by their level, not by their letter."""
    of = itemgetter(number)
    if {of(row) for row in rows} - {None, ""} <= set(LEVELS):
        return lambda row: LEVELS.index(of(row)) if of(row) else None
    return of


def _address(study: Study, names: list[str], row: list[Any]) -> str:
    if "topic_id" not in names:
        return ""
    asked = {"topic": row[names.index("topic_id")], "id": row[names.index("document_id")]}
    return f"{reverse('console:document', args=[study.slug])}?{urlencode(asked)}"


def csv_lines(columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> Iterator[str]:
    """The lines of a CSV file, every number to its last digit; a gap is an empty cell."""
    for row in chain([columns], rows):
        out = io.StringIO()
        csv.writer(out, lineterminator="\n").writerow(["" if cell is None else cell for cell in row])
        yield out.getvalue()
