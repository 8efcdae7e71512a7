"""Too many forms: a page that says so, with all that was sent and a button that sends it again."""

from typing import Final

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from judging.models import Participation, Study
from judging.observing.address import address_of
from judging.services.pace import ARRIVALS_FROM_ADDRESS, FORMS_OF_WORKER, Pace

_SHOWN: Final = ("magnitude", "justification")


def too_quick(request: HttpRequest, participation: Participation) -> HttpResponse | None:
    """Count a form of a worker; the page that stops it where there were too many."""
    if not FORMS_OF_WORKER.exceeded(str(participation.pk)):
        return None
    why = "Very many forms came from you within a minute. Wait for a minute, then send this one again."
    return _stopped(request, participation.study, FORMS_OF_WORKER, why)


def too_many(request: HttpRequest, study: Study) -> HttpResponse | None:
    """Count somebody who begins; the page that stops them where too many did from the same address."""
    if not ARRIVALS_FROM_ADDRESS.exceeded(address_of(request)):
        return None
    why = (
        "Very many people have begun from the network that you are in. Wait for a while, at most an hour,"
        " then send this again, or use another network. Nothing about you was stored."
    )
    return _stopped(request, study, ARRIVALS_FROM_ADDRESS, why, before_consent=True)


def _stopped(
    request: HttpRequest, study: Study, pace: Pace, why: str, *, before_consent: bool = False
) -> HttpResponse:
    sent = {name: text for name, text in request.POST.items() if name != "csrfmiddlewaretoken"}
    context = {
        "study": study,
        "why": why,
        "sent": sent,
        "before_consent": before_consent,
        "typed": [text for name in _SHOWN if (text := sent.get(name, ""))],
    }
    answer = render(request, "worker/slow.html", context, status=429)
    answer["Retry-After"] = str(pace.seconds)
    return answer
