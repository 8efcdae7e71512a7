"""`figures`: how each worker of a study works, and who stands far out from the others."""

from typing import Any

from judging.models import Job
from judging.selectors.clock import now
from judging.services.figures import compute_figures
from judging.services.jobs import Progress


def figure_workers(job: Job, progress: Progress) -> dict[str, Any]:
    """Compute the figures of the job's study; returns what `compute_figures` does."""
    topics = job.study.topics.count()
    return compute_figures(study=job.study, now=now(), progress=lambda done: progress(done, topics))
