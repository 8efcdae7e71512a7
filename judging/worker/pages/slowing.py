"""Too much at once: a page that says so, with all that was sent and a button that sends it again."""

from datetime import datetime
from math import ceil
from typing import Final

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from judging.core.observing.address import address_of
from judging.core.services.pace import ARRIVALS_FROM_ADDRESS, FORMS_OF_WORKER, RESERVATIONS_FROM_ADDRESS
from judging.models import Participation, Study
from judging.worker.services.address_limit import AddressFullError

_SHOWN: Final = ("magnitude", "justification")


def too_quick(request: HttpRequest, participation: Participation) -> HttpResponse | None:
    """Count a form of a worker; the page that stops it where there were too many."""
    if not FORMS_OF_WORKER.exceeded(str(participation.pk)):
        return None
    why = "You have sent too many forms within a minute. Wait for a minute, then send this one again."
    return _stopped(request, participation.study, why, seconds=FORMS_OF_WORKER.seconds)


def too_many(request: HttpRequest, study: Study) -> HttpResponse | None:
    """Count somebody who begins; the page that stops them where too many did from the same address."""
    if not ARRIVALS_FROM_ADDRESS.exceeded(address_of(request)):
        return None
    why = (
        "Too many people on your network have started within an hour. Send this again later, or use another"
        " network. You never have to wait longer than an hour. Nothing about you was stored."
    )
    return _stopped(request, study, why, seconds=ARRIVALS_FROM_ADDRESS.seconds, before_consent=True)


def too_many_reserved(request: HttpRequest, study: Study) -> HttpResponse | None:
    """Return the page that stops a reservation if too many were made from the same address within an hour."""
    if not RESERVATIONS_FROM_ADDRESS.used_up(address_of(request)):
        return None
    why = (
        "Workers on your network have taken too many sets of documents within an hour. Try again later, or"
        f" use another network. You never have to wait longer than an hour. {_kept(study)}"
    )
    return _stopped(request, study, why, seconds=RESERVATIONS_FROM_ADDRESS.seconds)


def count_reservation(request: HttpRequest) -> None:
    """Count a unit that was reserved from the address of the request."""
    RESERVATIONS_FROM_ADDRESS.count(address_of(request))


def address_full(request: HttpRequest, study: Study, error: AddressFullError, now: datetime) -> HttpResponse:
    """Return the page for a worker at whose address as many units are held as the study allows."""
    seconds = max(1, ceil((error.free_at - now).total_seconds()))
    minutes = ceil(seconds / 60)
    why = (
        f"Workers on your network are judging {study.reservations_per_address} sets of documents now."
        f" This study allows no more at the same time. {_kept(study)}"
        " Try again in a few minutes, when somebody on your network has finished."
        f" The next place becomes free in {minutes} minute{'s' if minutes > 1 else ''} at the latest."
    )
    return _stopped(request, study, why, seconds=seconds)


def _kept(study: Study) -> str:
    """Return what a worker who has to wait keeps, and what is not paid."""
    paid = " Completed sets stay paid, and waiting is not paid." if study.pay_per_unit else ""
    return f"What you have done stays as it is.{paid}"


def _stopped(
    request: HttpRequest, study: Study, why: str, *, seconds: int, before_consent: bool = False
) -> HttpResponse:
    sent = {name: text for name, text in request.POST.items() if name != "csrfmiddlewaretoken"}
    context = {
        "study": study,
        "why": why,
        "sent": sent,
        "before_consent": before_consent,
        "can_send": request.method == "POST",
        "typed": [text for name in _SHOWN if (text := sent.get(name, ""))],
    }
    answer = render(request, "worker/slow.html", context, status=429)
    answer["Retry-After"] = str(seconds)
    return answer
