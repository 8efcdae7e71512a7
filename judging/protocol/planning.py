"""Plan units from a seed, and place the anchors.

**The algorithm in prose.** A round is the pool in random order. The rounds form one continuous stream, which
is cut into units of `others` documents (six by default, besides the two anchors). If a unit spans two rounds,
the next document of the stream can be one that the unit already has. The unit then skips this document, and
the next unit starts with it. There are as many rounds as judgments per document. If the last unit is short,
it is filled with the documents that have the fewest judgments, with ties broken at random.

So n documents besides the anchors, with 10 judgments each, need ⌈10·n/6⌉ units. Each of them is judged 10 or
11 times. Example: n = 7 gives a stream of 70 documents. The stream is cut into 11 units of six and a last
unit of four. Two more documents then fill the last unit.

If the last unit skips a document, no later unit can start with it. The skipped document then takes the place
of a document in an earlier unit, and that document moves to the last unit. Neither unit may contain its new
document already. If there is no such document, because the missing judgments are those of a few documents
only, the skipped document goes to a short unit without it, or begins another one. All short units are filled.
"""

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from itertools import product
from math import inf
from random import Random
from typing import Final, TypeVar

from judging.protocol.seeding import seeded_random

Document = TypeVar("Document", bound=Hashable)
UNEVEN: Final = 1.5
"""If one anchor is more than this many times as long as the other, its length can give it away."""


def unit_rng(seed: int, topic_number: str, batch: int = 0) -> Random:
    """Return the random generator for planning a topic. The same arguments give the same plan."""
    return seeded_random("plan", seed, topic_number, batch)


def units_needed(documents: int, *, judgments: int, others: int) -> int:
    """Return ⌈judgments · documents / others⌉, the number of units that `plan_units` makes for a new pool.

    `documents` does not count the anchors.
    """
    return -(-documents * judgments // others)


def plan_units(
    documents: Sequence[Document],
    *,
    judgments: int,
    others: int,
    rng: Random,
    planned: Mapping[Document, int] | None = None,
) -> list[tuple[Document, ...]]:
    """Plan the units of one topic.

    `documents` is the pool without the anchors, `judgments` the number of judgments per document, and
    `others` the number of documents in a unit besides the anchors. `planned` maps each document to the number
    of its judgments in units that are already planned. Those units stay as they are, and only the missing
    judgments are planned. Raise ValueError if the pool is smaller than a unit.
    """
    if len(documents) < others:
        raise ValueError(f"{len(documents)} documents cannot fill a unit of {others}: pool more documents")
    counts = Counter({document: (planned or {}).get(document, 0) for document in documents})
    units, skipped = _cut(_stream(documents, counts, judgments, rng), others)
    _place_skipped(units, skipped, others)
    for unit in units:
        counts.update(unit)
    for unit in units:
        if len(unit) < others:
            _fill(unit, documents, counts, others, rng)
    return [tuple(unit) for unit in units]


def _stream(
    documents: Sequence[Document], counts: Mapping[Document, int], judgments: int, rng: Random
) -> Iterable[Document]:
    for number in range(judgments):
        missing = [document for document in documents if counts[document] <= number]
        rng.shuffle(missing)
        yield from missing


def _cut(stream: Iterable[Document], others: int) -> tuple[list[list[Document]], list[Document]]:
    """Return units without repeated documents, and the documents that the last unit skipped."""
    units: list[list[Document]] = []
    unit: list[Document] = []
    skipped: list[Document] = []
    for document in stream:
        if document in unit:
            skipped.append(document)
        else:
            unit.append(document)
        while len(unit) == others:
            units.append(unit)
            unit, skipped = _start_unit(skipped, others)
    while unit:
        units.append(unit)
        if len(unit) < others:
            break
        unit, skipped = _start_unit(skipped, others)
    return units, skipped


def _start_unit(skipped: list[Document], others: int) -> tuple[list[Document], list[Document]]:
    """Return a unit that starts with the skipped documents, and the documents that do not fit into it."""
    unit: list[Document] = []
    still_skipped: list[Document] = []
    for document in skipped:
        if document in unit or len(unit) == others:
            still_skipped.append(document)
        else:
            unit.append(document)
    return unit, still_skipped


def _place_skipped(units: list[list[Document]], skipped: list[Document], others: int) -> None:
    """Place the documents that the last unit skipped: in earlier units if possible, else in short units."""
    for document in skipped:
        if len(units[-1]) < others and _swap(units, document):
            continue
        short = (unit for unit in units if len(unit) < others and document not in unit)
        if (unit := next(short, None)) is not None:
            unit.append(document)
        else:
            units.append([document])


def _swap(units: list[list[Document]], document: Document) -> bool:
    last = units[-1]
    for unit in reversed(units[:-1]):
        if document in unit:
            continue
        for place, other in enumerate(unit):
            if other not in last:
                unit[place] = document
                last.append(other)
                return True
    return False


def _fill(
    unit: list[Document], documents: Sequence[Document], counts: Counter[Document], others: int, rng: Random
) -> None:
    candidates = [document for document in documents if document not in unit]
    rng.shuffle(candidates)
    candidates.sort(key=lambda document: counts[document])
    added = candidates[: others - len(unit)]
    unit.extend(added)
    counts.update(added)


def place_documents(others: Sequence[Document], anchors: Sequence[Document], rng: Random) -> list[Document]:
    """Return the order in which an assignment shows its documents. All orders are equally likely."""
    placed = [*others, *anchors]
    rng.shuffle(placed)
    return placed


def draw_anchors(
    candidates: Mapping[str, Mapping[str, int]], *, seed: int, topic_number: str
) -> dict[str, str]:
    """Draw one document per grade. If possible, draw documents of similar lengths.

    `candidates` maps each grade to its documents, and each document to its number of words. If the study file
    names the anchor of a grade, that document is the only candidate.

    For each grade, the seed puts the documents into a random order that does not depend on their order in the
    files. The first H document is tried with each N document in turn, then the second H document, and so on.
    The first pair of similar lengths (see `UNEVEN`) is drawn. If there is none, the pair with the most
    similar lengths is drawn.
    """
    if not candidates:
        return {}
    orders = {}
    for grade, documents in candidates.items():
        orders[grade] = sorted(documents)
        seeded_random("anchor", seed, topic_number, grade).shuffle(orders[grade])
    best: tuple[str, ...] = ()
    least = inf
    for pair in product(*orders.values()):
        ratio = unevenness(
            [candidates[grade][document] for grade, document in zip(orders, pair, strict=True)]
        )
        if ratio < least:
            best, least = pair, ratio
        if ratio <= UNEVEN:
            break
    return dict(zip(orders, best, strict=True))


def unevenness(words: Sequence[int]) -> float:
    """Return the length of the longest text divided by the length of the shortest."""
    return max(words) / max(1, min(words))


def choose_topic(units_left: Mapping[Document, int], *, weighted: bool, rng: Random) -> Document:
    """Draw the topic of the next unit. If `weighted`, topics with more units left are more likely."""
    topics = list(units_left)
    weights = [units_left[topic] if weighted else 1 for topic in topics]
    return rng.choices(topics, weights=weights)[0]
