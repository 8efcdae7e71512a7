"""The page of a topic's documents with their medians."""

from django.http import Http404, HttpRequest, HttpResponseBase
from django.shortcuts import get_object_or_404, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from judging.core.pages.guard import console_page, find_study
from judging.core.pages.page_table import Table
from judging.models import ReportKind, Study, Topic
from judging.protocol.scales import scale_of
from judging.understanding.pages.document_charts import medians_chart
from judging.understanding.pages.document_list import (
    DocumentForm,
    disagreement_note,
    document_columns,
    first_sort,
    listed_documents,
)
from judging.understanding.pages.state import report_state, request_and_redirect
from judging.understanding.reports.catalogue import ADAPTIVE
from judging.understanding.reports.words import in_language
from judging.understanding.selectors.reports import find_report


@require_http_methods(["GET", "HEAD", "POST"])
@console_page
def documents(request: HttpRequest, slug: str) -> HttpResponseBase:
    study = find_study(request, slug)
    topic = find_topic(request, study)
    if request.method == "POST":
        return request_and_redirect(request, study, ReportKind.DOCUMENTS, {})
    report = find_report(study, ReportKind.DOCUMENTS, {"topic": topic.number})
    rows = listed_documents(study, report)
    form = DocumentForm(request, rows)
    shown = form.narrow(rows)
    note = _(scale_of(study).words.documents)
    table = Table(
        request,
        document_columns(request, study, topic),
        heading="documents",
        of=_("documents"),
        sort=first_sort(rows),
        form=form,
        css="numbers document-list",
        note=f"{note} {disagreement_note(study)} {_adaptive_note(study)}".strip(),
    )
    listed = table.at_hand(shown)
    context = {
        "study": study,
        "topic": topic,
        "state": report_state(request, study, report, ReportKind.DOCUMENTS, {}),
        "documents": listed,
        "medians": medians_chart(request, study, topic, shown),
        "form": form,
    }
    return render(request, "understanding/documents.html", context, status=listed.status)


def _adaptive_note(study: Study) -> str:
    """Return a sentence about the intervals of an adaptive study, or "" if the study is not adaptive."""
    return in_language(ADAPTIVE) if study.is_adaptive else ""


def find_topic(request: HttpRequest, study: Study) -> Topic:
    """Return the topic that the address names."""
    return get_object_or_404(Topic, study=study, number=text_in(request, "topic"))


def text_in(request: HttpRequest, name: str) -> str:
    """Return the value of a parameter in the address, or "" if the parameter is missing."""
    text = request.GET.get(name, "")
    if "\0" in text:
        raise Http404  # PostgreSQL refuses NUL characters, even in a search.
    return text
