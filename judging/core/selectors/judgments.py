"""The judgments that count. They are read topic by topic, so that a study does not have to fit in memory."""

from collections.abc import Collection, Iterable, Iterator
from datetime import datetime
from itertools import groupby
from typing import Final, NamedTuple, TypeVar

from django.db.models import Case, Count, F, Q, QuerySet, Sum, Value, When
from django.db.models.functions import Coalesce

from judging.core.selectors.kinds import Kinds, by_counted
from judging.models import Judgment, KnownGrade, PoolDocument, Study, Topic, Unit, Visit
from judging.protocol.scales import compares_pairs
from judging.protocol.states import AssignmentState

ACCEPTED = Q(
    state=AssignmentState.COMPLETED.value,
    ended_at__isnull=False,  # always true, but lets the database use the index of ended attempts
    judgments_deleted_at__isnull=True,
)
"""Selects assignments whose judgments count, unless their unit is excluded."""

_OF_ACCEPTED: Final = Q(
    assignment__state=AssignmentState.COMPLETED.value,
    assignment__ended_at__isnull=False,  # for the index, as in ACCEPTED
    assignment__judgments_deleted_at__isnull=True,
)
_OF_INCLUDED: Final = Q(assignment__unit__excluded_at__isnull=True)
COUNTED: Final = _OF_ACCEPTED & _OF_INCLUDED
"""Selects judgments that count."""

NOT_EXCLUDED = ~Q(unit__in=Unit.objects.filter(excluded_at__isnull=False).order_by())
"""Selects assignments whose unit is not excluded. Few units are excluded, so this is faster than a join."""


class AcceptedJudgment(NamedTuple):
    """A judgment of a completed assignment, with its context.

    `compared_with` is the document that was shown second, or "" on scales without pairs. Values that are
    missing from an imported file are None.
    """

    pk: int
    topic: str
    unit: int
    document: str
    compared_with: str
    worker: str
    anchor: str
    position: int | None
    number: float
    justification: str
    raw_input: str
    visible_seconds: float | None
    pasted: float | None
    revisions: int | None
    completed_at: datetime | None
    kind: str
    excluded_at: datetime | None
    from_file: bool
    inclusion: float
    highlight: str
    highlight_start: int | None
    highlight_end: int | None


class CountedJudgment(NamedTuple):
    """The fields of a judgment that are needed to normalise magnitudes and to compute gains."""

    pk: int
    topic: str
    unit: int
    document: str
    compared_with: str
    worker: str
    number: float
    anchor: str


_ELSEWHERE: Final[dict[str, str | Coalesce]] = {
    "topic": "assignment__topic__number",
    "unit": "assignment__unit__number",
    "document": "pool_document__document__document_id",
    "compared_with": Coalesce("compared_with__document__document_id", Value("")),
    "worker": "assignment__participation__pseudonym",
    "anchor": "pool_document__anchor",
    "kind": "assignment__participation__kind",
    "excluded_at": "assignment__unit__excluded_at",
    "inclusion": "pool_document__inclusion",
}
"""Maps fields of both judgment classes to expressions. Other fields are columns of Judgment."""
J = TypeVar("J", AcceptedJudgment, CountedJudgment)


class TimeSpent(NamedTuple):
    """The time that a worker spent on a document, measured by the server, and the number of visits."""

    seconds: float
    visits: int


def unit_id(topic: str, number: int) -> str:
    """Return a unit's id, which is unique in its study.

    If a topic has at most 9,999 units, sorting its unit ids as text also sorts them by number.
    """
    return f"{topic}-{number:04d}"


def topics_sorted(study: Study) -> list[Topic]:
    """Return a study's topics. Sort their numbers as strings, so that every database gives the same order."""
    return sorted(study.topics.defer("description", "narrative"), key=lambda topic: topic.number)


def accepted(
    study: Study, *, with_excluded: bool = False, kinds: Kinds = None
) -> Iterator[tuple[Topic, list[AcceptedJudgment]]]:
    """Yield each topic that has judgments of completed units, together with these judgments.

    Sort topics by number, and judgments by unit, worker and document. Leave out the judgments of excluded
    units, unless `with_excluded` is true, and those of kinds of judges that the study does not count.
    """
    for topic in topics_sorted(study):
        judgments = accepted_judgments(study, with_excluded=with_excluded, kinds=kinds)
        rows = listed(judgments.filter(assignment__topic=topic))
        if rows:
            yield topic, in_order(rows)


def in_order(rows: Iterable[J]) -> list[J]:
    """Return the judgments of one topic, sorted by unit, worker and document."""
    return sorted(rows, key=lambda row: (row.unit, row.worker, row.document))


def accepted_judgments(
    study: Study, *, with_excluded: bool = False, kinds: Kinds = None
) -> QuerySet[Judgment]:
    """Return the judgments that count, in no particular order. `with_excluded` adds those of excluded units.

    The query leaves out workers of the study that do not count. It does not leave out other studies, because
    the caller knows the best condition for that: a topic, a worker or a document.
    """
    judgments = judgments_of_any_kind(with_excluded=with_excluded)
    return judgments.filter(by_counted(study, "assignment__", kinds=kinds))


def of_documents(study: Study, documents: Collection[int]) -> Q:
    """Return the condition for judgments of any of these pool documents, which are given by their keys.

    If the scale compares two documents, the document can be the first or the second one.
    """
    judged = Q(pool_document__in=documents)
    return judged | Q(compared_with__in=documents) if compares_pairs(study) else judged


def judgments_of_any_kind(*, with_excluded: bool = False) -> QuerySet[Judgment]:
    """Return the judgments of completed units from all studies and all kinds of judges."""
    judgments = Judgment.objects.filter(_OF_ACCEPTED)
    if not with_excluded:
        judgments = judgments.filter(_OF_INCLUDED)
    return judgments.order_by()


def has_counted_judgments(study: Study) -> bool:
    """Return whether any judgment of the study counts."""
    return bool(accepted_judgments(study).filter(assignment__topic__study=study).exists())


def listed(judgments: QuerySet[Judgment]) -> list[AcceptedJudgment]:
    """Return these judgments as a list in the same order. This takes one query."""
    rows = judgments.annotate(
        completed_at=Case(When(saved_at__isnull=False, then=F("assignment__ended_at"))),
        from_file=Q(assignment__started_at__isnull=True),
    )
    return [AcceptedJudgment(*row) for row in rows.values_list(*_columns(AcceptedJudgment)).iterator()]


def counted(study: Study, topics: Collection[str], *, kinds: Kinds = None) -> Iterator[list[CountedJudgment]]:
    """For each of these topics, yield a list of the judgments that count. Skip topics without any.

    This takes one query. If you need only the fields of `CountedJudgment`, use this function instead of
    `accepted`, which takes twice as long.
    """
    judgments = accepted_judgments(study, kinds=kinds).filter(
        assignment__topic__study=study, assignment__topic__number__in=topics
    )
    rows = judgments.order_by("assignment__topic_id").values_list(*_columns(CountedJudgment)).iterator()
    for _, of_topic in groupby(map(CountedJudgment._make, rows), key=lambda row: row.topic):
        yield list(of_topic)


def _columns(kind: type[AcceptedJudgment | CountedJudgment]) -> list[str | Coalesce]:
    return [_ELSEWHERE.get(name, name) for name in kind._fields]


def time_spent(visits: Q) -> dict[int, TimeSpent]:
    """Return a dict from the key of each judgment to the time spent on it. This takes one query.

    `visits` is a condition that selects the visits to add up.
    """
    sums = (
        Visit.objects.filter(visits)
        .order_by()
        .values_list("judgment_id")
        .annotate(seconds=Sum("seconds"), visits=Count("pk"))
    )
    return {judgment: TimeSpent(seconds, visits) for judgment, seconds, visits in sums.iterator()}


def grade_values(
    study: Study, topics: Collection[str], pool_values: dict[str, str]
) -> dict[tuple[str, str, str], str]:
    """Return the grades of documents for these topics, as they are written in the files of grades.

    A key of the dict consists of the topic, the name of the grade set and the document. For the
    first set, include every document of the pool that has a level. If the set's file does not list such a
    document, convert its level to a value with `pool_values`.
    """
    first = study.grade_sets.order_by("place").values_list("name", flat=True).first()
    graded = PoolDocument.objects.filter(topic__study=study, topic__number__in=topics).exclude(grade="")
    values = {
        (topic, first, document): pool_values.get(level, level)
        for topic, document, level in graded.order_by().values_list(
            "topic__number", "document__document_id", "grade"
        )
        if first is not None
    }
    known = KnownGrade.objects.filter(topic__study=study, topic__number__in=topics).order_by()
    for topic, name, document, value in known.values_list(
        "topic__number", "grade_set__name", "document_id", "value"
    ).iterator():
        values[topic, name, document] = value
    return values


def values_of_levels(study: Study) -> dict[str, str]:
    """Return a dict from level to value for the first grade set. Leave out levels with several values."""
    grades = KnownGrade.objects.filter(grade_set__study=study, grade_set__place=0)
    pairs = sorted(grades.order_by().values_list("level", "value").distinct())
    levels = [level for level, _ in pairs]
    return {level: value for level, value in pairs if levels.count(level) == 1}
