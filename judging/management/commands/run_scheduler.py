"""`run_scheduler`: the clock of a site with workers, as a process of its own."""

from typing import Any, Final

from django.conf import settings
from django.core.management.base import CommandParser
from django.utils.module_loading import import_string

from judging.limits import TIDYING
from judging.management.base import StudyCommand
from judging.management.commands.run_jobs import beat_words, refuse_without_broker

MINUTES: Final = TIDYING.seconds // 60


class Command(StudyCommand):
    help = (
        f"Asks the workers of the queue `clock`, at once and then every {MINUTES} minutes, to look "
        "for what has lapsed, for lost jobs and for what is to be told. Needs REDIS_URL. One a site; "
        "it does no work."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--log-level", choices=["info", "warning"], default="info", help="(default: info)"
        )

    def handle(self, *, log_level: str, **options: Any) -> None:
        refuse_without_broker()
        app = import_string(settings.JOBS_APP)
        for rung in app.conf.beat_schedule.values():
            app.send_task(rung["task"])  # what lapsed while nobody looked is not kept waiting
        # No file of its process id: in a container a stale one would name somebody else.
        app.start(["beat", "--loglevel", log_level, "--pidfile", "", *beat_words()])
