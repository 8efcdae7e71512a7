"""Planning units from a seed, and placing the anchors.

**The algorithm in prose.** A round is the pool in random order. Rounds follow each other as one continuous
stream, which is cut into units of `others` documents (six, beside the two anchors). Where a cut falls inside
a round, a document may come up that the unit already holds: it is passed over and taken first by the next
unit. The stream ends after as many rounds as each document needs judgments, so only the last unit can be
short; it is filled with the documents that have the fewest judgments, chosen at random among equals.

Thus n documents with 10 judgments each make ⌈10·n/6⌉ units, and each document is judged 10 or 11 times.
Example: n = 7 makes a stream of 70, cut into 11 units of six and a last one of four, filled with two.

A document passed over within the very last unit has no next unit: it changes places with a document of an
earlier unit which lacks the one and whose own document the last unit lacks.
"""

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from itertools import product
from math import inf
from random import Random
from typing import Final, TypeVar

from judging.protocol.dice import seeded_dice

Document = TypeVar("Document", bound=Hashable)
UNEVEN: Final = 1.5
"""An anchor that has over so many times the other's words may be told from it by its length."""


def unit_rng(seed: int, topic_number: str, batch: int = 0) -> Random:
    """The dice of one topic's plan: the same study seed, topic and batch always give the same plan."""
    return seeded_dice("plan", seed, topic_number, batch)


def units_needed(documents: int, *, judgments: int, others: int) -> int:
    """⌈judgments · documents / others⌉, the number of units that `plan_units` makes of a fresh pool."""
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

    `documents` are the pool without the anchors, `judgments` how many each is to get, `others` the documents
    of a unit beside the anchors. `planned` counts the judgments that units planned earlier already give: only
    what is missing is planned then, and the earlier units stay as they are. Raises ValueError where the pool
    is smaller than a unit.
    """
    if len(documents) < others:
        raise ValueError(f"{len(documents)} documents cannot fill a unit of {others}")
    counts = Counter({document: (planned or {}).get(document, 0) for document in documents})
    units, rest = _cut(_stream(documents, counts, judgments, rng), others)
    _settle(units, rest, others)
    for unit in units:
        counts.update(unit)
    if units and len(units[-1]) < others:
        _fill(units[-1], documents, counts, others, rng)
    return [tuple(unit) for unit in units]


def _stream(
    documents: Sequence[Document], counts: Mapping[Document, int], judgments: int, rng: Random
) -> Iterable[Document]:
    for number in range(judgments):
        missing = [document for document in documents if counts[document] <= number]
        rng.shuffle(missing)
        yield from missing


def _cut(stream: Iterable[Document], others: int) -> tuple[list[list[Document]], list[Document]]:
    """Cut the stream into units without repetition; the rest is what the last unit could not take."""
    units: list[list[Document]] = []
    unit: list[Document] = []
    held: list[Document] = []
    for document in stream:
        if document in unit:
            held.append(document)
        else:
            unit.append(document)
        while len(unit) == others:
            units.append(unit)
            unit, held = _take(held, others)
    while unit:
        units.append(unit)
        if len(unit) < others:
            break
        unit, held = _take(held, others)
    return units, held


def _take(held: list[Document], others: int) -> tuple[list[Document], list[Document]]:
    """Begin a unit with the documents passed over; those it cannot take are held on."""
    unit: list[Document] = []
    rest: list[Document] = []
    for document in held:
        if document in unit or len(unit) == others:
            rest.append(document)
        else:
            unit.append(document)
    return unit, rest


def _settle(units: list[list[Document]], rest: list[Document], others: int) -> None:
    """Give every document left over a place: by an exchange with an earlier unit, else in a new unit."""
    for document in rest:
        if len(units[-1]) == others or not _exchange(units, document):
            units.append([document])


def _exchange(units: list[list[Document]], document: Document) -> bool:
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
    unit.extend(candidates[: others - len(unit)])


def place_documents(others: Sequence[Document], anchors: Sequence[Document], rng: Random) -> list[Document]:
    """The order in which one assignment shows its documents: all orders are equally likely."""
    placed = [*others, *anchors]
    rng.shuffle(placed)
    return placed


def draw_anchors(
    candidates: Mapping[str, Mapping[str, int]], *, seed: int, topic_number: str
) -> dict[str, str]:
    """Draw one document for each grade, two of much the same length where that is possible.

    `candidates`: grade → document → its words; one document where the anchor is named already. The documents
    of each grade are put in a random order that follows from the seed, whatever their order in the files. The
    first H document that has an N document of much the same length (see UNEVEN) is taken, with the first such
    N document. Without such a pair, the pair that comes nearest to one length is taken.
    """
    if not candidates:
        return {}
    orders = {}
    for grade, documents in candidates.items():
        orders[grade] = sorted(documents)
        seeded_dice("anchor", seed, topic_number, grade).shuffle(orders[grade])
    best: tuple[str, ...] = ()
    least = inf
    for pair in product(*orders.values()):
        ratio = unevenness([candidates[grade][one] for grade, one in zip(orders, pair, strict=True)])
        if ratio < least:
            best, least = pair, ratio
        if ratio <= UNEVEN:
            break
    return dict(zip(orders, best, strict=True))


def unevenness(words: Sequence[int]) -> float:
    """Return how many times as long as the shortest text the longest is."""
    return max(words) / max(1, min(words))


def choose_topic(units_left: Mapping[Document, int], *, weighted: bool, rng: Random) -> Document:
    """The topic of the next unit, at random; `weighted` by the number of units each has left."""
    topics = list(units_left)
    weights = [units_left[topic] if weighted else 1 for topic in topics]
    return rng.choices(topics, weights=weights)[0]
