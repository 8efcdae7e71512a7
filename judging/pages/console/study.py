"""One study: its progress topic by topic, what went wrong, its data, and ways on."""

from collections.abc import Callable
from typing import Any, Final

from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import render
from django.views.decorators.http import require_safe

from judging import access
from judging.exports.catalogue import OFFERED
from judging.pages.console.guard import console_page, find_study
from judging.pages.console.moves import moves_of
from judging.pages.console.paging import page_of
from judging.pages.console.quality import (
    QUALITY_BY,
    QUALITY_COLUMNS,
    quality_before,
    quality_rows,
    quality_sums,
)
from judging.pages.console.sorting import sorting_of
from judging.protocol.platforms import platform_of
from judging.selectors.clock import now
from judging.selectors.progress import TopicProgress, topic_progress, total
from judging.selectors.published.events import counts_by_topic, latest
from judging.selectors.units import study_takes_work

LATEST = 20
TOPICS_BY: Final[dict[str, Callable[[TopicProgress], Any]]] = {
    "topic": lambda part: part.topic.number,
    "-done": lambda part: part.units.percent,
    "-documents": lambda part: part.documents,
    "-units": lambda part: part.units.done,
    "-reserved": lambda part: part.units.reserved,
    "-open": lambda part: part.units.open,
    "-retired": lambda part: part.units.retired,
    "-excluded": lambda part: part.units.excluded,
    "-judgments": lambda part: part.units.judgments,
}


@require_safe
@console_page
def study(request: HttpRequest, slug: str) -> HttpResponseBase:
    study = find_study(request, slug)
    topics = topic_progress(study)
    topic_sorting = sorting_of(request, *TOPICS_BY, default="topic", key="topics")
    topic_rows = topic_sorting.rows(topics, TOPICS_BY)
    topic_page = page_of(request, len(topics), key="topics")
    quality_page = page_of(request, len(topics), key="quality")
    counts = counts_by_topic(study)
    quality_sorting = sorting_of(request, *QUALITY_BY, default="topic", key="quality")
    quality = quality_sorting.rows(quality_rows([part.topic for part in topics], counts), QUALITY_BY)
    manages = access.may_manage(request.user, study)
    context = {
        "study": study,
        "topics": [topic_rows[place] for place in topic_page.places],
        "topic_sorting": topic_sorting,
        "topic_page": topic_page,
        "total": total([part.units for part in topics]),
        "documents": sum(part.documents for part in topics),
        "quality_columns": quality_sorting.headings(QUALITY_COLUMNS),
        "quality": [
            quality_before(counts),
            *(quality[place] for place in quality_page.places),
        ],
        "quality_sorting": quality_sorting,
        "quality_page": quality_page,
        "quality_sums": quality_sums(counts),
        "events": latest(study, most=LATEST),
        "exports": [
            export for export in OFFERED.values() if access.may_export(request.user, study, export.name)
        ],
        "moves": moves_of(study) if manages else [],
        "manages": manages,
        "takes_work": study_takes_work(study, now=now()),
        "parameters": platform_of(study).parameters(study),
        "way_in": request.build_absolute_uri(f"/s/{study.slug}/"),
    }
    status = max(one.status for one in (topic_page, quality_page, topic_sorting, quality_sorting))
    return render(request, "console/study.html", context, status=status)
