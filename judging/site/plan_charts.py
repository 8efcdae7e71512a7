"""The charts of the page “Plan”: what each size of the study gives, and what it costs."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from judging.core.pages.charts import Axis, Chart, Mark
from judging.models import Study
from judging.protocol.estimates import Estimate, Terms, estimate
from judging.setup.estimating import terms_of
from judging.understanding.reports.plans import Goals, Width, rows_reaching, width_of

Row = Mapping[str, Any]


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
    def width(self) -> float:
        """Return the factor or the margin of the intervals of gains, whichever the plan has."""
        factor: float | None = self.row["factor"]
        return float(self.row["margin"]) if factor is None else factor

    @property
    def marked(self) -> str:
        """Return a label for a size that reaches the goals, or "" for other sizes."""
        if self.rank is None:
            return ""
        return _("cheapest") if self.rank == 1 else _("yes")


def estimate_of(row: Row, terms: Terms, documents: int) -> Estimate:
    """Return the estimated cost and time of a row of a plan, for pools of so many documents.

    A row about a sample has the `share` of the documents that are judged.
    """
    terms = replace(terms, judgments_per_document=row["judgments"])
    judged = max(1, round(row.get("share", 1.0) * documents))
    return estimate([judged] * row["topics"], terms)


def money_axis(terms: Terms) -> Axis:
    """Return the axis of costs, or of working hours if the study has no pay."""
    if terms.pay_per_unit:
        return Axis("cost", _("Cost ({currency})").format(currency=terms.currency), "log")
    return Axis("hours", _("Hours of work"), "log")


def sizes_of(content: Mapping[str, Any], study: Study, documents: int, goals: Goals) -> list[Size]:
    """Return the sizes of a plan for pools of this size, with the ranks of those that reach the goals."""
    terms = terms_of(study)
    rows = content["predictions"]
    costs = [estimate_of(row, terms, documents) for row in rows]
    ranks: dict[int, int] = {}
    if goals.are_stated:
        reached = rows_reaching(content, goals, [cost.units for cost in costs])
        ranks = {number: rank for rank, number in enumerate(reached, start=1)}
    return [
        Size(row, cost, ranks.get(number)) for number, (row, cost) in enumerate(zip(rows, costs, strict=True))
    ]


def charts_of(content: Mapping[str, Any], sizes: Sequence[Size], study: Study, goals: Goals) -> list[Chart]:
    """Return the charts of a plan. Without a measure, there are none about systems."""
    terms = terms_of(study)
    charts = [_width_chart(sizes, width_of(content), goals)]
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


def name_of_width(width: Width) -> str:
    """Return the name of the column with the widths of intervals."""
    return _("Factor") if width == "factor" else _("Margin")


def _width_chart(sizes: Sequence[Size], width: Width, goals: Goals) -> Chart:
    explained = {
        "factor": _("A 95 % interval of a gain reaches from the gain ÷ factor to the gain × factor."),
        "margin": _("A 95 % interval of a gain reaches from the gain − margin to the gain + margin."),
    }
    goal: float | None = getattr(goals, width)
    rule = [] if goal is None else [Mark("rule", at=goal, name=_("wanted"))]
    return Chart(
        f"plan-{width}",
        _("Width of a gain’s interval"),
        explained[width],
        Axis("judgments", _("Judgments per document")),
        Axis(width, name_of_width(width)),
        {"judgments": _("Judgments per document"), width: name_of_width(width)},
        sorted({size.row["judgments"]: size.width for size in sizes}.items()),
        [Mark("line"), Mark("dot"), *rule],
    )
