"""`figures`: how each worker of a study works, and who stands far out from the others."""

from judging.models import Job, Result
from judging.selectors.clock import now
from judging.services.jobs import Progress
from judging.services.worker_statistics import compute_statistics


def compute_worker_statistics(job: Job, progress: Progress) -> Result:
    """Compute the statistics of the job's study; returns what `compute_statistics` does."""
    study = job.own_study
    topics = study.topics.count()
    return compute_statistics(study=study, now=now(), progress=lambda done: progress(done, topics))
