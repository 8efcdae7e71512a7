"""Map each kind of job to the function that does it."""

from typing import Final

from judging.archive.jobs.exporting import write_export
from judging.core.jobs.running import Work
from judging.crowd.rehearsal import rehearse
from judging.jobs.expiring import free_expired_units
from judging.models import JobKind
from judging.setup.jobs.checking import check_setup
from judging.setup.jobs.importing import run_import
from judging.understanding.jobs.allocating import allocate
from judging.understanding.jobs.reporting import make_reports
from judging.understanding.jobs.scoring import compute_scores
from judging.watching.jobs.notifying import tell_people
from judging.watching.jobs.posting import post_notice
from judging.watching.jobs.worker_statistics import compute_worker_statistics

WORK: Final[dict[JobKind, Work]] = {
    JobKind.EXPORT: write_export,
    JobKind.SCORE: compute_scores,
    JobKind.EXPIRE: free_expired_units,
    JobKind.IMPORT: run_import,
    JobKind.NOTICE: tell_people,
    JobKind.WEBHOOK: post_notice,
    JobKind.STATISTICS: compute_worker_statistics,
    JobKind.REPORT: make_reports,
    JobKind.CHECK: check_setup,
    JobKind.REHEARSE: rehearse,
    JobKind.ALLOCATE: allocate,
}
