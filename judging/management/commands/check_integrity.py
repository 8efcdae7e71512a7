"""Look through the data for what must never be: after a crash, a restore, or out of care."""

from typing import Any

from django.core.management.base import CommandError, CommandParser

from judging.integrity import INVARIANTS, breaches
from judging.management.base import StudyCommand
from judging.models import Assignment, Judgment, Study


class Command(StudyCommand):
    help = (
        "Look through the data for what must never be: a unit held twice, a judgment that counts with a gap, "
        "an anchor in another study. Reads only. Exits with 1, and a line for each rule that is broken."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("slug", metavar="SLUG", nargs="?", help="one study (default: the whole site)")

    def handle(self, *, slug: str | None, **options: Any) -> None:
        study = self.study(slug) if slug else None
        if found := list(breaches(INVARIANTS, study)):
            raise CommandError("\n".join(map(str, found)))
        attempts, judgments = Assignment.objects.all(), Judgment.objects.all()
        if study:
            attempts = attempts.filter(participation__study=study)
            judgments = judgments.filter(assignment__participation__study=study)
        where = f"study {study.slug}" if study else f"{Study.objects.count():,} studies"
        self.stdout.write(
            f"Nothing is broken: {len(INVARIANTS)} rules hold in {where}, "
            f"{attempts.count():,} attempts and {judgments.count():,} answers."
        )
