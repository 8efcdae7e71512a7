"""Decides a worker's current step and redirects to its page."""

from collections.abc import Callable
from datetime import datetime
from functools import cached_property, wraps
from random import Random
from secrets import SystemRandom
from typing import Final

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.crypto import salted_hmac
from django.views.decorators.http import require_http_methods

from judging.core import clock
from judging.core.observing.address import address_of
from judging.core.pages.errors import cookie_missing
from judging.models import Assignment, Participation, PracticeAttempt, Study
from judging.protocol.states import AssignmentState, ParticipationState
from judging.protocol.steps import Step, next_step
from judging.worker.pages.cookies import cookies_blocked
from judging.worker.pages.identity import STARTED, known_browser
from judging.worker.pages.slowing import address_full, limit_forms
from judging.worker.selectors.participations import current_assignment, state_of
from judging.worker.services.address_limit import AddressFullError
from judging.worker.services.leaving import resume_lapsed_unit

system_random: Random = SystemRandom()
MOVED: Final = "moved"
"""The parameter of an address to which the worker was redirected from a page that is not the current one."""

_NUMBERED: Final = (Step.PRACTICE, Step.TOPIC, Step.JUDGE)
"""The steps whose addresses have numbers."""


class Progress:
    """A worker's participation, assignment and current step. The assignment is loaded once, when needed.

    `claim` is the claim of the browser, or "" if the browser is proven to be the worker's.
    """

    def __init__(self, participation: Participation, *, claim: str = "") -> None:
        self.participation = participation
        self.claim = claim

    @property
    def study(self) -> Study:
        return self.participation.study

    @cached_property
    def assignment(self) -> Assignment | None:
        """Return the live assignment. If there is none, return the last one that ended, or None."""
        return current_assignment(self.participation)

    @property
    def attempt(self) -> Assignment:
        """Return the assignment. Use this only on pages that workers without an assignment cannot reach."""
        assert self.assignment is not None
        return self.assignment

    @cached_property
    def practice(self) -> PracticeAttempt | None:
        """Return the open attempt at the practice task, or None."""
        return PracticeAttempt.objects.filter(participation=self.participation, passed__isnull=True).first()

    @property
    def may_end_unit(self) -> bool:
        """Return whether this browser can return the unit or report a document.

        A browser with a claim can end only the units that it reserved.
        """
        return not self.claim or self.attempt.claim == self.claim

    @property
    def drafts(self) -> str:
        """Return the name under which the browser stores drafts. It reveals nothing about the unit."""
        secret = f"{self.participation.token}/{self.attempt.number}"
        return salted_hmac("plumbline.draft", secret).hexdigest()[:16]

    def is_overdue(self, moment: datetime) -> bool:
        """Return whether the live unit's time has run out."""
        return self.assignment is not None and self.assignment.live and self.assignment.lapses_at <= moment

    def show(
        self, request: HttpRequest, template: str, *, status: int = 200, **context: object
    ) -> HttpResponse:
        """Render a page. Its template gets the study and this object, as well as `context`."""
        return render(request, template, {"study": self.study, "progress": self, **context}, status=status)

    @property
    def step(self) -> Step:
        current = self.assignment
        return next_step(
            ParticipationState(self.participation.state),
            live=AssignmentState(current.state) if current and current.live else None,
            had_units=current is not None,
        )

    @property
    def place(self) -> dict[str, int]:
        """Return the numbers in the address of the current step. Fields of its form have the same names."""
        if self.step == Step.PRACTICE and self.practice:
            return {"attempt": self.practice.number, "line": len(self.practice.magnitudes)}
        if self.step == Step.TOPIC:
            return {"number": self.attempt.number}
        if self.step == Step.JUDGE:
            return {"number": self.attempt.number, "position": self.attempt.cursor}
        return {}

    @property
    def address(self) -> str:
        """Return the address of the current step."""
        place = self.place
        name = self.step if place or self.step not in _NUMBERED else f"{self.step}_now"
        return reverse(f"worker:{name}", kwargs={"slug": self.study.slug, **place})


def not_proven(request: HttpRequest, progress: Progress) -> HttpResponse:
    """Return the page that says in which browser a worker can do what this browser with a claim cannot."""
    return progress.show(request, "worker/not_proven.html", status=403)


def to_step(participation: Participation) -> HttpResponse:
    """Redirect to the page of the worker's current step. Call this after a service has changed the state."""
    participation.state = state_of(participation)
    return redirect(Progress(participation).address)


def page_of(step: Step) -> Callable[[Callable[..., HttpResponse]], Callable[..., HttpResponse]]:
    """Return a decorator that makes a view the page of a step.

    A GET from an unknown worker is redirected to the information page, or gets a page about cookies if the
    worker has certainly started. A GET of any address but that of the current step is redirected to it. A
    POST at the wrong step still reaches its view, so every view must handle forms from earlier pages. A POST
    without a cookie gets a page that shows what the worker typed. If a worker sends too many forms, a page
    asks the worker to wait. The same page appears if too many units are reserved from the worker's IP
    address. It has a button that sends the form again.
    """

    def decorate(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
        @wraps(view)
        def guarded(request: HttpRequest, slug: str, **place: int) -> HttpResponse:
            browser = known_browser(request, slug)
            if browser is None and request.method == "POST":
                return cookie_missing(request)
            if browser is None and (place or STARTED in request.GET):
                return cookies_blocked(request, slug)
            if browser is None:
                return redirect("worker:information", slug=slug)
            progress = Progress(browser.worker, claim=browser.claim)
            if request.method == "POST" and (slowed := limit_forms(request, progress.participation)):
                return slowed
            moment = clock.now()
            try:
                if request.method != "POST" and progress.is_overdue(moment):
                    return _resume(request, progress, moment)
                is_elsewhere = progress.study.slug != slug  # the worker is in another arm
                if request.method != "POST" and (
                    is_elsewhere or progress.step != step or progress.place != place
                ):
                    # Only a page that was seen before has numbers in its address.
                    return redirect(f"{progress.address}?{MOVED}=yes" if place else progress.address)
                if request.method != "POST" and STARTED in request.GET:
                    return redirect(progress.address)
                return view(request, progress, moment)
            except AddressFullError as error:
                return address_full(request, progress.study, error, moment)

        return require_http_methods(["GET", "HEAD", "POST"])(guarded)

    return decorate


def _resume(request: HttpRequest, progress: Progress, now: datetime) -> HttpResponse:
    """Resume an overdue unit if possible, then redirect to the current step."""
    resume_lapsed_unit(
        participation=progress.participation,
        number=progress.attempt.number,
        now=now,
        address=address_of(request),
    )
    return to_step(progress.participation)


def read_text(request: HttpRequest, name: str) -> str:
    """Return the text of a field with Unix line endings. Remove NUL, a character that databases refuse."""
    return request.POST.get(name, "").replace("\0", "").replace("\r\n", "\n")


def read_number(request: HttpRequest, name: str) -> int:
    """Return the number in a field.

    If the text is not a whole number of at most 9 digits, return -1, which matches nothing. Do the same if
    the address holds another number of this name, because the form then belongs to another page.
    """
    text = request.POST.get(name, "")
    number = int(text) if text.isascii() and text.isdigit() and len(text) < 10 else -1
    place = request.resolver_match.kwargs if request.resolver_match else {}
    return number if place.get(name, number) == number else -1
