"""A study as it goes: a page that a script keeps up to date, and that a reload does without one."""

from dataclasses import dataclass
from datetime import datetime
from functools import partial
from operator import attrgetter
from typing import Final

from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import render
from django.utils.html import format_html
from django.utils.safestring import SafeString
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
    Column("topic", "Topic", lambda one: topic_name(one.topic), by=lambda one: one.topic.number),
    Column("-done", "Done", lambda one: progress_bar(one.topic, one.units), by=lambda one: one.units.percent),
    Column("-units", "Units done", lambda one: one.units.done),
    Column("-reserved", "Reserved", lambda one: one.units.reserved),
    Column("-open", "Open", lambda one: one.units.open),
    Column("-lapsed", "Lapsed", lambda one: one.lapsed, muted=True),
]
HOURS: Final[list[Column[Hour]]] = [
    Column("-hour", "Hour", attrgetter("begins"), by=attrgetter("begins")),
    *(
        Column(f"-{name}", heading, attrgetter(name), muted=True)
        for name, heading in (
            ("begun", "Begun"),
            ("completed", "Completed"),
            ("failed", "Failed"),
            ("lapsed", "Lapsed"),
            ("other", "Ended otherwise"),
        )
    ),
]


def _reservation_columns(study: Study, now: datetime) -> list[Column[Assignment]]:
    def lapses(one: Assignment) -> SafeString:
        # Its time may have run out with nobody there to notice.
        return format_html("{}{}", "overdue since " if one.lapses_at <= now else "", moment(one.lapses_at))

    return [
        Column(
            "unit",
            "Unit",
            lambda one: unit_id(one.topic.number, one.unit.number),
            order=[partial(place_of_topic, study), "unit__number"],
        ),
        Column(
            "worker",
            "Worker",
            lambda one: worker_link(study, one.participation.pseudonym),
            order=["participation__pseudonym"],
        ),
        Column("state", "Is at", lambda one: one.state, order=["state"]),
        Column("begun", "Begun", lambda one: one.started_at, order=["started_at"]),
        Column("lapses", "Lapses", lapses, order=["lapses_at"]),
    ]


@require_safe
@console_page
def watch(request: HttpRequest, slug: str) -> HttpResponseBase:
    study = find_study(request, slug)
    now = clock()
    quality = topic_quality(study)
    of_topic = units_by_topic(study)
    topics = [LiveTopic(one.topic, of_topic.get(one.topic.pk, Progress()), one.lapsed) for one in quality]
    units = total([one.units for one in topics])
    of = activity(study, now=now)
    lapsed = sum(one.lapsed for one in quality)
    tables = {
        "topics": Table(
            request,
            TOPICS,
            heading="topics",
            of="topics",
            sort="topic",
            note="Units by state, and attempts that lapsed",
        ).at_hand(
            topics, total=("All", f"{units.percent} %", units.done, units.reserved, units.open, lapsed)
        ),
        "hours": Table(
            request,
            HOURS,
            heading="hours",
            key="hours",
            of="hours",
            sort="-hour",
            css="numbers hours",
            per_page=0,
            note="Attempts at units in the 24 hours"
            f" {'up to the last thing that happened' if of.past else 'up to now'}; in UTC",
        ).at_hand(hours(study, of) if of.first else []),
        "reservations": Table(
            request,
            _reservation_columns(study, now),
            heading="reserved",
            key="reserved",
            of="reserved units",
            sort="lapses",
            css="",
            per_page=0,
            note=f"At most {MOST_RESERVATIONS} of {units.reserved}; times in UTC. A worker’s page has the"
            " button that frees one",
        ).stored(
            reservations(study),
            lambda found: list(found[:MOST_RESERVATIONS]),
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
        "activity": of,
        "expected": expected_end(study, units, pace(study, of), now),
        "money": totals(study),
        "suspects": [one for one in quality if one.bad_anchor or one.bad_question],
        "finished": sum(one.pair.workers for one in quality),
        "failed_units": sum(one.failed_units for one in quality),
        "failed_checks": failed_of(quality),
        "used_back": sum(one.used_back for one in quality),
    }
    status = max(table.status for table in tables.values())
    return render(request, "watching/watch.html", context, status=status)


def expected_end(study: Study, units: Progress, pace: Pace | None, now: datetime) -> str:
    """When the last unit is expected to be done, or why nobody can say."""
    left = units.open + units.reserved
    if not units.wanted:
        return "No units are planned yet."
    if not left:
        return "All units are done."
    if study.state != StudyState.OPEN:
        return f"The study is {study.get_state_display()}: {_units(left)} left."
    if not study_takes_work(study, now=now):
        return f"The study takes no work at this time: {_units(left)} left."
    if pace is None:
        return f"Too early to tell: {_units(left)} left."
    end = pace.end(left)
    if end is None:
        return f"Nothing was completed lately: {_units(left)} left."
    hours = min(WINDOW, pace.span).total_seconds() / 3600
    said = (
        f"{end:%Y-%m-%d %H:%M} UTC, at the pace of the last {hours:.1f} hours:"
        f" {pace.per_hour:.1f} units an hour, {_units(left)} left."
    )
    if study.closes_at and study.closes_at < end:
        said += f" The study closes before that, at {study.closes_at:%Y-%m-%d %H:%M} UTC."
    return said


def _units(number: int) -> str:
    return f"{number} unit" if number == 1 else f"{number} units"
