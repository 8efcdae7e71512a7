"""The “Documents” page: the documents of all topics, the topics, and their magnitudes by known grade."""

from operator import attrgetter

from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import render
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from judging.core.pages.guard import console_page, find_study
from judging.core.pages.page_table import Column, Table, link
from judging.models import Report, ReportKind, Study
from judging.understanding.pages.all_documents import all_documents
from judging.understanding.pages.report_charts import MOST_TOPICS, topic_charts
from judging.understanding.pages.state import report_state, request_and_redirect
from judging.understanding.reports.stored_table import StoredTable
from judging.understanding.selectors.reports import find_report
from judging.understanding.selectors.topic_rows import TopicRow, topic_rows


def _columns(study: Study) -> list[Column[TopicRow]]:
    def topic(row: TopicRow) -> SafeString:
        query = urlencode({"topic": row.topic_id})
        address = f"{reverse('console:documents', args=[study.slug])}?{query}"
        return link(address, f"{row.topic_id} {row.title}")

    return [
        Column("topic", _("Topic"), topic, by=attrgetter("topic_id")),
        Column("-documents", _("Documents"), attrgetter("documents")),
        Column("-units", _("Units"), attrgetter("units")),
    ]


def _download(study: Study, report: Report, table: StoredTable) -> str:
    """Return the address of the list of documents as CSV."""
    address = reverse("console:report_table", args=[study.slug, report.pk])
    return f"{address}?{urlencode({'table': table['key']})}"


@require_http_methods(["GET", "HEAD", "POST"])
@console_page
def understanding(request: HttpRequest, slug: str) -> HttpResponseBase:
    study = find_study(request, slug)
    if request.method == "POST":
        return request_and_redirect(request, study, ReportKind.DOCUMENTS, {})
    table = Table(
        request,
        _columns(study),
        heading="topics",
        key="topics",
        of=_("topics"),
        sort="topic",
        note=_("The pool includes the anchors. The table includes only units whose judgments count."),
    ).at_hand(topic_rows(study, study.topics.order_by("place").values_list("pk", flat=True)))
    grades = find_report(study, ReportKind.GRADES, {})
    report = find_report(study, ReportKind.DOCUMENTS, {})
    documents, stored = all_documents(request, study, report)
    context: dict[str, object] = {
        "study": study,
        "documents": documents,
        "download": _download(study, report, stored) if report and stored else "",
        "topics": table,
        "by_topic": topic_charts(study, grades.content["tables"]) if grades else None,
        "most_topics": MOST_TOPICS,
        "graded_at": grades.made_at if grades else None,
        "state": report_state(request, study, report, ReportKind.DOCUMENTS, {}),
    }
    return render(
        request, "understanding/understanding.html", context, status=max(table.status, documents.status)
    )
