"""Panels side by side, and axes with readable numbers."""

import math
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final, Literal

import numpy as np
from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure as Drawing
from matplotlib.layout_engine import ConstrainedLayoutEngine
from matplotlib.ticker import FixedLocator, FuncFormatter, MaxNLocator, NullFormatter, NullLocator

from ..arrays import FloatArray
from ..options import checked
from . import style

Which = Literal["x", "y"]
SINGLE_PANEL_HEIGHT: Final = {"column": 2.2, "page": 3.2}
"""For each width, the height of a panel that is alone in its drawing, in inches."""
_RAISED: Final = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
_STEPS: Final = (1.0, 2.0, 5.0)


@checked
def grid(
    number: int, width: style.Width, *, across: int, height: float, sharex: bool = True, sharey: bool = True
) -> tuple[Drawing, list[Axes]]:
    """Return a drawing and its `number` panels, each `height` inches high, at most `across` in a row."""
    across = min(across, number)
    rows = math.ceil(number / across)
    drawing = Drawing(
        figsize=(style.inches(width), rows * height), layout=ConstrainedLayoutEngine(w_pad=0.03, h_pad=0.03)
    )
    FigureCanvasAgg(drawing)
    axes = drawing.subplots(rows, across, sharex=sharex, sharey=sharey, squeeze=False).ravel()
    for spare in axes[number:]:
        spare.remove()
    panels: list[Axes] = list(axes[:number])
    for panel in panels[max(0, number - across) :]:
        panel.tick_params(labelbottom=True)  # needed if the row below has no panel
    return drawing, panels


def name_axes(drawing: Drawing, panels: Sequence[Axes], x: str, y: str) -> None:
    """Label the x axis and the y axis, once for all panels."""
    width, height = drawing.get_size_inches()
    x = "\n".join(style.wrap(line, width - 0.8) for line in x.split("\n"))
    y = style.wrap(y, height - 0.4)
    if len(panels) == 1:
        panels[0].set_xlabel(x)
        panels[0].set_ylabel(y)
        return
    drawing.supxlabel(x, fontsize=style.FONT_SIZE)
    drawing.supylabel(y, fontsize=style.FONT_SIZE)


def format_number(value: float, _place: object = None) -> str:
    """Return a number as text for an axis: 0.05, 250000, 2.5·10⁸, with a true minus sign."""
    value = round(value, 12) + 0.0 if abs(value) > 1e-4 else value + 0.0
    if value == 0 or 1e-4 <= abs(value) < 1e6:
        return f"{value:.7g}".replace("-", "−")
    digits, exponent = f"{value:.3e}".split("e")
    factor = digits.rstrip("0").rstrip(".")
    power = f"10{str(int(exponent)).translate(_RAISED)}"
    return (power if factor == "1" else f"{factor}·{power}").replace("-", "−")


@checked
def plain_axis(panel: Axes, which: Which, *, room: float, whole: bool = False) -> None:
    """Set up a linear axis, `room` inches long, with as many numbers as fit. `whole` rules out fractions."""
    axis = _axis(panel, which)
    bins = max(2, min(8, int(room * (3 if which == "x" else 4))))
    fewest = 1 if whole else 2  # between 1 and 1.5 there are no two whole numbers
    axis.set_major_locator(
        MaxNLocator(nbins=bins, integer=whole, steps=[1, 2, 2.5, 5, 10], min_n_ticks=fewest)
    )
    axis.set_major_formatter(FuncFormatter(format_number))


@checked
def log_axis(panel: Axes, which: Which, values: Iterable[float | None], most: int = 7) -> None:
    """Set up a log axis with at most `most` labels. Its ends are in the series 1, 2, 5, 10, 20, and so on."""
    numbers = np.array([value for value in values if value is not None], dtype=np.float64)
    low, high = (numbers.min(), numbers.max()) if numbers.size else (1.0, 10.0)
    ends = _step_below(low), _step_above(high)
    if ends[0] == ends[1]:
        ends = _step_below(ends[0] * 0.9), _step_above(ends[1] * 1.1)
    _scale(panel, which, "log")
    margin = (ends[1] / ends[0]) ** 0.03  # keeps points off the axes
    _limits(panel, which, ends[0] / margin, ends[1] * margin)
    _fix(panel, which, _log_ticks(*ends, most))


@checked
def rate_axis(panel: Axes, which: Which, rates: FloatArray) -> None:
    """Set up a log axis for rates. It is linear near 0, so that it can show 0."""
    above = rates[rates > 0]
    least = 10.0 ** math.floor(math.log10(above.min())) if above.size else 0.01
    least = min(least, 0.1)
    _scale(panel, which, "symlog", linthresh=least, linscale=0.5)
    top = max(_step_above(float(above.max(initial=least))), 10 * least)
    _limits(panel, which, -0.15 * least, 1.15 * top)
    _fix(panel, which, [0.0, *_log_ticks(least, top, 6)])


@checked
def ratio_axis(panel: Axes, which: Which, step: float, low: float, high: float) -> None:
    """Set up a log axis for multiples of `step`, from `low` to `high`.

    The axis is linear below `step`, so that it can show 0.
    """
    _scale(panel, which, "symlog", linthresh=step, linscale=0.4)
    top = max(_step_above(high + step / 2), 2 * step)
    _limits(panel, which, min(low, step) - 0.6 * step, 1.02 * top)
    ticks = [step * place for place in (-1, 0) if low <= step * place]
    _fix(panel, which, [*ticks, *_log_ticks(step, top, 8)])


def _log_ticks(low: float, high: float, most: int) -> list[float]:
    lowest, highest = math.floor(math.log10(low) - 1e-9), math.ceil(math.log10(high) + 1e-9)
    exponents = range(lowest, highest + 1)
    fine = [step * 10.0**exponent for exponent in exponents for step in _STEPS]
    ticks = [tick for tick in fine if low * (1 - 1e-9) <= tick <= high * (1 + 1e-9)]
    if len(ticks) <= most:
        return ticks
    decades = [10.0**e for e in exponents if low * (1 - 1e-9) <= 10.0**e <= high * (1 + 1e-9)]
    return decades[:: math.ceil(len(decades) / most)]


def _step_below(value: float) -> float:
    power = 10.0 ** math.floor(math.log10(value) + 1e-12)
    return max((step for step in _STEPS if step * power <= value * (1 + 1e-9)), default=1.0) * power


def _step_above(value: float) -> float:
    power = 10.0 ** math.floor(math.log10(value) + 1e-12)
    return min(step for step in (*_STEPS, 10.0) if step * power >= value * (1 - 1e-9)) * power


def _axis(panel: Axes, which: Which) -> Axis:
    return panel.xaxis if which == "x" else panel.yaxis


def _scale(panel: Axes, which: Which, kind: str, **settings: Any) -> None:
    setter: Callable[..., None] = panel.set_xscale if which == "x" else panel.set_yscale
    setter(kind, **settings)


def _limits(panel: Axes, which: Which, low: float, high: float) -> None:
    (panel.set_xlim if which == "x" else panel.set_ylim)(low, high)


def _fix(panel: Axes, which: Which, ticks: Sequence[float]) -> None:
    axis = _axis(panel, which)
    axis.set_major_locator(FixedLocator(ticks))
    axis.set_minor_locator(NullLocator())
    axis.set_major_formatter(FuncFormatter(format_number))
    axis.set_minor_formatter(NullFormatter())
