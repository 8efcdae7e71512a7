"""The page of a study: its progress by topic, its events, its downloads, and links to its other pages."""

from dataclasses import replace

from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import render
from django.utils.translation import gettext as _
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


def _topic_columns() -> list[Column[TopicProgress]]:
    return [
        Column("topic", _("Topic"), lambda part: topic_name(part.topic), by=lambda part: part.topic.number),
        Column(
            "-done",
            _("Done"),
            lambda part: progress_bar(part.topic, part.units),
            by=lambda part: part.units.percent,
        ),
        Column("-documents", _("Documents"), lambda part: part.documents),
        Column("-units", _("Units done"), lambda part: part.units.done),
        Column("-reserved", _("Reserved"), lambda part: part.units.reserved),
        Column("-open", _("Open"), lambda part: part.units.open),
        Column("-retired", _("Retired"), lambda part: part.units.retired),
        Column("-excluded", _("Excluded"), lambda part: part.units.excluded),
        Column("-judgments", _("Judgments"), lambda part: part.units.judgments),
    ]


@require_safe
@console_page
def study(request: HttpRequest, slug: str) -> HttpResponseBase:
    study = find_study(request, slug)
    topics = topic_progress(study)
    units = total([part.units for part in topics])
    topic_table = Table(
        request,
        _topic_columns(),
        heading="topics",
        key="topics",
        of=_("topics"),
        sort="topic",
        note=_("Documents in the pool, units by state, and judgments that count"),
    ).at_hand(
        topics,
        total=(
            _("All topics"),
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
        of=_("events"),
        css="",
        per_page=0,
        note=_("The last {number} events, latest first. Times are in UTC.").format(number=LATEST),
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
