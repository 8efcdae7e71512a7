"""Free what has lapsed, compute statistics and reports, tell what is due. A scheduler runs this often."""

from typing import Any

from judging.core.clock import now
from judging.core.services.jobs import reap
from judging.jobs.expiring import clear_away
from judging.management.base import StudyCommand
from judging.understanding.jobs.completing import request_final_reports
from judging.watching.services.requests import request_notices, request_statistics
from judging.worker.services.lapse import expire_assignments


class Command(StudyCommand):
    help = (
        "Free the units whose time has run out, in all studies, and delete lapsed answers after a day. Picks "
        "up jobs whose worker is gone, deletes the files of exports after a week, old previews, and reports "
        "that newer ones have replaced. Asks for the worker statistics, and for the reports of finished "
        "studies; without REDIS_URL it computes them itself. Sends notices where EMAIL_URL is set."
    )

    def handle(self, **options: Any) -> None:
        moment = now()
        freed = expire_assignments(now=moment)
        self.stdout.write(f"{freed} {'unit' if freed == 1 else 'units'} freed.")
        clear_away(now=moment)
        if picked := reap(now=moment):
            self.stdout.write(f"{picked} lost {'job' if picked == 1 else 'jobs'} picked up.")
        if studies := request_statistics(now=moment):
            self.stdout.write(
                f"Statistics of the workers of {studies} {'study' if studies == 1 else 'studies'}."
            )
        if reports := request_final_reports(now=moment):
            self.stdout.write(f"{reports} {'report' if reports == 1 else 'reports'} of finished studies.")
        if asked := request_notices(now=moment):
            self.stdout.write(f"{asked} {'notice' if asked == 1 else 'notices'} due.")
