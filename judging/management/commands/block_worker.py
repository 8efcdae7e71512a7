"""Keep a worker from further units."""

from typing import Any

from django.core.management.base import CommandError, CommandParser

from judging.core.clock import now
from judging.management.base import StudyCommand
from judging.protocol.states import ENDED_PARTICIPATIONS
from judging.watching.services.workers import block_worker


class Command(StudyCommand):
    help = "Keep a worker from further units. A unit in work is cancelled; completed ones stand and are paid."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("slug", metavar="SLUG", help="the study's name")
        parser.add_argument("worker", metavar="WORKER", help="the worker's pseudonym, as exports write it")

    def handle(self, *, slug: str, worker: str, **options: Any) -> None:
        found = self.worker(slug, worker)
        if found.state in ENDED_PARTICIPATIONS:
            state = found.get_state_display()
            raise CommandError(f"Worker {worker} of study {slug} is {state} already and gets no more units.")
        block_worker(participation=found, now=now())
        self.stdout.write(
            f"Worker {worker} of study {slug} is blocked; completed units stand. To leave one of them out of"
            " the analysis, use exclude_unit."
        )
