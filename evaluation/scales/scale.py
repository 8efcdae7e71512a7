"""How to declare a scale: what the library must know of a kind of number that judges give."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from ..errors import InputError
from ..options import checked
from ..text import Text

if TYPE_CHECKING:
    import numpy as np

    from ..arrays import BoolArray, FloatArray
    from ..crowds.answers import Perceived

    Answer = Callable[[Perceived, np.random.Generator], FloatArray]

Level = Literal["ratio", "interval", "ordinal", "nominal"]


@dataclass(frozen=True)
class Fault:
    """What can be wrong with a number.

    `finds` returns which numbers have the fault. `error` returns the error for a place, a column and a
    number. If `is_lasting` is true, a normalised number must not have the fault either.
    """

    finds: "Callable[[FloatArray], BoolArray]"
    error: Callable[[str, str, str], InputError]
    is_lasting: bool = False


@dataclass(frozen=True)
class WithoutRatios:
    """What readers learn of numbers whose ratios have no meaning.

    `error` refuses an analysis that needs ratios, for a file of judgments. `missing` says why a report lacks
    a part. `gains` explains the distribution of the gains.
    """

    error: Callable[[str], InputError]
    missing: Text
    gains: Text


def ratios_error(numbers: str) -> Callable[[str], InputError]:
    """Return the `error` of `WithoutRatios` for numbers with this name in the plural."""
    return lambda where: InputError(
        "numbers-without-ratios",
        "this analysis needs magnitudes, but the judgments are {numbers}, whose ratios have no meaning; use "
        "another analysis",
        where,
        numbers=numbers,
    )


@checked
@dataclass(frozen=True)
class Scale:
    """A kind of number that judges give.

    `name` is the value of the parameter `scale`, and `numbers` is the plural that sentences use. Numbers go
    from `smallest` to `largest`, and `faults` are checked in order. `normalisations` are the methods of
    `normalise`, the default first. `statistics` and `medians` are the ways to compute a gain, the defaults
    first.

    `level` is the level of measurement. With ratios, statistics use logarithms. Charts have `axis`, and
    `alpha` says what Krippendorff's α is computed from. `without_ratios` is None only at the level `"ratio"`.

    If `compares_pairs` is true, a judgment compares the document `document_id` with the document
    `compared_with`, and its number is the points of the first. `ratio_statistics` are the statistics whose
    gains have ratios although the numbers have none.

    `answers` returns the numbers that simulated workers give for what they perceive (`crowds.Perceived`). It
    is None if crowds cannot be simulated on the scale.
    """

    name: str
    numbers: str
    smallest: float
    largest: float
    faults: tuple[Fault, ...]
    level: Level
    axis: Literal["log", "linear"]
    normalisations: tuple[str, ...]
    statistics: tuple[str, ...]
    medians: tuple[str, ...]
    alpha: Text
    without_ratios: WithoutRatios | None = None
    compares_pairs: bool = False
    ratio_statistics: tuple[str, ...] = ()
    answers: "Answer | None" = None

    def __post_init__(self) -> None:
        if (self.without_ratios is None) != self.has_ratios:
            raise ValueError(f"the scale {self.name} needs without_ratios unless its level is ratio")

    @property
    def has_ratios(self) -> bool:
        """Whether ratios and logarithms of the numbers have a meaning."""
        return self.level == "ratio"

    def gains_have_ratios(self, statistic: str) -> bool:
        """Return whether ratios and logarithms of gains have a meaning, if this statistic computes them."""
        return self.has_ratios or statistic in self.ratio_statistics

    @property
    def alpha_level(self) -> Literal["interval", "ordinal", "nominal"]:
        """The level of Krippendorff's α. Logarithms turn ratios into differences."""
        return "interval" if self.level == "ratio" else self.level
