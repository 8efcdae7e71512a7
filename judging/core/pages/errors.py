"""Error pages."""

from typing import Final

from django.http import HttpRequest, HttpResponse, HttpResponseServerError
from django.shortcuts import render
from django.template.loader import render_to_string

from judging.core.observing import request_ids

TYPED: Final = ("magnitude", "fraction", "justification", "highlight")
"""The fields in which workers type. Pages for forms that were not processed show what they contain."""


def fault(request: HttpRequest) -> HttpResponse:
    """Return the page for an unexpected error. Do not look up the visitor, because that lookup may fail."""
    page = render_to_string("500.html", {"request_id": request_ids.current()})
    return HttpResponseServerError(page)


def cookie_missing(request: HttpRequest, reason: str = "") -> HttpResponse:
    """Return the page for a form sent without the CSRF cookie. The page shows what the worker typed."""
    typed = {name: request.POST[name] for name in TYPED if request.POST.get(name)}
    return render(request, "403_csrf.html", {"typed": typed}, status=403)
