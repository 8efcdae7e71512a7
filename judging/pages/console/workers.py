"""The workers of a study, by pseudonym, and what became of the units of one of them."""

from typing import Any

from django.http import Http404, HttpRequest, HttpResponseBase
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from judging import access
from judging.models import Assignment, Participation
from judging.pages.console.guard import console_page, find_study
from judging.pages.console.paging import Pages, page_of
from judging.protocol.states import LIVE, AssignmentState
from judging.selectors.event_list import rows_of
from judging.selectors.worker_list import FAILED_CHECKS, SORTS, ListedWorker, last_seen, workers_page
from judging.selectors.worker_story import attempts_of, count_events, events_outside_units, stories

UNITS_PER_PAGE = 25
EVENTS_PER_UNIT = 20
SORT_HEADINGS = {
    "worker": "Worker",
    "state": "State",
    "completed": "Units completed",
    "failures": "Failed checks",
    "seen": "Last seen",
}
UNIT_COLUMNS = {
    "Live": LIVE,
    "Completed": (AssignmentState.COMPLETED,),
    "Question failed": (AssignmentState.COMPREHENSION_FAILED,),
    "Tries used up": (AssignmentState.CHECKS_FAILED,),
    "Lapsed": (AssignmentState.LAPSED,),
    "Returned": (AssignmentState.RETURNED,),
    "Cancelled": (AssignmentState.CANCELLED,),
}
CHECK_COLUMNS = tuple(FAILED_CHECKS.values())


@require_safe
@console_page
def workers(request: HttpRequest, slug: str) -> HttpResponseBase:
    study = find_study(request, slug)
    asked = request.GET.get("sort", "seen")
    sort = asked if asked in SORTS else "seen"
    page = page_of(request, Participation.objects.filter(study=study).count())
    found = workers_page(study, sort=sort, start=page.places.start, stop=page.places.stop)
    context = {
        "study": study,
        "page": page,
        "rows": [(worker, *_cells(worker)) for worker in found],
        "sort": sort,
        "sorts": SORT_HEADINGS,
        "fault": "" if sort == asked else f"Workers cannot be sorted by “{asked[:20]}”.",
        "unit_columns": UNIT_COLUMNS,
        "check_columns": CHECK_COLUMNS,
    }
    return render(request, "console/workers.html", context, status=page.status if sort == asked else 400)


def _cells(worker: ListedWorker) -> tuple[list[int], list[int]]:
    """The numbers of units and of failures, in the order of their columns."""
    units = [sum(worker.units.get(state, 0) for state in states) for states in UNIT_COLUMNS.values()]
    return units, [worker.failures.get(check, 0) for check in CHECK_COLUMNS]


@require_safe
@console_page
def worker(request: HttpRequest, slug: str, pseudonym: str) -> HttpResponseBase:
    study = find_study(request, slug)
    if "\0" in pseudonym:
        raise Http404  # PostgreSQL takes no such text, not even to look for it.
    participations = Participation.objects.filter(study=study).annotate(seen=last_seen())
    found = get_object_or_404(participations, pseudonym=pseudonym)
    attempts = list(found.practice_attempts.order_by().values_list("passed", flat=True))
    page = page_of(request, found.assignments.count(), per_page=UNITS_PER_PAGE)
    units = attempts_of(found, start=page.places.start, stop=page.places.stop)
    events = _event_pages(request, units)
    outside = events_outside_units(found)
    outside_page = page_of(request, outside.count(), key="outside")
    told = stories(units, {attempt: events_page.places for attempt, events_page in events.items()})
    context: dict[str, Any] = {
        "study": study,
        "worker": found,
        "practice": {"attempts": len(attempts), "failed": attempts.count(False)},
        "page": page,
        "units": [(story, events[story.assignment.pk]) for story in told],
        "outside": rows_of(outside, outside_page.places.start, outside_page.places.stop),
        "outside_page": outside_page,
        "shows_codes": access.may_manage(request.user, study),
    }
    status = max(one.status for one in (page, outside_page, *events.values()))
    return render(request, "console/worker.html", context, status=status)


def _event_pages(request: HttpRequest, attempts: list[Assignment]) -> dict[int, Pages]:
    """Attempt → the page of its events; with unlimited tries there is no end to them."""
    counts = count_events(attempts)
    return {
        one.pk: page_of(request, counts.get(one.pk, 0), per_page=EVENTS_PER_UNIT, key=f"unit{one.number}")
        for one in attempts
    }
