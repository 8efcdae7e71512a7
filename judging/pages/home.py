"""The front page, and the pages for what went wrong."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    return render(request, "home.html")


def cookie_missing(request: HttpRequest, reason: str = "") -> HttpResponse:
    """A form that came without its cookie: say so, and give back what was typed."""
    typed = {name: request.POST[name] for name in ("magnitude", "justification") if request.POST.get(name)}
    return render(request, "403_csrf.html", {"typed": typed}, status=403)
