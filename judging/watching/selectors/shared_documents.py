"""The documents that several workers judged, and the numbers that count."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from statistics import fmean, median
from typing import Any, Final, NamedTuple

from django.db.models import QuerySet

from judging.core.selectors.judgments import COUNTED, judgments_of_any_kind, of_documents
from judging.models import Judgment, Participation, PoolDocument
from judging.protocol.points import numbers_of
from judging.protocol.scales import compares_pairs

MOST_SHARED: Final = 1000
"""The maximum number of documents for which two workers are compared."""


class OtherJudgment(NamedTuple):
    """The number that another worker gave. `document` is the key of the document in the topic's pool."""

    document: int
    worker: str
    number: float


@dataclass(frozen=True)
class SharedDocument:
    """A document that two workers judged, with their numbers.

    If an imported worker judged the document in several units, the number is the median. If workers compare
    two documents, it is the mean of the document's points.
    """

    topic: str
    document: str
    anchor: str
    first: float
    second: float


def judgments_by_others(worker: Participation, judgments: Iterable[Judgment]) -> list[OtherJudgment]:
    """Return the numbers that other workers gave for the documents in a worker's judgments.

    Anchors are left out. Every worker of the topic judges them, and no worker who passes the checks puts N
    above H. The `pool_document` of each judgment in `judgments` must be loaded. This takes one query.
    """
    own = {judgment.pool_document_id for judgment in judgments if not judgment.pool_document.anchor}
    rows = Judgment.objects.filter(of_documents(worker.study, own)).order_by()
    rows = rows.filter(assignment__participation__kind=worker.kind)
    # With COUNTED as a filter, SQLite would start from all completed attempts.
    columns = rows.annotate(counts=COUNTED).values_list(
        "pool_document_id",
        "compared_with_id",
        "number",
        "assignment__participation__pseudonym",
        "counts",
    )
    return [
        OtherJudgment(document, name, given)
        for first, second, number, name, counts in columns
        if counts and number is not None and name != worker.pseudonym
        for document, given in numbers_of([(first, second, number)])
        if document in own
    ]


def shared_documents(first: Participation, second: Participation) -> list[SharedDocument]:
    """Return documents that both workers judged, sorted by topic and id. This takes two queries.

    Return at most `MOST_SHARED` + 1 documents. The extra document shows that the limit is exceeded.
    """
    documents = PoolDocument.objects.filter(pk__in=_judged_by(first)).filter(pk__in=_judged_by(second))
    in_order = documents.order_by("topic__place", "document__document_id")
    names = list(
        in_order.values_list("pk", "topic__number", "document__document_id", "anchor")[: MOST_SHARED + 1]
    )
    given: dict[tuple[int, int], list[float]] = defaultdict(list)
    rows = judgments_of_any_kind().filter(
        of_documents(first.study, [pk for pk, *_names in names]),
        assignment__participation__in=[first, second],
    )
    columns = rows.values_list(
        "assignment__participation_id", "pool_document_id", "compared_with_id", "number"
    )
    for worker, judged, other, number in columns:
        if number is not None:
            for document, points in numbers_of([(judged, other, number)]):
                given[worker, document].append(points)
    middle = fmean if compares_pairs(first.study) else median
    return [
        SharedDocument(topic, document, anchor, middle(given[first.pk, pk]), middle(given[second.pk, pk]))
        for pk, topic, document, anchor in names
    ]


def _judged_by(worker: Participation) -> QuerySet[Judgment, Any]:
    own = judgments_of_any_kind().filter(assignment__participation=worker, number__isnull=False)
    return own.values("pool_document")
