"""`run_jobs`: a worker process, which runs the jobs that the broker in REDIS_URL delivers."""

from typing import Any, Final

import redis
from django.conf import settings
from django.core.management.base import CommandError, CommandParser
from django.utils.module_loading import import_string

from judging.jobs.carrying import run_waiting_jobs
from judging.management.study_command import StudyCommand

_ALONE: Final = ["--without-gossip", "--without-mingle"]
"""Worker processes need no messages from each other, because the job table has all the information."""


class Command(StudyCommand):
    help = (
        "Run jobs until you stop the command. It needs REDIS_URL, and the database and data folder of the "
        "site. On a small site, run one process with --beat. On a busy site, run one process per queue, and "
        "run_scheduler."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--queues",
            default=",".join(settings.JOB_QUEUES),
            metavar="NAMES",
            help="the queues to take jobs from, separated by commas (default: %(default)s)",
        )
        parser.add_argument(
            "--concurrency",
            type=int,
            default=1,
            metavar="N",
            help="how many jobs to run at once (default: 1)",
        )
        parser.add_argument(
            "--waiting",
            action="store_true",
            help="without REDIS_URL: run the jobs that are waiting, then stop",
        )
        parser.add_argument("--beat", action="store_true", help="also do the work of run_scheduler")
        parser.add_argument(
            "--log-level",
            choices=["info", "warning"],
            default="info",
            help="the least important messages to log (default: info)",
        )

    def handle(
        self, *, queues: str, concurrency: int, beat: bool, log_level: str, waiting: bool, **options: Any
    ) -> None:
        if waiting:
            self._run_waiting()
            return
        if concurrency < 1:
            raise CommandError("--concurrency must be 1 or more.")
        names = _known(queues)
        refuse_without_broker()
        arguments = ["--queues", ",".join(names), "--hostname", f"{'-'.join(names)}@%h"]
        arguments += ["--concurrency", str(concurrency), "--loglevel", log_level, *_ALONE]
        app = import_string(settings.JOBS_APP)
        if beat:
            request_regular_jobs(app)
            arguments.append("--beat")
        app.worker_main(["worker", *arguments])

    def _run_waiting(self) -> None:
        if settings.REDIS_URL:
            raise CommandError("REDIS_URL is set, so its queues have the jobs. Leave out --waiting.")
        number = run_waiting_jobs()
        self.stdout.write(f"{number} {'job' if number == 1 else 'jobs'} run.")


def refuse_without_broker() -> None:
    """Raise CommandError if REDIS_URL is not set or the broker does not answer."""
    if not settings.REDIS_URL:
        raise CommandError(
            "REDIS_URL is not set, so the site runs all jobs itself. Set REDIS_URL to run jobs elsewhere, or "
            "use --waiting to run the jobs that are waiting now."
        )
    try:
        redis.Redis.from_url(settings.REDIS_URL, socket_connect_timeout=5).ping()
    except (redis.RedisError, ValueError) as error:
        raise CommandError(f"The server in REDIS_URL cannot be used: {error}") from None


def request_regular_jobs(app: Any) -> None:
    """Request the regular jobs at once, so that units that expired before the start are freed."""
    for entry in app.conf.beat_schedule.values():
        app.send_task(entry["task"])


def _known(queues: str) -> list[str]:
    names = [name.strip() for name in queues.split(",")]
    for name in names:
        if name not in settings.JOB_QUEUES:
            queues = ", ".join(settings.JOB_QUEUES)
            raise CommandError(f"--queues: there is no queue {name!r}. The queues are: {queues}.")
    return names
