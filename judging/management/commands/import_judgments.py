"""Bring judgments that were collected elsewhere into a study: all of a file or nothing."""

from random import SystemRandom
from typing import Any

from django.core.management.base import CommandParser

from judging.core.clock import now
from judging.management.base import StudyCommand
from judging.setup.judgments.importing import import_judgments


class Command(StudyCommand):
    help = (
        "Import magnitudes collected elsewhere from a CSV file in the published columns"
        " (docs/reference/exports.md): all or nothing, into a draft in which nobody took part."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("slug", metavar="SLUG", help="the study; its file names the topics and pools")
        parser.add_argument(
            "file",
            metavar="FILE",
            help="CSV with a header, at least topic_id,unit_id,document_id,relevance_score; .gz too",
        )

    def handle(self, *, slug: str, file: str, **options: Any) -> None:
        done = import_judgments(self.study(slug), file, now=now(), rng=SystemRandom())
        self.stdout.write(
            f"{done.judgments:,} judgments of {done.units:,} units, {done.workers:,} workers and"
            f" {done.topics:,} topics imported into {slug}"
            + (", marked as simulated." if done.simulated else ".")
        )
        self.stdout.write(f"Next: python manage.py export {slug} --what gains -o {slug}.gains")
