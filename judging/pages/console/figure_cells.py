"""The figures of a worker as lists show them: of all workers, and of one beside the medians."""

from collections.abc import Callable
from typing import Any, Final, NamedTuple

from judging.models import WorkerFigures
from judging.pages.console.tables import Column, digits, percent


class Figure(NamedTuple):
    """A figure. `name` is its column in the address, the most suspicious first; `cell` also takes medians."""

    name: str
    heading: str
    words: Callable[[WorkerFigures], str]
    cell: Callable[[Any], str | None]


def _commonest(of: WorkerFigures) -> str:
    number = "" if of.commonest is None else f", {of.commonest:.2f}".rstrip("0").rstrip(".")
    return f"The commonest magnitude{number}"


FIGURES: Final = (
    Figure("seconds", "Seconds", lambda _: "Seconds a document", lambda of: digits(of.seconds, 1)),
    Figure(
        "range", "Range", lambda _: "Range of a unit, largest over smallest", lambda of: digits(of.range, 1)
    ),
    Figure(
        "-favourites",
        "5, 10, 50, 100",
        lambda _: "Magnitudes that are 5, 10, 50 or 100",
        lambda of: percent(of.favourites),
    ),
    Figure("-commonest", "Commonest", _commonest, lambda of: percent(of.commonest_share)),
    Figure(
        "agreement",
        "Agreement",
        lambda of: f"Agreement with the others, {of.shared} documents",
        lambda of: digits(of.agreement, 2),
    ),
    Figure(
        "-repeats",
        "Repeats",
        lambda _: "Justifications that repeat earlier ones",
        lambda of: percent(of.repeats),
    ),
    Figure(
        "-failures",
        "Failures",
        lambda _: "Failed checks (b) to (d) for each unit begun",
        lambda of: digits(of.failures, 1),
    ),
)


def columns_beside(figures: WorkerFigures, medians: Any) -> list[Column[Figure]]:
    """Return the columns of a list of figures: one worker's beside the medians."""
    return [
        Column("", "Figure", lambda figure: figure.words(figures)),
        Column("", "This worker", lambda figure: figure.cell(figures)),
        Column("", "Median", lambda figure: figure.cell(medians)),
    ]
