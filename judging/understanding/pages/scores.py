"""The page of the runs' scores by any measure, with intervals, correlations and top sets."""

from dataclasses import replace

from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import render
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods

from judging.core.pages.charts import Chart
from judging.core.pages.guard import console_page, find_study
from judging.core.selectors.anchors import favoured_runs
from judging.core.selectors.simulated import has_random_relevance
from judging.models import Report, ReportKind, Study
from judging.understanding.pages.measures import MeasuresForm, measures_in
from judging.understanding.pages.report_charts import systems_chart
from judging.understanding.pages.report_tables import shown_parts, shown_tables, status_of
from judging.understanding.pages.state import report_state, request_and_redirect
from judging.understanding.reports.catalogue import ALPHA, MEASURES
from judging.understanding.reports.stored_table import StoredTable
from judging.understanding.selectors.reports import find_report

EARLIER_SHOWN = 20


@require_http_methods(["GET", "HEAD", "POST"])
@console_page
def scores(request: HttpRequest, slug: str) -> HttpResponseBase:
    study = find_study(request, slug)
    if request.method != "POST":
        return _show(request, study)
    form = MeasuresForm(request.POST)
    if not form.is_valid():
        return _show(request, study, form)
    return request_and_redirect(
        request, study, ReportKind.SCORES, {"measures": form.cleaned_data["measures"]}
    )


def _show(request: HttpRequest, study: Study, form: MeasuresForm | None = None) -> HttpResponseBase:
    reports = study.reports.filter(kind=ReportKind.SCORES.value)
    earlier = list(reports.defer("content")[:EARLIER_SHOWN])
    latest = tuple(earlier[0].parameters["measures"]) if earlier else MEASURES
    parameters = {"measures": measures_in(request.GET, latest)}
    report = find_report(study, ReportKind.SCORES, parameters)
    measure, chosen = _chosen_tables(request, report)
    # What the tables of means say comes above the charts.
    tables = [
        replace(table, sentences="") if "about" in stored else table
        for table, stored in zip(
            shown_tables(request, study, report, chosen) if report else [], chosen, strict=True
        )
    ]
    verdicts = [
        (table["title"], table["sentences"]) for table in chosen if "about" in table and table["sentences"]
    ]
    context = {
        "study": study,
        "is_random": has_random_relevance(study),
        "state": report_state(request, study, report, ReportKind.SCORES, parameters),
        "form": form or MeasuresForm(initial={"measures": "\n".join(parameters["measures"])}),
        "asked": "\n".join(parameters["measures"]),
        "asked_measures": parameters["measures"],
        "earlier": [(scored, "\n".join(scored.parameters["measures"])) for scored in earlier],
        "measure": measure,
        "verdicts": verdicts,
        "alpha": f"{ALPHA:g}",
        "favoured": _favoured(study) if verdicts else "",
        "charts": _charts(chosen, measure),
        "parts": shown_parts(report, tables),
    }
    status = 400 if form else status_of(tables)
    return render(request, "understanding/scores.html", context, status=status)


def _favoured(study: Study) -> str:
    """Return a warning that anchors favour the runs that proposed them, or "" if no run proposed anchors."""
    runs, topics = favoured_runs(study)
    if not topics:
        return ""
    return ngettext(
        "Runs that proposed anchors for {topics} topic: {runs}. Anchors favour the runs that proposed them.",
        "Runs that proposed anchors for {topics} topics: {runs}. Anchors favour the runs that proposed them.",
        topics,
    ).format(topics=topics, runs=", ".join(runs))


def _charts(tables: list[StoredTable], measure: str) -> list[Chart]:
    """Return charts of the runs' scores by `measure`.

    One chart uses the judgments. Each of the others uses a set of known grades.
    """
    gains = [table["about"][0] for table in tables if "about" in table]
    rankings = [
        systems_chart(tables, measure, name, name=f"systems-{place}")
        for place, name in enumerate(gains, start=1)
    ]
    return [ranking.chart for ranking in rankings if ranking is not None]


def _chosen_tables(request: HttpRequest, report: Report | None) -> tuple[str, list[StoredTable]]:
    """Return the measure to show, with its tables and the tables that cover all measures."""
    if report is None:
        return "", []
    measures = report.content["measures"]
    requested = request.GET.get("measure", measures[0])
    measure = requested if requested in measures else measures[0]
    tables = [
        table for table in report.content["tables"] if "about" not in table or table["about"][1] == measure
    ]
    return measure, tables
