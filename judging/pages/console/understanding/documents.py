"""The documents of a topic by what workers gave them, and one of them with every magnitude."""

from typing import Any, Final

from django.http import Http404, HttpRequest, HttpResponseBase
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_http_methods, require_safe

from judging.models import PoolDocument, Report, ReportKind, Study, Topic
from judging.pages.console.guard import console_page, find_study
from judging.pages.console.paging import page_of
from judging.pages.console.understanding.overview import TITLE
from judging.pages.console.understanding.state import ask, state_of
from judging.selectors.documents import judgments_of, seconds_on
from judging.selectors.judgments import unit_id
from judging.selectors.reports import find_report

SORTS: Final = {
    "document": "Document",
    "gain": "Median",
    "judgments": "Judgments",
    "grade": "Known grade",
    "width": "Width of the interval",
    "spread": "Spread",
}
_GRADES: Final = "NMRH"


@require_http_methods(["GET", "HEAD", "POST"])
@console_page
def documents(request: HttpRequest, slug: str) -> HttpResponseBase:
    study = find_study(request, slug)
    topic = _topic(request, study)
    if request.method == "POST":
        return ask(request, study, ReportKind.DOCUMENTS, {}, TITLE)
    report = find_report(study, ReportKind.DOCUMENTS, {"topic": topic.number})
    rows = report.content["documents"] if report else []
    asked = request.GET.get("sort", "document")
    sort = asked if asked in SORTS else "document"
    rows = sorted(rows, key=lambda row: (_key(row, sort), row["document"]))
    page = page_of(request, len(rows))
    context = {
        "study": study,
        "topic": topic,
        "state": state_of(request, study, report, ReportKind.DOCUMENTS, {}),
        "page": page,
        "rows": rows[page.places.start : page.places.stop],
        "sort": sort,
        "sorts": SORTS,
        "fault": "" if sort == asked else f"Documents cannot be sorted by “{asked[:20]}”.",
    }
    status = page.status if sort == asked else 400
    return render(request, "console/understanding/documents.html", context, status=status)


def _key(row: dict[str, Any], sort: str) -> Any:
    """By document ascending, by anything else the largest first and what has no value last."""
    if sort == "document":
        return row["document"]
    if sort == "grade":
        return -_GRADES.find(row["grade"] or "?")
    value = row["high"] - row["low"] if sort == "width" and row["gain"] is not None else row.get(sort)
    return (value is None, -(value or 0))


@require_safe
@console_page
def document(request: HttpRequest, slug: str) -> HttpResponseBase:
    study = find_study(request, slug)
    topic = _topic(request, study)
    name = _text(request, "id")
    pooled = get_object_or_404(
        PoolDocument.objects.select_related("document"), topic=topic, document__document_id=name
    )
    parameters = {"topic": topic.number}
    report = find_report(study, ReportKind.DOCUMENTS, parameters)
    found = judgments_of(pooled)
    page = page_of(request, found.count())
    context = {
        "study": study,
        "topic": topic,
        "pooled": pooled,
        "state": state_of(request, study, report, ReportKind.DOCUMENTS, {}),
        "row": _row(report, name),
        "page": page,
        "judgments": _judgments(study, parameters, found, page.places),
    }
    return render(request, "console/understanding/document.html", context, status=page.status)


def _judgments(study: Study, parameters: dict[str, str], found: Any, places: range) -> list[dict[str, Any]]:
    """Each judgment with its unit, its time, and its normalised magnitude where the report has it."""
    normalised = find_report(study, ReportKind.NORMALISED, parameters)
    magnitudes = normalised.content["magnitudes"] if normalised else {}
    rows = list(found[places.start : places.stop])
    seconds = seconds_on([row.pk for row in rows])
    return [
        {
            "row": row,
            "unit": unit_id(parameters["topic"], row.assignment.unit.number),
            "normalised": magnitudes.get(str(row.pk)),
            "seconds": seconds.get(row.pk, 0.0),
        }
        for row in rows
    ]


def _row(report: Report | None, name: str) -> dict[str, Any] | None:
    rows = report.content["documents"] if report else []
    return next((row for row in rows if row["document"] == name), None)


def _topic(request: HttpRequest, study: Study) -> Topic:
    return get_object_or_404(Topic, study=study, number=_text(request, "topic"))


def _text(request: HttpRequest, name: str) -> str:
    text = request.GET.get(name, "")
    if "\0" in text:
        raise Http404  # PostgreSQL takes no such text, not even to look for it.
    return text
