"""The page of a topic's documents with their medians, and the page of a document with its magnitudes."""

from collections.abc import Callable, Sequence
from operator import itemgetter
from typing import Literal, NamedTuple

from django.http import Http404, HttpRequest, HttpResponseBase
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils.html import format_html
from django.utils.http import urlencode
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_safe

from judging.core.pages.filtering import ChosenField, FilterForm, TextField
from judging.core.pages.guard import console_page, find_study
from judging.core.pages.numbers import exact
from judging.core.pages.sorting import Sorting
from judging.core.pages.tables import Column, Table, digits, link
from judging.core.selectors.judgments import unit_id
from judging.models import Judgment, PoolDocument, Report, ReportKind, Study, Topic
from judging.protocol.grades import GAINS, gain_of
from judging.understanding.pages.state import report_state, request_and_redirect
from judging.understanding.reports.tables import DocumentRow
from judging.understanding.selectors.documents import judgments_of, seconds_on
from judging.understanding.selectors.reports import find_report


def width_of(row: DocumentRow) -> float | None:
    """Return the width of the interval of a document's median."""
    return None if row["low"] is None or row["high"] is None else row["high"] - row["low"]


def _grade(name: Literal["grade", "anchor"]) -> Callable[[DocumentRow], float | None]:
    return lambda row: gain_of(row[name]) if row[name] else None


def _columns(study: Study, topic: Topic) -> list[Column[DocumentRow]]:
    def document(row: DocumentRow) -> SafeString:
        query = urlencode({"topic": topic.number, "id": row["document"]})
        return link(f"{reverse('console:document', args=[study.slug])}?{query}", row["document"])

    def number(
        name: Literal["gain", "low", "high", "spread", "least", "most"], heading: str
    ) -> Column[DocumentRow]:
        return Column(f"-{name}", heading, lambda row: exact(row[name]), by=itemgetter(name))

    return [
        Column("document", _("Document"), document, by=itemgetter("document")),
        Column("-grade", _("Known grade"), lambda row: exact(row["grade"]), by=_grade("grade"), css="text"),
        Column("-anchor", _("Anchor"), lambda row: exact(row["anchor"]), by=_grade("anchor"), css="text"),
        Column("-judgments", _("Judgments"), itemgetter("judgments")),
        number("gain", _("Median")),
        number("low", _("Interval from")),
        number("high", _("Interval to")),
        Column("-width", _("Width"), lambda row: exact(width_of(row)), by=width_of),
        number("spread", _("Spread")),
        number("least", _("Smallest")),
        number("most", _("Largest")),
    ]


class DocumentForm(FilterForm):
    """Filters the documents of a topic."""

    document = TextField(gettext_lazy("Document"))
    grade = ChosenField(gettext_lazy("Known grade"), [])

    def __init__(self, request: HttpRequest, rows: Sequence[DocumentRow]) -> None:
        super().__init__(request)
        grades = sorted({row["grade"] for row in rows if row["grade"]} | GAINS.keys(), key=gain_of)
        field = self.fields["grade"]
        assert isinstance(field, ChosenField)
        field.offer([*((grade, grade) for grade in grades), ("none", gettext_lazy("no grade"))])

    def narrow(self, rows: list[DocumentRow]) -> list[DocumentRow]:
        """Return the rows that match the form, or no rows if the form is invalid."""
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
        return request_and_redirect(request, study, ReportKind.DOCUMENTS, {})
    report = find_report(study, ReportKind.DOCUMENTS, {"topic": topic.number})
    rows = sorted(report.content["documents"], key=itemgetter("document")) if report else []
    form = DocumentForm(request, rows)
    table = Table(
        request,
        _columns(study, topic),
        heading="documents",
        of=_("documents"),
        sort="document",
        form=form,
        css="numbers documents",
        note=_(
            "For each document: the median of the normalised magnitudes, its 95 % bootstrap interval, the "
            "width of the interval, the spread (as a factor), and the smallest and largest magnitude"
        ),
    ).at_hand(form.narrow(rows))
    context = {
        "study": study,
        "topic": topic,
        "state": report_state(request, study, report, ReportKind.DOCUMENTS, {}),
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
        of=_("judgments"),
        sort="unit",
        css="numbers judgments",
        note=_(
            "The table shows only judgments that count. The server measures the seconds. Times are in UTC."
        ),
    ).read(
        judgments_of(pooled).count,
        lambda order, places: _judgments(study, parameters, pooled, order, places),
    )
    context = {
        "study": study,
        "topic": topic,
        "pooled": pooled,
        "state": report_state(request, study, report, ReportKind.DOCUMENTS, {}),
        "row": _row(report, name),
        "judgments": table,
    }
    return render(request, "understanding/document.html", context, status=table.status)


class ShownJudgment(NamedTuple):
    """A judgment with its unit, its seconds, and its normalised magnitude if the report has it."""

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
        Column("unit", _("Unit"), lambda row: row.unit),
        Column("worker", _("Worker"), worker, css="text"),
        Column("place", _("Position"), place),
        Column("", _("As typed"), lambda row: row.judgment.raw_input, css="text"),
        Column("-magnitude", _("Magnitude"), lambda row: exact(row.judgment.magnitude)),
        Column("-normalised", _("Normalised"), lambda row: exact(row.normalised)),
        Column("-seconds", _("Seconds"), lambda row: digits(row.seconds, 1)),
        Column(
            "-completed",
            _("Completed"),
            lambda row: row.judgment.assignment.ended_at if row.judgment.saved_at else None,
            css="text",
        ),
        Column(
            "",
            _("Reason"),
            lambda row: format_html('<span dir="auto">{}</span>', row.judgment.justification),
            css="text said",
        ),
    ]


def _judgments(
    study: Study, parameters: dict[str, str], pooled: PoolDocument, order: Sorting, places: range
) -> list[ShownJudgment]:
    normalised = find_report(study, ReportKind.NORMALISED, parameters)
    magnitudes = normalised.content["magnitudes"] if normalised else {}
    if order.key == "normalised":  # in the report, not in the database
        keys = order.rows(
            judgments_of(pooled).values_list("pk", flat=True),
            {"normalised": lambda pk: magnitudes.get(str(pk))},
        )
        chosen = keys[places.start : places.stop]
        judgments = judgments_of(pooled).in_bulk(chosen)
        rows = [judgments[pk] for pk in chosen if pk in judgments]
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
        raise Http404  # PostgreSQL refuses NUL characters, even in a search.
    return text
