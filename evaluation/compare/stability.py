"""Stability: how often a measure ranks two systems the other way round on other topics.

[Buckley & Voorhees, SIGIR 2000; Sakai, AIRS 2005, section 4.1]. In B random subsets of c topics, systems x
and y are tied when their means differ by less than f of the larger one, else the one with the higher mean has
won. GT(x, y) counts the wins of x over y, EQ(x, y) the ties. A measure is the better the lower both of its
curves over f are: the minority rate Σ min(GT(x, y), GT(y, x)) / Σ (GT(x, y) + GT(y, x) + EQ(x, y)), over all
pairs, and the proportion of ties Σ EQ(x, y) / the same.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from evaluation.arrays import FloatArray, IntArray
from evaluation.compare.results import TIED_WITHIN
from evaluation.compare.subsets import complete_values, means_over, pairs_of, refuse_numbers, shares
from evaluation.errors import InputError
from evaluation.frames import Scores
from evaluation.threads import each

FUZZINESS: Final = tuple(step / 100 for step in range(11))
"""From 0, where equal means alone are a tie, to the .10 of the sources."""
_AT_ONCE: Final = 1_000


@dataclass(frozen=True, eq=False)
class Stability:
    """Wins and ties of every pair of systems, the earlier one first: (measures, fuzziness, pairs).

    `wins` counts GT of the first system of a pair, `losses` of the second, `ties` EQ; together `trials`.
    `topics` is how many topics the subsets of `size` were drawn from.
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
        """(measures, fuzziness). Pairs (900, 60, 40) and (500, 0, 500): 60/2000 = .03."""
        rate: FloatArray = np.minimum(self.wins, self.losses).sum(axis=-1) / self._comparisons
        return rate

    def proportion_of_ties(self) -> FloatArray:
        """(measures, fuzziness). Pairs (900, 60, 40) and (500, 0, 500): 540/2000 = .27."""
        proportion: FloatArray = self.ties.sum(axis=-1) / self._comparisons
        return proportion

    def ties_at(self, minority: float = 0.05) -> list[float | None]:
        """Per measure the proportion of ties at a minority rate: one number in the place of two curves."""
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
    """Compare all pairs of systems on `trials` random subsets of `size` topics, by default half of them.

    Subsets are drawn without replacement and are the same for all pairs, measures and values of f. A tie:
    |d| < f·max(M(x), M(y)) − 1e-12, or d = 0. Topics in which a cell has no value are left out. The same
    state of `rng` gives the same result. Raises `InputError` for subsets that cannot be drawn and for an f
    outside [0, 1].
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
    counts = np.stack(each(lambda one: _counts(means_over(one, subsets), fuzziness), list(values)), axis=1)
    return Stability(scores.measures, tuple(fuzziness), counts[0], counts[1], counts[2], topics, size, trials)


def ties_at(minority_rates: FloatArray, ties: FloatArray, minority: float) -> float | None:
    """The proportion of ties where the curve over f crosses a minority rate, linear in between.

    None where it does not. With several crossings, that of the smallest f. Example: (minority, ties) of
    (.06, .10) and (.04, .20) come to .15 at .05.
    """
    for place in range(len(minority_rates)):
        if minority_rates[place] == minority:
            return float(ties[place])
        before, after = minority_rates[place], minority_rates[place + 1 : place + 2]
        if after.size and (before - minority) * (after[0] - minority) < 0:
            part = (before - minority) / (before - after[0])
            return float(ties[place] + part * (ties[place + 1] - ties[place]))
    return None


def _counts(means: FloatArray, fuzziness: Sequence[float]) -> IntArray:
    """Wins, losses and ties of all pairs (3, fuzziness, pairs) from their means (systems, trials)."""
    systems, trials = means.shape
    counts = np.zeros((3, len(fuzziness), systems, systems), dtype=np.int64)
    for start in range(0, trials, _AT_ONCE):
        part = means[:, start : start + _AT_ONCE]
        for system in range(systems - 1):  # against all that come after it
            rest = part[system + 1 :]
            apart, larger = part[system] - rest, np.maximum(part[system], rest)
            for place, f in enumerate(fuzziness):
                # A difference of rounding alone is none, whatever f.
                least = np.maximum(f * larger - TIED_WITHIN, np.nextafter(TIED_WITHIN, 1))
                won, lost = (
                    np.count_nonzero(apart >= least, axis=1),
                    np.count_nonzero(-apart >= least, axis=1),
                )
                counts[:, place, system, system + 1 :] += won, lost, part.shape[1] - won - lost
    first, second = pairs_of(systems)
    return counts[..., first, second]
