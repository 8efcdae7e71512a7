"""Table 1 of the original study, for the study at hand: the rows that its export gives."""

from operator import attrgetter
from typing import Final

from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import render
from django.views.decorators.http import require_safe

from judging import access
from judging.pages.console.guard import console_page, find_study
from judging.pages.console.paging import page_of
from judging.pages.console.sorting import sorting_of
from judging.selectors.published.table1 import TABLE1, Table1Row
from judging.selectors.published.table1 import table1 as table1_rows

TEXTS = ("topic_id", "h_id", "n_id")
ROWS_BY: Final = {name if name in TEXTS else f"-{name}": attrgetter(name) for name in Table1Row._fields}
GROUPS: Final = {
    words: {f"{field}_0": "0", f"{field}_1": "1", f"{field}_2_or_more": "≥ 2"}
    for field, words in (("back", "Back used"), ("failed_c", "(c) failed"), ("failed_d", "(d) failed"))
}
"""What stands above three columns → the columns with what stands above each."""


@require_safe
@console_page
def table1(request: HttpRequest, slug: str) -> HttpResponseBase:
    study = find_study(request, slug)
    *topics, total = table1_rows(study)
    sorting = sorting_of(request, *ROWS_BY, default="topic_id")
    topics = sorting.rows(topics, ROWS_BY)
    page = page_of(request, len(topics))
    may_export = access.may_export(request.user, study, TABLE1.name)
    context = {
        "study": study,
        "topics": topics[page.places.start : page.places.stop],
        "page": page,
        "total": total,
        "sorting": sorting,
        "groups": [(words, sorting.headings(columns)) for words, columns in GROUPS.items()],
        "formats": TABLE1.formats if may_export else (),
    }
    return render(request, "console/table1.html", context, status=max(page.status, sorting.status))
