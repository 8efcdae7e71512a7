"""The job `allocate`, which decides about the next units of an adaptive study."""

from datetime import datetime

from django.db.models import Max

from judging.core.clock import now
from judging.core.services import jobs
from judging.core.services.jobs import Progress
from judging.models import LIVE_JOBS, Job, JobKind, JobState, Result, Study
from judging.protocol.states import StudyState
from judging.understanding.services.allocating import is_due, plan_next_batch


def allocate(job: Job, progress: Progress) -> Result:
    """Plan the next units, and return the reason and their number. Do nothing if no decision is due.

    Raise InputError if the data does not allow a decision.
    """
    study = job.own_study
    if not is_due(study):
        return {"reason": "", "units": 0}
    decision = plan_next_batch(study=study, now=now())
    progress(1)
    return {"reason": decision.reason, "units": len(decision.unit_numbers)}


def request_due_batches(*, now: datetime) -> int:
    """Request a decision for each adaptive study that needs one, and return the number of requests.

    A job that failed is not requested again, because it would fail again. Somebody has to mend the cause and
    run `plan_units`.
    """
    requested = 0
    for study in Study.objects.filter(allocation="adaptive", state=StudyState.OPEN.value).order_by("pk"):
        tried = Job.objects.filter(study=study, kind=JobKind.ALLOCATE.value)
        last = study.decisions.aggregate(at=Max("at"))["at"] or study.created_at
        failed = tried.filter(state=JobState.FAILED.value, created_at__gte=last)
        blocked = tried.filter(state__in=LIVE_JOBS).exists() or failed.exists()
        if not blocked and is_due(study):
            jobs.request(kind=JobKind.ALLOCATE, study=study, now=now)
            requested += 1
    return requested
