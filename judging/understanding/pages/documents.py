"""The documents of a topic by what workers gave them, and one of them with every magnitude."""

from collections.abc import Callable
from operator import itemgetter
from typing import Final, Literal, NamedTuple

from django.http import Http404, HttpRequest, HttpResponseBase
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils.html import format_html
from django.utils.http import urlencode
from django.utils.safestring import SafeString
from django.views.decorators.http import require_http_methods, require_safe

from judging.core.pages.filtering import ChosenField, FilterForm, TextField
from judging.core.pages.guard import console_page, find_study
from judging.core.pages.numbers import exact
from judging.core.pages.sorting import Sorting
from judging.core.pages.tables import Column, Table, digits, link
from judging.core.selectors.judgments import unit_id
from judging.models import Judgment, PoolDocument, Report, ReportKind, Study, Topic
from judging.protocol.states import Grade
from judging.understanding.pages.state import ask, state_of
from judging.understanding.reports.tables import DocumentRow
from judging.understanding.selectors.documents import judgments_of, seconds_on
from judging.understanding.selectors.reports import find_report

GRADES: Final = [grade.value for grade in Grade]


def width_of(row: DocumentRow) -> float | None:
    """How wide the interval of a document's median is."""
    return None if row["low"] is None or row["high"] is None else row["high"] - row["low"]


def _grade(name: Literal["grade", "anchor"]) -> Callable[[DocumentRow], int | None]:
    return lambda row: GRADES.index(row[name]) if row[name] else None


def _columns(study: Study, topic: Topic) -> list[Column[DocumentRow]]:
    def document(row: DocumentRow) -> SafeString:
        asked = urlencode({"topic": topic.number, "id": row["document"]})
        return link(f"{reverse('console:document', args=[study.slug])}?{asked}", row["document"])

    def number(
        name: Literal["gain", "low", "high", "spread", "least", "most"], heading: str
    ) -> Column[DocumentRow]:
        return Column(f"-{name}", heading, lambda row: exact(row[name]), by=itemgetter(name))

    return [
        Column("document", "Document", document, by=itemgetter("document")),
        Column("-grade", "Known grade", lambda row: exact(row["grade"]), by=_grade("grade"), css="text"),
        Column("-anchor", "Anchor", lambda row: exact(row["anchor"]), by=_grade("anchor"), css="text"),
        Column("-judgments", "Judgments", itemgetter("judgments")),
        number("gain", "Median"),
        number("low", "from"),
        number("high", "to"),
        Column("-width", "Width", lambda row: exact(width_of(row)), by=width_of),
        number("spread", "Spread"),
        number("least", "Least"),
        number("most", "Most"),
    ]


class DocumentForm(FilterForm):
    """What is looked for among the documents of a topic."""

    document = TextField("Document")
    grade = ChosenField("Known grade", [*((grade, grade) for grade in GRADES), ("none", "none")])

    def narrow(self, rows: list[DocumentRow]) -> list[DocumentRow]:
        """Those of the rows that the form asks for; none if it is at fault."""
        if not self.is_valid():
            return []
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
        return ask(request, study, ReportKind.DOCUMENTS, {})
    report = find_report(study, ReportKind.DOCUMENTS, {"topic": topic.number})
    rows = sorted(report.content["documents"], key=itemgetter("document")) if report else []
    form = DocumentForm(request)
    table = Table(
        request,
        _columns(study, topic),
        heading="documents",
        of="documents",
        sort="document",
        form=form,
        css="numbers documents",
        note="Normalised magnitudes: their median with its 95 % interval by bootstrap and how wide that is,"
        " the spread as a factor, and the extremes",
    ).at_hand(form.narrow(rows))
    context = {
        "study": study,
        "topic": topic,
        "state": state_of(request, study, report, ReportKind.DOCUMENTS, {}),
        "documents": table,
        "form": form,
    }
    return render(request, "understanding/documents.html", context, status=table.status)


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
    table = Table(
        request,
        _judgment_columns(study),
        heading="judgments",
        of="judgments",
        sort="unit",
        css="numbers judgments",
        note="Judgments that count; seconds by the server’s clock, times in UTC",
    ).read(
        judgments_of(pooled).count,
        lambda order, places: _judgments(study, parameters, pooled, order, places),
    )
    context = {
        "study": study,
        "topic": topic,
        "pooled": pooled,
        "state": state_of(request, study, report, ReportKind.DOCUMENTS, {}),
        "row": _row(report, name),
        "judgments": table,
    }
    return render(request, "understanding/document.html", context, status=table.status)


class ShownJudgment(NamedTuple):
    """A judgment with its unit, its time, and its normalised magnitude where the report has it."""

    judgment: Judgment
    unit: str
    normalised: float | None
    seconds: float | None


def _judgment_columns(study: Study) -> list[Column[ShownJudgment]]:
    def worker(row: ShownJudgment) -> SafeString:
        name = row.judgment.assignment.participation.pseudonym
        return link(reverse("console:worker", args=[study.slug, name]), name)

    def place(row: ShownJudgment) -> int | None:
        return None if row.judgment.position is None else row.judgment.position + 1

    return [
        Column("unit", "Unit", lambda row: row.unit),
        Column("worker", "Worker", worker, css="text"),
        Column("place", "Place", place),
        Column("", "As typed", lambda row: row.judgment.raw_input, css="text"),
        Column("-magnitude", "Magnitude", lambda row: exact(row.judgment.magnitude)),
        Column("-normalised", "Normalised", lambda row: exact(row.normalised)),
        Column("-seconds", "Seconds", lambda row: digits(row.seconds, 1)),
        Column(
            "-completed",
            "Completed",
            lambda row: row.judgment.assignment.ended_at if row.judgment.saved_at else None,
            css="text",
        ),
        Column(
            "",
            "Justification",
            lambda row: format_html('<span dir="auto">{}</span>', row.judgment.justification),
            css="text said",
        ),
    ]


def _judgments(
    study: Study, parameters: dict[str, str], pooled: PoolDocument, order: Sorting, places: range
) -> list[ShownJudgment]:
    normalised = find_report(study, ReportKind.NORMALISED, parameters)
    magnitudes = normalised.content["magnitudes"] if normalised else {}
    if order.key == "normalised":  # The database does not know these: the report does.
        keys = order.rows(
            judgments_of(pooled).values_list("pk", flat=True),
            {"normalised": lambda pk: magnitudes.get(str(pk))},
        )
        chosen = keys[places.start : places.stop]
        found = judgments_of(pooled).in_bulk(chosen)
        rows = [found[pk] for pk in chosen if pk in found]
    else:
        in_order = judgments_of(pooled, sort=order.key, descending=order.descending)
        rows = list(in_order[places.start : places.stop])
    seconds = seconds_on([row.pk for row in rows])
    return [
        ShownJudgment(
            row,
            unit_id(parameters["topic"], row.assignment.unit.number),
            magnitudes.get(str(row.pk)),
            seconds.get(row.pk),
        )
        for row in rows
    ]


def _row(report: Report | None, name: str) -> DocumentRow | None:
    rows: list[DocumentRow] = report.content["documents"] if report else []
    return next((row for row in rows if row["document"] == name), None)


def _topic(request: HttpRequest, study: Study) -> Topic:
    return get_object_or_404(Topic, study=study, number=_text(request, "topic"))


def _text(request: HttpRequest, name: str) -> str:
    text = request.GET.get(name, "")
    if "\0" in text:
        raise Http404  # PostgreSQL takes no such text, not even to look for it.
    return text
