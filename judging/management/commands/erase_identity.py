"""`erase_identity`: delete the platform ids that this site stores for a worker."""

from typing import Any

from django.core.management.base import CommandError, CommandParser

from judging.core.clock import now
from judging.management.study_command import StudyCommand
from judging.models import PlatformIdentity
from judging.watching.services.workers import erase_identity


class Command(StudyCommand):
    help = "Delete the platform ids of a worker permanently. The pseudonymous data is kept."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("slug", metavar="SLUG", help="the study's name")
        parser.add_argument("worker", metavar="WORKER", help="the worker's pseudonym, as exports write it")

    def handle(self, *, slug: str, worker: str, **options: Any) -> None:
        participation = self.worker(slug, worker)
        if not PlatformIdentity.objects.filter(participation=participation).exists():
            raise CommandError(f"No platform id is stored for worker {worker} of study {slug}.")
        erase_identity(participation=participation, now=now())
        self.stdout.write(f"The platform ids of worker {worker} of study {slug} have been deleted.")
