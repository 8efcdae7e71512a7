"""`exclude_unit`: leave a completed unit out of the analysis, or include it again."""

from typing import Any

from django.core.management.base import CommandError, CommandParser

from judging.core.clock import now
from judging.core.selectors.judgments import unit_id
from judging.management.study_command import StudyCommand
from judging.models import Unit
from judging.watching.services.curation import exclude_unit, include_unit


class Command(StudyCommand):
    help = "Leave a completed unit out of gains and exports, and record the reason. --undo includes it again."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("slug", metavar="SLUG", help="the study's name")
        parser.add_argument("unit", metavar="UNIT", help="the unit's id as in exports, such as 401-0007")
        action = parser.add_mutually_exclusive_group(required=True)
        action.add_argument("--reason", metavar="TEXT", help="the reason, which is published with the data")
        action.add_argument("--undo", action="store_true", help="include the unit again")
        parser.add_argument(
            "--collect-again",
            action="store_true",
            help="with --reason: give a copy of the unit to another worker",
        )

    def handle(
        self, *, slug: str, unit: str, reason: str | None, undo: bool, collect_again: bool, **options: Any
    ) -> None:
        if undo and collect_again:
            raise CommandError("--collect-again works only with --reason. Remove it, or give a reason.")
        row = self.unit(slug, unit)
        if undo:
            include_unit(unit=row, now=now())
            self.stdout.write(f"Unit {unit} of study {slug} counts again.")
            return
        copy = exclude_unit(unit=row, reason=reason or "", now=now(), collect_again=collect_again)
        self.stdout.write(
            f"Unit {unit} of study {slug} is excluded. Its judgments are kept but no longer count."
        )
        if copy is not None:
            self.stdout.write(f"Its copy {_name(copy)} will be judged instead.")


def _name(unit: Unit) -> str:
    return unit_id(unit.topic.number, unit.number)
