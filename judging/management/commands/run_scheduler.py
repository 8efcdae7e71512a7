"""`run_scheduler`: start the regular jobs of a site that runs jobs in worker processes."""

from typing import Any, Final

from django.conf import settings
from django.core.management.base import CommandParser
from django.utils.module_loading import import_string

from judging.limits import TIDYING
from judging.management.commands.run_jobs import refuse_without_broker, request_regular_jobs
from judging.management.study_command import StudyCommand

MINUTES: Final = TIDYING.seconds // 60


class Command(StudyCommand):
    help = (
        f"Start the regular jobs in the queue clock, at once and then every {MINUTES} minutes: free expired "
        "units, restart lost jobs and send notices. Needs REDIS_URL. Run one per site; the workers of "
        "run_jobs do the work."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--log-level",
            choices=["info", "warning"],
            default="info",
            help="the least important messages to log (default: info)",
        )

    def handle(self, *, log_level: str, **options: Any) -> None:
        refuse_without_broker()
        app = import_string(settings.JOBS_APP)
        request_regular_jobs(app)
        # No pid file: in a container, a stale pid file would name another process.
        app.start(["beat", "--loglevel", log_level, "--pidfile", ""])
