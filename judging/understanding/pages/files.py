"""What reports give to take home: the files of a figure, and any table as CSV."""

from itertools import chain
from typing import Final

from csp.decorators import csp
from django.http import FileResponse, Http404, HttpRequest, HttpResponseBase, StreamingHttpResponse
from django.shortcuts import get_object_or_404
from django.utils.http import content_disposition_header
from django.views.decorators.http import require_safe

from judging.core import access
from judging.core.clock import now
from judging.core.formats.spreadsheets import MARK, SPREADSHEET, harmless
from judging.core.formats.texts import csv_rows
from judging.core.pages.guard import console_page, find_study, refuse
from judging.core.services.events import record_export
from judging.models import Report, ReportKind
from judging.understanding.pages.tables import DOCUMENT_COLUMNS
from judging.understanding.reports.tables import Cell, rows_of
from judging.understanding.selectors.reports import folder_of

MEDIA: Final = {
    "svg": "image/svg+xml",
    "pdf": "application/pdf",
    "png": "image/png",
    "csv": "text/csv; charset=utf-8",
}


# What matplotlib draws has its styles inside; it runs no script, and comes from our own job.
@csp({"default-src": ["'none'"], "style-src": ["'unsafe-inline'"]})
@require_safe
@console_page
def figure_file(request: HttpRequest, slug: str, pk: int, form: str) -> HttpResponseBase:
    """A file of a figure: shown as it is, or with `?download` to be saved."""
    study = find_study(request, slug)
    report = get_object_or_404(Report.objects.defer("content"), study=study, pk=pk, kind=ReportKind.FIGURE)
    if form not in MEDIA:
        raise Http404
    name = report.parameters["figure"]
    try:
        file = (folder_of(report) / f"{name}.{form}").open("rb")
    except FileNotFoundError:
        raise Http404("The file is not there; make the figure anew.") from None
    if "download" in request.GET:
        record_export(
            study=study, what=f"figure {name}", form=form, now=now(), actor=access.account_of(request.user)
        )
    return FileResponse(
        file,
        as_attachment="download" in request.GET,
        filename=f"{study.slug}-{name}.{form}",
        content_type=MEDIA[form],
    )


@require_safe
@console_page
def report_table(request: HttpRequest, slug: str, pk: int) -> HttpResponseBase:
    """One table of a report as CSV, every number to its last digit; `?for=spreadsheet` as exports have it."""
    study = find_study(request, slug)
    if not access.may_export(request.user, study, "reports"):
        return refuse(request, "You may not take this data home.")
    report = get_object_or_404(Report, study=study, pk=pk)
    key = request.GET.get("table", "")
    columns: tuple[str, ...]
    cells: list[list[Cell]]
    if report.kind == ReportKind.DOCUMENTS:
        rows = report.content["documents"]
        columns, cells = DOCUMENT_COLUMNS, [[row[name] for name in DOCUMENT_COLUMNS] for row in rows]
        name = f"{study.slug}-documents-{report.parameters['topic']}"
    else:
        table = next((one for one in report.content.get("tables", ()) if one["key"] == key), None)
        if table is None:
            raise Http404
        columns, cells = tuple(column for column, _ in table["columns"]), rows_of(table)
        name = f"{study.slug}-{report.kind}-{key.replace('/', '-')}"
    form = SPREADSHEET if request.GET.get("for") == SPREADSHEET else "csv"
    if form == SPREADSHEET:
        columns, cells = (*map(harmless, columns),), [[*map(harmless, row)] for row in cells]
    what = " ".join(filter(None, ["report", report.kind, key]))
    record_export(study=study, what=what, form=form, now=now(), actor=access.account_of(request.user))
    ending = f".{SPREADSHEET}.csv" if form == SPREADSHEET else ".csv"
    disposition = content_disposition_header(as_attachment=True, filename=f"{name}{ending}")
    lines = csv_rows(chain([columns], cells))
    return StreamingHttpResponse(
        chain([MARK], lines) if form == SPREADSHEET else lines,
        content_type=MEDIA["csv"],
        headers={"Content-Disposition": disposition},
    )
