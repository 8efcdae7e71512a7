"""`expire_assignments`: the regular clean-up. Sites without REDIS_URL run it every few minutes from cron."""

from typing import Any

from judging.core.clock import now
from judging.core.services.jobs import reap
from judging.jobs.expiring import clean_up
from judging.management.study_command import StudyCommand
from judging.understanding.jobs.allocating import request_due_batches
from judging.understanding.jobs.completing import request_due_reports
from judging.watching.services.requests import request_notices, request_statistics
from judging.worker.services.lapse import expire_assignments


class Command(StudyCommand):
    help = (
        "Free all units whose time has run out, and delete their answers after a day. Restart lost jobs. "
        "Delete exported files after a week, old previews, and reports that have been replaced. Request "
        "decisions about further units of adaptive studies, the worker statistics, and the reports of "
        "finished studies; without REDIS_URL, the command computes them itself. Send notices if EMAIL_URL "
        "is set."
    )

    def handle(self, **options: Any) -> None:
        moment = now()
        freed = expire_assignments(now=moment)
        self.stdout.write(f"{freed} {'unit' if freed == 1 else 'units'} freed.")
        clean_up(now=moment)
        if restarted := reap(now=moment):
            self.stdout.write(f"{restarted} lost {'job' if restarted == 1 else 'jobs'} restarted.")
        if decisions := request_due_batches(now=moment):
            self.stdout.write(
                f"{decisions} {'decision' if decisions == 1 else 'decisions'} about further units requested."
            )
        if studies := request_statistics(now=moment):
            self.stdout.write(
                f"Worker statistics of {studies} {'study' if studies == 1 else 'studies'} requested."
            )
        if reports := request_due_reports(now=moment):
            self.stdout.write(
                f"{reports} {'report' if reports == 1 else 'reports'} of finished studies requested."
            )
        if notices := request_notices(now=moment):
            self.stdout.write(f"{notices} {'notice' if notices == 1 else 'notices'} due.")
