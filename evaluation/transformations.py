"""Transformations of gains: a·C, C + s, C^p, b^C, b^C − 1, and the gain schemes.

A transformation changes each gain C separately and returns gains. C can be a grade, a magnitude, or a gain
that was transformed before. Transformed gains must not decide which documents are relevant: for example,
C + 1 would make every judged document relevant. So pass the original gains to `score` as `rel`:

    scores = score(Transformation("C+1")(gains), runs, ["nDCG@10", "AP"], rel=gains)
"""

import re
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import polars as pl

from .arrays import FloatArray
from .errors import InputError, shown
from .frames import Gains
from .measures.schemes import gains_of, is_scheme, misfits
from .origin import first

Formula = Callable[[FloatArray, float], FloatArray]


def _power_less_one(gains: FloatArray, base: float) -> FloatArray:
    # Near 0 the subtraction would lose digits; for whole gains expm1 would not give whole numbers.
    return np.where(gains < 0.5, np.expm1(gains * np.log(base)), np.power(base, gains) - 1)


NUMBER = r"(\d+(?:\.\d+)?)"
FORMS: tuple[tuple[re.Pattern[str], Formula, float], ...] = (
    (re.compile(rf"{NUMBER}C"), lambda gains, factor: factor * gains, 0),
    (re.compile(rf"C\+{NUMBER}"), lambda gains, summand: gains + summand, 0),
    (re.compile(rf"C\^{NUMBER}"), lambda gains, power: gains**power, 0),
    (re.compile(rf"{NUMBER}\^C"), lambda gains, base: np.power(base, gains), 1),
    (re.compile(rf"{NUMBER}\^C-1"), _power_less_one, 1),
)
"""The notation of each transformation, its formula, and the bound that its number must exceed.

Above this bound, the formula keeps the order of the gains.
"""


@dataclass(frozen=True, repr=False)
class Transformation:
    """A function from gains to gains, written as a formula. Transformations with the same formula are equal.

    The notation is `10C`, `C+1`, `C^2`, `2^C` or `2^C-1`, with these or other numbers. It can also be `C`
    alone, or a gain scheme such as `0-1-10-100`. Raise `InputError` for any other notation, and for a number
    that is too small or too large. Example: for the gains 0, 1, 3, `C^2` gives 0, 1, 9 and `2^C-1` gives
    0, 1, 7.
    """

    name: str

    def __post_init__(self) -> None:
        if self.name != "C" and not is_scheme(self.name):
            _form(self.name)

    def __str__(self) -> str:
        return self.name

    __repr__ = __str__

    def __call__(self, gains: Gains) -> Gains:
        """Return the transformed gains of the same documents. The rows keep their origin.

        Raise `InputError` for a gain that is too large to transform, and for a gain that a gain scheme does
        not list. The error names the topic, the document and the line.
        """
        values = gains.values
        if is_scheme(self.name):
            if (row := first(misfits(self.name, values))) is not None:
                raise InputError(
                    "gain-without-transformation",
                    "the scheme {transformation} does not list the gain {value} (document {document} in "
                    "topic {topic}); add this gain to the scheme",
                    gains.origin.at(row),
                    transformation=str(self),
                    **gains.row_values(row),
                )
            transformed = gains_of(self.name, values)
        else:
            with np.errstate(over="ignore"):
                transformed = self._transformed(values)
        if (row := first(~np.isfinite(transformed))) is not None:
            raise InputError(
                "gain-too-large-to-transform",
                "the gain {value} is too large for {transformation} (document {document} in topic {topic}); "
                "divide all gains by the same number first",
                gains.origin.at(row),
                transformation=str(self),
                **gains.row_values(row),
            )
        return gains.replaced(table=gains.table.with_columns(pl.Series("gain", transformed)))

    def _transformed(self, values: FloatArray) -> FloatArray:
        if self.name == "C":
            return values
        formula, number = _form(self.name)
        return formula(values, number)


def _form(name: str) -> tuple[Formula, float]:
    """Return the formula of a notation, and the number that the notation contains."""
    for pattern, formula, bound in FORMS:
        if match := pattern.fullmatch(name):
            number = float(match[1])
            if not (np.isfinite(number) and number > bound):
                raise InputError(
                    "transformation-number-too-small",
                    "the number in {transformation} is too small or too large; write a finite number above "
                    "{bound}",
                    transformation=shown(name),
                    bound=bound,
                )
            return formula, number
    raise InputError(
        "unknown-transformation",
        "{transformation} is not a transformation; write one like C, 10C, C+1, C^2, 2^C, 2^C-1, or a gain "
        "scheme",
        transformation=shown(name),
    )
