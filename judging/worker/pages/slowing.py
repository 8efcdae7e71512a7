"""The page for requests that come too fast, with a button that sends the same form again."""

from datetime import datetime
from math import ceil
from typing import Final

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from judging.core.observing.address import address_of
from judging.core.services.pace import ARRIVALS_FROM_ADDRESS, FORMS_OF_WORKER, RESERVATIONS_FROM_ADDRESS
from judging.models import Participation, Study
from judging.worker.services.address_limit import AddressFullError

_SHOWN: Final = ("magnitude", "justification")


def too_quick(request: HttpRequest, participation: Participation) -> HttpResponse | None:
    """Count a form that a worker sends.

    If there were too many, return the page that asks the worker to wait.
    """
    if not FORMS_OF_WORKER.exceeded(str(participation.pk)):
        return None
    why = _("You have sent too many forms in one minute. Wait a minute, then send this form again.")
    return _stopped(request, participation.study, why, seconds=FORMS_OF_WORKER.seconds)


def too_many(request: HttpRequest, study: Study) -> HttpResponse | None:
    """Count a new participation. Return the page that asks to wait if the address has had too many."""
    if not ARRIVALS_FROM_ADDRESS.exceeded(address_of(request)):
        return None
    why = _(
        "Too many people on your network have started within an hour. Try again later, or use another"
        " network. You never have to wait longer than an hour. We have not stored anything about you."
    )
    return _stopped(request, study, why, seconds=ARRIVALS_FROM_ADDRESS.seconds, before_consent=True)


def too_many_reserved(request: HttpRequest, study: Study) -> HttpResponse | None:
    """Return the page that asks to wait if the address has reserved too many units within an hour."""
    if not RESERVATIONS_FROM_ADDRESS.used_up(address_of(request)):
        return None
    why = _(
        "People on your network have started too many sets of documents within an hour. Try again later, or"
        " use another network. You never have to wait longer than an hour."
    )
    return _stopped(request, study, f"{why} {_kept(study)}", seconds=RESERVATIONS_FROM_ADDRESS.seconds)


def count_reservation(request: HttpRequest) -> None:
    """Count a unit that was reserved from the address that sent the request."""
    RESERVATIONS_FROM_ADDRESS.count(address_of(request))


def address_full(request: HttpRequest, study: Study, error: AddressFullError, now: datetime) -> HttpResponse:
    """Return the page for a worker whose address holds as many units as the study allows."""
    seconds = max(1, ceil((error.free_at - now).total_seconds()))
    minutes = ceil(seconds / 60)
    full = ngettext(
        "Someone on your network is judging a set of documents now."
        " This study allows only one set at a time on each network.",
        "People on your network are judging {n} sets of documents now."
        " This study allows only {n} sets at a time on each network.",
        study.reservations_per_address,
    ).format(n=study.reservations_per_address)
    wait = ngettext(
        "Try again in a minute.",
        "Try again in a few minutes. You never have to wait longer than {n} minutes.",
        minutes,
    ).format(n=minutes)
    return _stopped(request, study, f"{full} {wait} {_kept(study)}", seconds=seconds)


def _kept(study: Study) -> str:
    """Return what happens to the work and the pay of a worker who has to wait."""
    if study.pay_per_unit:
        return _(
            "We will keep what you have done. You will still be paid for completed sets, but not for waiting."
        )
    return _("We will keep what you have done.")


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
