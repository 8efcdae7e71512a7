"""What reports give to take home: the files of a figure, and any table as CSV."""

from csp.decorators import csp
from django.http import FileResponse, Http404, HttpRequest, HttpResponseBase
from django.shortcuts import get_object_or_404
from django.views.decorators.http import require_safe

from judging.core import access
from judging.core.clock import now
from judging.core.formats.spreadsheets import SPREADSHEET
from judging.core.formats.tables import Table
from judging.core.formats.texts import file_name, laid_out
from judging.core.pages.attachment import attachment
from judging.core.pages.guard import console_page, find_study, refuse
from judging.core.published.base import Column
from judging.core.services.events import record_export
from judging.models import Report, ReportKind
from judging.understanding.reports.catalogue import FORMATS
from judging.understanding.reports.tables import DocumentRow, rows_of
from judging.understanding.selectors.reports import folder_of


# What matplotlib draws has its styles inside; it runs no script, and comes from our own job.
@csp({"default-src": ["'none'"], "style-src": ["'unsafe-inline'"]})
@require_safe
@console_page
def figure_file(request: HttpRequest, slug: str, pk: int, form: str) -> HttpResponseBase:
    """A file of a figure: shown as it is, or with `?download` to be saved."""
    study = find_study(request, slug)
    report = get_object_or_404(Report.objects.defer("content"), study=study, pk=pk, kind=ReportKind.FIGURE)
    if form not in FORMATS:
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
        content_type=FORMATS[form],
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
    if report.kind == ReportKind.DOCUMENTS:
        documents, columns = report.content["documents"], list(DocumentRow.__annotations__)
        rows = [[row[name] for name in columns] for row in documents]
        name = f"documents-{report.parameters['topic']}"
    else:
        kept = next((one for one in report.content.get("tables", ()) if one["key"] == key), None)
        if kept is None:
            raise Http404
        columns, rows = [column for column, _ in kept["columns"]], rows_of(kept)
        name = f"{report.kind}-{key.replace('/', '-')}"
    form = SPREADSHEET if request.GET.get("for") == SPREADSHEET else "csv"
    what = " ".join(filter(None, ["report", report.kind, key]))
    record_export(study=study, what=what, form=form, now=now(), actor=access.account_of(request.user))
    # Unlike an export, which has 1 and 0, a report says True and False.
    cells = ([str(cell) if isinstance(cell, bool) else cell for cell in row] for row in rows)
    table = Table([Column("", name=column) for column in columns], cells)
    return attachment(laid_out(table, form), file_name(study, name, form), form)
