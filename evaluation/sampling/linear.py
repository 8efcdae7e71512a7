"""Measures that are linear in gains: a score is a sum of gains, each multiplied by the weight of its rank."""

from dataclasses import dataclass
from typing import Final

import numpy as np

from ..arrays import FloatArray
from ..errors import InputError
from ..measures import Measure, parse
from ..measures.gain_lists import discounts
from ..measures.lists import is_relevant
from ..measures.schemes import gains_of
from ..showing import short_repr

MEASURES: Final = ("CG", "DCG", "RBP", "gP")
"""The measures whose score in a topic is a weighted sum of the gains of the documents in the list."""


@short_repr
@dataclass(frozen=True, eq=False)
class LinearMeasure:
    """A measure that is linear in gains, and the weights of the ranks 1 … cut-off."""

    measure: Measure
    weights: FloatArray

    @classmethod
    def of(cls, measure: str) -> "LinearMeasure":
        """Return the measure with this notation.

        Raise `InputError` for a measure that is not linear in gains, for one without a fixed cut-off, for
        averaged ties and adjusted gains, and if the largest gain is not set but needed.
        """
        parsed = parse(measure)
        if parsed.name not in MEASURES:
            raise InputError(
                "measure-not-linear",
                "{measure} is not a weighted sum of gains, so intervals from a sample could be wrong; use "
                "DCG or another of {known}",
                measure=str(parsed),
                known=", ".join(MEASURES),
            )
        if parsed.last_rank is None:
            raise InputError(
                "sampled-measure-without-cutoff",
                "{measure} needs a cut-off that is a number; write it like {name}@10",
                measure=str(parsed),
                name=parsed.name,
            )
        parameters = parsed.parameters
        if parameters.get("ties") == "averaged" or parameters.get("adjust") == "agr":
            raise InputError(
                "parameter-with-sample",
                "{measure} has averaged ties or adjusted gains, which cannot be estimated from a sample; "
                "leave out these parameters",
                measure=str(parsed),
            )
        if _is_graded_share(parsed) and not isinstance(parameters["gmax"], int | float):
            raise InputError(
                "sampled-measure-without-gmax",
                "{measure} needs the largest possible gain, which a sample does not show; set gmax to a "
                "number",
                measure=str(parsed),
            )
        return cls(parsed, _weights(parsed, parsed.last_rank))

    def worth(self, gains: FloatArray) -> FloatArray:
        """Return what each document contributes at a rank of weight 1, in the shape of `gains`.

        Raise `InputError` for a value without a gain under the scheme, and for a gain above `gmax`.
        """
        parameters = self.measure.parameters
        if self.measure.name == "RBP" and not _is_graded_share(self.measure):
            return is_relevant(gains, parameters["rel"]).astype(np.float64)
        worth = gains_of(parameters["gain"], gains)
        if not _is_graded_share(self.measure):
            return worth
        if (worth > parameters["gmax"]).any():
            raise InputError(
                "gain-above-gmax",
                "the gain {value} is above gmax={gmax} of {measure}; set gmax to at least the largest gain",
                value=f"{worth.max():g}",
                gmax=str(parameters["gmax"]),
                measure=self.measure.name,
            )
        return worth / float(parameters["gmax"])


def _is_graded_share(measure: Measure) -> bool:
    """Return whether the measure divides gains by the largest gain."""
    return measure.name == "gP" or (measure.name == "RBP" and measure.parameters["gain"] != "binary")


def _weights(measure: Measure, cutoff: int) -> FloatArray:
    """Return the weights of the ranks 1 … cut-off."""
    parameters = measure.parameters
    if measure.name == "RBP":
        p = float(parameters["p"])
        weights: FloatArray = (1 - p) * p ** np.arange(cutoff, dtype=np.float64)
        return weights
    if measure.name == "gP":
        return np.full(cutoff, 1 / cutoff)
    return discounts(cutoff, parameters.get("discount", "none"), parameters.get("base", 2))
