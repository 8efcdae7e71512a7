"""Letting people into a console page, or sending them to the log-in, or saying no."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponseBase
from django.shortcuts import get_object_or_404, render

from judging.core import access
from judging.models import Study

Page = Callable[..., HttpResponseBase]


def console_page(view: Page) -> Page:
    """A page for those who may use the console."""

    @wraps(view)
    def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if not request.user.is_authenticated:
            return redirect_to_login(request.get_full_path())
        if not access.may_use_console(request.user):
            return refuse(request, "This account may not use the console. Ask an administrator of the site.")
        return view(request, *args, **kwargs)

    return guarded


def find_study(request: HttpRequest, slug: str) -> Study:
    """The study of that slug; Http404 alike for one that is not there and one that is not to be seen."""
    study = get_object_or_404(Study.objects.prefetch_related("memberships"), slug=slug)
    if not access.may_see(request.user, study):
        raise Http404
    return study


def refuse(request: HttpRequest, why: str) -> HttpResponseBase:
    """A page that says no, and why."""
    return render(request, "core/refused.html", {"why": why}, status=403)


def row_key(text: str) -> int:
    """The number by which a form names a row, or a place; 0 where it is none."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else 0
