"""The workers of a study, by pseudonym; one of them, what became of the units, and what may be done."""

from collections.abc import Sequence
from functools import partial
from typing import Final

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponseBase, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.views.decorators.http import require_http_methods, require_safe

from judging.core import access
from judging.core.clock import now
from judging.core.pages.filtering import ChosenField, FilterForm, TextField
from judging.core.pages.guard import console_page, find_study, refuse
from judging.core.pages.paging import Pages, page_of
from judging.core.pages.tables import Column, ShownTable, Table
from judging.core.services.errors import RefusedError
from judging.limits import UNITS_PER_PAGE
from judging.models import Assignment, Participation, Study, WorkerFigures
from judging.models.fields import choices
from judging.protocol.checks import CHECKS
from judging.protocol.states import ENDED_PARTICIPATIONS, LIVE, AssignmentState, ParticipationState
from judging.protocol.worker_flags import LEAST_UNITS
from judging.watching.pages.acts import act
from judging.watching.pages.cells import worker_link
from judging.watching.pages.statistic_cells import STATISTICS, columns_beside
from judging.watching.selectors.event_list import rows_of
from judging.watching.selectors.same_browser import same_browser_reasons
from judging.watching.selectors.worker_list import (
    ListedWorker,
    failures_of,
    last_seen,
    listed_workers,
    units_in,
)
from judging.watching.selectors.worker_statistics import beside
from judging.watching.selectors.worker_story import (
    attempts_of,
    count_events,
    count_units,
    events_outside_units,
    stories,
)

EVENTS_PER_UNIT = 20
UNITS: Final = {
    "live": ("Live", LIVE),
    "completed": ("Completed", (AssignmentState.COMPLETED,)),
    "question": ("Question failed", (AssignmentState.COMPREHENSION_FAILED,)),
    "tries": ("Tries used up", (AssignmentState.CHECKS_FAILED,)),
    "lapsed": ("Lapsed", (AssignmentState.LAPSED,)),
    "returned": ("Returned", (AssignmentState.RETURNED,)),
    "cancelled": ("Cancelled", (AssignmentState.CANCELLED,)),
}
"""Columns of units: the heading, and the states that are counted."""


def _units(one: ListedWorker, *, states: Sequence[str]) -> int:
    return sum(one.units.get(state, 0) for state in states)


def _failures(one: ListedWorker, *, letter: str) -> int | None:
    return one.failures.get(letter, None if one.participation.from_file else 0)


def _columns(study: Study) -> list[Column[ListedWorker]]:
    return [
        Column(
            "worker",
            "Worker",
            lambda one: worker_link(study, one.participation.pseudonym),
            order=["pseudonym"],
        ),
        Column("state", "State", _state, css="text", order=["state"]),
        *(
            Column(
                f"-{name}",
                heading,
                partial(_units, states=states),
                above="Units",
                muted=True,
                order=[partial(units_in, states)],
            )
            for name, (heading, states) in UNITS.items()
        ),
        *(
            Column(
                f"-{letter}",
                f"({letter})",
                partial(_failures, letter=letter),
                above="Failed checks",
                muted=True,
                order=[partial(failures_of, letter)],
            )
            for letter in CHECKS
        ),
        Column("-seen", "Last seen", lambda one: one.last_seen, order=[last_seen]),
    ]


def _state(one: ListedWorker) -> SafeString:
    kind = one.participation.simulated_kind
    simulated = format_html(' <span class="muted small">simulated, {}</span>', kind) if kind else ""
    return format_html("{}{}", one.participation.get_state_display(), simulated)


class WorkerForm(FilterForm):
    """What is looked for among the workers of a study."""

    worker = TextField("Worker")
    state = ChosenField("State", choices(ParticipationState))
    narrows = {"worker": "pseudonym__icontains", "state": "state"}


@require_safe
@console_page
def workers(request: HttpRequest, slug: str) -> HttpResponseBase:
    study = find_study(request, slug)
    form = WorkerForm(request)
    table = Table(
        request,
        _columns(study),
        heading="workers",
        of="workers",
        sort="-seen",
        form=form,
        css="numbers workers",
        note="Units by how they ended, failed checks by check; times in UTC",
        above={"Failed checks": ("-failures", [failures_of])},
    ).stored(form.filter(Participation.objects.filter(study=study)), listed_workers, ties=["pseudonym"])
    context = {"study": study, "workers": table, "form": form}
    return render(request, "watching/workers.html", context, status=table.status)


@require_http_methods(["GET", "HEAD", "POST"])
@console_page
def worker(request: HttpRequest, slug: str, pseudonym: str) -> HttpResponseBase:
    study = find_study(request, slug)
    if "\0" in pseudonym:
        raise Http404  # PostgreSQL takes no such text, not even to look for it.
    participations = Participation.objects.filter(study=study).annotate(seen=last_seen())
    found = get_object_or_404(participations.select_related("figures"), pseudonym=pseudonym)
    return _act(request, study, found) if request.method == "POST" else _show(request, study, found)


def _act(request: HttpRequest, study: Study, found: Participation) -> HttpResponseBase:
    if not access.may_curate(request.user, study):
        return refuse(request, "You may see this study, but not act on its workers and units.")
    try:
        done = act(worker=found, form=request.POST, now=now(), actor=access.account_of(request.user))
    except RefusedError as refusal:
        form = {"exclude_all": "all", "exclude": request.POST.get("number", "")}.get(
            request.POST.get("action", "")
        )
        messages.error(request, str(refusal), extra_tags=f"reason-{form}" if form else "")
        return _show(request, study, found, typed=request.POST, status=409)
    messages.success(request, done)
    return redirect(request.get_full_path())


def _show(
    request: HttpRequest,
    study: Study,
    found: Participation,
    *,
    typed: QueryDict | None = None,
    status: int = 200,
) -> HttpResponseBase:
    """The page; `typed` is a form that was refused, of which nothing may be lost."""
    attempts = list(found.practice_attempts.order_by().values_list("passed", flat=True))
    page = page_of(request, found.assignments.count(), per_page=UNITS_PER_PAGE)
    units = attempts_of(found, start=page.places.start, stop=page.places.stop)
    events = _event_pages(request, units)
    outside = events_outside_units(found)
    outside_page = page_of(request, outside.count(), key="outside")
    statistics = getattr(found, "figures", None)
    told = stories(units, {attempt: events_page.places for attempt, events_page in events.items()})
    context: dict[str, object] = {
        "study": study,
        "worker": found,
        "practice": {"attempts": len(attempts), "failed": attempts.count(False)},
        "page": page,
        "units": [(story, events[story.assignment.pk]) for story in told],
        "outside": rows_of(outside[outside_page.places.start : outside_page.places.stop]),
        "outside_page": outside_page,
        "shows_codes": access.may_manage(request.user, study),
        "acts": access.may_curate(request.user, study),
        "typed": typed,
        "counted": count_units(found),
        "statistics": statistics,
        "statistic_table": _statistic_table(request, study, statistics) if statistics else None,
        "same_browser": same_browser_reasons(found),
        "may_be_blocked": found.state not in ENDED_PARTICIPATIONS,
    }
    status = max(status, *(one.status for one in (page, outside_page, *events.values())))
    return render(request, "watching/worker.html", context, status=status)


def _statistic_table(request: HttpRequest, study: Study, statistics: WorkerFigures) -> ShownTable:
    compared = beside(study)
    return Table(
        request,
        columns_beside(statistics, compared.medians),
        heading="statistics",
        of="statistics",
        per_page=0,
        note=f"As of {statistics.computed_at:%Y-%m-%d %H:%M} UTC, beside the median of {compared.workers}"
        f" workers with at least {LEAST_UNITS} completed units. A flag is a reason to look: nothing follows"
        " from it by itself",
    ).at_hand(STATISTICS)


def _event_pages(request: HttpRequest, attempts: list[Assignment]) -> dict[int, Pages]:
    """Attempt → the page of its events; with unlimited tries there is no end to them."""
    counts = count_events(attempts)
    return {
        one.pk: page_of(request, counts.get(one.pk, 0), per_page=EVENTS_PER_UNIT, key=f"unit{one.number}")
        for one in attempts
    }
