"""What is known of the anchors of a study: how earlier workers judged them, and which grades disagree."""

from collections.abc import Collection
from dataclasses import dataclass
from math import exp, log
from statistics import mean, median

from django.db.models import QuerySet

from judging.core.selectors.judgments import accepted_judgments
from judging.models import GradeSet, KnownGrade, PoolDocument, Study
from judging.protocol.anchor_grades import anchor_warning


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
        if magnitude is not None:
            units.setdefault(unit, []).append((document, magnitude))
    found: dict[str, list[float]] = {}
    for judged in units.values():
        middle = exp(mean(log(magnitude) for _, magnitude in judged))
        for document, magnitude in judged:
            if document in documents:
                found.setdefault(document, []).append(magnitude / middle)
    return {document: EarlierJudgments(len(all_), median(all_)) for document, all_ in found.items()}


def anchor_warnings(study: Study) -> list[str]:
    """Return a sentence for each anchor of the study that a set of known grades disagrees with.

    Retired topics do not count. In four queries, however many topics there are.
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
    documents = {one.document.document_id for one in anchors}
    rows = KnownGrade.objects.filter(grade_set__in=sets, document_id__in=documents)
    for grade_set, topic, document, level in rows.values_list("grade_set", "topic", "document_id", "level"):
        known.setdefault((topic, document), {})[sets[grade_set]] = level
    warnings = (
        anchor_warning(
            topic=one.topic.number,
            anchor=one.anchor,
            document=one.document.document_id,
            graded={
                name: level
                for place, name in enumerate(sets.values())
                if (level := known.get((one.topic_id, one.document.document_id), {}).get(name, ""))
                or (place == 0 and one.topic_id in graded)
            },
            reason=one.topic.anchor_reason,
        )
        for one in anchors
    )
    return [warning for warning in warnings if warning is not None]
