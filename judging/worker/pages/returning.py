"""What happens when a browser comes with the platform id of a worker who has already started.

Anybody can type an id into a link. So opening a link changes nothing: a button links the visit. If nothing
proves that the browser is the worker's, the browser gets a claim. The worker can go on in it, but cannot
leave the study, end other browsers' units or see the personal link.
"""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from judging.core.clock import now
from judging.models import Participation
from judging.protocol import codes
from judging.protocol.platforms.base import Arrival
from judging.worker.pages.identity import (
    known_browser,
    read_arrival,
    remember,
    sign_arrival,
    slug_in_address,
)
from judging.worker.pages.progress import system_random, to_step
from judging.worker.pages.refusals import USED, refuse_link
from judging.worker.pages.slowing import limit_arrivals
from judging.worker.selectors.identities import is_linked, proves_the_worker, sent_twice
from judging.worker.services.arrival import PRESSED_TWICE, link_submission, note_same_browser
from judging.worker.services.entries import claim_entry, is_used


def come_back(
    request: HttpRequest, participation: Participation, arrival: Arrival, *, entry: str = ""
) -> HttpResponse:
    """Redirect a worker to the current step, or show the button that links a new visit or a new browser.

    `entry` is the token of a link from a platform's frame.
    """
    study = participation.study
    browser = known_browser(request, slug_in_address(request))
    own = browser if browser and browser.worker == participation else None
    can_be_proven = own is not None and own.claim != "" and proves_the_worker(participation, arrival)
    if own and is_linked(participation, arrival, claim=own.claim) and not can_be_proven:
        return to_step(participation)
    moment, key = now(), read_arrival(study.entrance.slug, request.POST.get("arrival", ""))
    is_again = sent_twice(participation, key, since=moment - PRESSED_TWICE)
    if request.method != "POST" or not (is_again or request.POST.get("continue") == "yes"):
        if entry and is_used(platform=study.platform, entry=entry):
            return refuse_link(request, study, USED)
        context = {
            "study": study,
            "is_own": own is not None and not own.claim,
            "is_proven": proves_the_worker(participation, arrival),
            "arrival": sign_arrival(study.entrance.slug, codes.token(system_random)),
        }
        return render(request, "worker/come_back.html", context)
    if slowed := limit_arrivals(request, study):
        return slowed
    if entry and not claim_entry(platform=study.platform, entry=entry, form_key=key, now=moment):
        return refuse_link(request, study, USED)
    claim = own.claim if own else codes.token(system_random)
    if is_again or proves_the_worker(participation, arrival):
        claim = ""
    link_submission(
        participation=participation,
        submission_id=arrival.submission_id,
        platform_study=arrival.study_id,
        claim=claim,
        now=moment,
    )
    return let_in(request, participation, claim=claim)


def let_in(request: HttpRequest, participation: Participation, *, claim: str = "") -> HttpResponse:
    """Redirect a worker to the current step and set the cookie.

    Record an event if the browser had the cookie of another worker.
    """
    before = known_browser(request, slug_in_address(request))
    if before:
        note_same_browser(participation=participation, before=before.worker, now=now())
    return remember(request, to_step(participation), participation, claim=claim)
