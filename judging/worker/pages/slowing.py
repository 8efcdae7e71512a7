"""The page that asks workers to wait, with a button that sends the same form again."""

from datetime import datetime
from math import ceil

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from judging.core.observing.address import address_of
from judging.core.pages.errors import TYPED
from judging.core.services.pace import ARRIVALS_FROM_ADDRESS, FORMS_OF_WORKER, RESERVATIONS_FROM_ADDRESS
from judging.models import Participation, Study
from judging.worker.services.address_limit import AddressFullError


def limit_forms(request: HttpRequest, participation: Participation) -> HttpResponse | None:
    """Count a form that a worker sends.

    If the worker has sent too many forms, return the page that asks the worker to wait. Otherwise, return
    None.
    """
    if not FORMS_OF_WORKER.exceeded(str(participation.pk)):
        return None
    reason = _("You have sent too many forms in one minute. Wait a minute, then send this form again.")
    return _waiting_page(request, participation.study, reason, seconds=FORMS_OF_WORKER.seconds)


def limit_arrivals(request: HttpRequest, study: Study) -> HttpResponse | None:
    """Count a new participation from the IP address of the request.

    If too many people have started from this IP address, return the page that asks the worker to wait.
    Otherwise, return None.
    """
    if not ARRIVALS_FROM_ADDRESS.exceeded(address_of(request)):
        return None
    reason = _(
        "Too many people on your network have started in the last hour. Try again later, or use another"
        " network. You never have to wait longer than an hour. We have not stored anything about you."
    )
    return _waiting_page(request, study, reason, seconds=ARRIVALS_FROM_ADDRESS.seconds, before_consent=True)


def limit_reservations(request: HttpRequest, study: Study) -> HttpResponse | None:
    """Return a page that asks the worker to wait, or None if the worker does not have to wait.

    The worker has to wait if too many units were reserved from this IP address in the current window of
    one hour.
    """
    if not RESERVATIONS_FROM_ADDRESS.used_up(address_of(request)):
        return None
    reason = _(
        "People on your network have started too many sets of documents in the last hour. Try again later,"
        " or use another network. You never have to wait longer than an hour."
    )
    return _waiting_page(
        request, study, f"{reason} {_assurance(study)}", seconds=RESERVATIONS_FROM_ADDRESS.seconds
    )


def count_reservation(request: HttpRequest) -> None:
    """Count a unit that was reserved from the IP address of the request."""
    RESERVATIONS_FROM_ADDRESS.count(address_of(request))


def address_full(request: HttpRequest, study: Study, error: AddressFullError, now: datetime) -> HttpResponse:
    """Return the page that asks the worker to wait until fewer units are reserved from this IP address."""
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
        "Try again in a few minutes. You should not have to wait longer than {n} minutes.",
        minutes,
    ).format(n=minutes)
    return _waiting_page(request, study, f"{full} {wait} {_assurance(study)}", seconds=seconds)


def _assurance(study: Study) -> str:
    """Return sentences that reassure a worker who has to wait: completed work is kept and paid."""
    if study.pay_per_unit:
        return _(
            "We will keep what you have done. You will still be paid for completed sets, but not for waiting."
        )
    return _("We will keep what you have done.")


def _waiting_page(
    request: HttpRequest, study: Study, reason: str, *, seconds: int, before_consent: bool = False
) -> HttpResponse:
    fields = {name: text for name, text in request.POST.items() if name != "csrfmiddlewaretoken"}
    context = {
        "study": study,
        "reason": reason,
        "fields": fields,
        "before_consent": before_consent,
        "can_send": request.method == "POST",
        "typed": [text for name in TYPED if (text := fields.get(name, ""))],
    }
    answer = render(request, "worker/slow.html", context, status=429)
    answer["Retry-After"] = str(seconds)
    return answer
