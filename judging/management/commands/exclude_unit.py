"""Leave a completed unit out of the analysis, or take it back in."""

from typing import Any

from django.core.management.base import CommandError, CommandParser

from judging.core.clock import now
from judging.core.selectors.judgments import unit_id
from judging.management.base import StudyCommand
from judging.models import Unit
from judging.watching.services.curation import exclude_unit, include_unit


class Command(StudyCommand):
    help = "Leave a completed unit out of gains and exports, for a reason; or take it back in with --undo."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("slug", metavar="SLUG", help="the study's name")
        parser.add_argument("unit", metavar="UNIT", help="the unit as exports write it, such as 401-0007")
        what = parser.add_mutually_exclusive_group(required=True)
        what.add_argument("--reason", metavar="TEXT", help="why; it is published with the data")
        what.add_argument("--undo", action="store_true", help="take the unit back in")
        parser.add_argument(
            "--collect-again", action="store_true", help="with --reason: have a copy of the unit judged"
        )

    def handle(
        self, *, slug: str, unit: str, reason: str | None, undo: bool, collect_again: bool, **options: Any
    ) -> None:
        if undo and collect_again:
            raise CommandError("--collect-again goes with --reason alone.")
        found = self.unit(slug, unit)
        if undo:
            include_unit(unit=found, now=now())
            self.stdout.write(f"Unit {unit} of study {slug} counts again.")
            return
        copy = exclude_unit(unit=found, reason=reason or "", now=now(), collect_again=collect_again)
        self.stdout.write(f"Unit {unit} of study {slug} is excluded: its judgments stay, and count no more.")
        if copy is not None:
            self.stdout.write(f"It is collected again as unit {_name(copy)}.")


def _name(unit: Unit) -> str:
    return unit_id(unit.topic.number, unit.number)
