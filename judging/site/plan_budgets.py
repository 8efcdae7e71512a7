"""The section “What does a budget buy?” of the page “Plan”: ways to spend a budget, and the cheapest one."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from judging.core.pages.charts import Axis, Chart, Mark
from judging.core.pages.number_fields import NumberField
from judging.protocol.estimates import Estimate, Terms, estimate
from judging.understanding.reports.plans import EXPLAINED, TOPICS, budgets_reaching

HALF_WIDTH: Final = 10.0
"""The half-width in per cent of the mean score for which the page names the cheapest way, by default."""
_TOPICS: Final = 18
Row = Mapping[str, Any]


class BudgetsForm(forms.Form):
    """The study whose budgets are compared, and the half-width that researchers want."""

    topics = forms.TypedChoiceField(
        label=gettext_lazy("Topics of the study"),
        coerce=int,
        choices=[(number, str(number)) for number in TOPICS],
        error_messages={"invalid_choice": gettext_lazy("Choose a number of topics from the list.")},
    )
    explained = forms.TypedChoiceField(
        label=gettext_lazy("How much predictions explain of the differences between gains"),
        help_text=gettext_lazy("For example, the grades of a language model often explain 10 to 30 %."),
        coerce=float,
        choices=[(str(share), f"{round(100 * share)} %") for share in EXPLAINED],
        error_messages={"invalid_choice": gettext_lazy("Choose a percentage from the list.")},
    )
    half_width = NumberField(
        label=gettext_lazy("Half-width that you want (% of the mean score)"),
        help_text=gettext_lazy(
            "With 10, the interval of a difference reaches 10 % of the mean score to each side."
        ),
        min_value=0.1,
        max_value=1000,
        required=False,
    )
    target = forms.ChoiceField(
        label=gettext_lazy("The interval is for"),
        choices=[
            ("these_topics", gettext_lazy("these topics")),
            ("new_topics", gettext_lazy("new topics like these")),
        ],
        error_messages={"invalid_choice": gettext_lazy("Choose one of the two kinds of interval.")},
    )

    def __init__(self, data: Mapping[str, Any], study_topics: int) -> None:
        nearest = min(TOPICS, key=lambda number: abs(number - (study_topics or _TOPICS)))
        initial = {
            "topics": nearest,
            "explained": str(EXPLAINED[1]),
            "half_width": HALF_WIDTH,
            "target": "these_topics",
        }
        given = {name: data[name] for name in initial if data.get(name)}
        super().__init__({**initial, **given}, auto_id="%s", label_suffix="", initial=initial)


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
    costs = [_estimate(row, terms, documents) for row in rows]
    half_width = asked["half_width"] or HALF_WIDTH
    units = [cost.units for cost in costs]
    reached = budgets_reaching(rows, half_width / 100, asked["target"], units)
    ranks = {number: rank for rank, number in enumerate(reached, start=1)}
    purchases = [
        Purchase(row, cost, asked["target"], ranks.get(number))
        for number, (row, cost) in enumerate(zip(rows, costs, strict=True))
    ]
    cheapest = purchases[reached[0]] if reached else None
    return Comparison(form, _chart(budgets, purchases, terms, half_width), cheapest, half_width)


def money_axis(terms: Terms) -> Axis:
    """Return the axis of costs, or of working hours if the study has no pay."""
    if terms.pay_per_unit:
        return Axis("cost", _("Cost ({currency})").format(currency=terms.currency), "log")
    return Axis("hours", _("Hours of work"), "log")


def _estimate(row: Row, terms: Terms, documents: int) -> Estimate:
    terms = replace(terms, judgments_per_document=row["judgments"])
    return estimate([max(1, round(row["share"] * documents))] * row["topics"], terms)


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
