"""Keeping a worker on the way: the server knows the step, a page only shows it."""

from collections.abc import Callable
from datetime import datetime
from functools import cached_property, wraps
from random import Random
from secrets import SystemRandom

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.crypto import salted_hmac
from django.views.decorators.http import require_http_methods

from judging.core import clock
from judging.core.observing.address import address_of
from judging.core.pages.errors import cookie_missing
from judging.models import Assignment, Participation, Study
from judging.protocol.states import AssignmentState, ParticipationState
from judging.protocol.steps import Step, next_step
from judging.worker.pages.slowing import address_full, too_quick
from judging.worker.pages.who import known_worker
from judging.worker.selectors.participations import current_assignment, state_of
from judging.worker.services.address_limit import AddressFullError
from judging.worker.services.leaving import resume_lapsed_unit

dice: Random = SystemRandom()


class Way:
    """Where a worker stands; its assignment is read once, when first asked for."""

    def __init__(self, participation: Participation) -> None:
        self.participation = participation

    @property
    def study(self) -> Study:
        return self.participation.study

    @cached_property
    def assignment(self) -> Assignment | None:
        """The live assignment, else the last one that ended."""
        return current_assignment(self.participation)

    @property
    def attempt(self) -> Assignment:
        """The same on the pages of units, which nobody reaches without one."""
        assert self.assignment is not None
        return self.assignment

    @property
    def drafts(self) -> str:
        """The name by which the worker's browser keeps what was typed; it tells nothing about the unit."""
        secret = f"{self.participation.token}/{self.attempt.number}"
        return salted_hmac("plumbline.draft", secret).hexdigest()[:16]

    def overdue(self, moment: datetime) -> bool:
        """Whether the time of the live unit ran out without anybody having noticed yet."""
        return self.assignment is not None and self.assignment.live and self.assignment.lapses_at <= moment

    def show(self, request: HttpRequest, template: str, **context: object) -> HttpResponse:
        """Render a page, whose template takes the study and the way besides its context."""
        return render(request, template, {"study": self.study, "way": self, **context})

    @property
    def step(self) -> Step:
        current = self.assignment
        return next_step(
            ParticipationState(self.participation.state),
            live=AssignmentState(current.state) if current and current.live else None,
            had_units=current is not None,
        )


def to_step(participation: Participation) -> HttpResponse:
    """Redirect to the page of the step that is current now, after whatever a service has changed."""
    participation.state = state_of(participation)
    return redirect(f"worker:{Way(participation).step}", slug=participation.study.slug)


def page_of(step: Step) -> Callable[[Callable[..., HttpResponse]], Callable[..., HttpResponse]]:
    """Mark a view as the page of a step.

    Unknown workers are led to the way in, and a GET at the wrong step to the right one. A POST always reaches
    its view: an old form must be answered by what it says, never dropped; without a cookie it is given back,
    and one of far too many is, too. So is a request for a unit at an address that holds all it may.
    """

    def decorate(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
        @wraps(view)
        def guarded(request: HttpRequest, slug: str) -> HttpResponse:
            participation = known_worker(request, slug)
            if participation is None and request.method == "POST":
                return cookie_missing(request)
            if participation is None:
                return redirect("worker:information", slug=slug)
            way = Way(participation)
            if request.method == "POST" and (slowed := too_quick(request, way.participation)):
                return slowed
            moment = clock.when(participation.read_at)
            try:
                if request.method != "POST" and way.overdue(moment):
                    return _resume(request, way, moment)
                if request.method != "POST" and way.step != step:
                    return redirect(f"worker:{way.step}", slug=slug)
                return view(request, way, moment)
            except AddressFullError as error:
                return address_full(request, way.study, error, moment)

        return require_http_methods(["GET", "HEAD", "POST"])(guarded)

    return decorate


def _resume(request: HttpRequest, way: Way, now: datetime) -> HttpResponse:
    """Go on with a unit that is overdue, where that can be; to the step that is current then."""
    resume_lapsed_unit(
        participation=way.participation,
        number=way.attempt.number,
        now=now,
        address=address_of(request),
    )
    return to_step(way.participation)


def typed(request: HttpRequest, name: str) -> str:
    """What was typed into a field: line ends as one character, and no NUL, which no database takes."""
    return request.POST.get(name, "").replace("\0", "").replace("\r\n", "\n")


def whole(request: HttpRequest, name: str) -> int:
    """A number of a hidden field; -1, which fits nothing, where it is none."""
    text = request.POST.get(name, "")
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else -1
