"""The tables of a report as a page shows them, each with the address for downloading it as CSV."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import attrgetter, itemgetter
from typing import Final

from django.http import HttpRequest
from django.urls import reverse
from django.utils.http import urlencode

from judging.core.pages.numbers import exact
from judging.core.pages.page_table import Column, ShownTable, Table, link
from judging.core.pages.sorting import Sorting
from judging.models import Report, Study
from judging.protocol.grades import GAINS, UNGRADED
from judging.understanding.pages.report_words import heading_of, words_of
from judging.understanding.reports.catalogue import PARTS
from judging.understanding.reports.stored_table import Row, StoredTable, number_of_rows, rows_of
from judging.understanding.reports.words import in_language

LETTERS: Final = (*GAINS, UNGRADED)


@dataclass(frozen=True)
class ReportTable:
    """A table of a report, as a page shows it. `download` is the address of the table as CSV.

    `sentences` say what the table shows, and `part` is the key of the part of the report that contains it.
    """

    title: str
    note: str
    table: ShownTable
    download: str
    sentences: str = ""
    part: str = ""


@dataclass(frozen=True)
class ReportPart:
    """A part of a report and its tables, as a page shows them. `sentences` say what the results show."""

    key: str
    title: str
    reading: str
    sentences: str
    tables: Sequence[ReportTable]


def shown_parts(report: Report | None, tables: Sequence[ReportTable]) -> list[ReportPart]:
    """Return the parts of a report to which these tables belong, in the order of the tables."""
    parts = []
    for key, of_part in groupby(tables, attrgetter("part")):
        part, content = PARTS[key], report.content if report else {}
        reading, said = (content.get(name, {}).get(key, "") for name in ("readings", "sentences"))
        words = in_language(part.title), in_language(reading), in_language(said)
        parts.append(ReportPart(key, *words, list(of_part)))
    return parts


def shown_tables(
    request: HttpRequest, study: Study, report: Report, tables: Sequence[StoredTable]
) -> list[ReportTable]:
    """Return the tables of a report. Each table contains only the page of rows that the address selects.

    Ids of documents in the tables link to the pages of the documents.
    """
    return [_shown(request, study, report, table, place) for place, table in enumerate(tables, start=1)]


def status_of(tables: Sequence[ReportTable]) -> int:
    return max((table.table.status for table in tables), default=200)


def _shown(request: HttpRequest, study: Study, report: Report, table: StoredTable, place: int) -> ReportTable:
    names = [name for name, numeric in table["columns"]]

    def read(order: Sorting, places: range) -> list[Row]:
        """Return the rows of a page. Unpack a long table only if the rows in its `head` are not enough."""
        rows = rows_of(table, None if order.key else places.stop)
        if order.key:
            rows = order.rows(rows, {order.key: _values(rows, names.index(order.key))})
        return rows[places.start : places.stop]

    key = f"table{place}"
    title, note = in_language(table["title"]), in_language(table["note"])
    shown = Table(
        request,
        [_column(study, names, *column) for column in table["columns"]],
        heading=key,
        key=key,
        of=f"“{title}”",
        css="numbers report",
        note=note,
    ).read(lambda: number_of_rows(table), read)
    download = reverse("console:report_table", args=[study.slug, report.pk])
    address = f"{download}?{urlencode({'table': table['key']})}"
    sentences = in_language(table.get("sentences", ""))
    return ReportTable(title, note, shown, address, sentences, table.get("part", ""))


def _column(study: Study, names: list[str], name: str, numeric: bool) -> Column[Row]:
    of = itemgetter(names.index(name))

    def cell(row: Row) -> str:
        address = _address(study, names, row) if name == "document_id" else ""
        return link(address, of(row)) if address else exact(words_of(name, of(row)))

    return Column(f"-{name}" if numeric else name, heading_of(name), cell, css="" if numeric else "text")


def _values(rows: Sequence[Row], number: int) -> Callable[[Row], object]:
    """Return a function that gives the sort key of a row for one column.

    Grades are sorted by level, not by letter.
    """
    of = itemgetter(number)
    if {of(row) for row in rows} - {None, ""} <= set(LETTERS):
        return lambda row: LETTERS.index(of(row)) if of(row) else None
    return of


def _address(study: Study, names: list[str], row: Row) -> str:
    if "topic_id" not in names:
        return ""
    query = {"topic": str(row[names.index("topic_id")]), "id": str(row[names.index("document_id")])}
    return f"{reverse('console:document', args=[study.slug])}?{urlencode(query)}"
