"""Where understanding begins: what reports there are, and the topics with their documents."""

from operator import attrgetter
from typing import Any, Final

from django.db.models import Count, Max
from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import render
from django.views.decorators.http import require_http_methods

from judging.models import ReportKind, Study
from judging.pages.console.guard import console_page, find_study
from judging.pages.console.paging import page_of
from judging.pages.console.sorting import sorting_of
from judging.pages.console.understanding.state import ask, state_of
from judging.selectors.topic_rows import topic_rows

TITLE = "every document"
TOPICS_BY: Final = {
    "topic": attrgetter("topic_id"),
    "-documents": attrgetter("documents"),
    "-units": attrgetter("units"),
}


@require_http_methods(["GET", "HEAD", "POST"])
@console_page
def understanding(request: HttpRequest, slug: str) -> HttpResponseBase:
    study = find_study(request, slug)
    if request.method == "POST":
        return ask(request, study, ReportKind.DOCUMENTS, {}, TITLE)
    sorting = sorting_of(request, *TOPICS_BY, default="topic")
    topics = sorting.rows(topic_rows(study.topics.order_by("place").values_list("pk", flat=True)), TOPICS_BY)
    page = page_of(request, len(topics))
    of_topics = study.reports.filter(kind=ReportKind.DOCUMENTS.value)
    context: dict[str, Any] = {
        "study": study,
        "page": page,
        "topics": [topics[place] for place in page.places],
        "sorting": sorting,
        "made": _made(study),
        "state": state_of(request, study, of_topics.defer("content").first(), ReportKind.DOCUMENTS, {}),
    }
    return render(
        request, "console/understanding/overview.html", context, status=max(page.status, sorting.status)
    )


def _made(study: Study) -> dict[str, dict[str, Any]]:
    """Kind → how many reports of it there are, and when the last was made."""
    rows = study.reports.order_by().values("kind").annotate(count=Count("pk"), last=Max("made_at"))
    return {row["kind"]: row for row in rows}
