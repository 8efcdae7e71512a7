"""The anchors of a topic, as a list of pairs. Each pair has a document H and a document N.

A study has one pair of anchors per topic, or two if `anchor_pairs` is 2. Every unit of the topic contains all
of them. A document's `anchor` names its place in the list: H and N are the first pair, H2 and N2 the second.
Exports and the library `evaluation` need only the grade of an anchor, so the column `gold` has H or N for the
anchors of both pairs.
"""

from enum import StrEnum
from typing import Final

from judging.protocol.states import Grade


class Anchor(StrEnum):
    """A place in the list of pairs."""

    H = "H"
    N = "N"
    H2 = "H2"
    N2 = "N2"

    @property
    def grade(self) -> Grade:
        """Return the grade that the document has: H or N."""
        return Grade(self.value[0])

    @property
    def pair(self) -> int:
        """Return the number of the pair, counted from 1."""
        return int(self.value[1:] or 1)


ANCHORS_PER_PAIR: Final = 2
PAIRS: Final = ((Anchor.H, Anchor.N), (Anchor.H2, Anchor.N2))
MOST_PAIRS: Final = len(PAIRS)


def anchors_of(pairs: int) -> tuple[Anchor, ...]:
    """Return the anchors of a topic in a study with this number of pairs, pair by pair, H first."""
    return tuple(anchor for pair in PAIRS[:pairs] for anchor in pair)


def gold(anchor: str) -> str:
    """Return the mark of a document in the column `gold`: the grade of an anchor, or "" for others."""
    return Anchor(anchor).grade.value if anchor else ""
