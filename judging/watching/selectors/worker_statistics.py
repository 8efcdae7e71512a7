"""The medians that workers are compared with, and the studies whose statistics are out of date."""

from dataclasses import dataclass, field
from datetime import datetime
from statistics import median
from typing import Final

from django.db.models import Count, F, Max, OuterRef, Q, Subquery, Sum
from django.db.models.functions import Coalesce

from judging.limits import STATISTICS_FRESH
from judging.models import Assignment, Study, WorkerFigures
from judging.models.fields import values
from judging.models.watch import BOUNDS
from judging.protocol.states import LIVE, StudyState
from judging.protocol.worker_flags import LEAST_UNITS

_COMPARED: Final = tuple(name for name in BOUNDS if name != "commonest")


@dataclass(frozen=True)
class Medians:
    """The medians of the workers' statistics, and the time at which the statistics were computed.

    `figures` holds the medians, over the `workers` who have completed enough units. `listed` is the number of
    workers who have statistics, and `flagged` is how many of them have a flag.
    """

    listed: int = 0
    workers: int = 0
    flagged: int = 0
    computed_at: datetime | None = None
    figures: WorkerFigures = field(default_factory=WorkerFigures)


def medians_of(study: Study) -> Medians:
    """Return the medians over workers with at least `LEAST_UNITS` completed units. This takes one query."""
    rows = list(
        WorkerFigures.objects.filter(participation__study=study)
        .order_by()
        .values_list("computed_at", "completed", "flagged", *_COMPARED)
    )
    enough = [row[3:] for row in rows if row[1] >= LEAST_UNITS]
    columns = [[value for value in column if value is not None] for column in zip(*enough, strict=True)]
    medians = {
        name: median(column) if column else None for name, column in zip(_COMPARED, columns, strict=False)
    }
    return Medians(
        listed=len(rows),
        workers=len(enough),
        flagged=sum(1 for row in rows if row[2]),
        computed_at=max((row[0] for row in rows), default=None),
        figures=WorkerFigures(**medians),
    )


def studies_to_compute(*, now: datetime) -> list[Study]:
    """Return the studies whose statistics do not include all ended attempts.

    Leave out drafts, and studies whose statistics are newer than `STATISTICS_FRESH`.
    """
    ended = (
        Assignment.objects.filter(~Q(state__in=values(LIVE)), participation__study=OuterRef("pk"))
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
