"""The page “Plan”: how many topics and judgments a study needs, from its pilot or from assumptions."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from django import forms
from django.db.models import Count, Q
from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import render
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.http import require_http_methods

from judging.core.pages.charts import Axis, Chart, Mark
from judging.core.pages.guard import console_page, find_study
from judging.core.pages.number_fields import NumberField, WholeField
from judging.models import PoolDocument, ReportKind, Study
from judging.protocol.estimates import Estimate, Terms, estimate
from judging.protocol.words import gettext_noop
from judging.setup.estimating import terms_of
from judging.site.plan_budgets import BudgetsForm, compare_budgets, money_axis
from judging.understanding.pages.state import report_state, request_and_redirect
from judging.understanding.reports.plans import CROWDS, Goals, assumed_content, rows_reaching
from judging.understanding.selectors.reports import find_report

DOCUMENTS: Final = 40
"""The number of documents in a topic's pool, if the study has no pool yet."""
CROWD_NAMES: Final = {
    "careful": gettext_noop("careful"),
    "typical": gettext_noop("typical"),
    "poor": gettext_noop("poor"),
}
Row = Mapping[str, Any]


class AssumptionsForm(forms.Form):
    """What researchers assume about a study before anybody has judged. Empty fields take their defaults."""

    crowd = forms.ChoiceField(
        label=gettext_lazy("Crowd"),
        choices=lambda: [(name, _(CROWD_NAMES[name])) for name in CROWDS],
        error_messages={"invalid_choice": gettext_lazy("Choose a crowd from the list.")},
    )
    documents = WholeField(
        label=gettext_lazy("Documents per topic, without anchors"),
        min_value=10,
        max_value=100,
        required=False,
    )
    systems = WholeField(label=gettext_lazy("Systems to compare"), min_value=2, max_value=60, required=False)
    difference = NumberField(
        label=gettext_lazy("Difference in nDCG@10 that you want to detect"),
        min_value=0.001,
        max_value=1,
        required=False,
    )

    def __init__(self, data: Mapping[str, Any], **options: Any) -> None:
        super().__init__(data, auto_id="%s", label_suffix="", **options)

    def clean(self) -> None:
        for name, field in self.fields.items():
            if self.cleaned_data.get(name, "") is None:
                self.cleaned_data[name] = self.get_initial_for_field(field, name)


class GoalsForm(forms.Form):
    """What researchers want to reach. An empty field sets no goal."""

    tau = NumberField(
        label=gettext_lazy("Minimum mean τ with the true ranking"),
        help_text=gettext_lazy(
            "For example, 0.9. The true ranking is the one that very many judgments would give."
        ),
        min_value=0.01,
        max_value=1,
        required=False,
    )
    factor = NumberField(
        label=gettext_lazy("Maximum width of a median’s interval, as a factor"),
        help_text=gettext_lazy("With 1.5, the 95 % interval of a median of 6 reaches from 4 to 9."),
        min_value=1.01,
        max_value=1000,
        required=False,
    )
    power = NumberField(
        label=gettext_lazy("Minimum chance of telling two systems apart (%)"),
        help_text=gettext_lazy(
            "For example, 80. See the chart below for the difference between the two systems."
        ),
        min_value=1,
        max_value=100,
        required=False,
    )

    def __init__(self, data: Mapping[str, Any], **options: Any) -> None:
        super().__init__(data, auto_id="%s", label_suffix="", **options)

    @property
    def goals(self) -> Goals:
        """Return the goals of a valid form."""
        power = self.cleaned_data["power"]
        return Goals(
            self.cleaned_data["tau"], self.cleaned_data["factor"], None if power is None else power / 100
        )


@dataclass(frozen=True)
class Size:
    """A possible size of the study, with its prediction, its estimated cost and time, and its rank.

    `rank` is 1 for the cheapest size that reaches the goals, 2 for the next, and None for a size that does
    not reach them.
    """

    row: Row
    estimate: Estimate
    rank: int | None

    @property
    def power(self) -> float | None:
        """Return the chance of telling two systems apart, in per cent, or None if there is no prediction."""
        power: float | None = self.row["power"]
        return None if power is None else 100 * power

    @property
    def marked(self) -> str:
        """Return a label for a size that reaches the goals, or "" for other sizes."""
        if self.rank is None:
            return ""
        return _("cheapest") if self.rank == 1 else _("yes")


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
    documents = _documents_per_topic(study)
    initial = {
        "crowd": "typical",
        "documents": min(max(documents or DOCUMENTS, 10), 100),
        "systems": 20,
        "difference": 0.05,
    }
    assumes = "crowd" in request.GET or state.nothing_counts
    form = AssumptionsForm(request.GET if "crowd" in request.GET else initial, initial=initial)
    wanted = GoalsForm(request.GET)
    content, status = None, 200
    if assumes and form.is_valid():
        content = assumed_content(**form.cleaned_data)
        documents = form.cleaned_data["documents"]
    elif assumes:
        status = 400
    elif report:
        content = report.content
    budgets_form = BudgetsForm(request.GET, study.topics.filter(retired_at__isnull=True).count())
    budgets = content.get("budgets") if content else None
    comparison = None
    if budgets and budgets_form.is_valid():
        comparison = compare_budgets(budgets, budgets_form, terms_of(study), documents)
    elif budgets:
        status = 400
    goals = wanted.goals if wanted.is_valid() else Goals()
    status = status if wanted.is_valid() else 400
    sizes = _sizes(content, study, documents, goals) if content else []
    reaching = sorted((size for size in sizes if size.rank), key=lambda size: size.rank or 0)
    context = {
        "study": study,
        "state": state,
        "form": form,
        "wanted": wanted,
        "goals": goals,
        "reaching": reaching,
        "assumed": _given(request, form),
        "stated": _given(request, wanted),
        "spent": _given(request, budgets_form),
        "kept": urlencode(_given(request, wanted) | _given(request, budgets_form)),
        "carried": {**_given(request, form), **_given(request, wanted)},
        "budgets": budgets,
        "budgets_form": budgets_form,
        "comparison": comparison,
        "assumes": assumes,
        "plan": content,
        "charts": _charts(content, sizes, study, goals) if content else [],
        "terms": terms_of(study),
    }
    return render(request, "site/plan.html", context, status=status)


def _documents_per_topic(study: Study) -> int:
    """Return the mean number of documents to judge per topic, not counting anchors, or 0 without topics."""
    pools = PoolDocument.objects.filter(topic__study=study, topic__retired_at__isnull=True, sampled=True)
    row = pools.order_by().aggregate(
        documents=Count("pk", filter=Q(anchor="")), topics=Count("topic_id", distinct=True)
    )
    return round(row["documents"] / row["topics"]) if row["topics"] else 0


def _given(request: HttpRequest, form: forms.Form) -> dict[str, str]:
    """Return the form's values from the address. The page's other form repeats them in hidden fields."""
    return {name: request.GET[name] for name in form.fields if request.GET.get(name)}


def _sizes(content: Mapping[str, Any], study: Study, documents: int, goals: Goals) -> list[Size]:
    terms = terms_of(study)
    rows = content["predictions"]
    costs = [_estimate(row, terms, documents) for row in rows]
    ranks: dict[int, int] = {}
    if goals.are_stated:
        reached = rows_reaching(content, goals, [cost.units for cost in costs])
        ranks = {number: rank for rank, number in enumerate(reached, start=1)}
    return [
        Size(row, cost, ranks.get(number)) for number, (row, cost) in enumerate(zip(rows, costs, strict=True))
    ]


def _charts(content: Mapping[str, Any], sizes: Sequence[Size], study: Study, goals: Goals) -> list[Chart]:
    terms = terms_of(study)
    charts = [_factor_chart(sizes, goals)]
    if content["measure"]:
        charts = [
            _cost_chart(sizes, terms, goals),
            _replicate_chart(sizes),
            _power_chart(content, sizes, goals),
            *charts,
        ]
    else:
        charts = [_price_chart(sizes, terms), *charts]
    return charts


def _marks(goal: float | None = None) -> list[Mark]:
    """Return the marks of a chart: lines, dots and, if there is a goal, a straight line at the goal.

    The dots of sizes that reach the goals have a ring.
    """
    rule = [] if goal is None else [Mark("rule", at=goal, name=_("wanted"))]
    return [Mark("line", series="series"), Mark("dot", series="series", marked="marked"), *rule]


def _estimate(row: Row, terms: Terms, documents: int) -> Estimate:
    terms = replace(terms, judgments_per_document=row["judgments"])
    return estimate([documents] * row["topics"], terms)


def _series(row: Row) -> str:
    return _("{number} topics").format(number=row["topics"])


def _note(goals: Goals) -> str:
    return _("A ring marks the studies that reach your goals.") if goals.are_stated else ""


def _cost_chart(sizes: Sequence[Size], terms: Terms, goals: Goals) -> Chart:
    axis = money_axis(terms)
    return Chart(
        "plan-cost",
        _("Agreement with the true ranking, by cost"),
        _(
            "Kendall’s τ between the study’s ranking of the systems and the true ranking, which very many "
            "judgments for the same topics would give. Each point is the mean over many simulated studies. "
            "In 90 % of these studies, τ lies between “τ from” and “τ to” in the table."
        ),
        axis,
        Axis("tau", _("Mean τ")),
        {
            "series": _("Study"),
            "judgments": _("Judgments per document"),
            "units": _("Units"),
            "cost": terms.currency,
            "hours": _("Hours"),
            "tau": _("Mean τ"),
            "low": _("τ from"),
            "high": _("τ to"),
            "marked": _("Reaches your goals"),
        },
        [
            [
                _series(size.row),
                size.row["judgments"],
                size.estimate.units,
                float(size.estimate.total),
                size.estimate.hours,
                *size.row["tau"],
                size.marked,
            ]
            for size in sizes
        ],
        _marks(goals.tau),
        note=_note(goals),
    )


def _price_chart(sizes: Sequence[Size], terms: Terms) -> Chart:
    axis = money_axis(terms)
    return Chart(
        "plan-price",
        _("Cost by number of judgments"),
        _("What the study would cost at each size, given its pay and fee."),
        Axis("judgments", _("Judgments per document")),
        replace(axis, scale="linear"),
        {
            "series": _("Study"),
            "judgments": _("Judgments per document"),
            "units": _("Units"),
            "cost": terms.currency,
            "hours": _("Hours"),
            "marked": _("Reaches your goals"),
        },
        [
            [
                _series(size.row),
                size.row["judgments"],
                size.estimate.units,
                float(size.estimate.total),
                size.estimate.hours,
                size.marked,
            ]
            for size in sizes
        ],
        _marks(),
    )


def _replicate_chart(sizes: Sequence[Size]) -> Chart:
    return Chart(
        "plan-replicate",
        _("Agreement with a second study"),
        _(
            "The mean τ between the rankings from two independent studies of the same topics. Other topics "
            "would also change the ranking: see the last columns of the table."
        ),
        Axis("judgments", _("Judgments per document")),
        Axis("tau", _("Mean τ")),
        {
            "series": _("Study"),
            "judgments": _("Judgments per document"),
            "tau": _("Mean τ"),
            "low": _("τ from"),
            "high": _("τ to"),
            "topics_tau": _("Mean τ with the ranking that very many topics would give"),
            "topics_low": _("τ from"),
            "topics_high": _("τ to"),
            "marked": _("Reaches your goals"),
        },
        [
            [
                _series(size.row),
                size.row["judgments"],
                *size.row["tau_replicate"],
                *size.row["tau_topics"],
                size.marked,
            ]
            for size in sizes
        ],
        _marks(),
    )


def _power_chart(content: Mapping[str, Any], sizes: Sequence[Size], goals: Goals) -> Chart:
    return Chart(
        "plan-power",
        _("Chance of telling two systems apart"),
        _(
            "The chance that a t-test over topics (α = .05) finds that two systems differ, if their means "
            "differ by {difference} in {measure}."
        ).format(difference=content["difference"], measure=content["measure"]),
        Axis("topics", _("Topics")),
        Axis("power", _("Chance (%)"), ends=(0, 100)),
        {
            "series": _("Study"),
            "topics": _("Topics"),
            "power": _("Chance (%)"),
            "marked": _("Reaches your goals"),
        },
        [
            [
                ngettext("{number} judgment", "{number} judgments", size.row["judgments"]).format(
                    number=size.row["judgments"]
                ),
                size.row["topics"],
                size.power,
                size.marked,
            ]
            for size in sorted(sizes, key=lambda size: (size.row["judgments"], size.row["topics"]))
        ],
        _marks(None if goals.power is None else 100 * goals.power),
        note=_note(goals),
    )


def _factor_chart(sizes: Sequence[Size], goals: Goals) -> Chart:
    factors = {size.row["judgments"]: size.row["factor"] for size in sizes}
    rule = [] if goals.factor is None else [Mark("rule", at=goals.factor, name=_("wanted"))]
    return Chart(
        "plan-factor",
        _("Width of a median’s interval"),
        _(
            "A 95 % interval of a document’s median reaches from the median divided by this factor to the "
            "median times this factor."
        ),
        Axis("judgments", _("Judgments per document")),
        Axis("factor", _("Factor")),
        {"judgments": _("Judgments per document"), "factor": _("Factor")},
        sorted(factors.items()),
        [Mark("line"), Mark("dot"), *rule],
    )
