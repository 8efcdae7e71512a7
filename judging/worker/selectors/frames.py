"""What a worker has done in a visit that started in a platform's frame."""

from dataclasses import dataclass

from judging.core.selectors.visits import visits_of
from judging.models import Assignment, Study
from judging.protocol.platforms.base import Arrival
from judging.protocol.states import ParticipationState
from judging.worker.selectors.participations import find_by_platform_id


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
    worker = find_by_platform_id(study=study, platform_id=arrival.platform_id)
    if worker is None:
        return None
    for visit in visits_of(worker):
        if visit.submission and visit.submission.submission_id == arrival.submission_id:
            break
    else:
        return None
    units = [payment.unit for payment in visit.completed if payment.unit]
    over = worker.state in {ParticipationState.SCREENED_OUT, ParticipationState.WITHDRAWN}
    return FramedVisit(units, over)
