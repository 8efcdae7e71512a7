"""The page “Your work and your pay”, and what a worker has to do next on the platform."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final, TypedDict

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_safe

from judging.core.selectors.visits import Visit, visits_of
from judging.models import Participation, Study
from judging.protocol.platforms import platform_of
from judging.protocol.states import ENDED_PARTICIPATIONS, LIVE, ParticipationState
from judging.worker.pages.identity import known_browser
from judging.worker.pages.progress import Progress


class Next(StrEnum):
    """What a worker does next."""

    CONTINUE = "continue"
    SUBMIT = "submit"
    """Follow the link that submits the work."""
    ENTER_CODE = "enter_code"
    SUBMIT_IN_FRAME = "submit_in_frame"
    SCREENED_OUT = "screened_out"
    """Follow the link for screened-out workers."""
    LEAVE = "leave"
    """Follow the link for workers without a completed unit."""
    RETURN_IN_FRAME = "return_in_frame"
    RETURN = "return"
    """Return the submission on the platform, which has no link for this."""
    NOTHING = "nothing"


SUBMITS: Final = (Next.SUBMIT, Next.ENTER_CODE, Next.SUBMIT_IN_FRAME)
"""The actions that submit completed work."""


@dataclass(frozen=True)
class NextAction:
    """The next action, with the link of its button or the code to enter. Both are empty if it has none."""

    kind: Next
    link: str = ""
    code: str = ""


def action_without_work(study: Study) -> NextAction:
    """Return the next action of people who have completed nothing or have not agreed to take part."""
    platform = platform_of(study)
    if not platform.is_external:
        return NextAction(Next.NOTHING)
    if platform.framed_by:
        return NextAction(Next.RETURN_IN_FRAME)
    link = platform.no_work_link(study)
    return NextAction(Next.LEAVE, link) if link else NextAction(Next.RETURN)


def action_after(visit: Visit, participation: Participation) -> NextAction:
    """Return the next action on the platform after a visit. Only work of this visit can be submitted."""
    study = participation.study
    platform = platform_of(study)
    units = [payment.unit for payment in visit.completed if payment.unit]
    if not units or not platform.is_external:
        is_out = participation.state == ParticipationState.SCREENED_OUT
        link = platform.screen_out_link(study) if is_out and platform.is_external else ""
        return NextAction(Next.SCREENED_OUT, link) if link else action_without_work(study)
    if platform.framed_by:
        return NextAction(Next.SUBMIT_IN_FRAME)
    # The reward pays for the first unit, so its code stays the same when the worker completes more.
    code = units[0].completion_code or ""
    submission = visit.submission.submission_id if visit.submission else ""
    link = platform.completion_link(study, code=code, submission_id=submission)
    return NextAction(Next.SUBMIT, link) if link else NextAction(Next.ENTER_CODE, code=code)


class WorkAndPay(TypedDict):
    """The template context of a visit."""

    visit: Visit
    other_visits: list[Visit]
    action: NextAction
    is_external: bool


def work_and_pay(progress: Progress, number: int | None = None) -> WorkAndPay:
    """Return the template context of a visit, by default of the latest: its work, its pay, the next action.

    A browser with a claim shows only its own visits. Raise Http404 if there is no visit with this number.
    """
    participation = progress.participation
    visits = visits_of(participation, claim=progress.claim)
    if number is not None and not 1 <= number <= len(visits):
        raise Http404
    own = [visit for visit in visits if not visit.submission or visit.submission.claim == progress.claim]
    visit = (own or visits)[-1] if number is None else visits[number - 1]
    return {
        "visit": visit,
        "other_visits": [other for other in visits if other is not visit and other.payments],
        "action": action_after(visit, participation),
        "is_external": platform_of(participation.study).is_external,
    }


@require_safe
def pay(request: HttpRequest, slug: str, number: int | None = None) -> HttpResponse:
    """Show the work and the pay of a visit. Workers can open this page at any time."""
    browser = known_browser(request, slug)
    if browser is None:
        return redirect("worker:information", slug=slug)
    participation = browser.worker
    progress = Progress(participation, claim=browser.claim)
    context = work_and_pay(progress, number)
    is_live = participation.assignments.filter(state__in=LIVE).exists()
    if is_live and participation.state not in ENDED_PARTICIPATIONS:
        context["action"] = NextAction(Next.CONTINUE)
    return progress.show(request, "worker/pay.html", **context)
