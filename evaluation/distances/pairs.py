"""Count the pairs of documents that two rankings order alike, differently, or not at all.

The functions do not loop over the pairs.
"""

from dataclasses import dataclass

import numpy as np

from ..arrays import IntArray
from ..showing import short_repr


@short_repr
@dataclass(frozen=True)
class PairCounts:
    """The pairs of n documents, counted by how the first and the second ranking order them.

    `agreeing`: both rankings put the same document first. `contradicting`: the rankings put different
    documents first. `first_alone`, `second_alone`: only the first or only the second ranking orders the pair.
    `tied`: neither ranking orders the pair. These five numbers add up to `all`, n(n − 1)/2.
    """

    agreeing: int
    contradicting: int
    first_alone: int
    second_alone: int
    tied: int

    @property
    def all(self) -> int:
        """The number of all pairs, n(n − 1)/2."""
        return self.first + self.second_alone + self.tied

    @property
    def first(self) -> int:
        """The number of pairs that the first ranking orders."""
        return self.agreeing + self.contradicting + self.first_alone

    @property
    def second(self) -> int:
        """The number of pairs that the second ranking orders."""
        return self.agreeing + self.contradicting + self.second_alone


def count_pairs(first: IntArray, second: IntArray) -> PairCounts:
    """Count the pairs of n documents by how two rankings order them.

    `first` and `second` have the level of each document in the two rankings (documents,). The lowest level is
    0, and higher is better. Ties are counted level by level. If the documents are sorted by the first
    ranking, the contradicting pairs are the inversions among the levels of the second ranking. The time grows
    as n · log n · log m, where m is the highest level.

    Example: with the levels 1 0 0 and 0 1 2, the first document is above the other two in the first ranking
    and below them in the second. So the rankings contradict each other on 2 pairs. Only the second ranking
    orders the last pair.
    """
    pairs = len(first) * (len(first) - 1) // 2
    both = first * (second.max(initial=0) + 1) + second
    tied_in_first, tied_in_second, tied = (_count_tied_pairs(levels) for levels in (first, second, both))
    # Documents tied in the first ranking are sorted by the second, so that they add no inversions.
    contradicting = inversions(second[np.lexsort((second, first))])
    return PairCounts(
        agreeing=pairs - tied_in_first - tied_in_second + tied - contradicting,
        contradicting=contradicting,
        first_alone=tied_in_second - tied,
        second_alone=tied_in_first - tied,
        tied=tied,
    )


def inversions(levels: IntArray) -> int:
    """Count the pairs i < j with levels[i] > levels[j]. `levels` (n,) are whole numbers, at least 0.

    The first binary digit in which two levels differ decides which is higher. So there is one pass for each
    digit, starting with the highest. Each pass counts the 1s before each 0 among the levels that agree in all
    higher digits.

    Example: 2 0 1 has two inversions, 2 before 0 and 2 before 1.
    """
    total = 0
    for digit in reversed(range(int(levels.max(initial=0)).bit_length())):
        levels = levels[np.argsort(levels >> (digit + 1), kind="stable")]
        alike = levels >> (digit + 1)
        bit = (levels >> digit) & 1
        ones_before = np.cumsum(bit) - bit
        ones_before -= ones_before[np.searchsorted(alike, alike)]
        total += int(ones_before[bit == 0].sum())
    return total


def _count_tied_pairs(levels: IntArray) -> int:
    sizes = np.unique(levels, return_counts=True)[1]
    return int((sizes * (sizes - 1) // 2).sum())
