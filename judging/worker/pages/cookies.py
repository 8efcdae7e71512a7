"""The page for workers whose browser does not send this site's cookie back."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse

from judging.protocol.platforms import platform_of
from judging.worker.pages.identity import STARTED, find_study, find_worker


def cookies_blocked(request: HttpRequest, slug: str) -> HttpResponse:
    """Return the page that says how to go on.

    It shows the personal link only if the address contains the token: the worker has just agreed, or opened
    this link.
    """
    study = find_study(request, slug)
    worker = find_worker(request, slug, request.GET.get(STARTED, ""))
    link = reverse("worker:resume", args=[slug, worker.token]) if worker else ""
    context = {
        "study": study,
        "just_started": worker is not None,
        "resume_link": request.build_absolute_uri(link) if link else "",
        "by_platform": bool(platform_of(study).parameters(study).worker),
    }
    return render(request, "worker/no_cookies.html", context, status=403)
