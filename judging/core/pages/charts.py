"""Charts on a page. A chart is a table of numbers and a description of how to draw it.

The template `core/_chart.html` shows the table. `static/js/charts.js` reads the numbers from the table and
draws the picture with Observable Plot. Without JavaScript, people read the table.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Any, Literal

from django.utils.html import conditional_escape
from django.utils.safestring import SafeString

from judging.core.pages.numbers import exact
from judging.core.pages.page_table import moment

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

Scale = Literal["linear", "log", "time", "category"]
Kind = Literal["band", "bar", "box", "diagonal", "dot", "interval", "line", "rule"]


@dataclass(frozen=True)
class Axis:
    """An axis: the column that it shows, its label with the unit, and its scale.

    `ends` are the smallest and largest values on the axis, for charts that people compare side by side.
    """

    column: str
    label: "StrOrPromise"
    scale: Scale = "linear"
    ends: tuple[float, float] | None = None

    def described(self) -> dict[str, Any]:
        described = {"column": self.column, "label": str(self.label), "scale": self.scale}
        return described | ({"ends": self.ends} if self.ends else {})


@dataclass(frozen=True)
class Mark:
    """How to draw the rows of the table.

    - `line` connects the points of a series, and `dot` draws each point.
    - `bar` reaches from 0 to the value; bars of the same category are stacked.
    - `interval` draws a line between the columns `low` and `high`, with a dot at the value.
    - `box` draws a box from `q1` to `q3` with a line at `median`, and whiskers from `low` to `high`.
    - `rule` is a line at the constant `at`, on the axis of values. Its `name` is shown beside it.
    - `band` shades the values from `at` to `to`. Only vertical charts have bands.
    - `diagonal` is a line through all points that have the same value on both axes.

    `y` is the column of the values, or "" to use the column of the chart's axis `y`. `series` is the column
    that divides the rows into series, each with its own colour and shape. `size` is the column that sets the
    area of the dots. `marked` is a column of text, and each dot whose row has text there gets a ring. For a
    mark without series, except a rule, `name` is the entry in the legend.
    """

    kind: Kind
    y: str = ""
    series: str = ""
    size: str = ""
    marked: str = ""
    at: float | None = None
    to: float | None = None
    name: "StrOrPromise" = ""

    def described(self) -> dict[str, Any]:
        values = {name: value for name, value in vars(self).items() if value not in {"", None}}
        return values | ({"name": str(self.name)} if self.name else {})


@dataclass(frozen=True)
class Chart:
    """A chart: its id, a title that says what it shows, a text alternative, and its numbers.

    `columns` maps the name of each column to its heading. Each row has a value for each column: a number, a
    time, a text, a safe link, or None. `horizontal` charts show categories from top to bottom. `note` is a
    sentence below the picture, such as a warning.
    """

    name: str
    title: "StrOrPromise"
    about: "StrOrPromise"
    x: Axis
    y: Axis
    columns: "dict[str, StrOrPromise]"
    rows: Sequence[Sequence[object]]
    marks: Sequence[Mark]
    horizontal: bool = False
    note: "StrOrPromise" = ""
    height: int = field(default=0)

    @property
    def drawing(self) -> str:
        """Return the description of the picture, as JSON for the script."""
        return json.dumps(
            {
                "columns": list(self.columns),
                "x": self.x.described(),
                "y": self.y.described(),
                "marks": [mark.described() for mark in self.marks],
                "horizontal": self.horizontal,
                "height": self.height,
            },
            separators=(",", ":"),
        )

    @property
    def body(self) -> SafeString:
        """Return the rows of the table as HTML. Numbers are rounded for people, but exact for programs.

        This does not use a template, which would take several times as long for a thousand rows.
        """
        rows = ([conditional_escape(_cell(value)) for value in row] for row in self.rows)
        return SafeString(
            "".join(
                f'<tr><th scope="row">{first}</th>{"".join(f"<td>{cell}</td>" for cell in others)}</tr>'
                for first, *others in rows
            )
        )


def _cell(value: object) -> SafeString | str:
    if isinstance(value, datetime):
        return moment(value)
    if isinstance(value, int) and not isinstance(value, bool):
        return SafeString(f'<data value="{value}">{value}</data>')
    return value if isinstance(value, SafeString) else exact(value)
