"""A study as it goes: a page that a script keeps up to date, and that a reload does without one."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from operator import attrgetter
from typing import Any, Final

from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import render
from django.views.decorators.http import require_safe

from judging.models import Study, Topic
from judging.pages.console.guard import console_page, find_study
from judging.pages.console.paging import page_of
from judging.pages.console.sorting import sorting_of
from judging.protocol.pace import WINDOW, Pace
from judging.protocol.states import StudyState
from judging.selectors.clock import now as clock
from judging.selectors.live import RESERVATIONS_BY, activity, hours, pace, reservations
from judging.selectors.payments import totals
from judging.selectors.progress import Progress, total, units_by_topic
from judging.selectors.topic_quality import failed_of, topic_quality
from judging.selectors.units import study_takes_work

MOST_RESERVATIONS: Final = 50


@dataclass(frozen=True)
class LiveTopic:
    """A row of the table of topics."""

    topic: Topic
    units: Progress
    lapsed: int


TOPICS_BY: Final[dict[str, Callable[[LiveTopic], Any]]] = {
    "topic": lambda one: one.topic.number,
    "-done": lambda one: one.units.percent,
    "-units": lambda one: one.units.done,
    "-reserved": lambda one: one.units.reserved,
    "-open": lambda one: one.units.open,
    "-lapsed": lambda one: one.lapsed,
}
HOUR_COLUMNS: Final = {
    "-hour": "Hour",
    "-begun": "Begun",
    "-completed": "Completed",
    "-failed": "Failed",
    "-lapsed": "Lapsed",
    "-other": "Ended otherwise",
}
HOURS_BY: Final = {
    name: attrgetter("begins" if name == "-hour" else name.removeprefix("-")) for name in HOUR_COLUMNS
}


@require_safe
@console_page
def watch(request: HttpRequest, slug: str) -> HttpResponseBase:
    study = find_study(request, slug)
    now = clock()
    quality = topic_quality(study)
    of_topic = units_by_topic(study)
    topics = [LiveTopic(one.topic, of_topic.get(one.topic.pk, Progress()), one.lapsed) for one in quality]
    units = total([one.units for one in topics])
    sorting = sorting_of(request, *TOPICS_BY, default="topic")
    topics = sorting.rows(topics, TOPICS_BY)
    page = page_of(request, len(topics))
    hour_sorting = sorting_of(request, *HOURS_BY, default="-hour", key="hours")
    held = sorting_of(request, *RESERVATIONS_BY, default="lapses", key="reserved")
    of = activity(study, now=now)
    context: dict[str, Any] = {
        "study": study,
        "now": now,
        "topics": [topics[place] for place in page.places],
        "page": page,
        "sorting": sorting,
        "hour_sorting": hour_sorting,
        "hour_columns": hour_sorting.headings(HOUR_COLUMNS),
        "held": held,
        "total": units,
        "lapsed": sum(one.lapsed for one in quality),
        "activity": of,
        "hours": hour_sorting.rows(hours(study, of), HOURS_BY),
        "expected": expected_end(study, units, pace(study, of), now),
        "reservations": reservations(
            study, now=now, most=MOST_RESERVATIONS, sort=held.key, descending=held.descending
        ),
        "money": totals(study),
        "suspects": [one for one in quality if one.bad_anchor or one.bad_question],
        "finished": sum(one.pair.workers for one in quality),
        "failed_units": sum(one.failed_units for one in quality),
        "failed_checks": failed_of(quality),
        "used_back": sum(one.used_back for one in quality),
    }
    status = max(one.status for one in (page, sorting, hour_sorting, held))
    return render(request, "console/watch.html", context, status=status)


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
