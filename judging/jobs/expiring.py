"""`expire`: free what has lapsed, and clear away what jobs have left behind."""

from datetime import datetime, timedelta
from typing import Final

from judging.archive.export_files import forget_old_files
from judging.core.clock import now
from judging.core.services.jobs import Progress
from judging.models import Job, JobKind, JobState, Result
from judging.understanding.services.reports import forget_old_reports, forget_orphans
from judging.worker.services.lapse import expire_assignments
from judging.worker.services.previews import forget_old_previews

FORGOTTEN: Final = (JobKind.EXPIRE.value, JobKind.STATISTICS.value)
SHOWN: Final = timedelta(days=1)
"""Jobs of these kinds are that many that they are forgotten after a day."""


def free_what_lapsed(job: Job, progress: Progress) -> Result:
    """Lapse what is overdue in all studies; returns how many units were freed and files deleted.

    A figure that no report names any more counts as one file."""
    moment = now()
    freed = expire_assignments(now=moment)
    files = clear_away(now=moment)
    Job.objects.filter(
        kind__in=FORGOTTEN, state=JobState.DONE.value, finished_at__lte=moment - SHOWN
    ).delete()
    return {"freed": freed, "files": files}


def clear_away(*, now: datetime) -> int:
    """Delete old reports and previews, and files that nobody needs any more; returns how many files."""
    forget_old_reports()
    forget_old_previews(now=now)
    return forget_old_files(now=now) + forget_orphans(now=now)
