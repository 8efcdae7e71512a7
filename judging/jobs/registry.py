"""The function that does each kind of job."""

from typing import Final

from judging.crowd.rehearsal import rehearse
from judging.models import JobKind
from judging.tasks.checking import check_setup
from judging.tasks.expiring import free_what_lapsed
from judging.tasks.exporting import write_export
from judging.tasks.importing import bring_in
from judging.tasks.notifying import tell_people
from judging.tasks.posting import post_notice
from judging.tasks.reporting import make_reports
from judging.tasks.running import Work
from judging.tasks.scoring import compute_scores
from judging.tasks.worker_statistics import compute_worker_statistics

WORK: Final[dict[JobKind, Work]] = {
    JobKind.EXPORT: write_export,
    JobKind.SCORE: compute_scores,
    JobKind.EXPIRE: free_what_lapsed,
    JobKind.IMPORT: bring_in,
    JobKind.NOTICE: tell_people,
    JobKind.WEBHOOK: post_notice,
    JobKind.STATISTICS: compute_worker_statistics,
    JobKind.REPORT: make_reports,
    JobKind.CHECK: check_setup,
    JobKind.REHEARSE: rehearse,
}
