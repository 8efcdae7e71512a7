"""The statistics of a worker as lists show them: of all workers, and of one beside the medians."""

from collections.abc import Callable
from typing import Final, NamedTuple

from judging.core.pages.tables import Column, digits, percent
from judging.models import WorkerFigures


class Statistic(NamedTuple):
    """A statistic. `name` is its column in the address, suspicious values first; `cell` takes medians too."""

    name: str
    heading: str
    words: Callable[[WorkerFigures], str]
    cell: Callable[[WorkerFigures], str | None]


def _commonest(of: WorkerFigures) -> str:
    number = "" if of.commonest is None else f", {of.commonest:.2f}".rstrip("0").rstrip(".")
    return f"The commonest magnitude{number}"


STATISTICS: Final = (
    Statistic("seconds", "Seconds", lambda _: "Seconds a document", lambda of: digits(of.seconds, 1)),
    Statistic(
        "range", "Range", lambda _: "Range of a unit, largest over smallest", lambda of: digits(of.range, 1)
    ),
    Statistic(
        "-favourites",
        "5, 10, 50, 100",
        lambda _: "Magnitudes that are 5, 10, 50 or 100",
        lambda of: percent(of.favourites),
    ),
    Statistic("-commonest", "Commonest", _commonest, lambda of: percent(of.commonest_share)),
    Statistic(
        "agreement",
        "Agreement",
        lambda of: f"Agreement with the others, {of.shared} documents",
        lambda of: digits(of.agreement, 2),
    ),
    Statistic(
        "-repeats",
        "Repeats",
        lambda _: "Justifications that repeat earlier ones",
        lambda of: percent(of.repeats),
    ),
    Statistic(
        "-failures",
        "Failures",
        lambda _: "Failed checks (b) to (d) for each unit begun",
        lambda of: digits(of.failures, 1),
    ),
)


def columns_beside(statistics: WorkerFigures, medians: WorkerFigures) -> list[Column[Statistic]]:
    """Return the columns of a list of statistics: one worker's beside the medians."""
    return [
        Column("", "Statistic", lambda statistic: statistic.words(statistics)),
        Column("", "This worker", lambda statistic: statistic.cell(statistics)),
        Column("", "Median", lambda statistic: statistic.cell(medians)),
    ]
