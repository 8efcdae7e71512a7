"""The job `expire`: free units whose time has run out, and delete old files, reports and previews."""

from datetime import datetime, timedelta
from typing import Final

from judging.archive.export_files import forget_old_files
from judging.core.clock import now
from judging.core.services.jobs import Progress
from judging.models import Job, JobKind, JobState, Result
from judging.understanding.services.reports import forget_old_reports, forget_orphans
from judging.worker.services.lapse import expire_assignments
from judging.worker.services.previews import forget_old_previews

SHORT_LIVED: Final = (JobKind.EXPIRE.value, JobKind.STATISTICS.value)
"""There are many jobs of these kinds, so finished jobs are deleted after a day."""
SHOWN: Final = timedelta(days=1)


def free_expired_units(job: Job, progress: Progress) -> Result:
    """Free all units whose time has run out. Return the numbers of units freed and of files deleted.

    If no report uses a figure any more, all files of that figure are deleted and count as one file.
    """
    moment = now()
    freed = expire_assignments(now=moment)
    files = clean_up(now=moment)
    Job.objects.filter(
        kind__in=SHORT_LIVED, state=JobState.DONE.value, finished_at__lte=moment - SHOWN
    ).delete()
    return {"freed": freed, "files": files}


def clean_up(*, now: datetime) -> int:
    """Delete old reports, old previews, and unneeded files. Return the number of deleted files."""
    forget_old_reports()
    forget_old_previews(now=now)
    return forget_old_files(now=now) + forget_orphans(now=now)
