"""Send a job to a worker process through the broker in REDIS_URL. Without a broker, run the job at once."""

import logging

from django.conf import settings
from django.utils.module_loading import import_string
from kombu.exceptions import OperationalError

from judging.core.observing import request_ids
from judging.models import Job, JobKind

log = logging.getLogger(__name__)


def carry(job: Job, **options: object) -> None:
    """Send the id of a queued job to a worker process. Without a broker, run the job now.

    Pass `options` on to Celery. If the broker does not answer, the job stays queued, and
    `judging.core.services.jobs.reap` sends it again.
    """
    from judging.jobs import TASKS

    task = TASKS[JobKind(job.kind)]
    if not settings.REDIS_URL:
        task.apply(args=(job.pk,))
        return
    app = import_string(settings.JOBS_APP)
    try:
        app.send_task(task.name, [job.pk], headers={"request_id": request_ids.current()}, **options)
    except OperationalError as error:
        log.warning("Job %s is waiting because the broker in REDIS_URL cannot be reached: %s", job, error)
