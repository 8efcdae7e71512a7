"""Knowing a worker again: a signed cookie for one study, and the token that a consent form carries."""

from typing import TYPE_CHECKING

from django.conf import settings
from django.core.signing import BadSignature, Signer
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import reverse

from judging.core import access
from judging.limits import WORKER_COOKIE
from judging.models import Participation, Study
from judging.worker.selectors.participations import participation_by_token

if TYPE_CHECKING:
    from judging.worker.selectors.participations import KnownWorker

_cookie_signer = Signer(salt="plumbline.worker")


def find_study(request: HttpRequest, slug: str) -> Study:
    """Return the study of that slug.

    Raise Http404 for none, for a draft of changes, and for a preview that somebody else began.
    """
    study = get_object_or_404(Study.with_hidden, slug=slug, changes_to=None)
    _refuse_others_preview(request, study)
    return study


def known_worker(request: HttpRequest, slug: str) -> "KnownWorker | None":
    """The participation behind the request's cookie, with its study; None where there is none."""
    token = _unsign(_cookie_signer, request.COOKIES.get(_cookie_name(slug), ""))
    return find_worker(request, slug, token) if token else None


def find_worker(request: HttpRequest, slug: str, token: str) -> "KnownWorker | None":
    """Return the participation of a token, if there is one. Raise Http404 as `find_study` does."""
    participation = participation_by_token(slug, token)
    if participation:
        _refuse_others_preview(request, participation.study)
    return participation


def _refuse_others_preview(request: HttpRequest, study: Study) -> None:
    if study.preview_of_id and not access.may_open_preview(request.user, study):
        raise Http404


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
