"""Who is turned away before consent: people without the link that a study asks for, or without an id."""

from dataclasses import dataclass
from typing import Final

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from judging.core.clock import now
from judging.models import Study
from judging.protocol.platforms import platform_of
from judging.protocol.platforms.base import Arrival, Entry
from judging.protocol.platforms.ids import IdFault
from judging.worker.pages.who import known_worker
from judging.worker.selectors.links import link_by_token
from judging.worker.selectors.signed_links import flaw_of


@dataclass(frozen=True)
class Refusal:
    """Why a link does not let anybody in; `by_platform` if the worker finds the right one there."""

    why: str
    by_platform: bool = False


ID_FAULTS: Final = {
    IdFault.MISSING: Refusal(
        "This link does not say who you are on the platform, so you could not be paid.", by_platform=True
    ),
    IdFault.PLACEHOLDER: Refusal(
        "The platform has not put your id into this link, so you could not be paid.", by_platform=True
    ),
}
NO_LINK: Final = Refusal("You can only start this study with a personal link.")
BAD_LINK: Final = Refusal("This personal link is no longer valid, or part of it is missing.")


def turned_away(request: HttpRequest, study: Study, arrival: Arrival) -> HttpResponse | None:
    """Return the page that says why this link lets nobody in and what to do, None if it does let in."""
    refusal = refusal_of(request, study, arrival)
    if refusal is None:
        return None
    context = {"study": study, "refusal": refusal, "known": known_worker(request, study.slug)}
    return render(request, "worker/no_entry.html", context, status=403)


def refusal_of(request: HttpRequest, study: Study, arrival: Arrival) -> Refusal | None:
    """Return why the link of this request lets nobody into the study, None if it does."""
    if study.entry == Entry.SIGNED and (flaw := flaw_of(study, arrival, request.GET, now=now())):
        return Refusal(flaw)
    if study.entry == Entry.INVITE:
        link = link_by_token(study, arrival.link) if arrival.link else None
        if link is None or (link.used_at and link.participation is None):
            return BAD_LINK if arrival.link else NO_LINK
    if fault := platform_of(study).id_fault(arrival):
        return ID_FAULTS[fault]
    return None
