"""The definition of each measure: its name, its formula, and the parameters that the formula has."""

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.metadata import entry_points
from math import inf
from typing import Final, Literal

from ..arrays import FloatArray
from ..options import checked
from ..showing import short_repr
from .parameters import Adjust, Value

Compute = Callable[..., FloatArray]
"""A function that takes the lists, the cut-off and the parameters, and returns values (runs, topics)."""
Counts = Literal["relevant", "gain", "documents"]
Bounds = tuple[float, float]
"""The lowest and the highest possible value of a measure in a topic."""
FROM_ZERO: Final = (0.0, inf)
"""The bounds of a measure that has no highest value."""


@short_repr
@checked
@dataclass(frozen=True)
class Definition:
    """The name of a measure, its formula and the defaults of its parameters.

    An empty topic has no value. `counts` says which topics are empty. With `"relevant"`, a topic is empty if
    none of its judged documents is relevant. With `"gain"`, a topic is empty if none of its judged documents
    has a gain. `"documents"` is for measures that count documents of any relevance. It means the same as
    `"relevant"`, but no topic is empty if the measure has `topics="judged"`. If `whole` is true, the measure
    needs whole lists, so it has no cut-off. If `by_subtopic` is true, the measure uses the judgments of each
    subtopic. If `whole_base` is true, the recall base must contain only judged documents, so unjudged
    documents cannot have a gain.

    `bounds` are the lowest and the highest value in a topic. If `is_logarithm` is true, the values of the
    topics are natural logarithms. The value over all topics is then e to the power of their mean, which is a
    geometric mean. If `lower_is_better` is true, a list with a lower value is better.
    """

    name: str
    compute: Compute
    counts: Counts
    needs_cutoff: bool
    whole: bool
    by_subtopic: bool
    whole_base: bool
    is_logarithm: bool
    lower_is_better: bool
    bounds: Bounds
    defaults: Mapping[str, Value | None]


DEFINITIONS: dict[str, Definition] = {}


@cache
def load_installed() -> None:
    """Import the modules that installed packages announce in the entry point group `plumbline.measures`.

    These modules register measures. Looking for them takes some milliseconds, so nothing does it before a
    name is unknown.
    """
    for point in entry_points(group="plumbline.measures"):
        point.load()


@checked
def measure(
    name: str,
    *,
    counts: Counts,
    needs_cutoff: bool = False,
    whole: bool = False,
    by_subtopic: bool = False,
    whole_base: bool = False,
    is_logarithm: bool = False,
    lower_is_better: bool = False,
    bounds: Bounds = (0.0, 1.0),
    adjust: Adjust = "none",
) -> Callable[[Compute], Compute]:
    """Register a function as the formula of a measure.

    The keyword-only arguments of the function become the parameters of the measure. Every measure that uses
    gains also gets the parameter `adjust`, whose default is the argument `adjust`. The formula itself does
    not have this parameter. With `adjust="agr"`, the formula gets lists with adjusted gains (see
    `RankedLists.adjusted`). The other arguments are those of `Definition`.
    """

    def enter(compute: Compute) -> Compute:
        signature = inspect.signature(compute).parameters.values()
        defaults = {p.name: p.default for p in signature if p.kind is p.KEYWORD_ONLY}
        if counts == "gain" or "gain" in defaults:
            defaults["adjust"] = adjust
        flags = needs_cutoff, whole, by_subtopic, whole_base, is_logarithm, lower_is_better
        DEFINITIONS[name] = Definition(name, compute, counts, *flags, bounds, defaults)
        return compute

    return enter
