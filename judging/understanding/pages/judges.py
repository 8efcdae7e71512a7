"""Pages about judges that are not people: how good they are, and what each machine judge was asked."""

from collections.abc import Sequence

from django.http import Http404, HttpRequest, HttpResponseBase
from django.shortcuts import render
from django.views.decorators.http import require_http_methods, require_safe

from evaluation.report.machines import Machine
from judging.core import access
from judging.core.pages.guard import console_page, find_study
from judging.core.selectors.machine import judge_named, sittings_of
from judging.core.selectors.machine_summary import machines_of, summarise
from judging.core.selectors.simulated import has_random_relevance
from judging.models import LabelSet, ReportKind
from judging.understanding.pages.report_tables import shown_parts, shown_tables, status_of
from judging.understanding.pages.state import report_state, request_and_redirect
from judging.understanding.selectors.reports import find_report


@require_http_methods(["GET", "HEAD", "POST"])
@console_page
def judges(request: HttpRequest, slug: str) -> HttpResponseBase:
    """Show the machine judges and the added labels of a study, and compare them with people.

    A POST computes the comparison.
    """
    study = find_study(request, slug)
    if request.method == "POST":
        return request_and_redirect(request, study, ReportKind.JUDGES, {})
    report = find_report(study, ReportKind.JUDGES, {})
    tables = shown_tables(request, study, report, report.content["tables"]) if report else []
    machines = machines_of(study)
    label_sets = list(study.label_sets.all())
    context = {
        "study": study,
        "machines": machines,
        "label_sets": label_sets,
        "may_change": access.may_manage(request.user, study),
        "is_random": has_random_relevance(study),
        "state": report_state(request, study, report, ReportKind.JUDGES, {}),
        "has_labels": _has_labels(machines, label_sets),
        "parts": shown_parts(report, tables),
    }
    return render(request, "understanding/judges.html", context, status=status_of(tables))


def _has_labels(machines: Sequence[Machine], label_sets: Sequence[LabelSet]) -> bool:
    return bool(label_sets) or any(machine.documents for machine in machines)


@require_safe
@console_page
def judge(request: HttpRequest, slug: str) -> HttpResponseBase:
    """Show one machine judge, with `?name=` its name: its checks, its faults, its cost and its prompt."""
    study = find_study(request, slug)
    found = judge_named(study, request.GET.get("name", "").replace("\0", ""))
    if found is None:
        raise Http404
    sittings = sittings_of(found).select_related("participation")
    context = {
        "study": study,
        "judge": found,
        "machine": summarise(found),
        "sittings": [(sitting.sitting, sitting.participation) for sitting in sittings],
    }
    return render(request, "understanding/judge.html", context)
