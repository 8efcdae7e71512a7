"""The pages of a study's figures: the list, and a page for each figure with its numbers and files."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from django.http import Http404, HttpRequest, HttpResponseBase
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from evaluation.report.parts import FigureKind
from evaluation.text import Text
from judging.core.pages.guard import console_page, find_study
from judging.core.selectors.magnitudes import gains_have_ratios
from judging.models import Report, ReportKind, Study
from judging.understanding.pages.measures import MeasuresForm, measures_in
from judging.understanding.pages.report_tables import shown_tables, status_of
from judging.understanding.pages.state import report_address, report_state, request_and_redirect
from judging.understanding.reports.catalogue import FIGURES, FORMATS, lacking, measures_of_figure
from judging.understanding.reports.words import Words
from judging.understanding.selectors.reports import find_report, study_facts


class Thumbnail(NamedTuple):
    """A figure in the gallery. `missing` lists the reasons why the study cannot have the figure.

    `report` is the figure's latest report, or None. `alt` is the alternative text in this report. `address`
    is the address of the figure's page, with the parameters of the report. If the figure shows only one set
    of known grades, `others` has the names of all sets except the first.
    """

    kind: FigureKind
    missing: Sequence[Text]
    report: Report | None
    alt: Words
    address: str
    others: Sequence[str]


@require_http_methods(["GET", "HEAD", "POST"])
@console_page
def figures(request: HttpRequest, slug: str) -> HttpResponseBase:
    """Show all figures, and the report with all analyses. A POST requests this report."""
    study = find_study(request, slug)
    if request.method == "POST":
        return request_and_redirect(request, study, ReportKind.WHOLE, {})
    whole = find_report(study, ReportKind.WHOLE, {})
    facts = study_facts(study)
    latest: dict[str, Report] = {}
    made = study.reports.filter(kind=ReportKind.FIGURE.value).defer("content")
    # Reports are sorted, the latest first. A figure of the first set of grades comes before those of others.
    for report in sorted(made, key=lambda report: "grades" in report.parameters):
        latest.setdefault(report.parameters["figure"], report)
    drawn = Report.objects.filter(pk__in=[report.pk for report in latest.values()])
    alt: dict[int, Words] = dict(drawn.order_by().values_list("pk", "content__alt"))
    rows = [
        _thumbnail(
            study,
            kind,
            lacking(kind.key, facts),
            latest.get(kind.key),
            alt,
            facts.grade_sets[1:] if kind.of_grades else (),
        )
        for kind in FIGURES.values()
    ]
    context = {
        "study": study,
        "facts": facts,
        "figures": rows,
        "whole": whole,
        "state": report_state(request, study, whole, ReportKind.WHOLE, {}),
    }
    return render(request, "understanding/figures.html", context)


def _thumbnail(
    study: Study,
    kind: FigureKind,
    missing: Sequence[Text],
    report: Report | None,
    alt: Mapping[int, Words],
    others: Sequence[str],
) -> Thumbnail:
    chosen = measures_of_figure(study, kind)
    default = {"figure": kind.key, **({"measures": chosen} if chosen else {})}
    if report is None or report.parameters == default:
        address = reverse("console:figure", args=[study.slug, kind.key])
    else:
        address = report_address(study, ReportKind.FIGURE, report.parameters)
    return Thumbnail(kind, missing, report, alt.get(report.pk, "") if report else "", address, others)


@require_http_methods(["GET", "HEAD", "POST"])
@console_page
def figure(request: HttpRequest, slug: str, name: str) -> HttpResponseBase:
    study = find_study(request, slug)
    if name not in FIGURES:
        raise Http404
    kind = FIGURES[name]
    if request.method != "POST":
        return _show(request, study, kind)
    parameters = {"figure": name, **_grades(request.POST, study, kind)}
    if kind.measures:
        form = MeasuresForm(request.POST, is_sampled=study.is_sampled)
        if not form.is_valid():
            return _show(request, study, kind, form)
        parameters["measures"] = form.cleaned_data["measures"]
    return request_and_redirect(request, study, ReportKind.FIGURE, parameters)


def _show(
    request: HttpRequest, study: Study, kind: FigureKind, form: MeasuresForm | None = None
) -> HttpResponseBase:
    parameters = {"figure": kind.key, **_grades(request.GET, study, kind)}
    measures = measures_in(request.GET, tuple(measures_of_figure(study, kind))) if kind.measures else []
    if kind.measures:
        parameters["measures"] = measures
    report = find_report(study, ReportKind.FIGURE, parameters)
    facts = study_facts(study)
    tables = shown_tables(request, study, report, report.content["tables"]) if report else []
    requested = "\n".join(measures)
    context = {
        "study": study,
        "kind": kind,
        "facts": facts,
        "missing": lacking(kind.key, facts),
        "state": report_state(request, study, report, ReportKind.FIGURE, parameters),
        "gains_have_ratios": gains_have_ratios(study),
        "form": (form or MeasuresForm(initial={"measures": requested})) if kind.measures else None,
        "asked": requested,
        "grade_sets": _grade_sets(study) if kind.of_grades else [],
        "grades": parameters.get("grades", ""),
        "tables": tables,
        "formats": tuple(FORMATS),
        "opened": any(name.endswith(table.table.heading) for table in tables for name in request.GET),
    }
    status = 400 if form else status_of(tables)
    return render(request, "understanding/figure.html", context, status=status)


def _grades(request_data: Mapping[str, str], study: Study, kind: FigureKind) -> dict[str, object]:
    """Return the requested set of known grades as a dict of report parameters.

    Return an empty dict if the requested set is the first set or is unknown.
    """
    requested = request_data.get("grades", "")
    return {"grades": requested} if kind.of_grades and requested in _grade_sets(study)[1:] else {}


def _grade_sets(study: Study) -> list[str]:
    return list(study.grade_sets.order_by("place").values_list("name", flat=True))
