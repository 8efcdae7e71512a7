"""The progress of an adaptive study: its decisions, the attempts at them, and the units that can follow."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from django.db.models import Count, Q, QuerySet

from judging.core.selectors.kinds import units_of
from judging.core.selectors.plans import planned_units
from judging.models import (
    LIVE_JOBS,
    AllocationDecision,
    Job,
    JobKind,
    JobState,
    PoolDocument,
    Reason,
    Study,
    Topic,
)
from judging.protocol.planning import units_needed
from judging.protocol.states import StudyState, UnitState

_SOONEST: Final = timedelta(minutes=5)
_LATEST: Final = timedelta(days=1)


@dataclass(frozen=True)
class Adaptation:
    """The progress of an adaptive study.

    `units` is the number of units so far, without retired and excluded units. `most_units` is the limit for
    `units`. `decisions` is the number of decisions. `reason` is the reason for the last decision, or None if
    there is no decision yet.

    `is_due` says whether the study needs a decision now. `is_over` is true if a decision has stopped the
    study, or if the study is closed. Then no further units follow.
    """

    most_units: int
    units: int
    decisions: int
    reason: Reason | None
    is_due: bool
    is_over: bool

    @property
    def most(self) -> int:
        """Return the largest number of units that the study can still reach, including its units so far."""
        return self.units + self.further

    @property
    def further(self) -> int:
        """Return how many units can follow besides those that are planned."""
        return 0 if self.is_over else max(0, self.most_units - self.units)


@dataclass(frozen=True)
class Attempts:
    """The attempts at a decision that is due. Each attempt is a job.

    `live` is the job that is waiting or running, or None. `failed` is the last job that failed, or None, and
    `failures` is the number of failed jobs. After a failure, the next attempt is due at `again_at`.
    """

    live: Job | None
    failed: Job | None
    failures: int

    @property
    def again_at(self) -> datetime | None:
        """Return the time of the next attempt, or None if no job has failed.

        This is five minutes after the first failure. The wait doubles with each further failure, up to a day.
        """
        if self.failed is None or self.failed.finished_at is None:
            return None
        wait: timedelta = min(_SOONEST * 2 ** min(self.failures - 1, 10), _LATEST)
        return self.failed.finished_at + wait


def live_topics(study: Study) -> QuerySet[Topic]:
    """Return the topics that are not retired, in the study's order."""
    return Topic.objects.filter(study=study, retired_at__isnull=True).order_by("place")


def most_units(study: Study) -> int:
    """Return the number of units that are needed to give every document `most_judgments` judgments.

    Ignore retired topics. This takes one query.
    """
    pools = PoolDocument.objects.filter(topic__in=live_topics(study).order_by(), anchor="").order_by()
    sizes = pools.values("topic").annotate(size=Count("pk")).values_list("size", flat=True)
    return sum(
        units_needed(size, judgments=study.most_judgments, others=study.others_per_unit) for size in sizes
    )


def adaptation_of(study: Study) -> Adaptation | None:
    """Return the progress of an adaptive study, or None for a study that is not adaptive.

    This takes at most six queries, and none for a study that is not adaptive.
    """
    if not study.is_adaptive:
        return None
    most, last = most_units(study), study.decisions.order_by("-number").first()
    counting = ~Q(state=UnitState.RETIRED.value) & Q(excluded_at__isnull=True)
    stops = _stops(last, most)
    return Adaptation(
        most_units=most,
        units=units_of(study).filter(counting).count(),
        decisions=last.number if last else 0,
        reason=Reason(last.reason) if last else None,
        is_due=study.state == StudyState.OPEN and not stops and _round_is_done(study),
        is_over=stops or study.state == StudyState.CLOSED,
    )


def is_due(study: Study) -> bool:
    """Return whether an adaptive study needs a decision now.

    A study needs a decision if it is open, all of its units are done, and no decision has stopped it. If a
    decision stopped the study at the limit `most_judgments`, the study continues once this limit is raised.
    """
    if not study.is_adaptive or study.state != StudyState.OPEN or not _round_is_done(study):
        return False
    return not _stops(study.decisions.order_by("-number").first(), most_units(study))


def attempts_at(study: Study, adaptation: Adaptation | None) -> Attempts | None:
    """Return the attempts at the decision that is due, or None if none is due. This takes one query."""
    if adaptation is None or not adaptation.is_due:
        return None
    jobs = list(
        Job.objects.filter(
            study=study, kind=JobKind.ALLOCATE.value, parameters__decision=adaptation.decisions + 1
        ).order_by("pk")
    )
    failed = [job for job in jobs if job.state == JobState.FAILED]
    live = next((job for job in jobs if job.state in LIVE_JOBS), None)
    return Attempts(live, failed[-1] if failed else None, len(failed))


def _round_is_done(study: Study) -> bool:
    units = planned_units(study, list(live_topics(study)))
    return units.exists() and not units.exclude(state=UnitState.DONE).exists()


def _stops(last: AllocationDecision | None, most: int) -> bool:
    if last is None or last.reason == Reason.UNSETTLED:
        return False
    return last.reason == Reason.SETTLED or most <= last.record["settings"]["most_units"]
