"""Read a study file, with everything it points to, into the database: all of it or nothing."""

import sys
from functools import partial
from typing import Any

from django.core.management.base import CommandParser
from tqdm import tqdm

from judging.intake import import_study
from judging.management.base import StudyCommand
from judging.selectors.clock import now

_QUIET_SECONDS = 1
"""Work that takes less shows no progress bar."""
_LOG_SECONDS = 10
"""Between two lines of progress where nobody watches a terminal."""


class Command(StudyCommand):
    help = "Read a study.toml (or the folder it lies in), with everything it points to: all or nothing."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "path", metavar="STUDY.toml", help="the study file, or the folder of a study.toml"
        )
        parser.add_argument("--slug", metavar="NEW", help="the study's name, in place of the one in the file")
        parser.add_argument(
            "--update", action="store_true", help="change the study of that name; see docs/study-file.md"
        )

    def handle(self, *, path: str, slug: str | None, update: bool, **options: Any) -> None:
        interval = 0.1 if sys.stderr.isatty() else _LOG_SECONDS
        progress = partial(tqdm, leave=False, delay=_QUIET_SECONDS, mininterval=interval)
        imported = import_study(path, slug=slug, update=update, now=now(), progress=progress)
        for notice in imported.notices:
            self.stderr.write(f"Notice: {notice}")
        done = "updated" if update else "imported"
        self.stdout.write(
            f"Study {imported.study.slug} {done}: {imported.topics} topics, {imported.documents} documents,"
            f" {imported.runs} runs" + (f", {imported.units_planned} units planned." if update else ".")
        )
        self.stdout.write(f"Next: python manage.py check_study {imported.study.slug}")
