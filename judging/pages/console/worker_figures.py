"""How the workers of a study work, beside each other: figures made behind the page, and how old they are."""

from typing import Final

from django.contrib import messages
from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from judging.models import Study
from judging.pages.console.guard import console_page, find_study
from judging.pages.console.paging import page_of
from judging.protocol.worker_flags import FAR, LEAST_UNITS, LEAST_WORKERS
from judging.selectors.clock import now
from judging.selectors.figures import SORTS, beside, figures_of
from judging.services.figures import ask_for_figures

SORT_HEADINGS: Final = {
    "flags": "Flags",
    "worker": "Worker",
    "units": "Units",
    "seconds": "Seconds",
    "range": "Range",
    "favourites": "5, 10, 50, 100",
    "commonest": "Commonest",
    "agreement": "Agreement",
    "repeats": "Repeats",
    "failures": "Failures",
}


@require_http_methods(["GET", "HEAD", "POST"])
@console_page
def worker_figures(request: HttpRequest, slug: str) -> HttpResponseBase:
    study = find_study(request, slug)
    return _compute(request, study) if request.method == "POST" else _show(request, study)


def _show(request: HttpRequest, study: Study) -> HttpResponseBase:
    asked = request.GET.get("sort", "flags")
    sort = asked if asked in SORTS else "flags"
    rows = figures_of(study, sort=sort)
    page = page_of(request, rows.count())
    shown = list(rows[page.places.start : page.places.stop])
    compared = beside(study)
    context = {
        "study": study,
        "now": now(),
        "rows": shown,
        "reasons": [row for row in shown if row.flagged],
        "page": page,
        "beside": compared,
        "sort": sort,
        "sorts": SORT_HEADINGS,
        "fault": "" if sort == asked else f"Workers cannot be sorted by “{asked[:20]}”.",
        "far": FAR,
        "least_units": LEAST_UNITS,
        "least_workers": LEAST_WORKERS,
    }
    return render(
        request, "console/worker_figures.html", context, status=page.status if sort == asked else 400
    )


def _compute(request: HttpRequest, study: Study) -> HttpResponseBase:
    job = ask_for_figures(study=study, actor=request.user, now=now())
    job.refresh_from_db()
    if job.live:
        messages.success(request, "The figures are being computed: reload the page in a moment.")
    elif job.error:
        messages.error(request, job.error)
    else:
        messages.success(request, "The figures were computed.")
    return redirect("console:worker_figures", slug=study.slug)
