"""The page with Table 1 of Turpin et al. (2015), computed for a study.

The table has the same rows as its export.
"""

from collections.abc import Callable, Iterator
from functools import partial
from operator import attrgetter
from typing import Final

from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import render
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

from judging.core import access
from judging.core.pages.guard import console_page, find_study
from judging.core.pages.numbers import exact
from judging.core.pages.page_table import Column, Table
from judging.core.published.table1 import TABLE1, Table1Row, counted
from judging.core.published.table1 import table1 as table1_rows
from judging.core.words import translated

TIMES: Final = ("0", "1", "≥ 2")
_COLUMNS: Final[list[Column[Table1Row]]] = [
    Column("topic_id", _("Topic"), attrgetter("topic_id")),
    Column("-documents", _("Documents"), attrgetter("documents")),
    Column("-units", _("Units"), attrgetter("units")),
    Column("h_id", "H", attrgetter("h_id"), above=_("Anchors"), css="id"),
    Column("n_id", "N", attrgetter("n_id"), above=_("Anchors"), css="id"),
]


def _counts() -> Iterator[Column[Table1Row]]:
    """Yield a column for each number in `Table1Row.times`."""
    place = 0
    for group in counted():
        for column, heading in zip(group.columns, TIMES, strict=True):
            number = partial(_number, place)
            yield Column(
                f"-{column.name}",
                heading,
                partial(_shown, number),
                by=number,
                above=translated(group.heading),
            )
            place += 1


def _number(place: int, row: Table1Row) -> int | None:
    return row.times[place]


def _shown(number: Callable[[Table1Row], int | None], row: Table1Row) -> str:
    return exact(number(row))


@require_safe
@console_page
def table1(request: HttpRequest, slug: str) -> HttpResponseBase:
    study = find_study(request, slug)
    *topics, total = table1_rows(study)
    columns = [*_COLUMNS, *_counts()]
    table = Table(
        request,
        columns,
        heading="table1",
        of=_("topics"),
        sort="topic_id",
        css="numbers table1",
        note=_("Keep the ids of the anchors secret from workers."),
    ).at_hand(topics, total=[column.cell(total) for column in columns])
    may_export = access.may_export(request.user, study, TABLE1.name)
    context = {
        "study": study,
        "topics": table,
        "total": total,
        "formats": TABLE1.formats if may_export else (),
    }
    return render(request, "watching/table1.html", context, status=table.status)
