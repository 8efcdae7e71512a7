"""What the parts of a report contain: sentences, tables, figures, and reasons why something is missing."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final

import polars as pl

from ..errors import InputError
from ..figures import Figure
from ..result import Result
from ..tabled import Tabled
from ..text import Text

RESULT: Final = "result"
"""The key of the files of the result, on the first page."""
MOST_ROWS: Final = 40
"""The largest number of rows of a table that the report prints. The CSV file has all rows."""
Reason = Text | InputError
"""Why something is missing."""


@dataclass(frozen=True, eq=False)
class Numbers:
    """A table of a report. `key` names its files.

    `sentences` say what the table shows, and `notes` explain its columns. The first `heads` columns name the
    rows. If `interval_of` names a column, the interval from `low` to `high` is printed after each value of
    this column. If the table has more than `most` rows, the report prints only the first `most` rows. If the
    table has the scores for one kind of gains and one measure, `about` has the names of both, and `result` is
    the result that the table shows.
    """

    key: str
    caption: Text
    table: pl.DataFrame
    heads: int = 1
    notes: tuple[Text, ...] = ()
    interval_of: str = ""
    most: int = MOST_ROWS
    sentences: tuple[Text, ...] = ()
    about: tuple[str, str] | None = None
    result: Result | None = None


@dataclass(frozen=True, eq=False)
class Drawn:
    """A figure of a report. `key` names its files, and `alt` describes it to people who cannot see it.

    The figure is drawn on first use, because a program may need only the tables.
    """

    key: str
    caption: Text
    alt: tuple[Text, ...]
    draw: Callable[[], Figure]

    @cached_property
    def figure(self) -> Figure:
        """The figure itself."""
        return self.draw()


@dataclass(eq=False)
class Content:
    """The results of a part."""

    sentences: list[Text] = field(default_factory=list)
    tables: list[Numbers] = field(default_factory=list)
    figures: list[Drawn] = field(default_factory=list)
    missing: list[Reason] = field(default_factory=list)

    def leave_out(self, name: str, reason: InputError) -> None:
        """Add the reason why the results based on the gains with this name are missing."""
        self.missing.append(Text("By {name}: {reason}.", name=name, reason=reason))

    def add_each(self, names: Iterable[str], work: Callable[[str], object]) -> None:
        """Do the work for each of the named gains, or note why the library refuses to do it."""
        for name in names:
            try:
                work(name)
            except InputError as error:
                self.leave_out(name, error)


def numbers_of(result: Tabled, prefix: str) -> list[Numbers]:
    """Return the tables of a result of several tables. `prefix` begins the keys of their files."""
    tables = []
    for part in result.parts:
        table = result.to_polars(part)
        heads = sum(kind == pl.String for kind in table.dtypes)
        tables.append(Numbers(f"{prefix}-{part}", result.TITLES[part], table, heads=heads))
    return tables


def titled(title: Text, name: str) -> Text:
    """Return the caption of a table or figure for one set of gains."""
    return Text("{title}: {name}", title=title, name=name)


def suffix(place: int) -> str:
    """Return the suffix of keys for a set of known grades: "" at place 0, "-2" at place 1, and so on."""
    return f"-{place + 1}" if place else ""
