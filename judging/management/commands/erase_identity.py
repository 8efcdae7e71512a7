"""Forget who a worker is on the crowd platform."""

from typing import Any

from django.core.management.base import CommandError, CommandParser

from judging.core.clock import now
from judging.management.base import StudyCommand
from judging.models import PlatformIdentity
from judging.watching.services.workers import erase_identity


class Command(StudyCommand):
    help = "Delete the platform's ids of a worker, for good. The pseudonymous data stays as it is."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("slug", metavar="SLUG", help="the study's name")
        parser.add_argument("worker", metavar="WORKER", help="the worker's pseudonym, as exports write it")

    def handle(self, *, slug: str, worker: str, **options: Any) -> None:
        found = self.worker(slug, worker)
        if not PlatformIdentity.objects.filter(participation=found).exists():
            raise CommandError(f"No platform id of worker {worker} of study {slug} is stored.")
        erase_identity(participation=found, now=now())
        self.stdout.write(f"Who worker {worker} of study {slug} is on the platform is forgotten for good.")
