"""Where understanding begins: what reports there are, and the topics with their documents."""

from datetime import datetime
from operator import attrgetter
from typing import TypedDict

from django.db.models import Count, Max
from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import render
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.safestring import SafeString
from django.views.decorators.http import require_http_methods

from judging.core.pages.guard import console_page, find_study
from judging.core.pages.tables import Column, Table, link
from judging.models import ReportKind, Study
from judging.understanding.pages.state import ask, state_of
from judging.understanding.selectors.topic_rows import TopicRow, topic_rows


class _Made(TypedDict):
    kind: str
    count: int
    last: datetime


def _columns(study: Study) -> list[Column[TopicRow]]:
    def topic(row: TopicRow) -> SafeString:
        asked = urlencode({"topic": row.topic_id})
        address = f"{reverse('console:documents', args=[study.slug])}?{asked}"
        return link(address, f"{row.topic_id} {row.title}")

    return [
        Column("topic", "Topic", topic, by=attrgetter("topic_id")),
        Column("-documents", "Documents", attrgetter("documents")),
        Column("-units", "Units", attrgetter("units")),
    ]


@require_http_methods(["GET", "HEAD", "POST"])
@console_page
def understanding(request: HttpRequest, slug: str) -> HttpResponseBase:
    study = find_study(request, slug)
    if request.method == "POST":
        return ask(request, study, ReportKind.DOCUMENTS, {})
    table = Table(
        request,
        _columns(study),
        heading="topics",
        of="topics",
        sort="topic",
        note="Documents of the pool with both anchors, and units whose judgments count",
    ).at_hand(topic_rows(study.topics.order_by("place").values_list("pk", flat=True)))
    of_topics = study.reports.filter(kind=ReportKind.DOCUMENTS.value)
    context: dict[str, object] = {
        "study": study,
        "topics": table,
        "made": _made(study),
        "state": state_of(request, study, of_topics.defer("content").first(), ReportKind.DOCUMENTS, {}),
    }
    return render(request, "understanding/understanding.html", context, status=table.status)


def _made(study: Study) -> dict[str, _Made]:
    """Kind → how many reports of it there are, and when the last was made."""
    rows = study.reports.order_by().values("kind").annotate(count=Count("pk"), last=Max("made_at"))
    return {row["kind"]: row for row in rows}
