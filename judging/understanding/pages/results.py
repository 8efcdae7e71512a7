"""The page of a study's results: which run is best, by how much, and which documents make the difference."""

from typing import Any

from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import render
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods

from judging.core.pages.charts import Chart
from judging.core.pages.guard import console_page, find_study
from judging.core.published.gains import MAGNITUDES
from judging.core.selectors.anchors import favoured_runs
from judging.core.selectors.magnitudes import gains_have_ratios
from judging.core.selectors.simulated import has_random_relevance
from judging.models import Report, ReportKind, Study
from judging.understanding.pages.measures import MeasuresForm, measures_in
from judging.understanding.pages.report_charts import Answer, systems_chart
from judging.understanding.pages.report_tables import shown_parts, shown_tables, status_of
from judging.understanding.pages.run_pair import run_pair
from judging.understanding.pages.run_table import run_table
from judging.understanding.pages.state import report_state, request_and_redirect
from judging.understanding.reports.catalogue import ALPHA, ESTIMATES, measures_of
from judging.understanding.reports.stored_result import StoredResult, results_in
from judging.understanding.selectors.reports import find_report
from judging.understanding.selectors.results import result_about

EARLIER_SHOWN = 20


@require_http_methods(["GET", "HEAD", "POST"])
@console_page
def results(request: HttpRequest, slug: str) -> HttpResponseBase:
    study = find_study(request, slug)
    if request.method != "POST":
        return _show(request, study)
    form = MeasuresForm(request.POST, is_sampled=study.is_sampled)
    if not form.is_valid():
        return _show(request, study, form)
    return request_and_redirect(
        request, study, ReportKind.SCORES, {"measures": form.cleaned_data["measures"]}
    )


def _show(request: HttpRequest, study: Study, form: MeasuresForm | None = None) -> HttpResponseBase:
    own = measures_of(study)
    parameters = {"measures": measures_in(request.GET, tuple(own))}
    report = find_report(study, ReportKind.SCORES, parameters)
    others = study.reports.filter(kind=ReportKind.SCORES.value).exclude(parameters={"measures": own})
    measure = _measure(request, report)
    result = result_about(report, MAGNITUDES, measure) if report else None
    ranking = systems_chart(result) if result else None
    stored = _tables(report, measure) if report else []
    tables = shown_tables(request, study, report, stored) if report else []
    evidence = [
        table
        for table, of_table in zip(tables, stored, strict=True)
        if of_table["key"].startswith(ESTIMATES) and _has_predictions(result)
    ]
    context = {
        "study": study,
        "is_random": has_random_relevance(study),
        "state": report_state(request, study, report, ReportKind.SCORES, parameters),
        "gains_have_ratios": gains_have_ratios(study),
        "form": form or MeasuresForm(initial={"measures": "\n".join(parameters["measures"])}),
        "asked": "\n".join(parameters["measures"]),
        "further": [
            (scored, "\n".join(scored.parameters["measures"]))
            for scored in others.defer("content")[:EARLIER_SHOWN]
        ],
        "measure": measure,
        "ranking": ranking,
        "runs": run_table(request, result) if result else None,
        "pair": run_pair(request, study, result) if result else None,
        "by_grades": _by_grades(report, measure),
        "alpha": f"{ALPHA:g}",
        "favoured": _favoured(study) if ranking and ranking.best else "",
        "evidence": evidence,
        "parts": shown_parts(report, [table for table in tables if table not in evidence]),
        "opened": any(name.endswith(table.table.heading) for table in tables for name in request.GET),
    }
    status = 400 if form else status_of(tables)
    return render(request, "understanding/results.html", context, status=status)


def _measure(request: HttpRequest, report: Report | None) -> str:
    """Return the measure to show: the one that the address names, or the first one of the report."""
    measures: list[str] = report.content["measures"] if report else []
    requested = request.GET.get("measure", "")
    return requested if requested in measures else next(iter(measures), "")


def _tables(report: Report, measure: str) -> list[Any]:
    """Return the tables of a measure, and those that cover all measures."""
    return [
        {**table, "sentences": ""} if "about" in table else table
        for table in report.content["tables"]
        if "about" not in table or table["about"][1] == measure
    ]


def _has_predictions(result: StoredResult | None) -> bool:
    """Return whether a result comes from a sample that labels of a model predict beside."""
    means = (result["summary"].get("sample") or {}).get("means", []) if result else []
    return any(row["evidence"] == "predictions" for row in means)


def _by_grades(report: Report | None, measure: str) -> list[tuple[str, Answer, Chart]]:
    """Return the results by each set of known grades: the name of the set, the answer and the chart."""
    found = []
    for place, result in enumerate(results_in(report.content) if report else (), start=1):
        gains, of_result = result["about"]
        if of_result == measure and gains != MAGNITUDES:
            ranking = systems_chart(result, name=f"systems-{place}")
            if ranking is not None:
                found.append((gains, ranking.answer, ranking.chart))
    return found


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
