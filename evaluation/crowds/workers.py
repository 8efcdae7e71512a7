"""The workers of a crowd: their traits, and how they judge documents."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from ..arrays import FloatArray, IntArray
from ..showing import short_repr
from .answers import Perceived, magnitudes
from .model import LEAST_SECONDS, Crowd

BoolArray = npt.NDArray[np.bool_]
Answer = Callable[[Perceived, np.random.Generator], FloatArray]

GUESS: Final = (0.5, 0.6)
"""The mean and the standard deviation of the level that a worker guesses without reading the document."""
UNREAD_TIME: Final = 0.25
"""The time for a document that a worker does not read, as a share of the time for reading it."""
WAITING: Final = (1.02, 1.3)
"""The time of workers who wait is drawn uniformly between these multiples of the minimum time."""
INVERTING: Final = 0.5
"""Of the workers who do not correct a failed unit, the share who invert their numbers. The rest give up."""
MORE_CARE: Final = 0.6
"""Each time a worker corrects a unit, the noise and the lapses in it are multiplied by this factor."""
_LAPSE_COUNT: Final = 3.0
"""The sum of both parameters of the beta distribution of lapses. A smaller sum makes workers differ more."""


@short_repr
@dataclass(frozen=True, eq=False)
class Workers:
    """The traits of workers. Each array has one value for each worker.

    `location`, `exponent` and `noise` turn levels into numbers, and `taste` is an index in `TASTES`. `reads`
    is False for spammers. `pace` multiplies the time that a worker takes.

    The other traits are chances. `lapses` is the chance that the worker judges a document without reading it.
    `corrects` is the chance that the worker corrects a unit that failed a check. `patience` is the chance
    that the worker waits until the minimum time is over.
    """

    crowd: Crowd
    location: FloatArray
    exponent: FloatArray
    noise: FloatArray
    taste: IntArray
    reads: BoolArray
    lapses: FloatArray
    corrects: FloatArray
    pace: FloatArray
    patience: FloatArray

    def __len__(self) -> int:
        return len(self.location)

    def __getitem__(self, worker: IntArray | list[int]) -> "Workers":
        """Return the traits of the workers with these indexes."""
        traits = {name: values[worker] for name, values in vars(self).items() if name != "crowd"}
        return Workers(self.crowd, **traits)

    def judge(
        self,
        level: FloatArray,
        progress: FloatArray,
        anchor: BoolArray,
        rng: np.random.Generator,
        *,
        care: FloatArray | float = 1.0,
        least_seconds: float = LEAST_SECONDS,
        answers: Answer = magnitudes,
        second: IntArray | None = None,
    ) -> tuple[FloatArray, FloatArray]:
        """Return the numbers that workers give for documents, and the time for each document in seconds.

        `level` has a row for each worker, with the true levels of the documents that the worker judges.
        `progress` has the same shape, with each document's position in its unit, from 0 (first) to 1 (last).
        `anchor` is true for anchors, and must broadcast to this shape. `care` multiplies the noise and the
        lapses of each worker, so a value below 1 means more care. `least_seconds` is the minimum time for a
        document. `answers` turns what the workers perceive into numbers, by default magnitudes. `second` is
        that of `Perceived`.
        """
        crowd, shape = self.crowd, level.shape
        factor = np.broadcast_to(care, len(self))[:, None]
        reads = self.reads[:, None] & (rng.random(shape) >= self.lapses[:, None] * factor)
        seen = np.where(reads, level, rng.normal(*GUESS, shape))
        noise = (
            rng.normal(size=shape) * self.noise[:, None] * factor * np.where(anchor, crowd.anchor_noise, 1.0)
        )
        location = self.location[:, None]
        leniency = (location - crowd.location) / max(crowd.location_sigma, 1e-9)
        level = self.exponent[:, None] * seen + noise
        numbers = answers(Perceived(level, location, leniency, self.taste[:, None], second), rng)
        speed_up = np.log(crowd.last_seconds / crowd.first_seconds)
        spread = rng.normal(-(crowd.seconds_sigma**2) / 2, crowd.seconds_sigma, shape)
        seconds = crowd.first_seconds * self.pace[:, None] * np.exp(speed_up * progress + spread)
        seconds = np.where(reads, seconds, seconds * UNREAD_TIME)
        waits = (seconds < least_seconds) & (rng.random(shape) < self.patience[:, None])
        return numbers, np.where(waits, least_seconds * rng.uniform(*WAITING, shape), seconds)


def draw_workers(crowd: Crowd, number: int, rng: np.random.Generator) -> Workers:
    """Draw the traits of `number` workers from a crowd."""
    shares = np.array(crowd.rounding)
    reads = rng.random(number) >= crowd.spammers
    lapses = _LAPSE_COUNT * crowd.lapses
    return Workers(
        crowd,
        location=rng.normal(crowd.location, crowd.location_sigma, number),
        exponent=crowd.exponent * np.exp(rng.normal(0, crowd.exponent_sigma, number)),
        noise=crowd.noise * np.exp(rng.normal(0, crowd.noise_sigma, number)),
        taste=rng.choice(len(shares), size=number, p=shares / shares.sum()),
        reads=reads,
        lapses=rng.beta(lapses, _LAPSE_COUNT - lapses, number)
        if 0 < crowd.lapses < 1
        else np.full(number, crowd.lapses),
        corrects=np.where(reads, crowd.corrections, 0.0),
        pace=np.exp(rng.normal(-(crowd.pace_sigma**2) / 2, crowd.pace_sigma, number)),
        patience=np.full(number, crowd.patience),
    )


def inverted(numbers: FloatArray) -> FloatArray:
    """Return each unit's numbers, swapped by rank: the largest and the smallest change places, and so on.

    `numbers` has a row for each unit.

    >>> inverted(np.array([[2.0, 9.0, 5.0]]))
    array([[9., 2., 5.]])
    """
    order = np.argsort(numbers, axis=-1, kind="stable")
    result = np.empty_like(numbers)
    np.put_along_axis(result, order, np.take_along_axis(numbers, order[:, ::-1], axis=-1), axis=-1)
    return result
