"""`block_worker`: stop giving units to a worker."""

from typing import Any

from django.core.management.base import CommandError, CommandParser

from judging.core.clock import now
from judging.management.study_command import StudyCommand
from judging.protocol.states import ENDED_PARTICIPATIONS
from judging.watching.services.workers import block_worker


class Command(StudyCommand):
    help = (
        "Stop giving units to a worker. A unit in progress is cancelled; completed units stay and are paid."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("slug", metavar="SLUG", help="the study's name")
        parser.add_argument("worker", metavar="WORKER", help="the worker's pseudonym, as exports write it")

    def handle(self, *, slug: str, worker: str, **options: Any) -> None:
        participation = self.worker(slug, worker)
        if participation.state in ENDED_PARTICIPATIONS:
            state = participation.get_state_display()
            raise CommandError(f"Worker {worker} of study {slug} is already {state} and gets no more units.")
        block_worker(participation=participation, now=now())
        self.stdout.write(
            f"Worker {worker} of study {slug} is blocked. Completed units still count. To leave a unit out of"
            " the analysis, use exclude_unit."
        )
