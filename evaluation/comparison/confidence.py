"""Compare three methods that sort pairs of systems by how certain the difference between the two is.

Source: [Sakai, AIRS 2005, section 5].
"""

from dataclasses import dataclass

import numpy as np
import scipy

from ..arrays import FloatArray
from ..errors import InputError
from ..score_table import Scores
from ..showing import short_repr
from .correlation import tau_b
from .discrimination import Discrimination
from .results import tied
from .stability import Stability
from .subsets import complete_values, pairs_of


@short_repr
@dataclass(frozen=True)
class ConfidenceOrders:
    """Kendall's τ_b between each pair of the three orders that `confidence_orders` compares.

    An undefined τ_b is None.
    """

    sign_and_minority: float | None
    sign_and_swaps: float | None
    minority_and_swaps: float | None


def confidence_orders(
    scores: Scores, stable: Stability, discriminating: Discrimination, *, fuzziness: float = 0.05
) -> list[ConfidenceOrders]:
    """Return, for each measure, the correlations between three orders of all pairs of systems.

    The first order sorts the pairs by the p-value of the sign test over topics. The second sorts them by
    min(GT(x, y), GT(y, x)), the smaller of the two numbers of wins, as counted in `stable` at this
    `fuzziness`. The third sorts them by their number of swaps over all bins, as counted in `discriminating`.
    All orders are ascending, so the pairs with the most certain difference come first. `stable` and
    `discriminating` must be computed from `scores`. Raise `InputError` if the measures differ, or if `stable`
    has no results for this `fuzziness`.
    """
    if fuzziness not in stable.fuzziness:
        raise InputError(
            "stability-at-other-fuzziness",
            "stability was not measured at a fuzziness of {fuzziness}; choose from {known}",
            fuzziness=str(fuzziness),
            known=", ".join(map(str, stable.fuzziness)),
        )
    if not scores.measures == stable.measures == discriminating.measures:
        raise InputError(
            "scores-of-other-measures",
            "the stability and discrimination results do not cover the same measures as the scores; compute "
            "both results from these scores",
        )
    place = stable.fuzziness.index(fuzziness)
    minority = np.minimum(stable.wins, stable.losses)[:, place].astype(np.float64)
    swaps = discriminating.pair_swaps.astype(np.float64)
    return [
        ConfidenceOrders(tau_b(p, losses), tau_b(p, swapped), tau_b(losses, swapped))
        for p, losses, swapped in zip(_sign_p(scores), minority, swaps, strict=True)
    ]


def _sign_p(scores: Scores) -> list[FloatArray]:
    """Return, for each measure, the p-values of the sign test for all pairs of systems."""
    values = complete_values(scores)
    first, second = pairs_of(values.shape[1])
    p_values = []
    for measure in values:
        x, y = measure[first], measure[second]
        untied = ~tied(x, y)
        above, below = (untied & (x > y)).sum(axis=1), (untied & (x < y)).sum(axis=1)
        p = 2 * scipy.stats.binom.cdf(np.minimum(above, below), above + below, 0.5)
        p_values.append(np.minimum(1.0, p))
    return p_values
