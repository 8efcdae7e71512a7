"""One study: its progress topic by topic, what went wrong, its data, and ways on."""

from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import render
from django.views.decorators.http import require_safe

from judging import access
from judging.exports.catalogue import OFFERED
from judging.pages.console.guard import console_page, find_study
from judging.pages.console.moves import moves_of
from judging.pages.console.paging import page_of
from judging.pages.console.quality import QUALITY_COLUMNS, quality_rows, quality_sums
from judging.selectors.clock import now
from judging.selectors.events import counts_by_topic, latest
from judging.selectors.progress import topic_progress, total
from judging.selectors.units import study_takes_work

LATEST = 20


@require_safe
@console_page
def study(request: HttpRequest, slug: str) -> HttpResponseBase:
    study = find_study(request, slug)
    topics = topic_progress(study)
    topic_page = page_of(request, len(topics), key="topics")
    quality_page = page_of(request, len(topics), key="quality")
    counts = counts_by_topic(study)
    manages = access.may_manage(request.user, study)
    context = {
        "study": study,
        "topics": [topics[place] for place in topic_page.places],
        "topic_page": topic_page,
        "total": total([part.units for part in topics]),
        "documents": sum(part.documents for part in topics),
        "quality_columns": QUALITY_COLUMNS,
        "quality": quality_rows([topics[place].topic for place in quality_page.places], counts),
        "quality_page": quality_page,
        "quality_sums": quality_sums(counts),
        "events": latest(study, most=LATEST),
        "exports": [
            export for export in OFFERED.values() if access.may_export(request.user, study, export.name)
        ],
        "moves": moves_of(study) if manages else [],
        "manages": manages,
        "takes_work": study_takes_work(study, now=now()),
        "way_in": request.build_absolute_uri(f"/s/{study.slug}/"),
    }
    status = max(topic_page.status, quality_page.status)
    return render(request, "console/study.html", context, status=status)
