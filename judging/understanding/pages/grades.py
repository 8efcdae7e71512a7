"""The page that shows the report `grades`: magnitudes by known grade, anchor ratios, and agreement."""

from collections.abc import Sequence

from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import render
from django.views.decorators.http import require_http_methods

from judging.core.pages.charts import Chart
from judging.core.pages.guard import console_page, find_study
from judging.core.selectors.simulated import has_random_relevance
from judging.models import ReportKind, Study
from judging.understanding.pages.report_charts import anchors_chart, boxes_chart, ratios_chart
from judging.understanding.pages.report_tables import shown_parts, shown_tables, status_of
from judging.understanding.pages.state import report_state, request_and_redirect
from judging.understanding.reports.stored_table import StoredTable, find_table
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
        "is_random": has_random_relevance(study),
        "state": report_state(request, study, report, ReportKind.GRADES, {}),
        "charts": _charts(study, report.content["tables"]) if report else [],
        "parts": shown_parts(report, tables),
    }
    return render(request, "understanding/grades.html", context, status=status_of(tables))


def _charts(study: Study, tables: Sequence[StoredTable]) -> list[Chart]:
    charts = (
        boxes_chart(study, find_table(tables, "boxes")),
        anchors_chart(study, find_table(tables, "unit-ratios")),
        ratios_chart(find_table(tables, "ratio-bars")),
    )
    return [chart for chart in charts if chart is not None]
