"""How the workers of a study work, beside each other: figures made behind the page, and how old they are."""

from typing import Any, Final

from django.contrib import messages
from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from judging.models import Assignment, Study
from judging.pages.console.filtering import ChosenField, FilterForm, TextField
from judging.pages.console.guard import console_page, find_study
from judging.pages.console.paging import page_of
from judging.pages.console.sorting import sorting_of
from judging.protocol.unit_flags import REASONS
from judging.protocol.worker_flags import FAR, LEAST_UNITS, LEAST_WORKERS
from judging.selectors.clock import now
from judging.selectors.figures import FigureFilter, beside, figures_of
from judging.services.figures import ask_for_figures

COLUMNS: Final = {
    "worker": "Worker",
    "-flags": "Flags",
    "-begun": "Units begun",
    "-units": "Completed",
    "seconds": "Seconds",
    "range": "Range",
    "-favourites": "5, 10, 50, 100",
    "-commonest": "Commonest",
    "agreement": "Agreement",
    "-repeats": "Repeats",
    "-failures": "Failures",
}
"""The columns as they are sorted at first, the most suspicious first."""


class FigureForm(FilterForm):
    """What is looked for among the workers with figures."""

    worker = TextField("Worker")
    flagged = ChosenField("Flags", [("yes", "flagged"), ("no", "not flagged")])

    @property
    def wanted(self) -> FigureFilter:
        """What a valid form asks for."""
        return FigureFilter(**self.cleaned_data)


@require_http_methods(["GET", "HEAD", "POST"])
@console_page
def worker_figures(request: HttpRequest, slug: str) -> HttpResponseBase:
    study = find_study(request, slug)
    return _compute(request, study) if request.method == "POST" else _show(request, study)


def _show(request: HttpRequest, study: Study) -> HttpResponseBase:
    form = FigureForm(request)
    compared = beside(study)
    context: dict[str, Any] = {
        "study": study,
        "now": now(),
        "form": form,
        "shows_form": form.is_worth(compared.listed),
        "beside": compared,
        "far": FAR,
        "least_units": LEAST_UNITS,
        "least_workers": LEAST_WORKERS,
        "compares": compared.workers >= LEAST_WORKERS,
        "own_signs": REASONS.values(),
        "begun": Assignment.objects.filter(participation__study=study).count(),
    }
    if not form.is_valid():
        return render(request, "console/worker_figures.html", context, status=form.status)
    sorting = sorting_of(request, *COLUMNS, default="-flags")
    rows = figures_of(study, sort=sorting.key, descending=sorting.descending, wanted=form.wanted)
    page = page_of(request, rows.count())
    shown = list(rows[page.places.start : page.places.stop])
    context |= {
        "rows": shown,
        "reasons": [row for row in shown if row.flagged],
        "page": page,
        "sorting": sorting,
        "columns": sorting.headings(COLUMNS),
    }
    status = max(page.status, sorting.status)
    return render(request, "console/worker_figures.html", context, status=status)


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
