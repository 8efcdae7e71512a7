"""One study: its progress topic by topic, what went wrong, its data, and ways on."""

from dataclasses import replace

from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import render
from django.views.decorators.http import require_safe

from judging.archive.catalogue import OFFERED
from judging.core import access
from judging.core.clock import now
from judging.core.pages.guard import console_page, find_study
from judging.core.pages.tables import Column, Table
from judging.core.published.events import latest
from judging.core.selectors.units import study_takes_work
from judging.protocol.platforms import platform_of
from judging.watching.pages.cells import event_columns, progress_bar, topic_name
from judging.watching.pages.moves import moves_of
from judging.watching.pages.quality_table import quality_table
from judging.watching.selectors.progress import TopicProgress, topic_progress, total

LATEST = 20
TOPICS: list[Column[TopicProgress]] = [
    Column("topic", "Topic", lambda part: topic_name(part.topic), by=lambda part: part.topic.number),
    Column(
        "-done", "Done", lambda part: progress_bar(part.topic, part.units), lambda part: part.units.percent
    ),
    Column("-documents", "Documents", lambda part: part.documents),
    Column("-units", "Units done", lambda part: part.units.done),
    Column("-reserved", "Reserved", lambda part: part.units.reserved),
    Column("-open", "Open", lambda part: part.units.open),
    Column("-retired", "Retired", lambda part: part.units.retired),
    Column("-excluded", "Excluded", lambda part: part.units.excluded),
    Column("-judgments", "Judgments", lambda part: part.units.judgments),
]


@require_safe
@console_page
def study(request: HttpRequest, slug: str) -> HttpResponseBase:
    study = find_study(request, slug)
    topics = topic_progress(study)
    units = total([part.units for part in topics])
    topic_table = Table(
        request,
        TOPICS,
        heading="topics",
        key="topics",
        of="topics",
        sort="topic",
        note="Documents of the pool, units by state and judgments that count",
    ).at_hand(
        topics,
        total=(
            "All",
            f"{units.percent} %",
            sum(part.documents for part in topics),
            units.done,
            units.reserved,
            units.open,
            units.retired,
            units.excluded,
            units.judgments,
        ),
    )
    quality = quality_table(request, study, [part.topic for part in topics])
    events = Table(
        request,
        [replace(column, name="") for column in event_columns(study)],
        heading="events",
        of="events",
        css="",
        per_page=0,
        note=f"The last {LATEST}, the latest first; times in UTC",
    ).at_hand(latest(study, most=LATEST))
    manages = access.may_manage(request.user, study)
    context = {
        "study": study,
        "topics": topic_table,
        "total": units,
        "quality": quality,
        "events": events,
        "exports": [
            export for export in OFFERED.values() if access.may_export(request.user, study, export.name)
        ],
        "moves": moves_of(study) if manages else [],
        "manages": manages,
        "takes_work": study_takes_work(study, now=now()),
        "parameters": platform_of(study).parameters(study),
        "way_in": request.build_absolute_uri(f"/s/{study.slug}/"),
    }
    status = max(topic_table.status, quality.status)
    return render(request, "site/study.html", context, status=status)
