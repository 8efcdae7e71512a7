"""Downloads of reports: the files of a figure, and any table as CSV."""

from csp.decorators import csp
from django.http import FileResponse, Http404, HttpRequest, HttpResponseBase
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from judging.core import access
from judging.core.clock import now
from judging.core.formats.export_table import Table
from judging.core.formats.spreadsheets import SPREADSHEET
from judging.core.formats.texts import MEDIA_TYPES, ZIP, file_name, laid_out
from judging.core.pages.attachment import attachment
from judging.core.pages.guard import console_page, find_study, refuse
from judging.core.published.table import Column
from judging.core.services.events import record_export
from judging.models import Report, ReportKind
from judging.understanding.reports.catalogue import FORMATS, WHOLE_ZIP
from judging.understanding.reports.stored_table import DocumentRow, rows_of
from judging.understanding.selectors.reports import find_report, folder_of


# Matplotlib puts styles into SVG files. The files run no scripts, and come from Plumbline's own job.
@csp({"default-src": ["'none'"], "style-src": ["'unsafe-inline'"]})
@require_safe
@console_page
def figure_file(request: HttpRequest, slug: str, pk: int, form: str) -> HttpResponseBase:
    """Send a file of a figure. The browser shows the file or, with `?download`, saves it."""
    study = find_study(request, slug)
    report = get_object_or_404(Report.objects.defer("content"), study=study, pk=pk, kind=ReportKind.FIGURE)
    if form not in FORMATS:
        raise Http404
    name = report.parameters["figure"]
    try:
        file = (folder_of(report) / f"{name}.{form}").open("rb")
    except FileNotFoundError:
        raise Http404(_("The file of this figure is missing. Compute the figure again.")) from None
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
def whole_report(request: HttpRequest, slug: str) -> HttpResponseBase:
    """Send the zip with all analyses of a study or, with `?paper=KEY`, with the items of a paper."""
    study = find_study(request, slug)
    if not access.may_export(request.user, study, "reports"):
        return refuse(
            request, _("You do not have permission to download this data. Ask an owner of the study.")
        )
    paper = request.GET.get("paper", "")
    report = find_report(study, ReportKind.WHOLE, {"paper": paper} if paper else {})
    if report is None:
        raise Http404
    try:
        file = (folder_of(report) / WHOLE_ZIP).open("rb")
    except FileNotFoundError:
        raise Http404(_("The file of this report is missing. Compute the report again.")) from None
    record_export(
        study=study,
        what=f"report {paper}".strip(),
        form=ZIP,
        now=now(),
        actor=access.account_of(request.user),
    )
    return FileResponse(
        file,
        as_attachment=True,
        filename=f"{study.slug}-{paper or 'report'}.zip",
        content_type=MEDIA_TYPES[ZIP],
    )


@require_safe
@console_page
def report_table(request: HttpRequest, slug: str, pk: int) -> HttpResponseBase:
    """Send a table of a report as CSV with exact numbers.

    With `?for=spreadsheet`, make the CSV safe for spreadsheets, as the export format `spreadsheet` does.
    """
    study = find_study(request, slug)
    if not access.may_export(request.user, study, "reports"):
        return refuse(
            request, _("You do not have permission to download this data. Ask an owner of the study.")
        )
    report = get_object_or_404(Report, study=study, pk=pk)
    key = request.GET.get("table", "")
    if report.kind == ReportKind.DOCUMENTS and report.parameters:
        documents, columns = report.content["documents"], list(DocumentRow.__annotations__)
        rows = [[row[name] for name in columns] for row in documents]
        name = f"documents-{report.parameters['topic']}"
    else:
        tables = report.content.get("tables", ())
        table = next((table for table in tables if table["key"] == key), None)
        if table is None:
            raise Http404
        columns, rows = [column for column, numeric in table["columns"]], rows_of(table)
        name = f"{report.kind}-{key.replace('/', '-')}"
    form = SPREADSHEET if request.GET.get("for") == SPREADSHEET else "csv"
    what = " ".join(filter(None, ["report", report.kind, key]))
    record_export(study=study, what=what, form=form, now=now(), actor=access.account_of(request.user))
    # Exports write 1 and 0, but reports have always written True and False.
    cells = ([str(cell) if isinstance(cell, bool) else cell for cell in row] for row in rows)
    csv_table = Table([Column("", name=column) for column in columns], cells)
    return attachment(laid_out(csv_table, form), file_name(study, name, form), form)
