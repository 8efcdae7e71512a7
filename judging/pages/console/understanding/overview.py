"""Where understanding begins: what reports there are, and the topics with their documents."""

from typing import Any

from django.db.models import Count, Max
from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import render
from django.views.decorators.http import require_http_methods

from judging.models import ReportKind, Study
from judging.pages.console.guard import console_page, find_study
from judging.pages.console.paging import page_of
from judging.pages.console.understanding.state import ask, state_of
from judging.selectors.judgments import topics_sorted
from judging.selectors.topic_rows import topic_rows

TITLE = "every document"


@require_http_methods(["GET", "HEAD", "POST"])
@console_page
def understanding(request: HttpRequest, slug: str) -> HttpResponseBase:
    study = find_study(request, slug)
    if request.method == "POST":
        return ask(request, study, ReportKind.DOCUMENTS, {}, TITLE)
    topics = topics_sorted(study)
    page = page_of(request, len(topics))
    of_topics = study.reports.filter(kind=ReportKind.DOCUMENTS.value)
    context: dict[str, Any] = {
        "study": study,
        "page": page,
        "topics": sorted(
            topic_rows([topics[place].pk for place in page.places]), key=lambda row: row.topic_id
        ),
        "made": _made(study),
        "state": state_of(request, study, of_topics.defer("content").first(), ReportKind.DOCUMENTS, {}),
    }
    return render(request, "console/understanding/overview.html", context, status=page.status)


def _made(study: Study) -> dict[str, dict[str, Any]]:
    """Kind → how many reports of it there are, and when the last was made."""
    rows = study.reports.order_by().values("kind").annotate(count=Count("pk"), last=Max("made_at"))
    return {row["kind"]: row for row in rows}
