"""The “Worker statistics” page: the latest statistics of all workers of a study."""

from django.contrib import messages
from django.db.models import F, Q, QuerySet
from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.safestring import SafeString
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_http_methods

from judging.core import access
from judging.core.clock import now
from judging.core.pages.filtering import ChosenField, FilterForm, TextField
from judging.core.pages.guard import console_page, find_study
from judging.core.pages.page_table import Column, Table, tagged
from judging.core.selectors.anchors import has_anchors
from judging.core.selectors.kinds import attempts_of
from judging.models import Study, WorkerFigures
from judging.protocol.scales import scale_of
from judging.protocol.states import ParticipationState
from judging.protocol.unit_flags import reasons
from judging.protocol.worker_flags import FAR, LEAST_UNITS, LEAST_WORKERS
from judging.watching.pages.cells import worker_link
from judging.watching.pages.statistic_cells import statistics_of
from judging.watching.selectors.worker_statistics import medians_of
from judging.watching.services.requests import request_study_statistics


def _columns(study: Study) -> list[Column[WorkerFigures]]:
    def worker(row: WorkerFigures) -> SafeString:
        is_blocked = row.participation.state == ParticipationState.BLOCKED
        return tagged(
            worker_link(study, row.participation.pseudonym), gettext("blocked") if is_blocked else ""
        )

    return [
        Column("worker", _("Worker"), worker, order=["participation__pseudonym"]),
        Column("-flags", _("Flags"), lambda row: row.flagged, muted=True, order=["flagged"]),
        Column("-begun", _("Units started"), lambda row: row.begun, order=["begun"]),
        Column("-units", _("Completed"), lambda row: row.completed, order=["completed"]),
        *(
            Column(statistic.name, statistic.heading, statistic.cell, order=[F(statistic.column)])
            for statistic in statistics_of(study)
        ),
    ]


class StatisticsForm(FilterForm):
    """Filters the workers who have statistics."""

    worker = TextField(_("Worker"))
    flagged = ChosenField(_("Flags"), [("yes", _("flagged")), ("no", _("not flagged"))])
    narrows = {
        "worker": "participation__pseudonym__icontains",
        "flagged": lambda answer: Q(flagged__gt=0) if answer == "yes" else Q(flagged=0),
    }


@require_http_methods(["GET", "HEAD", "POST"])
@console_page
def worker_statistics(request: HttpRequest, slug: str) -> HttpResponseBase:
    study = find_study(request, slug)
    return _compute(request, study) if request.method == "POST" else _show(request, study)


def _show(request: HttpRequest, study: Study) -> HttpResponseBase:
    form = StatisticsForm(request)
    medians = medians_of(study)
    anchored = has_anchors(study)
    context: dict[str, object] = {
        "study": study,
        "now": now(),
        "form": form,
        "medians": medians,
        "far": FAR,
        "least_units": LEAST_UNITS,
        "least_workers": LEAST_WORKERS,
        "compares": medians.workers >= LEAST_WORKERS,
        "has_anchors": anchored,
        "has_ratios": scale_of(study).has_ratios,
        "own_signs": reasons(with_anchors=anchored).values(),
        "begun": attempts_of(study).count(),
    }
    shown: list[WorkerFigures] = []

    def read(page: QuerySet[WorkerFigures]) -> list[WorkerFigures]:
        shown.extend(page)
        return shown

    statistics = Table(
        request,
        _columns(study),
        heading="statistics",
        of=_("statistics"),
        sort="-flags",
        form=form,
        css="numbers workers statistics",
        note=ngettext(
            "The last row has the median of {workers} worker with at least {units} completed units.",
            "The last row has the medians of {workers} workers with at least {units} completed units.",
            medians.workers,
        ).format(workers=medians.workers, units=LEAST_UNITS),
    ).stored(
        form.filter(WorkerFigures.objects.filter(participation__study=study).select_related("participation")),
        read,
        ties=["participation__pseudonym"],
        total=(
            gettext("Median"),
            "",
            "",
            "",
            *(statistic.cell(medians.figures) for statistic in statistics_of(study)),
        ),
    )
    context["statistics"] = statistics
    context["reasons"] = [row for row in shown if row.flagged]
    return render(request, "watching/worker_statistics.html", context, status=statistics.status)


def _compute(request: HttpRequest, study: Study) -> HttpResponseBase:
    job = request_study_statistics(study=study, actor=access.account_of(request.user), now=now())
    job.refresh_from_db()
    if job.live:
        messages.success(request, _("Plumbline is computing the statistics. Reload the page in a moment."))
    elif job.error:
        messages.error(request, gettext(job.error))
    else:
        messages.success(request, _("The statistics are up to date."))
    return redirect("console:worker_statistics", slug=study.slug)
