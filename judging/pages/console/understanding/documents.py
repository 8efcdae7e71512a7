"""The documents of a topic by what workers gave them, and one of them with every magnitude."""

from collections.abc import Callable
from operator import itemgetter
from typing import Any, Final

from django.http import Http404, HttpRequest, HttpResponseBase
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_http_methods, require_safe

from judging.models import PoolDocument, Report, ReportKind, Study, Topic
from judging.pages.console.filtering import ChosenField, FilterForm, TextField
from judging.pages.console.guard import console_page, find_study
from judging.pages.console.paging import page_of
from judging.pages.console.sorting import Sorting, sorting_of
from judging.pages.console.understanding.overview import TITLE
from judging.pages.console.understanding.state import ask, state_of
from judging.protocol.states import Grade
from judging.selectors.documents import JUDGMENTS_BY, judgments_of, seconds_on
from judging.selectors.judgments import unit_id
from judging.selectors.reports import find_report

GRADES: Final = [grade.value for grade in Grade]


def width_of(row: dict[str, Any]) -> float | None:
    """How wide the interval of a document's median is."""
    return None if row["low"] is None or row["high"] is None else row["high"] - row["low"]


COLUMNS: Final = {
    "document": "Document",
    "-grade": "Known grade",
    "-anchor": "Anchor",
    "-judgments": "Judgments",
    "-gain": "Median",
    "-low": "from",
    "-high": "to",
    "-width": "Width",
    "-spread": "Spread",
    "-least": "Least",
    "-most": "Most",
}
ROWS_BY: Final[dict[str, Callable[[dict[str, Any]], Any]]] = {
    **{name: itemgetter(name.removeprefix("-")) for name in COLUMNS},
    "-grade": lambda row: GRADES.index(row["grade"]) if row["grade"] else None,
    "-anchor": lambda row: GRADES.index(row["anchor"]) if row["anchor"] else None,
    "-width": width_of,
}
JUDGMENT_COLUMNS: Final = (*JUDGMENTS_BY, "-normalised")


class DocumentForm(FilterForm):
    """What is looked for among the documents of a topic."""

    document = TextField("Document")
    grade = ChosenField("Known grade", [*((grade, grade) for grade in GRADES), ("none", "none")])

    def narrow(self, rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """Those of the rows that a valid form asks for."""
        name, grade = self.cleaned_data["document"].lower(), self.cleaned_data["grade"]
        return [
            row for row in rows if name in row["document"].lower() and grade in ("", row["grade"] or "none")
        ]


@require_http_methods(["GET", "HEAD", "POST"])
@console_page
def documents(request: HttpRequest, slug: str) -> HttpResponseBase:
    study = find_study(request, slug)
    topic = _topic(request, study)
    if request.method == "POST":
        return ask(request, study, ReportKind.DOCUMENTS, {}, TITLE)
    report = find_report(study, ReportKind.DOCUMENTS, {"topic": topic.number})
    rows = sorted(report.content["documents"], key=itemgetter("document")) if report else []
    form = DocumentForm(request)
    context = {
        "study": study,
        "topic": topic,
        "state": state_of(request, study, report, ReportKind.DOCUMENTS, {}),
        "form": form,
        "shows_form": form.is_worth(len(rows)),
    }
    if not form.is_valid():
        return render(request, "console/understanding/documents.html", context, status=form.status)
    sorting = sorting_of(request, *COLUMNS, default="document")
    found = sorting.rows(form.narrow(rows), ROWS_BY)
    page = page_of(request, len(found))
    context |= {
        "page": page,
        "rows": [(row, width_of(row)) for row in found[page.places.start : page.places.stop]],
        "sorting": sorting,
        "columns": sorting.headings(COLUMNS),
    }
    status = max(page.status, sorting.status)
    return render(request, "console/understanding/documents.html", context, status=status)


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
    sorting = sorting_of(request, *JUDGMENT_COLUMNS, default="unit")
    page = page_of(request, judgments_of(pooled).count())
    context = {
        "study": study,
        "topic": topic,
        "pooled": pooled,
        "state": state_of(request, study, report, ReportKind.DOCUMENTS, {}),
        "row": _row(report, name),
        "page": page,
        "sorting": sorting,
        "judgments": _judgments(study, parameters, pooled, sorting, page.places),
    }
    status = max(page.status, sorting.status)
    return render(request, "console/understanding/document.html", context, status=status)


def _judgments(
    study: Study, parameters: dict[str, str], pooled: PoolDocument, sorting: Sorting, places: range
) -> list[dict[str, Any]]:
    """Each judgment with its unit, its time, and its normalised magnitude where the report has it."""
    normalised = find_report(study, ReportKind.NORMALISED, parameters)
    magnitudes = normalised.content["magnitudes"] if normalised else {}
    if sorting.key == "normalised":  # The database does not know these: the report does.
        keys = judgments_of(pooled).values_list("pk", flat=True)
        keys = sorting.rows(keys, {"normalised": lambda pk: magnitudes.get(str(pk))})
        chosen = keys[places.start : places.stop]
        found = judgments_of(pooled).in_bulk(chosen)
        rows = [found[pk] for pk in chosen if pk in found]
    else:
        in_order = judgments_of(pooled, sort=sorting.key, descending=sorting.descending)
        rows = list(in_order[places.start : places.stop])
    seconds = seconds_on([row.pk for row in rows])
    return [
        {
            "row": row,
            "unit": unit_id(parameters["topic"], row.assignment.unit.number),
            "normalised": magnitudes.get(str(row.pk)),
            "seconds": seconds.get(row.pk),
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
