"""The workers of a study, by pseudonym, and what became of the units of one of them."""

from typing import Any

from django.http import Http404, HttpRequest, HttpResponseBase
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from judging import access
from judging.models import Participation
from judging.pages.console.guard import console_page, find_study
from judging.pages.console.paging import page_of
from judging.protocol.states import LIVE, AssignmentState
from judging.selectors.worker_list import FAILED_CHECKS, SORTS, ListedWorker, last_seen, workers_page
from judging.selectors.worker_story import events_outside_units, units_of

UNITS_PER_PAGE = 25
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
    context: dict[str, Any] = {
        "study": study,
        "worker": found,
        "practice": {"attempts": len(attempts), "failed": attempts.count(False)},
        "page": page,
        "units": units_of(found, start=page.places.start, stop=page.places.stop),
        "outside": events_outside_units(found),
        "shows_codes": access.may_manage(request.user, study),
    }
    return render(request, "console/worker.html", context, status=page.status)
