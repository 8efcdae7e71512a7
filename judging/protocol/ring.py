"""Place the documents of a unit in a ring, for scales on which a worker compares two documents at a time.

**The algorithm in prose.** The documents of a unit form a ring. Page p shows the document at place p first,
and the next document second; the last page shows the last document and the first one. So a unit with n
documents has n pages, and each document is exactly once first and exactly once second. This balances the
effect of the place, and each page after the first shows only one document that the worker has not seen
before.

The two anchors of a pair are neighbours, so that exactly one page compares them. This page is what check (c)
uses. To draw a ring, each pair of anchors becomes a block in random direction, each other document becomes a
block of its own, the blocks get a random order, and the ring starts at a random place. All rings in which the
anchors of each pair are neighbours are equally likely.

Example: a unit has the documents a and b, and the anchors H and N. The blocks are a, b and N H, if the
direction is N before H. The order b, N H, a gives the ring b N H a, and the start at its third place gives H
a b N. The pages compare H with a, a with b, b with N, and N with H. The last page is the page of the anchors.

A ring has at least three documents: with two, two pages would compare the same pair. Settings guarantee this,
since a unit holds more documents than anchors.
"""

from collections.abc import Iterator, Sequence
from random import Random
from typing import TypeVar

Document = TypeVar("Document")


def place_in_ring(
    others: Sequence[Document], pairs: Sequence[Sequence[Document]], rng: Random
) -> list[Document]:
    """Return the ring of a unit, from its first page on.

    `pairs` are the pairs of anchors, and `others` all other documents. Raise ValueError if the ring would
    have fewer than three documents.
    """
    blocks = [*([document] for document in others), *(rng.sample(pair, len(pair)) for pair in pairs)]
    rng.shuffle(blocks)
    ring = [document for block in blocks for document in block]
    if len(ring) < 3:
        raise ValueError(f"a ring needs three documents, but the unit has {len(ring)}")
    start = rng.randrange(len(ring))
    return ring[start:] + ring[:start]


def compared_in(ring: Sequence[Document]) -> Iterator[tuple[Document, Document]]:
    """Yield the documents of each page of a ring: the first document, and the second one."""
    return zip(ring, [*ring[1:], ring[0]], strict=True)
