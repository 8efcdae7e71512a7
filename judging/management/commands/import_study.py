"""`import_study`: import a study file with the files that it names, or a bundle, completely or not at all."""

import sys
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser
from django.urls import reverse
from tqdm import tqdm

from judging.core.clock import now
from judging.core.faults import StudyRefusedError
from judging.core.services import jobs
from judging.core.stored_sentences import from_json
from judging.management.study_command import StudyCommand
from judging.models import Job, JobKind, Study
from judging.protocol.states import StudyState
from judging.setup.jobs.importing import result_of
from judging.setup.study_files.importing import import_study

_QUIET_SECONDS = 1
"""Imports that take fewer seconds show no progress bar."""
_LOG_SECONDS = 10
"""The seconds between two lines of progress if stderr is not a terminal."""


class Command(StudyCommand):
    help = (
        "Import a study.toml with the files that it names, or a bundle from export --what bundle. If there"
        " is a fault, nothing is imported."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "path", metavar="STUDY.toml|BUNDLE.zip", help="the study file, its folder, or a bundle"
        )
        parser.add_argument("--slug", metavar="NEW", help="a name to use instead of the one in the file")
        parser.add_argument(
            "--update",
            action="store_true",
            help="change the existing study; see docs/reference/study-file.md",
        )
        parser.add_argument(
            "--replace",
            action="store_true",
            help="the same as --update, but also replace a study for analysis, with all its judgments",
        )
        parser.add_argument(
            "--background",
            action="store_true",
            help="let run_jobs import it, if REDIS_URL is set; run_jobs must have access to the same files",
        )

    def handle(
        self,
        *,
        path: str,
        slug: str | None,
        update: bool,
        background: bool,
        replace: bool = False,
        **options: Any,
    ) -> None:
        if background:
            self._request(path, slug, update, replace)
            return
        interval = 0.1 if sys.stderr.isatty() else _LOG_SECONDS
        progress = partial(tqdm, leave=False, delay=_QUIET_SECONDS, mininterval=interval)
        imported = import_study(path, slug=slug, update=update, replace=replace, now=now(), progress=progress)
        self._report(result_of(imported), update or replace)

    def _request(self, path: str, slug: str | None, update: bool, replace: bool) -> None:
        """Request a job and print its result.

        If the job is still waiting for a worker process, print how to follow the job.
        """
        parameters = {"path": str(Path(path).resolve()), "slug": slug, "update": update}
        parameters |= {"replace": True} if replace else {}
        job = jobs.request(kind=JobKind.IMPORT, parameters=parameters, now=now())
        job = Job.objects.get(pk=job.pk)
        if job.live:
            self.stdout.write(f"Job {job.pk} ({job.title}) is waiting for a worker.")
            self.stdout.write(
                f"To see its state, run python manage.py job {job.pk}, or open"
                f" {reverse('console:import', args=[job.pk])}"
            )
        elif job.error:
            faults = job.result.get("faults")
            if faults:
                raise StudyRefusedError([from_json(fault) for fault in faults])
            raise CommandError(job.error)
        else:
            self._report(job.result, update or replace)

    def _report(self, result: Mapping[str, Any], update: bool) -> None:
        for notice in result["notices"]:
            self.stderr.write(f"Notice: {from_json(notice)}")
        done = "updated" if update else "imported"
        self.stdout.write(
            f"Study {result['study']} {done}: "
            + (f"{result['arms']} arms, " if result.get("arms") else "")
            + f"{result['topics']} topics, {result['documents']} documents,"
            f" {result['runs']} runs"
            + (f", {result['judgments']} judgments" if result["judgments"] else "")
            + (f", {result['units_planned']} units planned." if update else ".")
        )
        closed = Study.objects.filter(slug=result["study"], state=StudyState.CLOSED).exists()
        after = f"export {result['study']} --what gains" if closed else f"check_study {result['study']}"
        self.stdout.write(f"Next: python manage.py {after}")
