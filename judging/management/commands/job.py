"""`job`: print the state and the result of a job."""

import json
from typing import Any

from django.core.management.base import CommandError, CommandParser

from judging.core.stored_sentences import in_english
from judging.management.study_command import StudyCommand
from judging.models import Job


class Command(StudyCommand):
    help = "Print the state and progress of a job, and its result as JSON."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("number", metavar="ID", type=int, help="the job's number")

    def handle(self, *, number: int, **options: Any) -> None:
        job = Job.objects.filter(pk=number).first()
        if job is None:
            raise CommandError(f"There is no job {number}. The console lists the jobs of each study.")
        self.stdout.write(f"Job {job.pk}: {job.title}: {job.state}{_progress(job)}")
        if job.error:
            self.stdout.write(job.error)
        if job.result:
            self.stdout.write(json.dumps(in_english(job.result), indent=2, ensure_ascii=False))


def _progress(job: Job) -> str:
    if not job.live or not job.progress_done:
        return ""
    return f", {job.progress_done} of {job.progress_total or 'an unknown number'}"
