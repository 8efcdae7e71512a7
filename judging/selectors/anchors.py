"""How earlier workers judged the documents of a topic, to choose its anchors by."""

from collections.abc import Collection
from dataclasses import dataclass
from math import exp, log
from statistics import mean, median

from django.db.models import QuerySet

from judging.models import Study
from judging.selectors.judgments import accepted_judgments


@dataclass(frozen=True)
class EarlierJudgments:
    """`times`: the median of how many times the unit's geometric mean a magnitude was; 1 is the middle."""

    judgments: int
    times: float


def earlier_judgments(
    studies: QuerySet[Study], *, topic: str, title: str, documents: Collection[str]
) -> dict[str, EarlierJudgments]:
    """Document → how workers of these studies judged it for a topic of the same number and title.

    Made-up crowds do not count, nor do excluded units.
    """
    rows = (
        accepted_judgments()
        .filter(
            assignment__participation__study__in=studies.order_by(),
            assignment__participation__simulated=False,
            assignment__unit__excluded_at__isnull=True,
            assignment__topic__number=topic,
            assignment__topic__title=title,
        )
        .values_list("assignment_id", "pool_document__document__document_id", "magnitude")
    )
    units: dict[int, list[tuple[str, float]]] = {}
    for unit, document, magnitude in rows:
        units.setdefault(unit, []).append((document, magnitude))
    found: dict[str, list[float]] = {}
    for judged in units.values():
        middle = exp(mean(log(magnitude) for _, magnitude in judged))
        for document, magnitude in judged:
            if document in documents:
                found.setdefault(document, []).append(magnitude / middle)
    return {document: EarlierJudgments(len(all_), median(all_)) for document, all_ in found.items()}
