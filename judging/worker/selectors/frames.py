"""What a worker has done in a visit that started in a platform's frame."""

from dataclasses import dataclass
from datetime import datetime

from judging.models import Assignment, Participation, PlatformSubmission, Study
from judging.protocol.platforms.base import Arrival
from judging.protocol.states import AssignmentState, ParticipationState


@dataclass(frozen=True)
class FramedVisit:
    """The completed units of a visit.

    `is_over` says whether the worker was screened out or has left the study.
    """

    completed: list[Assignment]
    is_over: bool


def framed_visit(study: Study, arrival: Arrival) -> FramedVisit | None:
    """Return the visit with the units that the worker has completed.

    Return None if the worker has not started the study in a tab yet.
    """
    visit = (
        PlatformSubmission.objects.filter(
            identity__study=study,
            identity__platform_id=arrival.platform_id,
            submission_id=arrival.submission_id,
        )
        .select_related("identity__participation")
        .first()
    )
    if visit is None:
        return None
    worker = visit.identity.participation
    over = worker.state in {ParticipationState.SCREENED_OUT, ParticipationState.WITHDRAWN}
    return FramedVisit(_completed_in(visit, worker), over)


def _completed_in(visit: PlatformSubmission, worker: Participation) -> list[Assignment]:
    completed = worker.assignments.filter(state=AssignmentState.COMPLETED.value).order_by("number")
    began: datetime = visit.first_linked_at or visit.linked_at
    later = visit.identity.submissions.filter(first_linked_at__gt=began).order_by("first_linked_at").first()
    completed = completed.filter(ended_at__gte=began)
    return list(completed.filter(ended_at__lt=later.first_linked_at) if later else completed)
