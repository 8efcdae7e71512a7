"""How lists show the statistics of workers, and how a list compares one or two workers with the medians."""

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Final, NamedTuple

from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from judging.core.pages.page_table import Column, digits, percent
from judging.models import Study, WorkerFigures
from judging.protocol.scales import scale_of

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise


class Statistic(NamedTuple):
    """A statistic about workers. `column` names the field of `WorkerFigures` that stores it.

    `name` is the sort key in the address of a list. Sorting by this key lists suspicious values first.
    `label` is a function that returns the long name of this statistic. It takes the `WorkerFigures` of one
    worker, because the name can contain values from them. For None, it returns a name that suits any worker.
    """

    name: str
    heading: "StrOrPromise"
    column: str
    label: "Callable[[WorkerFigures | None], StrOrPromise]"
    format: Callable[[float | None], str | None]

    def cell(self, figures: WorkerFigures) -> str | None:
        """Return the formatted statistic. `figures` holds the statistics of a worker, or the medians."""
        return self.format(getattr(figures, self.column))


def _commonest(figures: WorkerFigures | None) -> str:
    if figures is None or figures.commonest is None:
        return gettext("Share of the most common number")
    number = f"{figures.commonest:.2f}".rstrip("0").rstrip(".")
    return gettext("Share of the most common number, {number}").format(number=number)


def _agreement(figures: WorkerFigures | None) -> str:
    if figures is None:
        return gettext("Agreement with the other workers")
    return ngettext(
        "Agreement with the other workers on {count} document",
        "Agreement with the other workers on {count} documents",
        figures.shared,
    ).format(count=figures.shared)


_ONE_DECIMAL: Final = partial(digits, decimals=1)


def _count(number: float | None) -> str | None:
    return None if number is None else f"{number:g}"


COUNTS: Final = (
    Statistic("-begun", _("Units started"), "begun", lambda figures: _("Units started"), _count),
    Statistic("-units", _("Completed"), "completed", lambda figures: _("Completed units"), _count),
)
STATISTICS: Final = (
    Statistic("seconds", _("Seconds"), "seconds", lambda figures: _("Seconds per document"), _ONE_DECIMAL),
    Statistic(
        "range",
        _("Range"),
        "range",
        lambda figures: _("Range of a unit: largest magnitude divided by smallest"),
        _ONE_DECIMAL,
    ),
    Statistic(
        "-favourites",
        "5, 10, 50, 100",
        "favourites",
        lambda figures: _("Numbers that are 5, 10, 50 or 100"),
        percent,
    ),
    Statistic("-commonest", _("Most common"), "commonest_share", _commonest, percent),
    Statistic(
        "agreement",
        _("Agreement"),
        "agreement",
        _agreement,
        partial(digits, decimals=2),
    ),
    Statistic(
        "-repeats",
        _("Repeats"),
        "repeats",
        lambda figures: _("Reasons that repeat an earlier reason of the same worker"),
        percent,
    ),
    Statistic(
        "-failures",
        _("Failures"),
        "failures",
        lambda figures: _("Failed checks (b) to (d) per started unit"),
        _ONE_DECIMAL,
    ),
)


def statistics_of(study: Study) -> list[Statistic]:
    """Return the statistics that a study has. Without ratios, numbers have no range."""
    has_ratios = scale_of(study).has_ratios
    return [statistic for statistic in STATISTICS if has_ratios or statistic.column != "range"]


def comparison_columns(statistics: WorkerFigures, medians: WorkerFigures) -> list[Column[Statistic]]:
    """Return the columns of a list that compares the statistics of a worker with the medians."""
    return [
        Column("", _("Statistic"), lambda statistic: statistic.label(statistics)),
        Column("", _("This worker"), lambda statistic: statistic.cell(statistics)),
        Column("", _("Median"), lambda statistic: statistic.cell(medians)),
    ]


def pair_columns(
    first: tuple[str, WorkerFigures],
    second: tuple[str, WorkerFigures],
    medians: WorkerFigures,
) -> list[Column[Statistic]]:
    """Return the columns of a list that compares two workers with each other and with the medians.

    Each worker is given as a pair: the worker's pseudonym and statistics.
    """
    return [
        Column("", _("Statistic"), lambda statistic: statistic.label(None)),
        Column("", first[0], lambda statistic: statistic.cell(first[1])),
        Column("", second[0], lambda statistic: statistic.cell(second[1])),
        Column("", _("Median"), lambda statistic: statistic.cell(medians)),
    ]
