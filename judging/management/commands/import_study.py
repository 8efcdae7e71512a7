"""Read a study file, with everything it points to, or a bundle into the database: all of it or nothing."""

import sys
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser
from django.urls import reverse
from tqdm import tqdm

from judging.core.clock import now
from judging.core.intake.faults import StudyRefusedError
from judging.core.services import jobs
from judging.core.stored_sentences import from_json
from judging.management.base import StudyCommand
from judging.models import Job, JobKind, Study
from judging.protocol.states import StudyState
from judging.setup.jobs.importing import result_of
from judging.setup.study_files.importing import import_study

_QUIET_SECONDS = 1
"""Work that takes less shows no progress bar."""
_LOG_SECONDS = 10
"""Between two lines of progress where nobody watches a terminal."""


class Command(StudyCommand):
    help = (
        "Read a study.toml (or the folder it lies in), with everything it points to, or a bundle that "
        "export --what bundle wrote: all or nothing."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "path", metavar="STUDY.toml|BUNDLE.zip", help="the study file, or its folder, or a bundle"
        )
        parser.add_argument("--slug", metavar="NEW", help="the study's name, in place of the one in the file")
        parser.add_argument(
            "--update", action="store_true", help="change the study of that name; see docs/study-file.md"
        )
        parser.add_argument(
            "--background",
            action="store_true",
            help="let a worker of run_jobs do it, who must see the same files; at once without REDIS_URL",
        )

    def handle(self, *, path: str, slug: str | None, update: bool, background: bool, **options: Any) -> None:
        if background:
            self._ask(path, slug, update)
            return
        interval = 0.1 if sys.stderr.isatty() else _LOG_SECONDS
        progress = partial(tqdm, leave=False, delay=_QUIET_SECONDS, mininterval=interval)
        imported = import_study(path, slug=slug, update=update, now=now(), progress=progress)
        self._tell(result_of(imported), update)

    def _ask(self, path: str, slug: str | None, update: bool) -> None:
        """Ask for a job, and tell what came of it, or where to look while it waits for a worker."""
        parameters = {"path": str(Path(path).resolve()), "slug": slug, "update": update}
        job = jobs.request(kind=JobKind.IMPORT, parameters=parameters, now=now())
        job = Job.objects.get(pk=job.pk)
        if job.live:
            self.stdout.write(f"Job {job.pk}: {job.title}, as soon as a worker that sees the file is free.")
            self.stdout.write(
                f"Next: python manage.py job {job.pk}, or {reverse('console:import', args=[job.pk])}"
            )
        elif job.error:
            faults = job.result.get("faults")
            raise StudyRefusedError(faults) if faults else CommandError(job.error)
        else:
            self._tell(job.result, update)

    def _tell(self, result: Mapping[str, Any], update: bool) -> None:
        for notice in result["notices"]:
            self.stderr.write(f"Notice: {from_json(notice)}")
        done = "updated" if update else "imported"
        self.stdout.write(
            f"Study {result['study']} {done}: {result['topics']} topics, {result['documents']} documents,"
            f" {result['runs']} runs"
            + (f", {result['judgments']} judgments" if result["judgments"] else "")
            + (f", {result['units_planned']} units planned." if update else ".")
        )
        closed = Study.objects.filter(slug=result["study"], state=StudyState.CLOSED).exists()
        after = f"export {result['study']} --what gains" if closed else f"check_study {result['study']}"
        self.stdout.write(f"Next: python manage.py {after}")
