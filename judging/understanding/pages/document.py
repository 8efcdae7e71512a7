"""The page of a document: its text, its numbers, and the judgments that count, with the workers' reasons."""

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from judging.core import access
from judging.core.pages.charts import Chart
from judging.core.pages.guard import console_page, find_study, refuse
from judging.core.pages.numbers import exact
from judging.core.pages.page_table import Column, Table, digits, link
from judging.core.pages.scale_words import name_of_number, name_of_numbers
from judging.core.pages.shown_answers import shown_judgment
from judging.core.pages.sorting import Sorting
from judging.core.selectors.judgments import unit_id
from judging.models import Judgment, PoolDocument, ReportKind, Study, Topic
from judging.models.fields import choices
from judging.protocol.scales import compares_pairs, scale_of
from judging.protocol.verdicts import Verdict
from judging.understanding.pages.document_charts import MOST_JUDGMENTS, magnitudes_chart
from judging.understanding.pages.document_list import (
    DocumentForm,
    Listed,
    document_address,
    list_address,
    listed_documents,
    neighbours_of,
    order_of,
    shown_disagreement,
)
from judging.understanding.pages.documents import find_topic, text_in
from judging.understanding.pages.state import report_state
from judging.understanding.pages.verdicts import disagreements_on, save_verdict
from judging.understanding.selectors.document_judgments import judgments_of, seconds_on
from judging.understanding.selectors.reports import find_report

JUDGMENTS: Final = "judgments"
_DRAWN: Final = ("pk", "assignment__participation__pseudonym", "assignment__unit__number")


@require_http_methods(["GET", "HEAD", "POST"])
@console_page
def document(request: HttpRequest, slug: str) -> HttpResponseBase:
    study = find_study(request, slug)
    topic = find_topic(request, study)
    name = text_in(request, "id")
    pooled = get_object_or_404(
        PoolDocument.objects.select_related("document"), topic=topic, document__document_id=name
    )
    pooled.topic = topic
    parameters = {"topic": topic.number}
    report = find_report(study, ReportKind.DOCUMENTS, parameters)
    disagreements = disagreements_on(study, pooled, report, typed=request.POST or None)
    if request.method == "POST":
        if not access.may_curate(request.user, study):
            return refuse(request, _("You cannot give verdicts in this study. Ask one of its owners."))
        if save_verdict(request, pooled, disagreements):
            return redirect(request.get_full_path())
    normalised = find_report(study, ReportKind.NORMALISED, parameters)
    magnitudes: Mapping[str, float] = normalised.content["magnitudes"] if normalised else {}
    documents = listed_documents(study, report)
    form, order = DocumentForm(request, documents), order_of(request, study, topic, documents)
    listed = next((listed for listed in documents if listed.row["document"] == name), None)
    drawn = list(judgments_of(study, pooled).values_list(*_DRAWN)[: MOST_JUDGMENTS + 1])
    table = Table(
        request,
        _judgment_columns(request, study, pooled),
        heading=JUDGMENTS,
        key=JUDGMENTS,
        of=_("judgments"),
        sort="unit",
        css="numbers judgments",
        note=_(
            "The table shows only judgments that count. The server measures the seconds. Times are in UTC."
        ),
    ).read(
        lambda: len(drawn) if len(drawn) <= MOST_JUDGMENTS else judgments_of(study, pooled).count(),
        lambda order, places: _judgments(study, magnitudes, pooled, order, places),
    )
    context = {
        "study": study,
        "topic": topic,
        "pooled": pooled,
        "state": report_state(request, study, report, ReportKind.DOCUMENTS, {}),
        "row": listed.row if listed else None,
        "listed": listed,
        "numbers": name_of_numbers(study),
        "gain_name": _(scale_of(study).words.gain),
        "disagreement": shown_disagreement(study, listed.disagreement) if listed else None,
        "magnitudes": _chart(study, topic, listed, drawn[:MOST_JUDGMENTS], magnitudes, table.count),
        "judgments": table,
        "disagreements": disagreements,
        "verdicts": choices(Verdict),
        "may_decide": access.may_curate(request.user, study),
        "neighbours": neighbours_of(request, study, topic, name, form.narrow(documents), order),
        "list_address": list_address(request, study, topic),
        "faults": [
            *filter(None, [order.fault]),
            *(error for errors in form.errors.values() for error in errors),
        ],
    }
    refused = 409 if request.method == "POST" else 200
    status = max(table.status, order.status, form.status, refused)
    return render(request, "understanding/document.html", context, status=status)


def _chart(
    study: Study,
    topic: Topic,
    listed: Listed | None,
    judgments: Sequence[tuple[int, str, int]],
    magnitudes: Mapping[str, float],
    count: int,
) -> Chart | None:
    """Return the chart of the document's normalised magnitudes, or None if there is nothing to draw.

    `judgments` holds the primary key, the worker and the unit of each judgment to draw.
    """
    rows = [
        (worker, unit_id(topic.number, unit), magnitudes[str(pk)])
        for pk, worker, unit in judgments
        if str(pk) in magnitudes
    ]
    # In a comparison, the number belongs to two documents.
    has_numbers = listed is not None and rows and not compares_pairs(study)
    return magnitudes_chart(study, listed.row, rows, count) if listed and has_numbers else None


class ShownJudgment(NamedTuple):
    """A judgment in the list on the page.

    `unit` is the id of its unit. `normalised` is its normalised magnitude, or None if no report has it.
    `seconds` is the time that the worker spent on the document.
    """

    judgment: Judgment
    unit: str
    normalised: float | None
    seconds: float | None


def _judgment_columns(
    request: HttpRequest, study: Study, pooled: PoolDocument
) -> list[Column[ShownJudgment]]:
    normalised: Column[ShownJudgment] = Column(
        "-normalised", _("Normalised"), lambda row: exact(row.normalised)
    )

    def worker(row: ShownJudgment) -> SafeString:
        name = row.judgment.assignment.participation.pseudonym
        return link(reverse("console:worker", args=[study.slug, name]), name)

    def place(row: ShownJudgment) -> int | None:
        return None if row.judgment.position is None else row.judgment.position + 1

    def answer(row: ShownJudgment) -> str:
        return shown_judgment(row.judgment.raw_input, row.judgment.number, study)

    return [
        Column("unit", _("Unit"), lambda row: row.unit),
        Column("worker", _("Worker"), worker, css="text"),
        *(_outcome_columns(request, study, pooled) if compares_pairs(study) else [normalised]),
        Column(
            "",
            _("Reason"),
            lambda row: format_html('<span dir="auto">{}</span>', row.judgment.justification),
            css="text said",
        ),
        *([Column("", _("Passage"), _passage, css="text said")] if study.highlights != "off" else []),
        Column("", _("Answer"), answer, css="text"),
        Column("-number", name_of_number(study), lambda row: exact(row.judgment.number)),
        Column("place", _("Position"), place),
        Column("-seconds", _("Seconds"), lambda row: digits(row.seconds, 1)),
        Column(
            "-completed",
            _("Completed"),
            lambda row: row.judgment.assignment.ended_at if row.judgment.saved_at else None,
            css="text",
        ),
    ]


def _passage(row: ShownJudgment) -> SafeString | str:
    passage = row.judgment.highlight
    return format_html('<q dir="auto">{}</q>', passage) if passage else ""


def _outcome_columns(request: HttpRequest, study: Study, pooled: PoolDocument) -> list[Column[ShownJudgment]]:
    """Return the columns that say what a comparison with another document means for this document."""

    def outcome(row: ShownJudgment) -> str:
        judgment = row.judgment
        if judgment.number is None or judgment.number == 0.5:
            return _("equal to")
        was_first = judgment.pool_document_id == pooled.pk
        return _("preferred to") if (judgment.number > 0.5) == was_first else _("not preferred to")

    def other(row: ShownJudgment) -> SafeString:
        first, second = row.judgment.pool_document, row.judgment.compared_with
        name = (second if second and first.pk == pooled.pk else first).document.document_id
        return link(document_address(request, study, pooled.topic, name), name)

    return [
        Column("", _("Outcome"), outcome, css="text"),
        Column("", _("Other document"), other, css="text"),
    ]


def _judgments(
    study: Study,
    magnitudes: Mapping[str, float],
    pooled: PoolDocument,
    order: Sorting,
    places: range,
) -> list[ShownJudgment]:
    if order.key == "normalised":  # these values are in the report, not in the database
        keys = order.rows(
            judgments_of(study, pooled).values_list("pk", flat=True),
            {"normalised": lambda pk: magnitudes.get(str(pk))},
        )
        chosen = keys[places.start : places.stop]
        judgments = judgments_of(study, pooled).in_bulk(chosen)
        rows = [judgments[pk] for pk in chosen if pk in judgments]
    else:
        in_order = judgments_of(study, pooled, sort=order.key, descending=order.descending)
        rows = list(in_order[places.start : places.stop])
    seconds = seconds_on([row.pk for row in rows])
    return [
        ShownJudgment(
            row,
            unit_id(pooled.topic.number, row.assignment.unit.number),
            magnitudes.get(str(row.pk)),
            seconds.get(row.pk),
        )
        for row in rows
    ]
