"""The section “What does a budget buy?” of the page “Plan”: ways to spend a budget, and the cheapest one."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import ROUND_HALF_UP, Decimal
from typing import Any

from django.utils.translation import gettext as _

from judging.core.pages.charts import Axis, Chart, Mark
from judging.protocol.estimates import Estimate, Terms
from judging.site.plan_charts import Row, estimate_of, money_axis
from judging.site.plan_forms import HALF_WIDTH, BudgetsForm
from judging.understanding.reports.plans import budgets_reaching


@dataclass(frozen=True)
class Purchase:
    """A budget, its estimated cost and time, and its rank.

    `rank` is 1 for the cheapest budget that reaches the half-width, 2 for the next, and None for a budget
    that does not reach it.
    """

    row: Row
    estimate: Estimate
    target: str
    rank: int | None

    @property
    def width(self) -> float:
        """Return the half-width for the target, in per cent of the mean score."""
        name = "half_width" if self.target == "these_topics" else "half_width_new_topics"
        return 100 * float(self.row[name])

    @property
    def share(self) -> float:
        """Return the share of documents that are judged, in per cent."""
        return 100 * float(self.row["share"])

    @property
    def marked(self) -> str:
        """Return a label for a budget that reaches the half-width, or "" for other budgets."""
        if self.rank is None:
            return ""
        return _("cheapest") if self.rank == 1 else _("yes")


@dataclass(frozen=True)
class Comparison:
    """The ways to spend a budget: form, chart, and the cheapest purchase that is enough, or None."""

    form: BudgetsForm
    chart: Chart
    cheapest: Purchase | None
    half_width: float


def compare_budgets(
    budgets: Mapping[str, Any], form: BudgetsForm, terms: Terms, documents: int
) -> Comparison:
    """Return the comparison for a valid form.

    `budgets` is the entry `budgets` of a plan's content. `documents` is the number of documents per topic,
    not counting anchors.
    """
    asked = form.cleaned_data
    rows = [
        row
        for row in budgets["rows"]
        if row["topics"] == asked["topics"] and row["explained"] in {None, asked["explained"]}
    ]
    costs = [_cost_of(row, terms, documents, asked["model_cost"]) for row in rows]
    half_width = asked["half_width"] or HALF_WIDTH
    work = [(cost.units, float(cost.total)) for cost in costs]
    reached = budgets_reaching(rows, half_width / 100, asked["target"], work)
    ranks = {number: rank for rank, number in enumerate(reached, start=1)}
    purchases = [
        Purchase(row, cost, asked["target"], ranks.get(number))
        for number, (row, cost) in enumerate(zip(rows, costs, strict=True))
    ]
    cheapest = purchases[reached[0]] if reached else None
    return Comparison(form, _chart(budgets, purchases, terms, half_width), cheapest, half_width)


def _cost_of(row: Row, terms: Terms, documents: int, model_cost: Decimal) -> Estimate:
    """Return the estimated cost and time of a budget, with the model's cost if it has predictions."""
    people = estimate_of(row, terms, documents)
    if row["way"] != "predicted":
        return people
    money = (model_cost * documents * row["topics"]).quantize(Decimal("0.01"), ROUND_HALF_UP)
    return replace(people, model=money)


def _worthwhile(purchases: Sequence[Purchase]) -> list[Purchase]:
    """Return the purchases by way and cost, without those that a cheaper one of their way equals."""
    kept: list[Purchase] = []
    for purchase in sorted(purchases, key=lambda each: (each.estimate.units, each.width)):
        widths = [each.width for each in kept if each.row["way"] == purchase.row["way"]]
        if not widths or purchase.width < min(widths):
            kept.append(purchase)
    order = list(_way_names())
    return sorted(kept, key=lambda each: order.index(each.row["way"]))


def _way_names() -> dict[str, str]:
    return {
        "fixed": _("all documents"),
        "adaptive": _("adaptive"),
        "sampled": _("sample"),
        "predicted": _("sample with predictions"),
    }


def _chart(
    budgets: Mapping[str, Any], purchases: Sequence[Purchase], terms: Terms, half_width: float
) -> Chart:
    names = _way_names()
    difference = f"{100 * budgets['difference']:g}"
    return Chart(
        "plan-budgets",
        _("Width of the interval of a difference, by way and cost"),
        _(
            "How far the 95 % interval of the difference between two systems in {measure} reaches to each "
            "side, for a typical pair. Budgets are left out if a cheaper one of the same way is as good. "
            "The table has the share of documents that are judged, and the judgments for each of them."
        ).format(measure=budgets["measure"]),
        money_axis(terms),
        Axis("width", _("Half-width (% of the mean score)")),
        {
            "way": _("Way"),
            "share": _("Documents judged (%)"),
            "judgments": _("Judgments per document"),
            "units": _("Units"),
            "cost": terms.currency,
            "hours": _("Hours"),
            "width": _("Half-width (%)"),
            "tau": _("Expected τ with the ranking by all documents"),
            "power": _("Chance to find a difference of {difference} % on these topics (%)").format(
                difference=difference
            ),
            "power_new": _("Chance to find it for new topics (%)"),
            "marked": _("Reaches the half-width"),
        },
        [
            [
                names[each.row["way"]],
                each.share,
                each.row["judgments"],
                each.estimate.units,
                float(each.estimate.total),
                each.estimate.hours,
                each.width,
                each.row["tau"],
                100 * each.row["power"],
                100 * each.row["power_new_topics"],
                each.marked,
            ]
            for each in _worthwhile(purchases)
        ],
        [
            Mark("line", series="way"),
            Mark("dot", series="way", marked="marked"),
            Mark("rule", at=half_width, name=_("wanted")),
        ],
        note=_("A ring marks the budgets that reach the half-width you want."),
    )
