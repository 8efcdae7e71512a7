"""The page “Plan”: how many topics and judgments a study needs, from its pilot or from assumptions."""

from typing import Final

from django import forms
from django.db.models import Count, Q
from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import render
from django.utils.http import urlencode
from django.views.decorators.http import require_http_methods

from judging.core.pages.guard import console_page, find_study
from judging.core.selectors.machine import cost_per_document
from judging.core.selectors.magnitudes import gains_have_ratios, library_scale
from judging.models import PoolDocument, ReportKind, Study
from judging.setup.estimating import terms_of
from judging.site.plan_budgets import compare_budgets
from judging.site.plan_charts import charts_of, name_of_width, sizes_of
from judging.site.plan_forms import AssumptionsForm, BudgetsForm, GoalsForm
from judging.understanding.pages.state import report_state, request_and_redirect
from judging.understanding.reports.plans import Goals, assumed_content, width_of
from judging.understanding.selectors.reports import find_report

DOCUMENTS: Final = 40
"""The number of documents in a topic's pool, if the study has no pool yet."""


@require_http_methods(["GET", "HEAD", "POST"])
@console_page
def plan(request: HttpRequest, slug: str) -> HttpResponseBase:
    """Show the plan, based on the study's judgments or on assumptions.

    A POST requests a new plan, based on the judgments. If the address has goals, the page names the cheapest
    size that reaches them.
    """
    study = find_study(request, slug)
    if request.method == "POST":
        return request_and_redirect(request, study, ReportKind.PLAN, {})
    report = find_report(study, ReportKind.PLAN, {})
    state = report_state(request, study, report, ReportKind.PLAN, {})
    documents, pool = _documents_per_topic(study)
    initial = {
        "crowd": "typical",
        "documents": min(max(documents or DOCUMENTS, 10), 100),
        "systems": 20,
        "difference": 0.05,
    }
    scale = library_scale(study)
    can_assume = scale.answers is not None
    assumes = can_assume and ("crowd" in request.GET or state.nothing_counts)
    form = AssumptionsForm(request.GET if "crowd" in request.GET else initial, initial=initial)
    content, status = None, 200
    if assumes and form.is_valid():
        content = assumed_content(**form.cleaned_data, scale=scale.name)
        documents = pool = form.cleaned_data["documents"]
    elif assumes:
        status = 400
    elif report:
        content = report.content
    width = width_of(content) if content else "factor" if gains_have_ratios(study) else "margin"
    wanted = GoalsForm(request.GET, width)
    topics = study.topics.filter(retired_at__isnull=True).count()
    budgets_form = BudgetsForm(request.GET, topics, cost_per_document(study))
    budgets = content.get("budgets") if content else None
    comparison = None
    if budgets and budgets_form.is_valid():
        comparison = compare_budgets(budgets, budgets_form, terms_of(study), pool)
    elif budgets:
        status = 400
    goals = wanted.goals if wanted.is_valid() else Goals()
    status = status if wanted.is_valid() else 400
    sizes = sizes_of(content, study, documents, goals) if content else []
    reaching = sorted((size for size in sizes if size.rank), key=lambda size: size.rank or 0)
    assumed = _given(request, form) if can_assume else {}
    context = {
        "study": study,
        "state": state,
        "form": form,
        "wanted": wanted,
        "goals": goals,
        "reaching": reaching,
        "width": name_of_width(width),
        "can_assume": can_assume,
        "assumed": assumed,
        "stated": _given(request, wanted),
        "spent": _given(request, budgets_form),
        "kept": urlencode(_given(request, wanted) | _given(request, budgets_form)),
        "carried": {**assumed, **_given(request, wanted)},
        "budgets": budgets,
        "budgets_form": budgets_form,
        "comparison": comparison,
        "assumes": assumes,
        "plan": content,
        "charts": charts_of(content, sizes, study, goals) if content else [],
        "terms": terms_of(study),
    }
    return render(request, "site/plan.html", context, status=status)


def _documents_per_topic(study: Study) -> tuple[int, int]:
    """Return the mean numbers of documents of a topic that are judged, and that are in its pool.

    Anchors do not count. Without topics, both are 0.
    """
    pools = PoolDocument.objects.filter(topic__study=study, topic__retired_at__isnull=True).order_by()
    row = pools.aggregate(
        judged=Count("pk", filter=Q(anchor="", sampled=True)),
        pooled=Count("pk", filter=Q(anchor="")),
        topics=Count("topic_id", distinct=True),
    )
    topics = row["topics"] or 1
    return round(row["judged"] / topics), round(row["pooled"] / topics)


def _given(request: HttpRequest, form: forms.Form) -> dict[str, str]:
    """Return the form's values from the address. The page's other form repeats them in hidden fields."""
    return {name: request.GET[name] for name in form.fields if request.GET.get(name)}
