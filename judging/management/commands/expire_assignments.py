"""Free what has lapsed, so that others can take it. A scheduler runs this every few minutes."""

from typing import Any

from judging.management.base import StudyCommand
from judging.selectors.clock import now
from judging.services.lapse import expire_assignments


class Command(StudyCommand):
    help = "Free the units whose time has run out, in all studies, and delete lapsed answers after a day."

    def handle(self, **options: Any) -> None:
        freed = expire_assignments(now=now())
        self.stdout.write(f"{freed} {'unit' if freed == 1 else 'units'} freed.")
