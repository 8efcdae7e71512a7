"""Knowing a worker again: a signed cookie for one study, and the token that a consent form carries."""

from typing import TYPE_CHECKING

from django.conf import settings
from django.core.signing import BadSignature, Signer
from django.http import HttpRequest, HttpResponse
from django.urls import reverse

from judging.limits import WORKER_COOKIE
from judging.models import Participation
from judging.selectors.participations import participation_by_token

if TYPE_CHECKING:
    from judging.selectors.participations import KnownWorker

_cookie_signer = Signer(salt="plumbline.worker")


def known_worker(request: HttpRequest, slug: str) -> "KnownWorker | None":
    """The participation behind the request's cookie, with its study; None where there is none."""
    token = _unsign(_cookie_signer, request.COOKIES.get(_cookie_name(slug), ""))
    return participation_by_token(slug, token) if token else None


def remember(response: HttpResponse, participation: Participation) -> HttpResponse:
    """Give the browser the long-lived cookie; only called after consent."""
    slug = participation.study.slug
    response.set_cookie(
        _cookie_name(slug),
        _cookie_signer.sign(participation.token),
        max_age=WORKER_COOKIE,
        path=reverse("worker:information", args=[slug]),
        secure=settings.HTTPS,
        httponly=True,
        samesite="Lax",
    )
    return response


def sign_arrival(slug: str, token: str) -> str:
    return _arrival_signer(slug).sign(token)


def read_arrival(slug: str, signed: str) -> str:
    """The token of a consent form of this study, or an empty text."""
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
