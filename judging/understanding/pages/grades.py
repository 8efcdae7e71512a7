"""The page of magnitudes by known grade, ratios of the anchors, and agreement, all from one report."""

from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import render
from django.views.decorators.http import require_http_methods

from judging.core.pages.guard import console_page, find_study
from judging.models import ReportKind
from judging.understanding.pages.state import report_state, request_and_redirect
from judging.understanding.pages.tables import shown_tables, status_of
from judging.understanding.selectors.reports import find_report


@require_http_methods(["GET", "HEAD", "POST"])
@console_page
def grades(request: HttpRequest, slug: str) -> HttpResponseBase:
    study = find_study(request, slug)
    if request.method == "POST":
        return request_and_redirect(request, study, ReportKind.GRADES, {})
    report = find_report(study, ReportKind.GRADES, {})
    tables = shown_tables(request, study, report, report.content["tables"]) if report else []
    context = {
        "study": study,
        "state": report_state(request, study, report, ReportKind.GRADES, {}),
        "tables": tables,
    }
    return render(request, "understanding/grades.html", context, status=status_of(tables))
