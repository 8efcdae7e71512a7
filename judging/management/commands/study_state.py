"""`study_state`: open, pause or close a study, and print what that means for its workers."""

from typing import Any, Final

from django.core.management.base import CommandError, CommandParser

from judging.core.clock import now
from judging.core.services.studies import close_study, open_study, pause_study
from judging.management.study_command import StudyCommand
from judging.models import Study
from judging.watching.selectors.progress import Progress, study_progress

_MEANINGS: Final = {
    "open": "Workers can start at /s/{slug}/.",
    "pause": "Workers get no new units. They can finish units in progress until the time limit.",
    "close": "Workers get no more units. They can finish units in progress until the time limit.",
}
_FORCED: Final = "Workers get no more units, and units in progress were cancelled."


class Command(StudyCommand):
    help = "Open, pause or close a study. A closed study cannot be opened again."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("slug", metavar="SLUG", help="the study's name")
        parser.add_argument("state", choices=list(_MEANINGS), help="the action")
        parser.add_argument("--force", action="store_true", help="with close: cancel units in progress")

    def handle(self, *, slug: str, state: str, force: bool, **options: Any) -> None:
        if force and state != "close":
            raise CommandError("--force works only with close. Remove it.")
        study = self.study(slug)
        if state == "open":
            open_study(study=study, now=now())
        elif state == "pause":
            pause_study(study=study, now=now())
        else:
            self._close(study, force=force)
        study.refresh_from_db()
        meaning = _FORCED if force else _MEANINGS[state].format(slug=slug)
        units = study_progress([study]).get(study.pk, Progress())
        self.stdout.write(
            f"Study {slug} is {study.state}. {meaning} Units: {units.done} done,"
            f" {units.reserved} reserved, {units.open} open."
        )

    def _close(self, study: Study, *, force: bool) -> None:
        for cancelled in close_study(study=study, now=now(), force=force):
            pay = (
                f"it pays {cancelled.compensation} {study.currency}"
                if cancelled.compensation
                else f"consider paying {cancelled.pay} {study.currency}"
            )
            worker = cancelled.participation.pseudonym
            self.stdout.write(f"Cancelled: unit {cancelled.number} of worker {worker}; {pay}.")
