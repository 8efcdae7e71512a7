"""The tables of a report as a page shows them, each with the address for downloading it as CSV."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import attrgetter, itemgetter
from typing import Final

from django.http import HttpRequest
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext

from judging.core.pages.numbers import exact
from judging.core.pages.page_table import Column, ShownTable, Table, link
from judging.core.pages.sorting import Sorting
from judging.models import Report, Study
from judging.protocol.grades import GAINS, UNGRADED
from judging.protocol.words import gettext_noop
from judging.understanding.reports.catalogue import PARTS
from judging.understanding.reports.stored_table import Row, StoredTable, number_of_rows, rows_of
from judging.understanding.reports.words import in_language

LETTERS: Final = (*GAINS, UNGRADED)

_HEADINGS = {
    "arm": gettext_noop("Arm"),
    "paid": gettext_noop("Cost"),
    "per_unit": gettext_noop("Cost per unit"),
    "per_document": gettext_noop("Cost per document"),
    "per_judgment": gettext_noop("Cost per judgment"),
    "unit_seconds": gettext_noop("Seconds per unit"),
    "document_seconds": gettext_noop("Seconds per document"),
    "visible_seconds": gettext_noop("Seconds in view"),
    "failure": gettext_noop("Failure"),
    "attempts": gettext_noop("Attempts"),
    "level": gettext_noop("Level"),
    "first": gettext_noop("First"),
    "second": gettext_noop("Second"),
    "statistic": gettext_noop("Statistic"),
    "value": gettext_noop("Value"),
    "power": gettext_noop("Pairs told apart"),
    "budget": gettext_noop("Same cost"),
    "power_at_budget": gettext_noop("Pairs told apart at the same cost"),
    "runs": gettext_noop("Runs"),
    "topic_id": gettext_noop("Topic"),
    "document_id": gettext_noop("Document"),
    "unit_id": gettext_noop("Unit"),
    "worker_id": gettext_noop("Worker"),
    "q1": gettext_noop("First quartile"),
    "q3": gettext_noop("Third quartile"),
    "grades": gettext_noop("Grades"),
    "grade": gettext_noop("Grade"),
    "anchors": gettext_noop("Anchors"),
    "documents": gettext_noop("Documents"),
    "units": gettext_noop("Units"),
    "excluded": gettext_noop("Excluded units"),
    "judgments": gettext_noop("Judgments"),
    "workers": gettext_noop("Workers"),
    "topics": gettext_noop("Topics"),
    "pairs": gettext_noop("Pairs"),
    "least": gettext_noop("Smallest"),
    "most": gettext_noop("Largest"),
    "median": gettext_noop("Median"),
    "mean": gettext_noop("Mean"),
    "low": gettext_noop("Interval from"),
    "high": gettext_noop("Interval to"),
    "observed": gettext_noop("Mean with the bias"),
    "in_top_set": gettext_noop("Cannot be told from the best run"),
    "wins": gettext_noop("Wins"),
    "ties": gettext_noop("Ties"),
    "losses": gettext_noop("Losses"),
    "baseline_difference": gettext_noop("Difference from the baseline"),
    "baseline_difference_low": gettext_noop("Difference from the baseline: lower end"),
    "baseline_difference_high": gettext_noop("Difference from the baseline: upper end"),
    "baseline_p": gettext_noop("p against the baseline"),
    "baseline_adjusted": gettext_noop("p against the baseline, adjusted"),
    "baseline_wins": gettext_noop("Wins against the baseline"),
    "baseline_ties": gettext_noop("Ties with the baseline"),
    "baseline_losses": gettext_noop("Losses against the baseline"),
    "changed": gettext_noop("Changed"),
    "choice": gettext_noop("Choice"),
    "best": gettext_noop("Best run"),
    "same_best": gettext_noop("Same best run"),
    "top_set": gettext_noop("Top set"),
    "low_judged_anew": gettext_noop("Interval for these topics: lower end"),
    "high_judged_anew": gettext_noop("Interval for these topics: upper end"),
    "whisker_low": gettext_noop("Whisker from"),
    "whisker_high": gettext_noop("Whisker to"),
    "gains": gettext_noop("Gains"),
    "judged": gettext_noop("Judgments"),
    "comparison": gettext_noop("Comparison"),
    "from": gettext_noop("From"),
    "to": gettext_noop("To"),
    "difference": gettext_noop("Difference from the best run"),
    "difference_low": gettext_noop("Difference: lower end"),
    "difference_high": gettext_noop("Difference: upper end"),
    "above": gettext_noop("Above"),
    "lower": gettext_noop("Lower grade"),
    "higher": gettext_noop("Higher grade"),
    "nearest": gettext_noop("Nearest grade"),
    "ratio": gettext_noop("Ratio"),
    "share": gettext_noop("Share"),
    "judged_share": gettext_noop("Judged"),
    "run": gettext_noop("Run"),
    "rank": gettext_noop("Rank"),
    "measure": gettext_noop("Measure"),
    "known": gettext_noop("Known grades"),
    "ranked": gettext_noop("Ranked"),
    "systems": gettext_noop("Systems"),
    "shared": gettext_noop("Shared"),
    "overlap": gettext_noop("Overlap"),
    "judged_top": gettext_noop("Top set according to the judgments"),
    "known_top": gettext_noop("Top set according to the grades"),
    "set": gettext_noop("Set"),
    "other_set": gettext_noop("Other set"),
    "first_grade": gettext_noop("First grade"),
    "second_grade": gettext_noop("Second grade"),
    "n": "N",
    "h": "H",
    "p": "p",
    "adjusted": gettext_noop("p, adjusted"),
    "t": "t",
    "tau_b": "τ_b",
    "tau_ap": "τ_AP",
    "tau_a": "τ_a",
    "tau_c": "τ_c",
    "rho": "ρ",
    "alpha": "α",
    "letter": gettext_noop("Letter"),
    "place": gettext_noop("Place"),
    "ranking": gettext_noop("Ranking"),
    "other_ranking": gettext_noop("Other ranking"),
    "transformation": gettext_noop("Transformation"),
    "top": gettext_noop("Top set according to C"),
    "transformed_top": gettext_noop("Top set according to the transformed gains"),
    "method": gettext_noop("Test"),
    "adm": "adm",
    "alpha_as_given": gettext_noop("α of raw judgments"),
}
"""Maps a report's columns to their headings on a page. The headings of other columns are their names."""


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
        return link(address, of(row)) if address else exact(of(row))

    return Column(f"-{name}" if numeric else name, _heading(name), cell, css="" if numeric else "text")


def _heading(name: str) -> str:
    """Return the heading of a column. Names of measures and rankings, such as nDCG@10, stay as they are."""
    if name in _HEADINGS:
        return gettext(_HEADINGS[name])
    return name.replace("_", " ").capitalize() if name == name.lower() else name


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
