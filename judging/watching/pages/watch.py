"""The “Watching” page: the progress of a study.

A script refreshes the page. Without scripts, visitors reload it themselves.
"""

from dataclasses import dataclass
from datetime import datetime
from functools import partial
from operator import attrgetter
from typing import Final

from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import render
from django.utils.formats import date_format, number_format
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

from judging.core.clock import now as clock
from judging.core.pages.guard import console_page, find_study
from judging.core.pages.tables import Column, Table, moment
from judging.core.selectors.judgments import unit_id
from judging.core.selectors.ordering import place_of_topic
from judging.core.selectors.payments import totals
from judging.core.selectors.units import study_takes_work
from judging.models import Assignment, Study, Topic
from judging.protocol.pace import WINDOW, Pace
from judging.protocol.states import StudyState
from judging.watching.pages.cells import progress_bar, topic_name, worker_link
from judging.watching.selectors.live import Hour, activity, hours, pace, reservations
from judging.watching.selectors.progress import Progress, total, units_by_topic
from judging.watching.selectors.topic_quality import failed_of, topic_quality

MOST_RESERVATIONS: Final = 50


@dataclass(frozen=True)
class LiveTopic:
    """A row of the table of topics."""

    topic: Topic
    units: Progress
    lapsed: int


TOPICS: Final[list[Column[LiveTopic]]] = [
    Column("topic", _("Topic"), lambda row: topic_name(row.topic), by=lambda row: row.topic.number),
    Column(
        "-done",
        _("Done"),
        lambda row: progress_bar(row.topic, row.units),
        by=lambda row: row.units.percent,
    ),
    Column("-units", _("Units done"), lambda row: row.units.done),
    Column("-reserved", _("Reserved"), lambda row: row.units.reserved),
    Column("-open", _("Open"), lambda row: row.units.open),
    Column("-lapsed", _("Lapsed"), lambda row: row.lapsed, muted=True),
]
HOURS: Final[list[Column[Hour]]] = [
    Column("-hour", _("Hour"), attrgetter("begins"), by=attrgetter("begins")),
    *(
        Column(f"-{name}", heading, attrgetter(name), muted=True)
        for name, heading in (
            ("begun", _("Started")),
            ("completed", _("Completed")),
            ("failed", _("Failed")),
            ("lapsed", _("Lapsed")),
            ("other", _("Ended in another way")),
        )
    ),
]


def _reservation_columns(study: Study, now: datetime) -> list[Column[Assignment]]:
    def lapses(attempt: Assignment) -> SafeString:
        time = moment(attempt.lapses_at)
        # The periodic job that ends overdue attempts may not have run yet.
        return format_html(gettext("overdue since {time}"), time=time) if attempt.lapses_at <= now else time

    return [
        Column(
            "unit",
            _("Unit"),
            lambda attempt: unit_id(attempt.topic.number, attempt.unit.number),
            order=[partial(place_of_topic, study), "unit__number"],
        ),
        Column(
            "worker",
            _("Worker"),
            lambda attempt: worker_link(study, attempt.participation.pseudonym),
            order=["participation__pseudonym"],
        ),
        Column("state", _("Step"), lambda attempt: gettext(attempt.get_state_display()), order=["state"]),
        Column("begun", _("Started"), lambda attempt: attempt.started_at, order=["started_at"]),
        Column("lapses", _("Lapses"), lapses, order=["lapses_at"]),
    ]


@require_safe
@console_page
def watch(request: HttpRequest, slug: str) -> HttpResponseBase:
    study = find_study(request, slug)
    now = clock()
    quality = topic_quality(study)
    progress = units_by_topic(study)
    topics = [
        LiveTopic(topic.topic, progress.get(topic.topic.pk, Progress()), topic.lapsed) for topic in quality
    ]
    units = total([row.units for row in topics])
    recent = activity(study, now=now)
    lapsed = sum(topic.lapsed for topic in quality)
    tables = {
        "topics": Table(
            request,
            TOPICS,
            heading="topics",
            of=_("topics"),
            sort="topic",
            note=_("Units by state, and attempts that lapsed."),
        ).at_hand(
            topics,
            total=(gettext("All"), f"{units.percent} %", units.done, units.reserved, units.open, lapsed),
        ),
        "hours": Table(
            request,
            HOURS,
            heading="hours",
            key="hours",
            of=_("hours"),
            sort="-hour",
            css="numbers hours",
            per_page=0,
            note=_("Attempts at units in the 24 hours before the last event. Times are in UTC.")
            if recent.past
            else _("Attempts at units in the last 24 hours. Times are in UTC."),
        ).at_hand(hours(study, recent) if recent.first else []),
        "reservations": Table(
            request,
            _reservation_columns(study, now),
            heading="reserved",
            key="reserved",
            of=_("reserved units"),
            sort="lapses",
            css="",
            per_page=0,
            note=gettext(
                "The table shows at most {most} of {count} reserved units. Times are in UTC. To free a unit,"
                " go to its worker’s page."
            ).format(most=MOST_RESERVATIONS, count=units.reserved),
        ).stored(
            reservations(study),
            lambda attempts: list(attempts[:MOST_RESERVATIONS]),
            ties=["lapses_at", "pk"],
            count=units.reserved,
        ),
    }
    context: dict[str, object] = {
        "study": study,
        "now": now,
        **tables,
        "total": units,
        "lapsed": lapsed,
        "activity": recent,
        "expected": expected_end(study, units, pace(study, recent), now),
        "money": totals(study),
        "suspects": [topic for topic in quality if topic.bad_anchor or topic.bad_question],
        "finished": sum(topic.pair.workers for topic in quality),
        "failed_units": sum(topic.failed_units for topic in quality),
        "failed_checks": failed_of(quality),
        "used_back": sum(topic.used_back for topic in quality),
    }
    status = max(table.status for table in tables.values())
    return render(request, "watching/watch.html", context, status=status)


def expected_end(study: Study, units: Progress, pace: Pace | None, now: datetime) -> str:
    """Return a sentence with the expected end of the last unit, or with the reason why it is unknown."""
    left = units.open + units.reserved
    if not units.wanted:
        return gettext("No units are planned yet.")
    if not left:
        return gettext("All units are done.")
    if study.state != StudyState.OPEN:
        sentence = ngettext(
            "The state of the study is “{state}”. {units} unit is left.",
            "The state of the study is “{state}”. {units} units are left.",
            left,
        )
        return sentence.format(state=gettext(study.get_state_display()), units=left)
    if not study_takes_work(study, now=now):
        sentence = ngettext(
            "Workers cannot take units now because of the study’s dates. {units} unit is left.",
            "Workers cannot take units now because of the study’s dates. {units} units are left.",
            left,
        )
        return sentence.format(units=left)
    if pace is None:
        sentence = ngettext(
            "It is too early for an estimate. {units} unit is left.",
            "It is too early for an estimate. {units} units are left.",
            left,
        )
        return sentence.format(units=left)
    end = pace.end(left)
    if end is None:
        sentence = ngettext(
            "No unit was completed recently. {units} unit is left.",
            "No unit was completed recently. {units} units are left.",
            left,
        )
        return sentence.format(units=left)
    return _estimate(study, pace, end, left)


def _estimate(study: Study, pace: Pace, end: datetime, left: int) -> SafeString:
    hours = min(WINDOW, pace.span).total_seconds() / 3600
    estimate = format_html(
        ngettext(
            "{end} UTC, at the pace of the last {hours} hours ({pace} units per hour). {units} unit is left.",
            "{end} UTC, at the pace of the last {hours} hours ({pace} units per hour)."
            " {units} units are left.",
            left,
        ),
        end=_time(end),
        hours=number_format(f"{hours:.1f}"),
        pace=number_format(f"{pace.per_hour:.1f}"),
        units=left,
    )
    if study.closes_at and study.closes_at < end:
        closing = gettext("The study closes before that, at {time} UTC.")
        return format_html("{} {}", estimate, format_html(closing, time=_time(study.closes_at)))
    return estimate


def _time(value: datetime) -> SafeString:
    text = date_format(value, "DATETIME_FORMAT")
    return format_html('<time datetime="{}">{}</time>', value.isoformat(), text)
