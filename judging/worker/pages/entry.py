"""The information page with the consent form, and the link that returning workers use."""

from dataclasses import replace
from urllib.parse import urlsplit

from django.db import transaction
from django.http import HttpRequest, HttpResponse, HttpResponseBadRequest, HttpResponseForbidden
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_safe

from judging.core.clock import now
from judging.core.selectors.erased import was_erased
from judging.core.services.errors import RefusedError
from judging.models import Study
from judging.protocol import codes
from judging.protocol.platforms import platform_of
from judging.protocol.platforms.base import Arrival
from judging.worker.pages.frame import frame, is_framed, read_entry
from judging.worker.pages.identity import (
    find_study,
    find_worker,
    known_worker,
    read_arrival,
    remember,
    sign_arrival,
)
from judging.worker.pages.pay import action_without_work
from judging.worker.pages.progress import system_random, to_step
from judging.worker.pages.refusals import ERASED_ID, FLAWS, USED, refusal_page, refuse_link
from judging.worker.pages.returning import come_back, let_in
from judging.worker.pages.slowing import limit_arrivals
from judging.worker.selectors.links import link_by_token
from judging.worker.selectors.offer import no_work_at, range_of
from judging.worker.selectors.participations import find_by_platform_id
from judging.worker.selectors.signed_links import Flaw
from judging.worker.services.arrival import give_consent
from judging.worker.services.drawing import NoWorkError
from judging.worker.services.entries import claim_entry


@csrf_exempt  # New visitors have no cookie, so `_is_from_another_site` checks the origin.
@require_http_methods(["GET", "HEAD", "POST"])
def information(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the information and the consent form. Redirect known workers to their current step.

    The address of a further arm leads everybody else to the front, which draws an arm after consent.
    """
    study = find_study(request, slug)
    if study.front is not None:
        return _to_front(request, study)
    arrival = platform_of(study).arrival(study, request.GET)
    if arrival.too_long:
        return HttpResponseBadRequest(
            _("The id in this link is too long. Go back to the platform and open the study again.")
        )
    if is_framed(study, request.GET):
        return frame(request, study)
    entry = read_entry(study, request.GET)
    if isinstance(entry, Flaw):
        return refuse_link(request, study, replace(FLAWS[entry], by_platform=True))
    arrival, token = (entry.arrival, entry.token) if entry else (arrival, "")
    if request.method == "POST" and _is_from_another_site(request):
        return HttpResponseForbidden(
            _("This form came from another site. Open the page of the study and send the form there.")
        )
    if answer := _redirect_or_refusal(request, study, arrival, token):
        return answer
    if request.method == "POST":
        if request.POST.get("consent") == "yes":
            return _consent(request, study, arrival, token)
        if request.POST.get("consent") == "no":
            return render(request, "worker/goodbye.html", _study_and_action(study))
    return render(
        request,
        "worker/information.html",
        {
            **_study_and_action(study),
            "platform_id": arrival.platform_id,
            "offer": range_of(study),
            "arrival": sign_arrival(slug, codes.token(system_random)),
            "no_work": no_work_at(study, now=now(), kind=_kind_of(study, arrival)),
            "faults": {"consent": _("Choose one of the two buttons.")} if request.method == "POST" else {},
        },
    )


def _to_front(request: HttpRequest, arm: Study) -> HttpResponse:
    """Redirect a worker of an arm to the current step, and everybody else to the front with the same ids."""
    known = known_worker(request, arm.slug)
    if known and platform_of(arm).arrival(arm, request.GET).anonymous:
        return to_step(known)
    front = reverse("worker:information", args=[arm.entrance.slug])
    query = request.GET.urlencode()
    return redirect(f"{front}?{query}" if query else front)


def _kind_of(study: Study, arrival: Arrival) -> str:
    """Return the kind of judge that a personal link is for, or "" for any other link."""
    link = link_by_token(study, arrival.link) if arrival.link else None
    return link.kind if link else ""


def _is_from_another_site(request: HttpRequest) -> bool:
    """Return whether the browser says that another site sent the form."""
    origin = request.headers.get("Origin")
    if origin is not None:
        return urlsplit(origin).netloc != request.get_host()
    return request.headers.get("Sec-Fetch-Site", "same-origin") not in {"same-origin", "none"}


def _redirect_or_refusal(
    request: HttpRequest, study: Study, arrival: Arrival, token: str
) -> HttpResponse | None:
    """Return a redirect for a known worker, or the page that refuses a link.

    Return None if the visitor can start. An id or a personal link takes precedence over the cookie, because
    several people can share a computer. If the link is refused, the ids in it are ignored.
    """
    if arrival.anonymous:
        known = known_worker(request, study.slug)
        return to_step(known) if known else refusal_page(request, study, arrival)
    if refused_page := refusal_page(request, study, arrival):
        return refused_page
    if arrival.link:
        link = link_by_token(study, arrival.link)
        return let_in(request, link.participation) if link and link.participation else None
    participation = find_by_platform_id(study=study, platform_id=arrival.platform_id)
    if participation:
        return come_back(request, participation, arrival, entry=token)
    return refuse_link(request, study, ERASED_ID) if was_erased(study, arrival.platform_id) else None


def _consent(request: HttpRequest, study: Study, arrival: Arrival, token: str) -> HttpResponse:
    if slowed := limit_arrivals(request, study):
        return slowed
    moment, key = now(), read_arrival(study.slug, request.POST.get("arrival", ""))
    try:
        with transaction.atomic():
            if token and not claim_entry(platform=study.platform, entry=token, form_key=key, now=moment):
                return refuse_link(request, study, USED)
            participation = give_consent(
                study=study,
                platform_id=arrival.platform_id,
                submission_id=arrival.submission_id,
                platform_study=arrival.study_id,
                arrival_key=key,
                link=arrival.link,
                browser_of=known_worker(request, study.slug),
                needs_unit=True,
                now=moment,
                rng=system_random,
            )
    except RefusedError as refusal:
        return render(
            request,
            "worker/refused.html",
            {
                **_study_and_action(study),
                "reason": str(refusal),
                "no_work": refusal.reason if isinstance(refusal, NoWorkError) else None,
            },
            status=409,
        )
    if arrival.platform_id and participation.consented_at != moment:
        # Another form with the same id was quicker, perhaps from another browser.
        return come_back(request, participation, arrival, entry=token)
    return remember(request, to_step(participation), participation)


def _study_and_action(study: Study) -> dict[str, object]:
    """Return the template context for people who have not agreed to take part."""
    return {"study": study, "action": action_without_work(study)}


@require_safe
def resume(request: HttpRequest, slug: str, token: str) -> HttpResponse:
    """Recognise a worker by the token in their link: set the cookie and redirect to the current step.

    Workers need this link on another device, or after the browser has lost the cookie.
    """
    participation = find_worker(request, slug, token)
    if participation is None:
        return redirect("worker:information", slug=slug)
    return let_in(request, participation)
