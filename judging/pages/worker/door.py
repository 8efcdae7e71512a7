"""Who may begin where a study is not open to everybody: who has a personal link, or comes by a signed one."""

from typing import Final

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from judging.models import Study
from judging.pages.worker.who import known_worker
from judging.platforms import Arrival
from judging.platforms.signed import Flaw, flaw_of
from judging.selectors.clock import now
from judging.selectors.links import link_by_token

_WHY: Final = {
    Flaw.UNSIGNED: "This study can only be begun by the link that was made for you, and this is not the whole"
    " of it.",
    Flaw.CHANGED: "This link is not as it was made: something in it was changed, or cut off on its way.",
    Flaw.EXPIRED: "The time of this link is over.",
}
_NO_LINK: Final = "This study can only be begun by a personal link, and this is none."
_BAD_LINK: Final = "This personal link is good no more, or something of it was cut off on its way."


def turned_away(request: HttpRequest, study: Study, arrival: Arrival) -> HttpResponse | None:
    """The page that says why nobody may come like this, and what to do; None where somebody may."""
    why = _why(request, study, arrival)
    if not why:
        return None
    context = {"study": study, "why": why, "known": known_worker(request, study.slug)}
    return render(request, "worker/no_entry.html", context, status=403)


def _why(request: HttpRequest, study: Study, arrival: Arrival) -> str:
    if study.entry == "signed":
        flaw = flaw_of(study, arrival, request.GET, now=now())
        return _WHY[flaw] if flaw else ""
    if study.entry == "invite":
        link = link_by_token(study, arrival.link) if arrival.link else None
        if link is None or (link.used_at and link.participation is None):
            return _BAD_LINK if arrival.link else _NO_LINK
    return ""
