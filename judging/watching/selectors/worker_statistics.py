"""The medians that workers are compared with, the workers in charts, and studies with outdated statistics."""

from dataclasses import dataclass, field
from datetime import datetime
from statistics import median
from typing import Final, NamedTuple

from django.db.models import Count, F, Max, OuterRef, Q, QuerySet, Subquery, Sum
from django.db.models.functions import Coalesce

from judging.core.selectors.kinds import counting, workers_of
from judging.limits import STATISTICS_FRESH
from judging.models import Assignment, Participation, Study, WorkerFigures
from judging.models.fields import values
from judging.models.participation import Gate
from judging.models.watch import BOUNDS
from judging.protocol.states import ENDED_PARTICIPATIONS, LIVE, ParticipationState, StudyState
from judging.protocol.worker_flags import LEAST_UNITS

MOST_DRAWN: Final = 1000
"""The maximum number of workers in the chart of a study's workers."""
DRAWN_BY: Final = ("seconds", "range", "commonest_share")
"""Statistics that the chart can show against the agreement with other workers.

The chart shows the first of them that any worker has.
"""

_COMPARED: Final = ("begun", "completed", *(name for name in BOUNDS if name != "commonest"))


@dataclass(frozen=True)
class Medians:
    """The medians of the workers' statistics, and the time at which the statistics were computed.

    `figures` holds the medians. They are computed from workers who have completed enough units, and `workers`
    is the number of such workers. `listed` is the number of workers who have any statistics. `flagged` is the
    number of workers who have a flag.
    """

    listed: int = 0
    workers: int = 0
    flagged: int = 0
    computed_at: datetime | None = None
    figures: WorkerFigures = field(default_factory=WorkerFigures)


def medians_of(study: Study) -> Medians:
    """Return the medians of workers who have at least `LEAST_UNITS` completed units. This takes one query."""
    rows = list(
        WorkerFigures.objects.filter(participation__study=study)
        .order_by()
        .values_list("computed_at", "flagged", *_COMPARED)
    )
    completed = _COMPARED.index("completed")
    enough = [row[2:] for row in rows if row[2:][completed] >= LEAST_UNITS]
    columns = [[value for value in column if value is not None] for column in zip(*enough, strict=True)]
    medians = {
        name: median(column) if column else None for name, column in zip(_COMPARED, columns, strict=False)
    }
    return Medians(
        listed=len(rows),
        workers=len(enough),
        flagged=sum(1 for row in rows if row[1]),
        computed_at=max((row[0] for row in rows), default=None),
        figures=WorkerFigures(**medians),
    )


def number_flagged(study: Study) -> int:
    """Return how many workers of a study have a flag. Leave out blocked workers: they need no action."""
    flagged = WorkerFigures.objects.filter(participation__study=study, flagged__gt=0)
    return flagged.exclude(participation__state=ParticipationState.BLOCKED.value).count()


def gated_workers(study: Study) -> list[str]:
    """Return the pseudonyms of workers who are stopped because their record looks like guessing.

    Leave out workers whose participation has ended: they need no action.
    """
    stopped = workers_of(study).filter(gate=Gate.CLOSED.value)
    active = stopped.exclude(state__in=values(ENDED_PARTICIPATIONS)).order_by("gated_at", "pseudonym")
    return list(active.values_list("pseudonym", flat=True))


class DrawnWorker(NamedTuple):
    """A worker in a chart. `value` is the statistic that the chart shows against the agreement."""

    pseudonym: str
    agreement: float
    value: float
    completed: int
    flagged: int


@dataclass(frozen=True)
class DrawnWorkers:
    """The workers in a chart. They have values for both the agreement and the statistic `column`.

    `drawable` is the number of such workers. `rows` holds at most `MOST_DRAWN` of them, starting with those
    who have the most completed units. `listed` is the number of workers who have any statistics.
    """

    column: str
    listed: int
    drawable: int
    rows: list[DrawnWorker]


def workers_to_draw(workers: QuerySet[Participation]) -> DrawnWorkers:
    """Return the given workers for whom the chart has values. This takes two queries."""
    figures = WorkerFigures.objects.filter(participation__in=workers.order_by())
    numbers = figures.order_by().aggregate(
        listed=Count("pk"), **{column: Count("pk", filter=_has(column)) for column in DRAWN_BY}
    )
    column = next((column for column in DRAWN_BY if numbers[column]), DRAWN_BY[0])
    in_order = figures.filter(_has(column)).order_by("-completed", "participation__pseudonym")
    rows = in_order.values_list("participation__pseudonym", "agreement", column, "completed", "flagged")
    drawn = [DrawnWorker(*row) for row in rows[:MOST_DRAWN]]
    return DrawnWorkers(column, numbers["listed"], numbers[column], drawn)


def _has(column: str) -> Q:
    return Q(("agreement__isnull", False), (f"{column}__isnull", False))


def studies_to_compute(*, now: datetime) -> list[Study]:
    """Return the studies whose statistics do not include all ended attempts.

    Leave out drafts, and studies whose statistics are newer than `STATISTICS_FRESH`.
    """
    ended = (
        Assignment.objects.filter(
            ~Q(state__in=values(LIVE)), counting("participation__"), participation__study=OuterRef("pk")
        )
        .order_by()
        .values("participation__study")
        .annotate(number=Count("pk"))
    )
    statistics = (
        WorkerFigures.objects.filter(participation__study=OuterRef("pk"))
        .order_by()
        .values("participation__study")
    )
    studies = Study.objects.exclude(state=StudyState.DRAFT.value).annotate(
        ended=Coalesce(Subquery(ended.values("number")), 0),
        known=Coalesce(Subquery(statistics.annotate(sum=Sum("ended")).values("sum")), 0),
        computed_at=Subquery(statistics.annotate(at=Max("computed_at")).values("at")),
    )
    old = Q(computed_at__isnull=True) | Q(computed_at__lte=now - STATISTICS_FRESH)
    stale = studies.exclude(ended=F("known")).filter(old)
    return list(stale.order_by("pk"))
