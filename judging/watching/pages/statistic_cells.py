"""The statistics of a worker as lists show them: of all workers, and of one beside the medians."""

from collections.abc import Callable
from functools import partial
from typing import Final, NamedTuple

from judging.core.pages.tables import Column, digits, percent
from judging.models import WorkerFigures


class Statistic(NamedTuple):
    """A statistic, a `column` of the model. `name` is its name in the address, suspicious values first."""

    name: str
    heading: str
    column: str
    words: Callable[[WorkerFigures], str]
    shown: Callable[[float | None], str | None]

    def cell(self, of: WorkerFigures) -> str | None:
        """Return the statistic of a worker, or the median of all."""
        return self.shown(getattr(of, self.column))


def _commonest(of: WorkerFigures) -> str:
    number = "" if of.commonest is None else f", {of.commonest:.2f}".rstrip("0").rstrip(".")
    return f"The commonest magnitude{number}"


_ONE_DECIMAL: Final = partial(digits, decimals=1)
STATISTICS: Final = (
    Statistic("seconds", "Seconds", "seconds", lambda _: "Seconds a document", _ONE_DECIMAL),
    Statistic("range", "Range", "range", lambda _: "Range of a unit, largest over smallest", _ONE_DECIMAL),
    Statistic(
        "-favourites",
        "5, 10, 50, 100",
        "favourites",
        lambda _: "Magnitudes that are 5, 10, 50 or 100",
        percent,
    ),
    Statistic("-commonest", "Commonest", "commonest_share", _commonest, percent),
    Statistic(
        "agreement",
        "Agreement",
        "agreement",
        lambda of: f"Agreement with the others, {of.shared} documents",
        partial(digits, decimals=2),
    ),
    Statistic("-repeats", "Repeats", "repeats", lambda _: "Justifications that repeat earlier ones", percent),
    Statistic(
        "-failures",
        "Failures",
        "failures",
        lambda _: "Failed checks (b) to (d) for each unit begun",
        _ONE_DECIMAL,
    ),
)


def columns_beside(statistics: WorkerFigures, medians: WorkerFigures) -> list[Column[Statistic]]:
    """Return the columns of a list of statistics: one worker's beside the medians."""
    return [
        Column("", "Statistic", lambda statistic: statistic.words(statistics)),
        Column("", "This worker", lambda statistic: statistic.cell(statistics)),
        Column("", "Median", lambda statistic: statistic.cell(medians)),
    ]
