"""The job `allocate`, which decides about the next units of an adaptive study."""

from datetime import datetime

from judging.core.clock import now
from judging.core.selectors.adaptive import adaptation_of, attempts_at, is_due
from judging.core.services.errors import RefusedError
from judging.core.services.jobs import Progress
from judging.models import Job, Result, Study
from judging.protocol.states import StudyState
from judging.understanding.services.allocating import plan_next_batch, request_decision


def allocate(job: Job, progress: Progress) -> Result:
    """Decide about the next units, plan them, and return `{"reason": reason, "units": number}`.

    `reason` is the reason for the decision, and `number` is the number of planned units. If no decision is
    due, do nothing. Also do nothing if the study changes while the job is deciding. In this case, the next
    clean-up requests the decision again. Raise InputError if the data does not allow a decision.
    """
    study = job.own_study
    nothing: Result = {"reason": "", "units": 0}
    if not is_due(study):
        return nothing
    try:
        decision = plan_next_batch(study=study, now=now())
    except RefusedError:
        return nothing
    progress(1)
    return {"reason": decision.reason, "units": len(decision.unit_numbers)}


def request_due_batches(*, now: datetime) -> int:
    """Request a decision for each adaptive study that needs one, and return the number of requests.

    A decision that failed is requested again later: see `Attempts.again_at`. Simulated studies are left out,
    because the command that simulates the workers also makes the decisions.
    """
    open_studies = Study.objects.filter(
        allocation="adaptive", state=StudyState.OPEN.value, simulated=False
    ).order_by("pk")
    return sum(_request_if_due(study, now) for study in open_studies)


def _request_if_due(study: Study, now: datetime) -> bool:
    attempts = attempts_at(study, adaptation_of(study))
    if attempts is None or attempts.live or (attempts.again_at and now < attempts.again_at):
        return False
    return request_decision(study=study, now=now) is not None
