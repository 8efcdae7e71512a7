"""How simulated workers answer on each scale: functions from what they perceive to the numbers they give.

A worker perceives a document's level with the worker's own exponent and noise. Levels are natural logarithms
of gains: a typical document that is not relevant has the level 0, and a highly relevant one 1.74. The same
levels lead to answers on every scale, so simulated studies on different scales have the same truth and the
same workers. The scales declare `magnitudes`, `answers_0_100`, `answers_as_grades` and
`preferences_in_a_ring`. The other functions answer for single documents.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np

from ..arrays import FloatArray, IntArray
from .model import CAREFUL
from .rounding import favourite

HIGHEST: Final = CAREFUL.levels[-1]
"""The level of a typical document that is highly relevant."""
LENIENCY: Final = 0.25
"""How far the level shifts if a worker's location is one standard deviation above that of the crowd.

On scales with fixed ends, a worker who likes large numbers cannot go far beyond others (chosen).
"""
SLOPE: Final = 1.5
"""How fast numbers from 0 to 100 rise with the level (chosen so that N is near 20 and H near 80)."""
STEPS: Final = (5.0, 10.0, 1.0)
"""The multiples to which workers with each taste round numbers from 0 to 100, in the order of `TASTES`."""
INDIFFERENCE: Final = 0.4
"""Two documents are equally relevant to a worker if their levels differ by less (chosen: some 20 % ties)."""


@dataclass(frozen=True, eq=False)
class Perceived:
    """What workers perceive of the documents of their units. Arrays are (units, documents) or (units, 1).

    `level` is the perceived level of each document. `location` is the worker's location, the logarithm of the
    magnitude that the worker gives at the level 0. `leniency` is its distance from the crowd's mean in
    standard deviations, and `taste` an index in `TASTES`. `second` has the index, in the same row, of the
    document with which each document is compared. If it is None, this is the next one, and the first for the
    last.
    """

    level: FloatArray
    location: FloatArray
    leniency: FloatArray
    taste: IntArray
    second: IntArray | None = None


def answer_0_100(
    level: FloatArray | float, leniency: FloatArray | float = 0.0, step: FloatArray | float = 5.0
) -> FloatArray:
    """Return the number from 0 to 100 for a perceived level, rounded to a multiple of `step`.

    >>> answer_0_100(np.array([0.0, 0.87, 1.74])).tolist()
    [20.0, 50.0, 80.0]
    """
    height = SLOPE * (np.asarray(level) + LENIENCY * np.asarray(leniency) - HIGHEST / 2)
    number: FloatArray = np.round(100 / (1 + np.exp(-height)) / step) * step
    return number


def answer_grade(
    level: FloatArray | float, leniency: FloatArray | float = 0.0, labels: int = 4
) -> FloatArray:
    """Return the number of the label for a perceived level. The labels are evenly spaced from 0 to `HIGHEST`.

    >>> answer_grade(np.array([0.0, 0.5, 1.2, 1.74])).tolist()
    [0.0, 1.0, 2.0, 3.0]
    """
    place = (np.asarray(level) + LENIENCY * np.asarray(leniency)) / HIGHEST * (labels - 1)
    grade: FloatArray = np.clip(np.floor(place + 0.5), 0, labels - 1)
    return grade


def answer_preference(
    first: FloatArray | float, second: FloatArray | float, indifference: float = INDIFFERENCE
) -> FloatArray:
    """Return the points of the first of two perceived levels: 1, 0, or 0.5 if they hardly differ.

    >>> answer_preference(np.array([1.0, 1.0, 1.0]), np.array([0.0, 0.8, 2.0])).tolist()
    [1.0, 0.5, 0.0]
    """
    apart = np.asarray(first) - np.asarray(second)
    points: FloatArray = np.where(np.abs(apart) < indifference, 0.5, (apart > 0).astype(np.float64))
    return points


def magnitudes(perceived: Perceived, rng: np.random.Generator) -> FloatArray:
    """Return magnitudes: exp of the location plus the level, as the closest number that suits the taste."""
    shape = perceived.level.shape
    taste = np.broadcast_to(perceived.taste, shape)
    return favourite(np.exp(perceived.location + perceived.level), taste)


def answers_0_100(perceived: Perceived, rng: np.random.Generator) -> FloatArray:
    """Return numbers from 0 to 100. Workers round to multiples of 5, 10 or 1."""
    return answer_0_100(perceived.level, perceived.leniency, np.array(STEPS)[perceived.taste])


def answers_as_grades(perceived: Perceived, rng: np.random.Generator) -> FloatArray:
    """Return grades from 0 to 3."""
    return answer_grade(perceived.level, perceived.leniency)


def preferences_in_a_ring(perceived: Perceived, rng: np.random.Generator) -> FloatArray:
    """Return the points of each document against the next of its unit, and of the last against the first."""
    level = perceived.level
    if perceived.second is None:
        return answer_preference(level, np.roll(level, -1, axis=1))
    return answer_preference(level, np.take_along_axis(level, perceived.second, axis=1))
