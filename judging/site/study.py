"""The overview of a study: its progress, its quality, what the judgments say, and how the runs compare."""

from dataclasses import replace

from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from judging.core.clock import now as clock
from judging.core.pages.guard import console_page, find_study
from judging.core.pages.page_table import Table
from judging.core.published.events import latest
from judging.core.selectors.simulated import has_random_relevance
from judging.models import ReportKind, Study
from judging.protocol.scales import scale_of
from judging.understanding.pages.overview_charts import agreement, magnitudes_chart, ranking_gap, systems
from judging.understanding.pages.state import report_state
from judging.understanding.selectors.reports import find_report
from judging.watching.pages.cells import event_columns
from judging.watching.pages.watch import Watched, watched

LATEST = 10


@require_safe
@console_page
def study(request: HttpRequest, slug: str) -> HttpResponseBase:
    study = find_study(request, slug)
    now = clock()
    progress = watched(request, study, now)
    events = Table(
        request,
        [replace(column, name="") for column in event_columns(study)],
        heading="events",
        of=_("events"),
        css="",
        per_page=0,
        note=_("The last {number} events, latest first. Times are in UTC.").format(number=LATEST),
    ).at_hand(latest(study, most=LATEST))
    context = {"study": study, **progress.context, "charts": progress.charts, "events": events}
    context |= _results(request, study, progress)
    return render(request, "site/study.html", context, status=progress.status)


def _results(request: HttpRequest, study: Study, progress: Watched) -> dict[str, object]:
    """Return the template context for the results.

    The context has the charts and their age. If it is too early for a ranking, the context also says why.
    """
    if not progress.units.judgments:
        return {}
    report = find_report(study, ReportKind.GRADES, {})
    return {
        "magnitudes": magnitudes_chart(study, report),
        "alpha": agreement(report),
        "alpha_words": scale_of(study).words.alpha,
        "ranking": systems(study),
        "gap": ranking_gap(progress.judged_topics, progress.judgments_per_document),
        "is_random": has_random_relevance(study),
        "is_early": progress.is_early,
        "state": report_state(request, study, report, ReportKind.GRADES, {}),
    }
