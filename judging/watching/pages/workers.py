"""The page that lists a study's workers, and the page that shows one worker's units and events."""

from collections import Counter
from collections.abc import Sequence
from functools import partial
from typing import Final

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponseBase, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_http_methods, require_safe

from judging.core import access
from judging.core.clock import now
from judging.core.pages.filtering import ChosenField, FilterForm, TextField
from judging.core.pages.guard import console_page, find_study, refuse
from judging.core.pages.page_table import Column, ShownTable, Table
from judging.core.pages.paging import Pages, page_of
from judging.core.pages.scale_words import name_of_numbers
from judging.core.selectors.kinds import workers_of
from judging.core.services.errors import RefusedError
from judging.limits import UNITS_PER_PAGE
from judging.models import Assignment, Participation, Study, WorkerFigures
from judging.models.fields import choices
from judging.protocol.checks import CHECKS
from judging.protocol.proportion import percent
from judging.protocol.states import ENDED_PARTICIPATIONS, LIVE, AssignmentState, ParticipationState
from judging.protocol.worker_flags import LEAST_UNITS
from judging.watching.pages.acts import perform_action
from judging.watching.pages.cells import worker_link
from judging.watching.pages.statistic_cells import comparison_columns, statistics_of
from judging.watching.pages.worker_charts import magnitudes_chart, others_chart, workers_chart
from judging.watching.pages.worker_pair import PairForm
from judging.watching.selectors.event_list import rows_of
from judging.watching.selectors.evidence import evidence_of
from judging.watching.selectors.same_browser import same_browser_reasons
from judging.watching.selectors.shared_documents import judgments_by_others
from judging.watching.selectors.worker_list import (
    ListedWorker,
    failures_of,
    last_seen,
    listed_workers,
    units_in,
)
from judging.watching.selectors.worker_statistics import medians_of, workers_to_draw
from judging.watching.selectors.worker_story import (
    UnitStory,
    attempts_of,
    count_events,
    count_units,
    events_outside_units,
    stories,
)

EVENTS_PER_UNIT = 20
MOST_SUGGESTED = 50
UNITS: Final = {
    "live": (_("Live"), LIVE),
    "completed": (_("Completed"), (AssignmentState.COMPLETED,)),
    "question": (_("Question failed"), (AssignmentState.COMPREHENSION_FAILED,)),
    "tries": (_("No attempts left"), (AssignmentState.CHECKS_FAILED,)),
    "lapsed": (_("Lapsed"), (AssignmentState.LAPSED,)),
    "returned": (_("Returned"), (AssignmentState.RETURNED,)),
    "cancelled": (_("Cancelled"), (AssignmentState.CANCELLED,)),
    "reported": (_("Document reported"), (AssignmentState.REPORTED,)),
}
"""The columns that count units by state. Maps each column's name to its heading and to the states it counts.
"""


def _units(worker: ListedWorker, *, states: Sequence[str]) -> int:
    return sum(worker.units.get(state, 0) for state in states)


def _failures(worker: ListedWorker, *, letter: str) -> int | None:
    return worker.failures.get(letter, None if worker.participation.from_file else 0)


def _columns(study: Study) -> list[Column[ListedWorker]]:
    return [
        Column(
            "worker",
            _("Worker"),
            lambda worker: worker_link(study, worker.participation.pseudonym),
            order=["pseudonym"],
        ),
        Column("state", _("State"), _state, css="text", order=["state"]),
        *(
            Column(
                f"-{name}",
                heading,
                partial(_units, states=states),
                above=_("Units"),
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
                above=_("Failed checks"),
                muted=True,
                order=[partial(failures_of, letter)],
            )
            for letter in CHECKS
        ),
        Column("-seen", _("Last seen"), lambda worker: worker.last_seen, order=[last_seen]),
    ]


def _state(worker: ListedWorker) -> SafeString:
    state, kind = gettext(worker.participation.get_state_display()), worker.participation.behaviour
    if not kind:
        return format_html("{}", state)
    simulated = gettext("simulated, {kind}").format(kind=kind)
    return format_html('{} <span class="muted small">{}</span>', state, simulated)


def _states() -> list[tuple[str, str]]:
    return [(state, gettext(label)) for state, label in choices(ParticipationState)]


class WorkerForm(FilterForm):
    """Filters the workers of a study."""

    worker = TextField(_("Worker"))
    state = ChosenField(_("State"), _states)
    narrows = {"worker": "pseudonym__icontains", "state": "state"}


@require_safe
@console_page
def workers(request: HttpRequest, slug: str) -> HttpResponseBase:
    study = find_study(request, slug)
    form = WorkerForm(request)
    listed = form.filter(workers_of(study))
    table = Table(
        request,
        _columns(study),
        heading="workers",
        of=_("workers"),
        sort="-seen",
        form=form,
        css="numbers workers",
        note=_("How units ended, and how often each worker failed each check. Times are in UTC."),
        above={_("Failed checks"): ("-failures", [failures_of])},
    ).stored(listed, listed_workers, ties=["pseudonym"])
    drawn = workers_to_draw(listed) if table.count else None
    known = [row.pseudonym for row in drawn.rows[:MOST_SUGGESTED]] if drawn else []
    context = {
        "study": study,
        "workers": table,
        "form": form,
        "worker_chart": workers_chart(study, drawn) if drawn and drawn.listed else None,
        "pair_form": PairForm(study, known=known),
    }
    return render(request, "watching/workers.html", context, status=table.status)


@require_http_methods(["GET", "HEAD", "POST"])
@console_page
def worker(request: HttpRequest, slug: str, pseudonym: str) -> HttpResponseBase:
    study = find_study(request, slug)
    if "\0" in pseudonym:
        raise Http404  # PostgreSQL refuses this character even in a query.
    participations = Participation.objects.filter(study=study).annotate(seen=last_seen())
    worker = get_object_or_404(participations.select_related("figures"), pseudonym=pseudonym)
    return _act(request, study, worker) if request.method == "POST" else _show(request, study, worker)


def _act(request: HttpRequest, study: Study, worker: Participation) -> HttpResponseBase:
    if not access.may_curate(request.user, study):
        return refuse(
            request, _("You cannot manage the workers and units of this study. Ask one of its owners.")
        )
    if request.POST.get("action") == "clear_record" and not access.may_pay(request.user, study):
        return refuse(request, _("Only owners can do this, because held payments become due."))
    try:
        confirmation = perform_action(
            worker=worker, form=request.POST, now=now(), actor=access.account_of(request.user)
        )
    except RefusedError as refusal:
        form = {"exclude_all": "all", "exclude": request.POST.get("number", "")}.get(
            request.POST.get("action", "")
        )
        messages.error(request, str(refusal), extra_tags=f"reason-{form}" if form else "")
        return _show(request, study, worker, typed=request.POST, status=409)
    messages.success(request, confirmation)
    return redirect(request.get_full_path())


def _show(
    request: HttpRequest,
    study: Study,
    worker: Participation,
    *,
    typed: QueryDict | None = None,
    status: int = 200,
) -> HttpResponseBase:
    """Return the page. `typed` is a form that was refused. The page shows the typed values again."""
    attempts = list(worker.practice_attempts.order_by().values_list("passed", flat=True))
    page = page_of(request, worker.assignments.count(), per_page=UNITS_PER_PAGE)
    units = attempts_of(worker, start=page.places.start, stop=page.places.stop)
    events = _event_pages(request, units)
    outside = events_outside_units(worker)
    outside_page = page_of(request, outside.count(), key="outside")
    statistics = getattr(worker, "figures", None)
    unit_stories = stories(units, {attempt: events_page.places for attempt, events_page in events.items()})
    context: dict[str, object] = {
        "study": study,
        "worker": worker,
        "practice": {"attempts": len(attempts), "failed": attempts.count(False)},
        "page": page,
        "units": [(story, events[story.assignment.pk]) for story in unit_stories],
        "outside": rows_of(outside[outside_page.places.start : outside_page.places.stop]),
        "outside_page": outside_page,
        "numbers": name_of_numbers(study),
        "shows_codes": access.may_manage(request.user, study),
        "acts": access.may_curate(request.user, study),
        "may_pay": access.may_pay(request.user, study),
        "typed": typed,
        "counted": count_units(worker),
        "statistics": statistics,
        "statistic_table": _statistic_table(request, study, statistics) if statistics else None,
        **_charts(study, worker, unit_stories),
        "same_browser": same_browser_reasons(worker),
        **_evidence(study, worker),
        "may_be_blocked": worker.state not in ENDED_PARTICIPATIONS,
    }
    status = max(status, *(part.status for part in (page, outside_page, *events.values())))
    return render(request, "watching/worker.html", context, status=status)


def _charts(study: Study, worker: Participation, units: Sequence[UnitStory]) -> dict[str, object]:
    """Return the charts of the worker's magnitudes, and the form to compare the worker with another one.

    The form suggests the workers who have the most judged documents in common with this worker. If there are
    no magnitudes, there are no charts. This takes at most one query.
    """
    judgments = [judgment for unit in units for judgment in unit.judgments]
    if not judgments:
        return {"charts": [], "pair_form": PairForm(study, first=worker.pseudonym)}
    others = judgments_by_others(worker, judgments)
    nearest = Counter(judgment.worker for judgment in others).most_common(MOST_SUGGESTED)
    return {
        "charts": [magnitudes_chart(study, worker, units), others_chart(study, units, others)],
        "pair_form": PairForm(study, first=worker.pseudonym, known=[name for name, _number in nearest]),
    }


def _evidence(study: Study, worker: Participation) -> dict[str, object]:
    """Return the template context with evidence from the worker's browser.

    The context is empty if the study keeps no evidence.
    """
    if study.evidence == "none":
        return {}
    evidence = evidence_of(worker)
    away = evidence.away_share
    return {"evidence": evidence, "away": None if away is None else percent(away)}


def _statistic_table(request: HttpRequest, study: Study, statistics: WorkerFigures) -> ShownTable:
    medians = medians_of(study)
    return Table(
        request,
        comparison_columns(statistics, medians.figures),
        heading="statistics",
        of=_("statistics"),
        per_page=0,
        note=ngettext(
            "As of {time} UTC. The medians cover {workers} worker with at least {units} completed units."
            " A flag means that a worker is worth checking. The worker’s judgments still count.",
            "As of {time} UTC. The medians cover {workers} workers with at least {units} completed units."
            " A flag means that a worker is worth checking. The worker’s judgments still count.",
            medians.workers,
        ).format(time=f"{statistics.computed_at:%Y-%m-%d %H:%M}", workers=medians.workers, units=LEAST_UNITS),
    ).at_hand(statistics_of(study))


def _event_pages(request: HttpRequest, attempts: list[Assignment]) -> dict[int, Pages]:
    """Return a dict from the primary key of each attempt to the page of events to show for this attempt.

    An attempt can have many events if the study does not limit how often a worker can try to finish a unit.
    """
    counts = count_events(attempts)
    return {
        attempt.pk: page_of(
            request, counts.get(attempt.pk, 0), per_page=EVENTS_PER_UNIT, key=f"unit{attempt.number}"
        )
        for attempt in attempts
    }
