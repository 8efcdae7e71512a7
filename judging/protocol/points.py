"""The points that documents get in judgments that compare two documents."""

from collections import defaultdict
from collections.abc import Hashable, Iterable, Iterator
from statistics import fmean
from typing import TypeVar

Document = TypeVar("Document", bound=Hashable)


def numbers_of(
    judgments: Iterable[tuple[Document, Document | None, float]],
) -> Iterator[tuple[Document, float]]:
    """Yield each document of the judgments with the number that it gets.

    A judgment is a document, the second document of a pair or None, and the number. In a pair, the number is
    the points of the first document, and the second one gets the rest of the point.

    >>> list(numbers_of([("a", None, 7.0), ("b", "c", 1.0)]))
    [('a', 7.0), ('b', 1.0), ('c', 0.0)]
    """
    for first, second, number in judgments:
        yield first, number
        if second is not None:
            yield second, 1 - number


def mean_numbers(judgments: Iterable[tuple[Document, Document | None, float]]) -> dict[Document, float]:
    """Return the mean of the numbers that each document gets in the judgments of a unit.

    >>> mean_numbers([("a", "b", 1.0), ("b", "a", 0.5)])
    {'a': 0.75, 'b': 0.25}
    """
    given: dict[Document, list[float]] = defaultdict(list)
    for document, number in numbers_of(judgments):
        given[document].append(number)
    return {document: fmean(numbers) for document, numbers in given.items()}
