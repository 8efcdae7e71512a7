"""Free what has lapsed, and pick up what was lost. A scheduler runs this every few minutes."""

from typing import Any

from judging.exports.kept import forget_old_files
from judging.management.base import StudyCommand
from judging.selectors.clock import now
from judging.services.jobs import reap
from judging.services.lapse import expire_assignments


class Command(StudyCommand):
    help = (
        "Free the units whose time has run out, in all studies, and delete lapsed answers after a day. Picks "
        "up jobs whose worker is gone, and deletes the files of exports after a week."
    )

    def handle(self, **options: Any) -> None:
        moment = now()
        freed = expire_assignments(now=moment)
        self.stdout.write(f"{freed} {'unit' if freed == 1 else 'units'} freed.")
        forget_old_files(now=moment)
        if picked := reap(now=moment):
            self.stdout.write(f"{picked} lost {'job' if picked == 1 else 'jobs'} picked up.")
