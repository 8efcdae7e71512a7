"""The list of the documents of all topics, by disagreement with a set of known grades."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Final, NamedTuple

from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html
from django.utils.http import urlencode
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from judging.core.pages.numbers import exact
from judging.core.pages.page_table import Column, ShownTable, Table, link
from judging.core.pages.sorting import Sorting
from judging.core.selectors.magnitudes import gains_have_ratios
from judging.core.selectors.verdicts import verdicts_of
from judging.models import Report, Study
from judging.protocol.grades import gain_of
from judging.protocol.verdicts import Verdict
from judging.understanding.pages.all_documents_form import AllDocumentsForm, PooledRow
from judging.understanding.reports.stored_table import StoredTable, number_of_rows, rows_of
from judging.understanding.selectors.openings import Opening, openings

FIRST_SORT: Final = "-difference"
"""The order in which the report stores the rows."""


class ShownRow(NamedTuple):
    """A row on the page. `verdict` is "" without a verdict.

    `opening` is None for documents that were deleted after the report, and while rows are only sorted.
    """

    pooled: PooledRow
    verdict: str
    opening: Opening | None = None


def all_documents(
    request: HttpRequest, study: Study, report: Report | None
) -> tuple[ShownTable, StoredTable | None]:
    """Return the list of the documents of all topics, and the table of the report that it shows.

    The table is None without a report. In the first order and without a filter, the page unpacks only the
    rows that it shows.
    """
    form = AllDocumentsForm(request, study, report)
    stored = form.table
    name = stored["key"] if stored else ""
    verdicts = {(row.topic, row.document): row.verdict for row in verdicts_of(study) if row.grades == name}
    columns = _columns(study)
    table = Table(
        request,
        columns,
        heading="documents",
        of=_("documents"),
        sort=FIRST_SORT,
        form=form,
        css="all-documents",
        note=_note(study),
    )
    as_stored = table.sorting.descending and f"-{table.sorting.key}" == FIRST_SORT
    if stored is None or not form.is_valid():
        return table.read(lambda: 0, lambda order, places: []), stored
    if as_stored and not form.leaves_out:
        read = partial(_stored_page, study, stored, verdicts)
        return table.read(lambda: number_of_rows(stored), read), stored
    rows = [row for row in _rows(rows_of(stored), verdicts) if form.matches(row.pooled, row.verdict)]
    shown = table.read(lambda: len(rows), partial(_sorted_page, study, columns, rows, as_stored))
    return shown, stored


def _rows(stored: Sequence[Sequence[object]], verdicts: Mapping[tuple[str, str], str]) -> list[ShownRow]:
    pooled = map(PooledRow._make, stored)
    return [ShownRow(row, verdicts.get((row.topic, row.document), "")) for row in pooled]


def _stored_page(
    study: Study,
    stored: StoredTable,
    verdicts: Mapping[tuple[str, str], str],
    order: Sorting,
    places: range,
) -> list[ShownRow]:
    return _opened(study, _rows(rows_of(stored, places.stop)[places.start : places.stop], verdicts))


def _sorted_page(
    study: Study,
    columns: Sequence[Column[ShownRow]],
    rows: Sequence[ShownRow],
    as_stored: bool,
    order: Sorting,
    places: range,
) -> list[ShownRow]:
    by = {column.name: column.by or column.cell for column in columns}
    in_order = rows if as_stored else order.rows(rows, by)
    return _opened(study, in_order[places.start : places.stop])


def _opened(study: Study, rows: Sequence[ShownRow]) -> list[ShownRow]:
    """Return the rows with the openings of their documents. This takes one query."""
    by_document = openings(study, [row.pooled.document for row in rows])
    return [row._replace(opening=by_document.get(row.pooled.document)) for row in rows]


def _note(study: Study) -> str:
    note = _(
        "A document disagrees with its grade if its median is nearer to the median of another grade in the "
        "topic. The difference says by how much. Documents that fit their own grade come last."
    )
    return f"{note} {_('Distances are on a log scale.')}" if gains_have_ratios(study) else note


def _columns(study: Study) -> list[Column[ShownRow]]:
    def address(page: str, **query: str) -> str:
        return f"{reverse(f'console:{page}', args=[study.slug])}?{urlencode(query)}"

    def document(row: ShownRow) -> SafeString:
        name = link(address("document", topic=row.pooled.topic, id=row.pooled.document), row.pooled.document)
        if row.opening is None or not row.opening.text:
            return name
        css = "opening" if row.opening.is_title else "opening muted"
        return format_html('{} <span class="{}" dir="auto">{}</span>', name, css, row.opening.text)

    def topic(row: ShownRow) -> SafeString:
        return link(address("documents", topic=row.pooled.topic), row.pooled.topic)

    def verdict(row: ShownRow) -> object:
        return exact(_(Verdict(row.verdict).words) if row.verdict else "")

    return [
        Column("document", _("Document"), document, by=lambda row: row.pooled.document),
        Column("topic", _("Topic"), topic, by=lambda row: row.pooled.topic),
        Column("-grade", _("Known grade"), lambda row: exact(row.pooled.grade), by=_level("grade")),
        Column("-nearest", _("Nearest grade"), lambda row: exact(row.pooled.nearest), by=_level("nearest")),
        _number("difference", _("Difference")),
        _number("gain", _("Median")),
        _number("judgments", _("Judgments")),
        Column("verdict", _("Verdict"), verdict, by=lambda row: row.verdict),
    ]


def _level(name: str) -> Callable[[ShownRow], float | None]:
    def gain(row: ShownRow) -> float | None:
        level: str = getattr(row.pooled, name)
        return gain_of(level) if level else None

    return gain


def _number(name: str, heading: str) -> Column[ShownRow]:
    def value(row: ShownRow) -> object:
        return getattr(row.pooled, name)

    return Column(f"-{name}", heading, lambda row: exact(value(row)), by=value, css="number")
