"""Charts of a study in progress: units over time, checks over time, and money."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final

from django.utils.translation import gettext as _

from judging.core.pages.charts import Axis, Chart, Mark
from judging.core.published.decisions import DecisionRow
from judging.core.selectors.payments import Totals
from judging.models import Study
from judging.protocol.checks import CHECKS
from judging.watching.selectors.live import Activity
from judging.watching.selectors.periods import DAY, HOUR, PERIODS
from judging.watching.selectors.progress import Progress
from judging.watching.selectors.quality import Period

HOURLY: Final = timedelta(days=3)
"""The charts of studies that have run for longer than this show days instead of hours."""


def period_of(recent: Activity) -> str:
    """Return the length of the periods in a study's charts: `HOUR` or `DAY`."""
    if recent.first is None or recent.until - recent.first <= HOURLY:
        return HOUR
    return DAY


def units_chart(by: str, periods: Sequence[Period], units: Progress, end: datetime | None) -> Chart:
    """Return the chart of the total number of units done over time, up to the expected `end`.

    `periods` holds the newest period first. The totals are computed backwards from the number of units that
    are done now. If a worker deletes the judgments of a unit, the unit is no longer done. But `periods`
    still counts it as completed, so a computed total can be negative. The chart then shows 0.
    """
    rows: list[list[object]] = []
    done = units.done
    for period in periods:
        rows.insert(0, [period.begins + PERIODS[by], done, None])
        done = max(0, done - period.completed)
    if rows and periods:
        rows.insert(0, [periods[-1].begins, done, None])
    if rows and end is not None:
        rows[-1][2] = rows[-1][1]
        rows.append([end, None, units.wanted])
    return Chart(
        "units-over-time",
        _("Units done over time"),
        _("{done} of {wanted} units are done. The horizontal line is the number of units wanted.").format(
            done=units.done, wanted=units.wanted
        ),
        Axis("time", _("Time (UTC)"), "time"),
        Axis("done", _("Units")),
        {"time": _("Until (UTC)"), "done": _("Units done"), "expected": _("At the current pace")},
        rows,
        [
            Mark("line", name=_("Units done")),
            *([Mark("line", y="expected", name=_("At the current pace"))] if end else []),
            Mark("rule", at=units.wanted),
        ],
    )


def checks_chart(by: str, periods: Sequence[Period]) -> Chart:
    """Return the chart of the pass rate of each check over time.

    The rate of a period is the number of completed units, divided by the sum of completed units and failures
    of the check. It is None if this sum is 0.
    """
    headings = {check.letter: _(check.heading) for check in CHECKS.values()}
    rows = [
        [period.begins, headings[letter], rate, failed, period.completed]
        for period in reversed(periods)
        for letter in headings
        for failed in [period.failures.get(letter, 0)]
        for tried in [period.completed + failed]
        for rate in [round(100 * period.completed / tried, 1) if tried else None]
    ]
    return Chart(
        "checks-over-time",
        _("Pass rate of each check"),
        _(
            "For each {period}: completed units, divided by the sum of completed units and failures of the "
            "check."
        ).format(period=_("hour") if by == HOUR else _("day")),
        Axis("time", _("Time (UTC)"), "time"),
        # An axis with a single value would have no scale.
        Axis("rate", _("Passed (%)"), ends=(0, 100) if len({row[2] for row in rows}) <= 1 else None),
        {
            "time": _("From (UTC)"),
            "check": _("Check"),
            "rate": _("Passed (%)"),
            "failed": _("Failures"),
            "completed": _("Units completed"),
        },
        rows,
        [Mark("line", series="check"), Mark("dot", series="check")],
    )


def decisions_chart(study: Study, decisions: Sequence[DecisionRow]) -> Chart:
    """Return the chart of the expected τ at each decision of an adaptive study.

    A line marks the τ at which the ranking of the runs is settled.
    """
    return Chart(
        "decisions-over-judgments",
        _("Expected τ at each decision"),
        _(
            "For each decision: the expected τ between the ranking of the runs at that time and the true "
            "ranking. The horizontal line is the level at which the ranking is settled."
        ),
        Axis("judgments", _("Judgments")),
        Axis("tau", _("Expected τ")),
        {"judgments": _("Judgments"), "tau": _("Expected τ"), "units": _("New units")},
        [[row.judgments, row.expected_tau, row.units_planned] for row in decisions],
        [Mark("line"), Mark("dot"), Mark("rule", at=study.settled_level, name=_("wanted"))],
    )


def money_chart(study: Study, money: Totals) -> Chart:
    """Return the chart of a study's money, from paid to needed for further units."""
    parts = [
        (_("Paid"), money.paid),
        (_("Due"), money.due),
        (_("Held for review"), money.held),
        (_("Committed"), money.committed),
        (_("Open units"), money.open),
    ]
    about = _("Spent so far: {spent} {currency}. If all units are completed, the total is {total}.")
    if money.further.count:
        parts.append((_("Further units"), money.further))
        about = _(
            "Spent so far: {spent} {currency}. With all planned units, the total is {planned}. With the "
            "further units that can follow, it is {total} at most."
        )
    return Chart(
        "money",
        _("Money"),
        about.format(spent=money.spent, planned=money.planned, total=money.at_most, currency=study.currency),
        Axis("part", _("Part"), "category"),
        Axis("amount", study.currency),
        {"part": _("Part"), "amount": study.currency, "payments": _("Payments")},
        [[name, float(part.amount), part.count] for name, part in parts],
        [Mark("bar")],
        horizontal=True,
    )
