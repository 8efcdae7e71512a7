"""Table 1 of the original study, for the study at hand: the rows that its export gives."""

from functools import partial

from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import render
from django.views.decorators.http import require_safe

from judging import access
from judging.pages.console.guard import console_page, find_study
from judging.pages.console.paging import page_of
from judging.pages.console.sorting import sorting_of
from judging.selectors.published.base import Cell
from judging.selectors.published.table1 import TABLE1, Table1Row, counted
from judging.selectors.published.table1 import table1 as table1_rows

TIMES = ("0", "1", "≥ 2")
TEXTS = ("topic_id", "h_id", "n_id")


def _cell(place: int, row: Table1Row) -> Cell:
    (cells,) = TABLE1.cells([row])
    return cells[place]


@require_safe
@console_page
def table1(request: HttpRequest, slug: str) -> HttpResponseBase:
    study = find_study(request, slug)
    *topics, total = table1_rows(study)
    names = [column.name for column in TABLE1.columns(study)]
    rows_by = {
        name if name in TEXTS else f"-{name}": partial(_cell, place) for place, name in enumerate(names)
    }
    sorting = sorting_of(request, *rows_by, default="topic_id")
    topics = sorting.rows(topics, rows_by)
    page = page_of(request, len(topics))
    may_export = access.may_export(request.user, study, TABLE1.name)
    context = {
        "study": study,
        "topics": topics[page.places.start : page.places.stop],
        "page": page,
        "total": total,
        "sorting": sorting,
        "groups": [
            (
                one.heading,
                sorting.headings(dict(zip((column.name for column in one.columns), TIMES, strict=True))),
            )
            for one in counted()
        ],
        "formats": TABLE1.formats if may_export else (),
    }
    return render(request, "console/table1.html", context, status=max(page.status, sorting.status))
