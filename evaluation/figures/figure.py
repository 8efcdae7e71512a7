"""A figure with the table of its numbers, and the files in which both are saved."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal

import polars as pl
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure as Drawing
from matplotlib.legend import Legend
from matplotlib.transforms import BboxBase

from ..errors import InputError, shown
from ..options import checked
from ..showing import short_repr
from . import style

# Without date and version, the same numbers give the same file.
_METADATA: Final[dict[str, dict[str, Any]]] = {
    ".svg": {"Date": None, "Creator": None},
    ".pdf": {"CreationDate": None, "Creator": None, "Producer": None},
    ".png": {"Software": None},
}

Side = Literal["center", "left"]
LINE: Final = 1.2 * style.FONT_SIZE / 72
"""The height of one line of a title, in inches."""


@short_repr
@dataclass(frozen=True, eq=False)
class Figure:
    """A matplotlib drawing, and a `table` whose columns contain the numbers in the drawing."""

    drawing: Drawing
    table: pl.DataFrame

    def save(self, *paths: str | Path) -> list[Path]:
        """Save the drawing under each path, with the table as `.csv` beside it. Return all paths.

        The suffix `.svg`, `.pdf` or `.png` decides the format. Existing files are replaced. With the same
        version of matplotlib, the same numbers give the same bytes. Raise `InputError` for any other suffix,
        before anything is written, and `OSError` if a file cannot be written.
        """
        targets = [Path(path) for path in paths]
        for path in targets:
            if path.suffix.lower() not in _METADATA:
                raise InputError(
                    "unknown-figure-format",
                    "a figure cannot be saved as {name}; use a file name that ends in .svg, .pdf or .png",
                    name=shown(path.name),
                )
        tables = dict.fromkeys(path.with_suffix(".csv") for path in targets)
        for path in targets:
            suffix = path.suffix.lower()
            with style.context():
                self.drawing.savefig(path, format=suffix[1:], metadata=_METADATA[suffix])
        for path in tables:
            self.table.write_csv(path)
        return [*targets, *tables]


def finish(drawing: Drawing, table: pl.DataFrame) -> Figure:
    """Lay out the drawing, once for all formats, and return the figure."""
    drawing.draw_without_rendering()
    drawing.set_layout_engine(None)  # with "none", matplotlib draws everything once more for each file
    return Figure(drawing, table)


def legend_above(drawing: Drawing, handles: Mapping[str, Artist]) -> None:
    """Put a legend above all panels, in as many columns as fit. The drawing grows by the legend's height."""
    width, height = drawing.get_size_inches()
    names = [style.wrap(name, width - 0.7) for name in handles]
    for columns in range(min(6, len(names)), 0, -1):
        legend = drawing.legend(list(handles.values()), names, loc="outside upper center", ncols=columns)
        extent = _extent(legend)
        if extent.width <= width - 0.1 or columns == 1:
            break
        legend.remove()
    drawing.set_size_inches(width, height + extent.height)


def panel_legend(panel: Axes, handles: Mapping[str, Artist], room: float) -> float:
    """Put a legend above its panel, with two names in a line if they fit into `room` inches.

    Return the legend's height in inches.
    """
    names = [style.wrap(name, room - 0.4) for name in handles]
    for columns in (2, 1):
        legend = panel.legend(
            list(handles.values()),
            names,
            loc="lower left",
            bbox_to_anchor=(0, 1),
            borderaxespad=0.2,
            ncols=columns,
        )
        extent = _extent(legend)
        if extent.width <= room:
            break
    return float(extent.height)


@checked
def set_titles(
    drawing: Drawing, panels: Sequence[Axes], titles: Sequence[str], *, lines: int, loc: Side = "center"
) -> None:
    """Give each panel its title; the drawing grows if the longest title has more than `lines` lines."""
    for panel, title in zip(panels, titles, strict=True):
        panel.set_title(title, loc=loc)
    most = max(title.count("\n") + 1 for title in titles)
    make_room(drawing, panels, (most - lines) * LINE)


def make_room(drawing: Drawing, panels: Sequence[Axes], inches: float) -> None:
    """Make the drawing taller by `inches` for each row of panels, if `inches` is positive."""
    spec = panels[0].get_subplotspec()
    rows = spec.get_gridspec().nrows if spec is not None else 1
    width, height = drawing.get_size_inches()
    drawing.set_size_inches(width, height + rows * max(0.0, inches))


def _extent(legend: Legend) -> BboxBase:
    """Return the place of the legend in inches."""
    return legend.get_window_extent().transformed(style.to_inches(legend))
