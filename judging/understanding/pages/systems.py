"""The page of the report `systems`, one section at a time: top sets, schemes, reliability and preferences."""

from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import render
from django.views.decorators.http import require_http_methods

from judging.core.pages.guard import console_page, find_study
from judging.core.selectors.simulated import has_random_relevance
from judging.models import ReportKind
from judging.understanding.pages.report_tables import shown_parts, shown_tables, status_of
from judging.understanding.pages.state import report_state, request_and_redirect
from judging.understanding.reports.catalogue import SECTIONS_OF_SYSTEMS as SECTIONS
from judging.understanding.selectors.reports import find_report


@require_http_methods(["GET", "HEAD", "POST"])
@console_page
def systems(request: HttpRequest, slug: str) -> HttpResponseBase:
    study = find_study(request, slug)
    if request.method == "POST":
        return request_and_redirect(request, study, ReportKind.SYSTEMS, {})
    report = find_report(study, ReportKind.SYSTEMS, {})
    section = SECTIONS.get(request.GET.get("section", ""), next(iter(SECTIONS.values())))
    stored = report.content["tables"] if report else []
    keys = {part.key for part in section.parts}
    chosen = [table for table in stored if table["part"] in keys]
    tables = shown_tables(request, study, report, chosen) if report else []
    context = {
        "study": study,
        "is_random": has_random_relevance(study),
        "state": report_state(request, study, report, ReportKind.SYSTEMS, {}),
        "sections": SECTIONS.values(),
        "section": section,
        "parts": shown_parts(report, tables),
        "missing": [
            (title, reason)
            for title, reason in (report.content["missing"] if report else ())
            if title["text"] in {part.title.text for part in section.parts}
        ],
    }
    return render(request, "understanding/systems.html", context, status=status_of(tables))
