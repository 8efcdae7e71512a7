"""Quality: failures of each check over time, by topic, pair of anchors and worker, and who went back."""

from collections.abc import Callable
from functools import partial
from operator import attrgetter
from typing import Any, Final

from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import render
from django.views.decorators.http import require_safe

from judging.limits import UNITS_PER_PAGE
from judging.pages.console.guard import console_page, find_study
from judging.pages.console.paging import page_of
from judging.pages.console.sorting import sorting_of
from judging.protocol import bad_anchor, bad_question
from judging.protocol.checks import CHECKS, anchors, comprehension, unit_checks
from judging.selectors.clock import now
from judging.selectors.failures import PERIODS, Period, back_rows, failures_over_time, used_back
from judging.selectors.same_browser import same_browsers
from judging.selectors.topic_quality import TopicQuality, topic_quality
from judging.selectors.worker_list import workers_page

CHECK_HEADINGS: Final = {check.letter: check.heading for check in CHECKS.values()}
OTHER_CHECKS: Final = [check for check in unit_checks() if check is not anchors.CHECK]
"""Checks at the end of a unit that have one column, with the units that failed them."""
MOST_WORKERS: Final = 10
MOST_SHARED: Final = 10


def _failed(letter: str, topic: TopicQuality) -> int:
    return topic.failed[letter]


def _failures(check: str, period: Period) -> int:
    return period.failures.get(check, 0)


PERIODS_BY: Final[dict[str, Callable[[Period], Any]]] = {
    "-period": lambda period: period.begins,
    **{f"-{check}": partial(_failures, check) for check in CHECK_HEADINGS},
    "-completed": lambda period: period.completed,
}
TOPICS_BY: Final = {
    "topic": attrgetter("topic.number"),
    "h": attrgetter("h_id"),
    "n": attrgetter("n_id"),
    "-answered": attrgetter("question.workers"),
    "-wrong": attrgetter("question.wrong"),
    "-wrong-share": attrgetter("question.share"),
    "-finished": attrgetter("pair.workers"),
    "-failed": attrgetter("pair.failed"),
    "-failed-share": attrgetter("pair.share"),
    "-inverted": attrgetter("pair.inverted"),
    "-tied": attrgetter("pair.tied"),
    **{f"-{check.letter}": partial(_failed, check.letter) for check in OTHER_CHECKS},
    "-back": attrgetter("used_back"),
}
GROUPS: Final = {
    comprehension.CHECK.heading: {"answered": "Workers", "wrong": "Wrong", "wrong-share": "Share"},
    anchors.CHECK.heading: {
        "finished": "Workers",
        "failed": "Failed",
        "failed-share": "Share",
        "inverted": "Inverted",
        "tied": "Tied",
    },
}
"""What stands above several columns → the columns with what stands above each."""
BACK_CHECKS: Final = {f"-{check.letter}": f"({check.letter}) failed" for check in unit_checks()}
BACK_COLUMNS: Final = ("unit", "worker", "-back", "-revisions", *BACK_CHECKS, "-ended")


@require_safe
@console_page
def failures(request: HttpRequest, slug: str) -> HttpResponseBase:
    study = find_study(request, slug)
    asked = request.GET.get("by", "day")
    by = asked if asked in PERIODS else "day"
    by_fault = "" if by == asked else f"Failures are counted by hour or by day, not by “{asked[:20]}”."
    topics = topic_quality(study)
    sorting = sorting_of(request, *TOPICS_BY, default="topic", key="topics")
    page = page_of(request, len(topics), key="topics")
    time = sorting_of(request, *PERIODS_BY, default="-period", key="time")
    back_sorting = sorting_of(request, *BACK_COLUMNS, default="-back", key="back")
    back = used_back(study, sort=back_sorting.key, descending=back_sorting.descending)
    used = sum(topic.used_back for topic in topics)  # counted already, and so not once more
    back_page = page_of(request, used, per_page=UNITS_PER_PAGE, key="back")
    lists = (page, back_page, sorting, time, back_sorting)
    workers = [
        (worker, [worker.failures.get(check, 0) for check in CHECK_HEADINGS])
        for worker in workers_page(study, sort="failures", descending=True, start=0, stop=MOST_WORKERS)
        if worker.failures
    ]
    shared, shared_count = same_browsers(study, most=MOST_SHARED)
    context = {
        "study": study,
        "now": now(),
        "by": by,
        "periods": [
            (period, [period.failures.get(check, 0) for check in CHECK_HEADINGS])
            for period in time.rows(failures_over_time(study, by=by), PERIODS_BY)
        ],
        "time": time,
        "time_columns": time.headings({f"-{check}": words for check, words in CHECK_HEADINGS.items()}),
        "checks": CHECK_HEADINGS,
        "names_of_periods": PERIODS,
        "faults": [fault for fault in (by_fault, *(one.fault for one in lists)) if fault],
        "suspects": [one for one in topics if one.bad_anchor or one.bad_question],
        "topics": [
            (one, [one.failed[check.letter] for check in OTHER_CHECKS])
            for one in sorting.rows(topics, TOPICS_BY)[page.places.start : page.places.stop]
        ],
        "sorting": sorting,
        "groups": [(words, sorting.headings(columns)) for words, columns in GROUPS.items()],
        "others": sorting.headings({f"-{one.letter}": f"({one.letter}) failed" for one in OTHER_CHECKS}),
        "page": page,
        "workers": workers,
        "back": back_rows(back, back_page.places.start, back_page.places.stop),
        "back_page": back_page,
        "back_sorting": back_sorting,
        "back_checks": back_sorting.headings(BACK_CHECKS),
        "shared": shared,
        "shared_count": shared_count,
        "rules": {"anchor": bad_anchor.RULE, "question": bad_question.RULE},
    }
    status = max(400 if by_fault else 200, *(one.status for one in lists))
    return render(request, "console/quality.html", context, status=status)
