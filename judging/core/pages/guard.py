"""Check whether a visitor can open a console page.

Visitors without access see the log-in page, or the reason why they have no access.
"""

from collections.abc import Callable
from functools import wraps
from typing import TYPE_CHECKING, Any

from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponseBase
from django.shortcuts import get_object_or_404, render
from django.utils.translation import gettext as _

from judging.core import access
from judging.core.pages.turns import WAIT, NotYourTurnError
from judging.models import Study

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

Page = Callable[..., HttpResponseBase]


def console_page(view: Page) -> Page:
    """Return the view, restricted to people who have access to the console.

    If the view computes a download and another one is being computed, the visitor sees a page that waits.
    """

    @wraps(view)
    def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if refusal := console_refusal(request):
            return refusal
        try:
            return view(request, *args, **kwargs)
        except NotYourTurnError:
            return _wait(request)

    return guarded


def console_refusal(request: HttpRequest) -> HttpResponseBase | None:
    """Return the answer to a visitor who has no access to the console, or None if the visitor has access."""
    if not request.user.is_authenticated:
        return redirect_to_login(request.get_full_path())
    if not access.may_use_console(request.user):
        reason = _("This account has no access to the console. Ask an administrator of this site for access.")
        return refuse(request, reason)
    return None


def _wait(request: HttpRequest) -> HttpResponseBase:
    """Return a page that requests its address again after a few seconds."""
    response = render(request, "core/wait.html", status=429)
    response["Retry-After"] = response["Refresh"] = str(WAIT)
    return response


def find_study(request: HttpRequest, slug: str) -> Study:
    """Return the study with this slug. Raise Http404 if it does not exist or the visitor may not see it."""
    study = get_object_or_404(
        Study.objects.select_related("front").prefetch_related("memberships", "front__memberships"), slug=slug
    )
    if not access.may_see(request.user, study):
        raise Http404
    return study


def refuse(request: HttpRequest, reason: "StrOrPromise") -> HttpResponseBase:
    """Return a page with status 403 that shows the reason."""
    return render(request, "core/refused.html", {"reason": reason}, status=403)


def row_key(text: str) -> int:
    """Return the key of a row as an integer, or 0 if `text`, which a visitor sent, cannot be a key."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else 0
