"""Tables of reports on a page, page by page, and as CSV."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from operator import itemgetter

from django.http import HttpRequest
from django.urls import reverse
from django.utils.http import urlencode

from judging.core.pages.numbers import exact
from judging.core.pages.sorting import Sorting
from judging.core.pages.tables import Column, ShownTable, Table, link
from judging.models import Report, Study
from judging.understanding.reports.tables import KeptTable, Row, number_of_rows, rows_of
from judging.understanding.scoring import LETTERS

LEVELS = tuple(LETTERS.values())

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


@dataclass(frozen=True)
class ReportTable:
    """A table of a report on a page, with the address of its CSV."""

    title: str
    note: str
    table: ShownTable
    download: str


def shown_tables(
    request: HttpRequest, study: Study, report: Report, tables: Sequence[KeptTable]
) -> list[ReportTable]:
    """The pages of a report's tables that the address asks for; documents lead to their own pages."""
    return [_shown(request, study, report, table, place) for place, table in enumerate(tables, start=1)]


def status_of(tables: Sequence[ReportTable]) -> int:
    return max((one.table.status for one in tables), default=200)


def _shown(request: HttpRequest, study: Study, report: Report, table: KeptTable, place: int) -> ReportTable:
    names = [name for name, _ in table["columns"]]

    def read(order: Sorting, places: range) -> list[Row]:
        """Unpack no more of a long table than is shown of it."""
        found = rows_of(table, None if order.key else places.stop)
        if order.key:
            found = order.rows(found, {order.key: _values(found, names.index(order.key))})
        return found[places.start : places.stop]

    key = f"table{place}"
    shown = Table(
        request,
        [_column(study, names, *column) for column in table["columns"]],
        heading=key,
        key=key,
        of=f"“{table['title']}”",
        css="numbers report",
        note=table["note"],
    ).read(lambda: number_of_rows(table), read)
    download = reverse("console:report_table", args=[study.slug, report.pk])
    address = f"{download}?{urlencode({'table': table['key']})}"
    return ReportTable(table["title"], table["note"], shown, address)


def _column(study: Study, names: list[str], name: str, numeric: bool) -> Column[Row]:
    of = itemgetter(names.index(name))

    def cell(row: Row) -> str:
        address = _address(study, names, row) if name == "document_id" else ""
        return link(address, of(row)) if address else exact(of(row))

    heading = _WORDS.get(name) or name.replace("_", " ").capitalize()
    return Column(f"-{name}" if numeric else name, heading, cell, css="" if numeric else "text")


def _values(rows: Sequence[Row], number: int) -> Callable[[Row], object]:
    """What rows are sorted by for one of their columns: grades by their level, not by their letter."""
    of = itemgetter(number)
    if {of(row) for row in rows} - {None, ""} <= set(LEVELS):
        return lambda row: LEVELS.index(of(row)) if of(row) else None
    return of


def _address(study: Study, names: list[str], row: Row) -> str:
    if "topic_id" not in names:
        return ""
    asked = {"topic": str(row[names.index("topic_id")]), "id": str(row[names.index("document_id")])}
    return f"{reverse('console:document', args=[study.slug])}?{urlencode(asked)}"
