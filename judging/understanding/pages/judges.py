"""Pages about judges that are not people: how good they are, and what each machine judge was asked."""

from collections.abc import Sequence

from django.http import Http404, HttpRequest, HttpResponseBase
from django.shortcuts import render
from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from evaluation.report.machines import Machine
from judging.core import access
from judging.core.pages.guard import console_page, find_study
from judging.core.pages.numbers import exact
from judging.core.pages.page_table import Column, ShownTable, Table, link
from judging.core.selectors.machine import judge_named, sittings_of
from judging.core.selectors.machine_summary import machines_of, summarise
from judging.core.selectors.simulated import has_random_relevance
from judging.models import LabelSet, ReportKind, Study
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
    shown = _machine_table(request, study, machines)
    label_sets = list(study.label_sets.all())
    context = {
        "study": study,
        "machines": shown,
        "label_sets": label_sets,
        "may_change": access.may_manage(request.user, study),
        "is_random": has_random_relevance(study),
        "state": report_state(request, study, report, ReportKind.JUDGES, {}),
        "has_labels": _has_labels(machines, label_sets),
        "parts": shown_parts(report, tables),
    }
    status = max(shown.status, status_of(tables))
    return render(request, "understanding/judges.html", context, status=status)


def _machine_table(request: HttpRequest, study: Study, machines: Sequence[Machine]) -> ShownTable:
    def name(machine: Machine) -> SafeString:
        address = reverse("console:judge", args=[study.slug], query={"name": machine.name})
        return link(address, machine.name)

    columns: list[Column[Machine]] = [
        Column("judge", _("Judge"), name, by=lambda machine: machine.name, css="text"),
        Column("model", _("Model"), lambda machine: machine.model, css="text"),
        Column("-passed", _("Anchors passed"), lambda machine: machine.checks["anchors"][0]),
        Column("-failed", _("Anchors failed"), lambda machine: machine.checks["anchors"][1]),
        Column("-units", _("Units completed"), lambda machine: machine.units),
        Column("-left", _("Units left"), lambda machine: machine.units_left),
        Column("-faults", _("Faults"), lambda machine: machine.number_of_faults),
        Column("-cost", _("Cost"), lambda machine: exact(float(machine.money))),
    ]
    caption = _(
        "Each machine judge goes through the practice, the questions and the units as a worker does, and must"
        " pass the same checks."
    )
    of = _("machine judges")
    table = Table(request, columns, heading="machines", key="machines", of=of, css="numbers", note=caption)
    return table.at_hand(machines)


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
