"""`check_integrity`: search the data for rows that break a rule, for example after a crash or a restore."""

from typing import Any

from django.core.management.base import CommandError, CommandParser

from judging.integrity import INVARIANTS, breaches
from judging.management.study_command import StudyCommand
from judging.models import Assignment, Judgment, Study


class Command(StudyCommand):
    help = (
        "Search the data for errors that must never happen, such as a unit that two workers "
        "hold at once, or a judgment without a number. It changes nothing. It prints a "
        "line for each broken rule, and exits with status 1 if there is one."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("slug", metavar="SLUG", nargs="?", help="one study (default: the whole site)")

    def handle(self, *, slug: str | None, **options: Any) -> None:
        study = self.study(slug) if slug else None
        if broken := list(breaches(INVARIANTS, study)):
            raise CommandError("\n".join(map(str, broken)))
        attempts, judgments = Assignment.objects.all(), Judgment.objects.all()
        if study:
            attempts = attempts.filter(participation__study=study)
            judgments = judgments.filter(assignment__participation__study=study)
        scope = f"study {study.slug}" if study else f"{Study.objects.count():,} studies"
        self.stdout.write(
            f"No errors: checked {len(INVARIANTS)} rules in {scope}, with "
            f"{attempts.count():,} attempts and {judgments.count():,} answers."
        )
