"""`dry_run SLUG`: copy a study, and let a simulated crowd judge the copy.

People can also start dry runs in the console.
"""

from typing import Any

from django.core.management.base import CommandError, CommandParser

from judging.core.clock import now
from judging.core.services import jobs
from judging.management.commands.simulate import add_crowd
from judging.management.study_command import StudyCommand
from judging.models import Job, JobKind, JobState


class Command(StudyCommand):
    help = (
        "Copy a study, and let simulated workers judge the whole copy. The study itself does not change. If"
        " REDIS_URL is set, run_jobs does the work."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("slug", metavar="SLUG", help="the name of a study that can open")
        parser.add_argument(
            "--seed",
            type=int,
            metavar="S",
            help="the seed of an earlier dry run, to repeat its judgments (default: a new seed)",
        )
        add_crowd(parser)

    def handle(self, *, slug: str, seed: int | None, crowd: str, **options: Any) -> None:
        parameters: dict[str, object] = {"of": self.study(slug).slug, "crowd": crowd}
        if seed is not None:
            parameters["seed"] = seed
        job = Job.objects.get(pk=jobs.request(kind=JobKind.REHEARSE, parameters=parameters, now=now()).pk)
        if job.live:
            self.stdout.write(f"Job {job.pk} ({job.title}) is waiting for a worker.")
            return
        if job.state == JobState.FAILED:
            raise CommandError(job.error)
        result = job.result
        self.stdout.write(
            f"{result['workers']} simulated workers judged study {result['study']}: {result['done']} of"
            f" {result['wanted']} units, {result['judgments']} judgments. Seed: {result['seed']}."
        )
        if "rounds" in result:
            self.stdout.write(f"Rounds: {result['rounds']}. The last decision: {result['reason'] or 'none'}.")
        if result["is_random"]:
            self.stdout.write(
                "No document has a known grade, so the simulated crowd gave random numbers to all documents"
                " except the anchors. Do not use these numbers to compare runs."
            )
