"""The page that shows the arms of a study side by side."""

from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from judging.core.pages.guard import console_page, find_study
from judging.core.selectors.arms import arms_of
from judging.models import ReportKind
from judging.understanding.pages.report_tables import shown_tables, status_of
from judging.understanding.pages.state import report_state, request_and_redirect
from judging.understanding.reports.words import in_language
from judging.understanding.selectors.reports import find_report


@require_http_methods(["GET", "HEAD", "POST"])
@console_page
def side_by_side(request: HttpRequest, slug: str) -> HttpResponseBase:
    """Show the comparison of the arms, or compute it. It belongs to the front.

    In a study without arms, say how to get some.
    """
    study = find_study(request, slug)
    if not study.has_arms:
        return render(request, "understanding/side_by_side.html", {"study": study})
    if study.front is not None:
        return redirect("console:arms", slug=study.front.slug)
    if request.method == "POST":
        return request_and_redirect(request, study, ReportKind.ARMS, {})
    report = find_report(study, ReportKind.ARMS, {})
    tables = shown_tables(request, study, report, report.content["tables"]) if report else []
    context = {
        "study": study,
        "arms": arms_of(study),
        "state": report_state(request, study, report, ReportKind.ARMS, {}),
        "sentences": [in_language(sentence) for sentence in (report.content["sentences"] if report else ())],
        "tables": tables,
    }
    return render(request, "understanding/side_by_side.html", context, status=status_of(tables))
