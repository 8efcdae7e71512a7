"""`figures`: how each worker of a study works, and who stands far out from the others."""

from typing import Any

from judging.models import Job
from judging.selectors.clock import now
from judging.services.jobs import Progress
from judging.services.worker_statistics import compute_statistics


def compute_worker_statistics(job: Job, progress: Progress) -> dict[str, Any]:
    """Compute the statistics of the job's study; returns what `compute_statistics` does."""
    topics = job.study.topics.count()
    return compute_statistics(study=job.study, now=now(), progress=lambda done: progress(done, topics))
