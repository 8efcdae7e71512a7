"""Queries that help to choose anchors: earlier judgments of a document, and warnings about anchors."""

from collections.abc import Collection
from dataclasses import dataclass
from math import exp, log
from statistics import mean, median
from typing import Final

from django.db.models import Q, QuerySet

from judging.core.selectors.judgments import judgments_of_any_kind
from judging.core.words import translated
from judging.models import GradeSet, KnownGrade, PoolDocument, Study, Topic
from judging.protocol.anchor_grades import anchor_warning
from judging.protocol.anchor_pairs import Anchor
from judging.protocol.anchor_proposals import favour_warning, proposing_runs
from judging.protocol.judges import PERSON
from judging.protocol.scales import with_ratios
from judging.protocol.states import Grade

MOST_NAMED: Final = 5
"""The largest number of runs that `favoured_runs` names."""


@dataclass(frozen=True)
class EarlierJudgments:
    """How earlier workers judged a document. `judgments` is the number of their judgments.

    To compute `times`, each magnitude is divided by the geometric mean of the magnitudes in its unit. `times`
    is the median of the results, so it is 1 for an average document. `magnitude` is the median of the
    magnitudes themselves.
    """

    judgments: int
    times: float
    magnitude: float


def has_anchors(study: Study) -> bool:
    """Return whether any topic has an anchor. A study for analysis can do without. This takes one query."""
    return PoolDocument.objects.filter(topic__study=study).exclude(anchor="").exists()


def earlier_judgments(
    studies: QuerySet[Study], *, topic: str, title: str, documents: Collection[str], of: Study | None = None
) -> dict[str, EarlierJudgments]:
    """Return a dict from document id to the earlier judgments of the document in these studies.

    Use only judgments for a topic that has this number and title. In the study `of`, the title can differ.
    Leave out all judges but people, excluded units and studies whose numbers have no ratios. Then leave out
    documents for which no judgments remain.
    """
    topics = Topic.objects.filter(Q(title=title) | Q(study=of), number=topic, study__in=studies.order_by())
    rows = (
        judgments_of_any_kind()
        .filter(
            assignment__topic__in=list(topics.filter(study__scale__in=with_ratios()).order_by()),
            assignment__participation__kind=PERSON.name,
        )
        .values_list("assignment_id", "pool_document__document__document_id", "number")
    )
    units: dict[int, list[tuple[str, float]]] = {}
    for unit, document, magnitude in rows:
        if magnitude is not None:
            units.setdefault(unit, []).append((document, magnitude))
    ratios: dict[str, list[float]] = {}
    magnitudes: dict[str, list[float]] = {}
    for judged in units.values():
        middle = exp(mean(log(magnitude) for document, magnitude in judged))
        for document, magnitude in judged:
            if document in documents:
                ratios.setdefault(document, []).append(magnitude / middle)
                magnitudes.setdefault(document, []).append(magnitude)
    return {
        document: EarlierJudgments(len(values), median(values), median(magnitudes[document]))
        for document, values in ratios.items()
    }


def anchor_warnings(study: Study) -> list[str]:
    """Return warnings about anchors that runs proposed, and about anchors that disagree with known grades.

    The warnings are in the active language. Leave out retired topics. This takes at most four queries.
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
    by_grades = (
        anchor_warning(
            topic=anchor.topic.number,
            anchor=Anchor(anchor.anchor),
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
    by_runs = (
        favour_warning(
            topic=anchor.topic.number, anchor=Anchor(anchor.anchor), reason=anchor.topic.anchor_reason
        )
        for anchor in anchors
    )
    return [translated(warning) for warning in (*by_grades, *by_runs) if warning is not None]


def favoured_runs(study: Study) -> tuple[list[str], int]:
    """Return the names of runs that proposed anchors, and the number of topics with such anchors.

    Return at most `MOST_NAMED` names. An `anchor_reason` names only some of its runs if there are many. If
    any runs are missing from the list, add the entry "…". Ignore retired topics. This takes one query.
    """
    topics = Topic.objects.filter(study=study, retired_at=None).exclude(anchor_reason="")
    named: set[str] = set()
    topics_with_proposals, others = 0, False
    for reason in topics.order_by("place").values_list("anchor_reason", flat=True):
        proposals = [proposing_runs(reason, grade) for grade in (Grade.H, Grade.N)]
        topics_with_proposals += any(runs for runs, more in proposals)
        for runs, more in proposals:
            named.update(runs)
            others |= more > 0
    runs = sorted(named)
    others |= len(runs) > MOST_NAMED
    return [*runs[:MOST_NAMED], *(["…"] if others else [])], topics_with_proposals
