"""Stability: how often a measure reverses the order of two systems if the topics change.

The method comes from Buckley & Voorhees (SIGIR 2000) and Sakai (AIRS 2005, section 4.1). It draws B random
subsets of c topics. In a subset, two systems x and y are tied if their means differ by less than f times the
larger mean. Otherwise, the system with the higher mean wins. GT(x, y) is the number of subsets in which x
wins against y, and EQ(x, y) is the number in which they are tied.

Two curves over f describe a measure. One is the minority rate, Σ min(GT(x, y), GT(y, x)) / Σ (GT(x, y) +
GT(y, x) + EQ(x, y)) over all pairs. The other is the proportion of ties, Σ EQ(x, y) divided by the same sum.
Lower values are better for both.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from ..arrays import FloatArray, IntArray
from ..errors import InputError
from ..score_table import Scores
from ..showing import short_repr
from ..threads import map_in_threads
from .results import noise
from .subsets import complete_values, means_over, pairs_of, refuse_numbers, shares

FUZZINESS: Final = tuple(step / 100 for step in range(11))
"""The default values of f: from 0, where only equal means are tied, to .10, the largest f in the sources."""
_AT_ONCE: Final = 1_000


@short_repr
@dataclass(frozen=True, eq=False)
class Stability:
    """Wins, losses and ties of every pair of systems (measures, fuzziness, pairs).

    For each pair, `wins` is how often the first system won, `losses` how often the second won, and `ties` how
    often they were tied. The three numbers add up to `trials`. `topics` is the number of topics. `size` is
    the number of topics in a subset.
    """

    measures: tuple[str, ...]
    fuzziness: tuple[float, ...]
    wins: IntArray
    losses: IntArray
    ties: IntArray
    topics: int
    size: int
    trials: int

    def minority_rate(self) -> FloatArray:
        """Return the minority rate (measures, fuzziness).

        Example: for two pairs with the wins, losses and ties (900, 60, 40) and (500, 0, 500), the rate is
        60/2000 = .03.
        """
        rate: FloatArray = np.minimum(self.wins, self.losses).sum(axis=-1) / self._comparisons
        return rate

    def proportion_of_ties(self) -> FloatArray:
        """Return the proportion of ties (measures, fuzziness).

        Example: for two pairs with the wins, losses and ties (900, 60, 40) and (500, 0, 500), the proportion
        is 540/2000 = .27.
        """
        proportion: FloatArray = self.ties.sum(axis=-1) / self._comparisons
        return proportion

    def ties_at(self, minority: float = 0.05) -> list[float | None]:
        """Return, for each measure, the proportion of ties at a given minority rate.

        This number combines the two curves: the minority rate and the proportion of ties. It is None for a
        measure whose minority rate is always above or always below `minority`.
        """
        curves = zip(self.minority_rate(), self.proportion_of_ties(), strict=True)
        return [ties_at(rates, ties, minority) for rates, ties in curves]

    @property
    def _comparisons(self) -> int:
        return self.trials * int(self.wins.shape[-1])


def stability(
    scores: Scores,
    *,
    rng: np.random.Generator,
    size: int | None = None,
    trials: int = 1000,
    fuzziness: Sequence[float] = FUZZINESS,
) -> Stability:
    """Compare all pairs of systems on `trials` random subsets of `size` topics.

    By default, each subset has half of the topics. Subsets are drawn without replacement and are the same for
    all pairs, measures and values of f. The values of f are in `fuzziness`. Two systems x and y with the
    means M(x) and M(y) are tied if |M(x) − M(y)| < f·max(M(x), M(y)) − e, or if |M(x) − M(y)| ≤ e. Here e
    is the rounding error: 1e-12 times the larger of the two means of absolute values.
    Topics with a missing value are left out. The same state of `rng` gives the same result. Raise
    `InputError` for subsets that cannot be drawn and for an f outside [0, 1].
    """
    if not fuzziness or not all(0 <= f <= 1 for f in fuzziness):
        raise InputError(
            "fuzziness-out-of-bounds",
            "fuzziness is out of bounds or missing; give one or more numbers from 0 to 1",
        )
    values = complete_values(scores)
    topics = values.shape[-1]
    size = topics // 2 if size is None else size
    fuzziness = sorted(set(fuzziness))
    refuse_numbers(topics=topics, size=size, trials=trials)
    chosen = rng.random((trials, topics)).argsort(axis=1)[:, :size]
    subsets = shares(chosen, topics)
    counts = np.stack(
        map_in_threads(lambda measure: _counts(measure, subsets, fuzziness), list(values)), axis=1
    )
    return Stability(scores.measures, tuple(fuzziness), counts[0], counts[1], counts[2], topics, size, trials)


def ties_at(minority_rates: FloatArray, ties: FloatArray, minority: float) -> float | None:
    """Return the proportion of ties where the minority rate reaches `minority`, interpolated linearly.

    `minority_rates` and `ties` have a value for each f, in ascending order of f. Return None if the minority
    rate is always above or always below `minority`. If it reaches `minority` at several values of f, the
    smallest f is used. Example: between the points (minority, ties) = (.06, .10) and (.04, .20), the
    proportion of ties is .15 at a minority rate of .05.
    """
    for place in range(len(minority_rates)):
        if minority_rates[place] == minority:
            return float(ties[place])
        before, after = minority_rates[place], minority_rates[place + 1 : place + 2]
        if after.size and (before - minority) * (after[0] - minority) < 0:
            part = (before - minority) / (before - after[0])
            return float(ties[place] + part * (ties[place + 1] - ties[place]))
    return None


def _counts(values: FloatArray, subsets: FloatArray, fuzziness: Sequence[float]) -> IntArray:
    """Return the wins, losses and ties of all pairs (3, fuzziness, pairs).

    `values` (systems, topics) has the values of one measure, and `subsets` the weights of the topics.
    """
    means, sizes = means_over(values, subsets)
    systems, trials = means.shape
    counts = np.zeros((3, len(fuzziness), systems, systems), dtype=np.int64)
    for start in range(0, trials, _AT_ONCE):
        part, size = means[:, start : start + _AT_ONCE], sizes[:, start : start + _AT_ONCE]
        for system in range(systems - 1):  # compare with all later systems
            rest = part[system + 1 :]
            apart, larger = part[system] - rest, np.maximum(part[system], rest)
            error = noise(size[system], size[system + 1 :])
            for place, f in enumerate(fuzziness):
                # A difference that is only a rounding error is a tie for every f.
                least = np.maximum(f * larger - error, np.nextafter(error, np.inf))
                won, lost = (
                    np.count_nonzero(apart >= least, axis=1),
                    np.count_nonzero(-apart >= least, axis=1),
                )
                counts[:, place, system, system + 1 :] += won, lost, part.shape[1] - won - lost
    first, second = pairs_of(systems)
    return counts[..., first, second]
