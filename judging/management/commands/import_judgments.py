"""`import_judgments`: import a file of judgments from another system, completely or not at all."""

from random import SystemRandom
from typing import Any

from django.core.management.base import CommandParser

from judging.core.clock import now
from judging.management.study_command import StudyCommand
from judging.setup.judgments.importing import import_judgments


class Command(StudyCommand):
    help = (
        "Import magnitudes from another system. The table must have the columns of"
        " docs/reference/exports.md. The study must be a draft without workers. If there is a fault, nothing"
        " is imported."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("slug", metavar="SLUG", help="the name of a study with these topics and pools")
        parser.add_argument(
            "file",
            metavar="FILE",
            help="CSV, plain or .gz, or an Excel workbook, with at least the columns"
            " topic_id,unit_id,document_id,relevance_score",
        )
        parser.add_argument(
            "--replace",
            action="store_true",
            help="replace the judgments that were imported earlier, if no other workers have taken part",
        )

    def handle(self, *, slug: str, file: str, replace: bool, **options: Any) -> None:
        imported = import_judgments(self.study(slug), file, now=now(), rng=SystemRandom(), replace=replace)
        done = "Replaced in" if replace else "Imported into"
        self.stdout.write(
            f"{done} {slug}: {imported.judgments:,} judgments of {imported.units:,} units,"
            f" {imported.workers:,} workers and {imported.topics:,} topics"
            + (", marked as simulated." if imported.simulated else ".")
        )
        self.stdout.write(f"Next: python manage.py export {slug} --what gains -o {slug}.gains")
