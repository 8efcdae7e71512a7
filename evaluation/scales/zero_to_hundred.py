"""0–100: numbers from 0, not relevant at all, to 100, as relevant as can be. All workers share the scale."""

from typing import TYPE_CHECKING, Final

from .bounded import rating_scale

if TYPE_CHECKING:
    import numpy as np

    from ..arrays import FloatArray
    from ..crowds.answers import Perceived


def _answers(perceived: "Perceived", rng: "np.random.Generator") -> "FloatArray":
    from ..crowds.answers import answers_0_100

    return answers_0_100(perceived, rng)


SCALE: Final = rating_scale("0-100", "ratings from 0 to 100", smallest=0.0, largest=100.0, answers=_answers)
