"""Sample charts with made-up numbers, for the page that shows the design."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Final

from django.utils.translation import gettext as _

from judging.core.pages.charts import Axis, Chart, Mark

_START: Final = datetime(2026, 1, 12, 9, tzinfo=UTC)
_DONE: Final = (0, 6, 14, 21, 25, 30)
_RATES: Final = {
    "(a)": (98, 97, 99, 100, 98),
    "(b)": (91, 94, 90, 95, 96),
    "(c)": (85, 88, 92, 93, 97),
    "(d)": (80, 83, 84, 90, 91),
    "(e)": (72, 75, 81, 80, 86),
    "(f)": (64, 70, 69, 77, 79),
}
_GRADES: Final = [
    ["N", 1.2, 1.8, 2.3, 2.9, 4.1],
    ["R", 3.4, 4.5, 5.8, 6.6, 8.2],
    ["H", 7.5, 9.1, 10.4, 12.0, 14.8],
]
_RUNS: Final = [["A1", 0.81, 0.74, 0.87], ["B2", 0.68, 0.59, 0.76], ["C3", 0.31, 0.22, 0.4]]


def sample_charts() -> list[Chart]:
    """Return charts that together show every kind of mark and every colour that a series can have."""
    charts = [_units(), _steps(), _rates(), _money(), _grades(), _runs(), _workers()]
    return [replace(chart, note=_("The numbers are made up.")) for chart in charts]


def _hour(place: int) -> datetime:
    return _START + timedelta(hours=place)


def _units() -> Chart:
    return Chart(
        "sample-area",
        _("Area with a reference line"),
        _("The total number of units done, hour by hour. The line at 30 is the target."),
        Axis("time", _("Time (UTC)"), "time"),
        Axis("done", _("Units")),
        {"time": _("Time (UTC)"), "done": _("Units done")},
        [[_hour(place), done] for place, done in enumerate(_DONE)],
        [Mark("area"), Mark("rule", at=30, name=_("Wanted"))],
    )


def _steps() -> Chart:
    return Chart(
        "sample-step",
        _("Steps with a shaded band"),
        _("The number of reserved units, hour by hour. The shaded band is the expected range."),
        Axis("time", _("Time (UTC)"), "time"),
        Axis("reserved", _("Units")),
        {"time": _("Time (UTC)"), "reserved": _("Reserved")},
        [[_hour(place), number] for place, number in enumerate((2, 5, 4, 4, 3, 1))],
        [Mark("band", at=2, to=4), Mark("step")],
    )


def _rates() -> Chart:
    return Chart(
        "sample-line",
        _("Lines and dots, in six series"),
        _("Pass rates of six checks, hour by hour. Colour, shape and dashes tell the series apart."),
        Axis("time", _("Time (UTC)"), "time"),
        Axis("rate", _("Passed (%)")),
        {"time": _("Time (UTC)"), "check": _("Check"), "rate": _("Passed (%)")},
        [[_hour(place), name, rate] for name, rates in _RATES.items() for place, rate in enumerate(rates)],
        [Mark("line", series="check"), Mark("dot", series="check")],
    )


def _money() -> Chart:
    return Chart(
        "sample-bar",
        _("Bars"),
        _("Amounts of money that are paid, due or committed."),
        Axis("part", _("Part"), "category"),
        Axis("amount", "USD"),
        {"part": _("Part"), "amount": "USD"},
        [[_("Paid"), 12.4], [_("Due"), 5.2], [_("Committed"), 1.6]],
        [Mark("bar")],
        horizontal=True,
    )


def _grades() -> Chart:
    return Chart(
        "sample-box",
        _("Boxes"),
        _("Magnitudes by known grade: the median, the middle half, and the whiskers."),
        Axis("grade", _("Known grade"), "category"),
        Axis("median", _("Normalised magnitude"), "log"),
        {
            "grade": _("Grade"),
            "low": _("Whisker from"),
            "q1": _("First quartile"),
            "median": _("Median"),
            "q3": _("Third quartile"),
            "high": _("Whisker to"),
        },
        _GRADES,
        [Mark("box")],
    )


def _runs() -> Chart:
    return Chart(
        "sample-interval",
        _("Intervals"),
        _("The mean scores of three runs, with 95 % intervals."),
        Axis("run", _("Run"), "category"),
        Axis("mean", "nDCG@10"),
        {"run": _("Run"), "mean": _("Mean"), "low": _("Interval from"), "high": _("Interval to")},
        _RUNS,
        [Mark("interval")],
        horizontal=True,
    )


def _workers() -> Chart:
    return Chart(
        "sample-dot",
        _("Dots of several sizes, with a diagonal"),
        _("Each dot is a worker, and a larger dot means more units. A ring marks a flagged worker."),
        Axis("first", _("First median magnitude"), "log"),
        Axis("last", _("Last median magnitude"), "log"),
        {
            "worker": _("Worker"),
            "first": _("First"),
            "last": _("Last"),
            "units": _("Units"),
            "flag": _("Flag"),
        },
        [
            ["w1", 4.0, 5.0, 2, ""],
            ["w2", 6.0, 5.5, 5, ""],
            ["w3", 12.0, 10.0, 8, ""],
            ["w4", 20.0, 4.0, 3, _("too fast")],
            ["w5", 30.0, 34.0, 1, ""],
        ],
        [Mark("dot", size="units", marked="flag"), Mark("diagonal")],
    )
