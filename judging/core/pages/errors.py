"""The pages for what went wrong."""

from django.http import HttpRequest, HttpResponse, HttpResponseServerError
from django.shortcuts import render
from django.template.loader import render_to_string

from judging.core.observing import request_ids


def fault(request: HttpRequest) -> HttpResponse:
    """The page for what should not have happened. It does not ask who visits: that may have failed."""
    page = render_to_string("500.html", {"request_id": request_ids.current()})
    return HttpResponseServerError(page)


def cookie_missing(request: HttpRequest, reason: str = "") -> HttpResponse:
    """A form that came without its cookie: say so, and give back what was typed."""
    typed = {name: request.POST[name] for name in ("magnitude", "justification") if request.POST.get(name)}
    return render(request, "403_csrf.html", {"typed": typed}, status=403)
