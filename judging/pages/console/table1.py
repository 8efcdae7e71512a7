"""Table 1 of the original study, for the study at hand: the rows that its export gives."""

from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import render
from django.views.decorators.http import require_safe

from judging import access
from judging.exports.catalogue import EXPORTS
from judging.pages.console.guard import console_page, find_study
from judging.pages.console.paging import page_of
from judging.selectors.table1 import table1 as table1_rows

EXPORT = EXPORTS["table1"]


@require_safe
@console_page
def table1(request: HttpRequest, slug: str) -> HttpResponseBase:
    study = find_study(request, slug)
    *topics, total = table1_rows(study)
    page = page_of(request, len(topics))
    may_export = access.may_export(request.user, study, EXPORT.name)
    context = {
        "study": study,
        "topics": topics[page.places.start : page.places.stop],
        "page": page,
        "total": total,
        "formats": EXPORT.formats if may_export else (),
    }
    return render(request, "console/table1.html", context, status=page.status)
