"""Recognises workers by a signed cookie for each study, and consent forms by a signed token.

The cookie also says whether the browser is proven to be the worker's. If not, it contains the browser's
claim, as `judging.core.selectors.visits` explains.
"""

from dataclasses import dataclass
from typing import Final

from django.conf import settings
from django.core.signing import BadSignature, Signer
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils import translation
from django.utils.http import urlencode

from judging.core import access
from judging.core.words import supported_language
from judging.limits import WORKER_COOKIE
from judging.models import Participation, Study
from judging.protocol.states import StudyState
from judging.worker.selectors.participations import participation_by_token

_cookie_signer = Signer(salt="plumbline.worker")
_CLAIM: Final = "."
"""Stands between the token and the claim in the cookie."""
STARTED: Final = "started"
"""The parameter of the first address after the cookie was set. Its value is the worker's token, or a word if
the browser has a claim. If the browser blocks cookies, the next page shows the personal link with the token.
"""


def find_study(request: HttpRequest, slug: str) -> Study:
    """Return the study with this slug, and use the study's language for the rest of the request.

    Raise Http404 if there is no such study, or if it is a draft of changes or another person's preview. Also
    raise Http404 if the study was never opened, unless the visitor may see it in the console: its title and
    texts may not be public yet.
    """
    study = get_object_or_404(Study.with_hidden, slug=slug, changes_to=None)
    _refuse_others_preview(request, study)
    if study.state == StudyState.DRAFT and not access.may_see(request.user, study):
        raise Http404
    _show_in(study.language)
    return study


@dataclass(frozen=True)
class Browser:
    """A browser with a worker's cookie. `claim` is empty if the browser is proven to be the worker's."""

    worker: Participation
    claim: str = ""


def known_browser(request: HttpRequest, slug: str) -> Browser | None:
    """Return the worker whom the cookie identifies and the browser's claim, or None without a cookie."""
    signed = _unsign(_cookie_signer, request.COOKIES.get(_cookie_name(slug), ""))
    token, _, claim = signed.partition(_CLAIM)
    worker = find_worker(request, slug, token) if token else None
    return Browser(worker, claim) if worker else None


def slug_in_address(request: HttpRequest) -> str:
    """Return the study's name in the address of a request. Browsers send only the cookie of this name."""
    return str(request.resolver_match.kwargs["slug"]) if request.resolver_match else ""


def known_worker(request: HttpRequest, slug: str) -> Participation | None:
    """Return the participation (with its study) of the worker whom the cookie identifies, or None."""
    browser = known_browser(request, slug)
    return browser.worker if browser else None


def find_worker(request: HttpRequest, slug: str, token: str) -> Participation | None:
    """Return the participation with this token in the study or one of its arms, or None.

    Use the study's language for the rest of the request. Raise Http404 if the study is another person's
    preview.
    """
    participation = participation_by_token(slug, token)
    if participation:
        _refuse_others_preview(request, participation.study)
        _show_in(participation.study.language)
    return participation


def _refuse_others_preview(request: HttpRequest, study: Study) -> None:
    if study.preview_of_id and not access.may_open_preview(request.user, study):
        raise Http404


def _show_in(language: str) -> None:
    """Use a language for the rest of the request. If it is not supported, use the default language."""
    translation.activate(supported_language(language))


def remember(
    request: HttpRequest, response: HttpResponse, participation: Participation, *, claim: str = ""
) -> HttpResponse:
    """Set the long-lived cookie that identifies the worker. Call this only after consent.

    A worker in an arm gets two cookies: one for the pages of the arm, and one for the address of the front.
    `claim` is the browser's claim, or "" if the browser is proven to be the worker's. `response` is a
    redirect. If the browser has not sent such a cookie yet, mark its address, so that the next page notices
    if cookies are blocked.
    """
    study = participation.study
    for slug in {study.slug, study.entrance.slug}:
        response.set_cookie(
            _cookie_name(slug),
            _cookie_signer.sign(f"{participation.token}{_CLAIM}{claim}" if claim else participation.token),
            max_age=WORKER_COOKIE,
            path=reverse("worker:information", args=[slug]),
            secure=settings.HTTPS,
            httponly=True,
            samesite="Lax",
        )
    if _cookie_name(study.slug) not in request.COOKIES:
        response["Location"] += f"?{urlencode({STARTED: 'yes' if claim else participation.token})}"
    return response


def sign_arrival(slug: str, token: str) -> str:
    return _arrival_signer(slug).sign(token)


def read_arrival(slug: str, signed: str) -> str:
    """Return the token from this study's consent form, or "" if the signature of the token is invalid."""
    return _unsign(_arrival_signer(slug), signed)


def _arrival_signer(slug: str) -> Signer:
    return Signer(salt=f"plumbline.arrival.{slug}")


def _cookie_name(slug: str) -> str:
    return f"plumbline_{slug}"


def _unsign(signer: Signer, signed: str) -> str:
    try:
        return signer.unsign(signed)
    except BadSignature:
        return ""
