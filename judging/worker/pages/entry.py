"""The way in: information and consent, and the ways back in."""

from urllib.parse import urlsplit

from django.http import HttpRequest, HttpResponse, HttpResponseBadRequest, HttpResponseForbidden
from django.shortcuts import redirect, render
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_safe

from judging.core.clock import now
from judging.core.selectors.units import study_has_work, study_takes_work
from judging.core.services.errors import RefusedError
from judging.models import Participation, Study
from judging.protocol import codes
from judging.protocol.platforms import platform_of
from judging.protocol.platforms.base import Arrival
from judging.worker.pages.back import unpaid_way_back
from judging.worker.pages.door import turned_away
from judging.worker.pages.slowing import too_many
from judging.worker.pages.way import dice, to_step
from judging.worker.pages.who import (
    find_study,
    find_worker,
    known_worker,
    read_arrival,
    remember,
    sign_arrival,
)
from judging.worker.selectors.links import link_by_token
from judging.worker.services.arrival import (
    find_by_platform_id,
    give_consent,
    link_submission,
    note_same_browser,
)


@csrf_exempt  # Before consent there is no cookie to check a token against; `_from_elsewhere` does it instead.
@require_http_methods(["GET", "HEAD", "POST"])
def information(request: HttpRequest, slug: str) -> HttpResponse:
    """The information sheet and the question for consent; whoever is known already goes on to its step."""
    study = find_study(request, slug)
    arrival = platform_of(study).arrival(study, request.GET)
    if arrival.too_long:
        return HttpResponseBadRequest("The id in this link is too long. Please go back to the platform.")
    if answer := _known_or_turned_away(request, study, arrival):
        return answer
    if request.method == "POST":
        if _from_elsewhere(request):
            return HttpResponseForbidden(
                "This form came from another site. Please open the study's own page."
            )
        if request.POST.get("consent") == "yes":
            return _consent(request, study, arrival)
        if request.POST.get("consent") == "no":
            return render(request, "worker/goodbye.html", _study_and_back(study))
    moment = now()
    return render(
        request,
        "worker/information.html",
        {
            **_study_and_back(study),
            "platform_id": arrival.platform_id,
            "arrival": sign_arrival(slug, codes.token(dice)),
            "takes_work": study_takes_work(study, now=moment),
            "has_work": study_has_work(study, now=moment),
            "faults": {"consent": "Choose one of the two buttons."} if request.method == "POST" else {},
        },
    )


def _from_elsewhere(request: HttpRequest) -> bool:
    """Whether a browser says that another site sent the form: nobody consents to a page not seen."""
    origin = request.headers.get("Origin")
    if origin is not None:
        return urlsplit(origin).netloc != request.get_host()
    return request.headers.get("Sec-Fetch-Site", "same-origin") not in {"same-origin", "none"}


def _known_or_turned_away(request: HttpRequest, study: Study, arrival: Arrival) -> HttpResponse | None:
    """Find the worker by the link first: a computer may be shared, a platform's id or a personal link is not.

    A link that says who comes is believed only where it lets in; who comes without is known by the cookie.
    """
    if arrival.anonymous:
        known = known_worker(request, study.slug)
        return to_step(known) if known else turned_away(request, study, arrival)
    if refused := turned_away(request, study, arrival):
        return refused
    if arrival.link:
        link = link_by_token(study, arrival.link)
        return _let_in(request, link.participation) if link and link.participation else None
    participation = find_by_platform_id(study=study, platform_id=arrival.platform_id)
    if participation is None:
        return None
    link_submission(participation=participation, submission_id=arrival.submission_id, now=now())
    return _let_in(request, participation)


def _let_in(request: HttpRequest, participation: Participation) -> HttpResponse:
    """To where the worker stands, with the cookie; that it takes the place of another worker's is noted."""
    before = known_worker(request, participation.study.slug)
    if before:
        note_same_browser(participation=participation, before=before, now=now())
    return remember(to_step(participation), participation)


def _consent(request: HttpRequest, study: Study, arrival: Arrival) -> HttpResponse:
    if slowed := too_many(request, study):
        return slowed
    try:
        participation = give_consent(
            study=study,
            platform_id=arrival.platform_id,
            submission_id=arrival.submission_id,
            arrival_key=read_arrival(study.slug, request.POST.get("arrival", "")),
            link=arrival.link,
            browser_of=known_worker(request, study.slug),
            now=now(),
            rng=dice,
        )
    except RefusedError as refusal:
        return render(
            request, "worker/refused.html", {**_study_and_back(study), "reason": str(refusal)}, status=409
        )
    return remember(to_step(participation), participation)


def _study_and_back(study: Study) -> dict[str, object]:
    """Return the study and the way back for those who do not take part."""
    return {"study": study, "back": unpaid_way_back(study)}


@require_safe
def resume(request: HttpRequest, slug: str, token: str) -> HttpResponse:
    """The personal link: it gives the cookie back on another device, or after it was lost."""
    participation = find_worker(request, slug, token)
    if participation is None:
        return redirect("worker:information", slug=slug)
    return _let_in(request, participation)
