"""Refusals before consent, for people without a valid link or without an id."""

from dataclasses import dataclass
from typing import Final

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from judging.core.clock import now
from judging.models import Study
from judging.protocol.platforms import platform_of
from judging.protocol.platforms.base import Arrival, Entry
from judging.protocol.platforms.ids import IdFault
from judging.worker.pages.identity import known_worker
from judging.worker.selectors.links import link_by_token
from judging.worker.selectors.signed_links import Flaw, flaw_of
from judging.worker.services.arrival import ERASED


@dataclass(frozen=True)
class Refusal:
    """Why a link does not open the study.

    If `by_platform` is true, the page tells people to open the study from the platform.
    """

    reason: str | Promise
    by_platform: bool = False


ID_FAULTS: Final = {
    IdFault.MISSING: Refusal(
        _("This link does not contain your id on the platform, so we cannot pay you."), by_platform=True
    ),
    IdFault.PLACEHOLDER: Refusal(
        _("The platform did not add your id to this link, so we cannot pay you."), by_platform=True
    ),
}
FLAWS: Final = {
    Flaw.UNSIGNED: Refusal(
        _("You can only start this study with a link that was made for you. Part of this link is missing.")
    ),
    Flaw.CHANGED: Refusal(_("This link has been changed, or part of it is missing.")),
    Flaw.EXPIRED: Refusal(_("This link has expired.")),
}
NOT_THE_PLATFORM: Final = Refusal(
    _("You did not open this page from the platform that the study uses."), by_platform=True
)
ERASED_ID: Final = Refusal(ERASED)
USED: Final = Refusal(_("This link has already been used."), by_platform=True)
NO_LINK: Final = Refusal(_("You can only start this study with a personal link."))
BAD_LINK: Final = Refusal(_("This personal link is no longer valid, or part of it is missing."))


def refusal_page(request: HttpRequest, study: Study, arrival: Arrival) -> HttpResponse | None:
    """Return the page that says why a link is refused and what to do, or None if the link is valid."""
    refusal = refusal_of(request, study, arrival)
    return None if refusal is None else refuse_link(request, study, refusal)


def refuse_link(request: HttpRequest, study: Study, refusal: Refusal) -> HttpResponse:
    """Return the page that says why a link is refused and what to do."""
    context = {"study": study, "refusal": refusal, "known": known_worker(request, study.slug)}
    return render(request, "worker/no_entry.html", context, status=403)


def refusal_of(request: HttpRequest, study: Study, arrival: Arrival) -> Refusal | None:
    """Return why the link of this request is refused, or None if the link is valid."""
    if study.entry == Entry.SIGNED and (flaw := flaw_of(study, arrival, request.GET, now=now())):
        return FLAWS[flaw]
    if study.entry == Entry.INVITE:
        link = link_by_token(study, arrival.link) if arrival.link else None
        if link is None or (link.used_at and link.participation is None):
            return BAD_LINK if arrival.link else NO_LINK
    if fault := platform_of(study).id_fault(arrival):
        return ID_FAULTS[fault]
    return None
