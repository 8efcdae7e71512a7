"""The judgments that count, one topic at a time: a study is never held in memory as a whole."""

from collections.abc import Collection, Iterable, Iterator
from datetime import datetime
from itertools import groupby
from typing import Final, NamedTuple, TypeVar

from django.db.models import Case, Count, F, Q, QuerySet, Sum, When

from judging.models import Judgment, KnownGrade, PoolDocument, Study, Topic, Unit, Visit
from judging.protocol.states import AssignmentState

ACCEPTED = Q(
    state=AssignmentState.COMPLETED.value,
    ended_at__isnull=False,  # as every completed one has: it is what the index of ended attempts is about
    judgments_deleted_at__isnull=True,
)
"""Assignments whose judgments count, unless their unit is excluded."""

NOT_EXCLUDED = ~Q(unit__in=Unit.objects.filter(excluded_at__isnull=False).order_by())
"""Assignments whose unit counts: few are excluded, so that these are looked up, and not the units of all."""


class AcceptedJudgment(NamedTuple):
    """One judgment of a completed assignment, with what stands around it. None: unknown, from a file."""

    pk: int
    topic: str
    unit: int
    document: str
    worker: str
    anchor: str
    position: int | None
    magnitude: float
    justification: str
    raw_input: str
    visible_seconds: float | None
    revisions: int | None
    completed_at: datetime | None
    simulated: bool
    excluded_at: datetime | None
    from_file: bool


class CountedJudgment(NamedTuple):
    """What of a judgment enters normalisation and gains."""

    pk: int
    topic: str
    unit: int
    document: str
    worker: str
    magnitude: float
    anchor: str


_ELSEWHERE: Final = {
    "topic": "assignment__topic__number",
    "unit": "assignment__unit__number",
    "document": "pool_document__document__document_id",
    "worker": "assignment__participation__pseudonym",
    "anchor": "pool_document__anchor",
    "simulated": "assignment__participation__simulated",
    "excluded_at": "assignment__unit__excluded_at",
}
"""Field of a judgment above → where it is read, if not in a column of that name."""
J = TypeVar("J", AcceptedJudgment, CountedJudgment)


class TimeSpent(NamedTuple):
    """Seconds on a document by the server's clock, summed over `visits` visits."""

    seconds: float
    visits: int


def unit_id(topic: str, number: int) -> str:
    """A unit's name, unique in its study; as text it sorts as its number does, up to 9,999 units a topic."""
    return f"{topic}-{number:04d}"


def topics_sorted(study: Study) -> list[Topic]:
    """The topics by number as text, compared by code point: the same order on every database."""
    return sorted(study.topics.defer("description", "narrative"), key=lambda topic: topic.number)


def accepted(study: Study, *, with_excluded: bool = False) -> Iterator[tuple[Topic, list[AcceptedJudgment]]]:
    """The judgments of completed units, topic after topic; topics without any are left out.

    Topics are sorted by number, the judgments of each by unit, worker and document. Judgments of excluded
    units are left out, or flagged by `excluded_at` when asked for.
    """
    for topic in topics_sorted(study):
        rows = listed(accepted_judgments(with_excluded=with_excluded).filter(assignment__topic=topic))
        if rows:
            yield topic, in_order(rows)


def in_order(rows: Iterable[J]) -> list[J]:
    """The judgments of one topic by unit, worker and document."""
    return sorted(rows, key=lambda row: (row.unit, row.worker, row.document))


def accepted_judgments(*, with_excluded: bool = False) -> QuerySet[Judgment]:
    """The judgments that count, of all studies and in no order."""
    kept = Judgment.objects.filter(
        assignment__state=AssignmentState.COMPLETED.value,
        assignment__ended_at__isnull=False,  # as in ACCEPTED
        assignment__judgments_deleted_at__isnull=True,
    )
    return (kept if with_excluded else kept.filter(assignment__unit__excluded_at__isnull=True)).order_by()


def anything_counts(study: Study) -> bool:
    """Whether the study has any judgment that counts."""
    return bool(accepted_judgments().filter(assignment__topic__study=study).exists())


def listed(judgments: QuerySet[Judgment]) -> list[AcceptedJudgment]:
    """These judgments in their order, in one query."""
    rows = judgments.annotate(
        completed_at=Case(When(saved_at__isnull=False, then=F("assignment__ended_at"))),
        from_file=Q(assignment__started_at__isnull=True),
    )
    return [AcceptedJudgment(*row) for row in rows.values_list(*_columns(AcceptedJudgment)).iterator()]


def counted(study: Study, topics: Collection[str]) -> Iterator[list[CountedJudgment]]:
    """The judgments that count of these topics, topic after topic, in one query.

    For who needs a whole topic to tell the few numbers of a page: `accepted` reads twice as long.
    """
    found = accepted_judgments().filter(assignment__topic__study=study, assignment__topic__number__in=topics)
    rows = found.order_by("assignment__topic_id").values_list(*_columns(CountedJudgment)).iterator()
    for _, of_topic in groupby(map(CountedJudgment._make, rows), key=lambda row: row.topic):
        yield list(of_topic)


def _columns(kind: type[AcceptedJudgment | CountedJudgment]) -> list[str]:
    return [_ELSEWHERE.get(name, name) for name in kind._fields]


def time_spent(visits: Q) -> dict[int, TimeSpent]:
    """Judgment → time spent, for the judgments that these visits belong to, in one query."""
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
    """(Topic, name of the grade set, document) → the value as its file gives it, for these topics.

    The first set grades the whole pool: of a document that its file does not list, `pool_values` gives the
    value to the level it has been given by the study file (level → value).
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
    """Level → the one value that stands for it in the first grade set; levels with several are left out."""
    grades = KnownGrade.objects.filter(grade_set__study=study, grade_set__place=0)
    pairs = sorted(grades.order_by().values_list("level", "value").distinct())
    levels = [level for level, _ in pairs]
    return {level: value for level, value in pairs if levels.count(level) == 1}
