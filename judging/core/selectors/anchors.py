"""Information about anchors: how earlier workers judged a document, and warnings about known grades."""

from collections.abc import Collection
from dataclasses import dataclass
from math import exp, log
from statistics import mean, median

from django.db.models import QuerySet

from judging.core.selectors.judgments import accepted_judgments
from judging.core.words import translated
from judging.models import GradeSet, KnownGrade, PoolDocument, Study
from judging.protocol.anchor_grades import anchor_warning


@dataclass(frozen=True)
class EarlierJudgments:
    """How earlier workers judged a document. `judgments` is the number of their judgments.

    `times` is the median of the magnitudes, after each is divided by the geometric mean of the magnitudes in
    its unit. So `times` is 1 for an average document.
    """

    judgments: int
    times: float


def earlier_judgments(
    studies: QuerySet[Study], *, topic: str, title: str, documents: Collection[str]
) -> dict[str, EarlierJudgments]:
    """Return how earlier workers judged each of these documents in these studies, by document id.

    Use only judgments for a topic with this number and title. Leave out documents without such judgments,
    simulated workers and excluded units.
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
        if magnitude is not None:
            units.setdefault(unit, []).append((document, magnitude))
    ratios: dict[str, list[float]] = {}
    for judged in units.values():
        middle = exp(mean(log(magnitude) for document, magnitude in judged))
        for document, magnitude in judged:
            if document in documents:
                ratios.setdefault(document, []).append(magnitude / middle)
    return {document: EarlierJudgments(len(values), median(values)) for document, values in ratios.items()}


def anchor_warnings(study: Study) -> list[str]:
    """Return a warning for each anchor whose known grades differ from its grade as an anchor.

    The warnings are in the active language. Leave out retired topics. This always takes four queries.
    """
    anchors = list(
        PoolDocument.objects.filter(topic__study=study, topic__retired_at__isnull=True)
        .exclude(anchor="")
        .select_related("topic", "document")
        .order_by("topic__place", "anchor")
    )
    sets = dict(GradeSet.objects.filter(study=study).order_by("place").values_list("pk", "name"))
    known: dict[tuple[int, str], dict[str, str]] = {}
    first = next(iter(sets), None)
    graded = set(
        KnownGrade.objects.filter(grade_set=first).order_by().values_list("topic", flat=True).distinct()
    )
    documents = {anchor.document.document_id for anchor in anchors}
    rows = KnownGrade.objects.filter(grade_set__in=sets, document_id__in=documents)
    for grade_set, topic, document, level in rows.values_list("grade_set", "topic", "document_id", "level"):
        known.setdefault((topic, document), {})[sets[grade_set]] = level
    warnings = (
        anchor_warning(
            topic=anchor.topic.number,
            anchor=anchor.anchor,
            document=anchor.document.document_id,
            graded={
                name: level
                for place, name in enumerate(sets.values())
                if (level := known.get((anchor.topic_id, anchor.document.document_id), {}).get(name, ""))
                or (place == 0 and anchor.topic_id in graded)
            },
            reason=anchor.topic.anchor_reason,
        )
        for anchor in anchors
    )
    return [translated(warning) for warning in warnings if warning is not None]
