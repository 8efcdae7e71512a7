"""`run_jobs`: a worker that does the jobs which pages ask for, with REDIS_URL as broker."""

from typing import Any, Final

import redis
from django.conf import settings
from django.core.management.base import CommandError, CommandParser
from django.utils.module_loading import import_string

from judging.management.base import StudyCommand

_ALONE: Final = ["--without-gossip", "--without-mingle"]
"""Workers have nothing to tell each other: what there is to know stands in the job table."""


class Command(StudyCommand):
    help = (
        "Does jobs as they come, until it is stopped. Needs REDIS_URL, and the database and data folder of "
        "the site. Run as many as there is work for: on a busy site one a queue, with run_scheduler; "
        "on a small one a single worker with --beat."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--queues",
            default=",".join(settings.JOB_QUEUES),
            metavar="NAMES",
            help="the queues it takes jobs from, separated by commas (default: all of %(default)s)",
        )
        parser.add_argument(
            "--concurrency", type=int, default=1, metavar="N", help="jobs done at once (default: 1)"
        )
        parser.add_argument("--beat", action="store_true", help="also do what `run_scheduler` does")
        parser.add_argument(
            "--log-level", choices=["info", "warning"], default="info", help="(default: info)"
        )

    def handle(self, *, queues: str, concurrency: int, beat: bool, log_level: str, **options: Any) -> None:
        if concurrency < 1:
            raise CommandError("--concurrency must be 1 or more.")
        names = _known(queues)
        refuse_without_broker()
        words = ["--queues", ",".join(names), "--hostname", f"{'-'.join(names)}@%h"]
        words += ["--concurrency", str(concurrency), "--loglevel", log_level, *_ALONE]
        beating = ["--beat", *beat_words()] if beat else []
        import_string(settings.JOBS_APP).worker_main(["worker", *words, *beating])


def refuse_without_broker() -> None:
    """Raise CommandError where REDIS_URL names no broker, or none that answers."""
    if not settings.REDIS_URL:
        raise CommandError(
            "REDIS_URL is not set: jobs are done at once where they are asked for, by no worker."
        )
    try:
        redis.Redis.from_url(settings.REDIS_URL, socket_connect_timeout=5).ping()
    except (redis.RedisError, ValueError) as error:
        raise CommandError(f"REDIS_URL: the server cannot be used: {error}") from None


def beat_words() -> list[str]:
    """The words that tell Celery's clock where it notes when it last rang."""
    return ["--schedule", str(settings.VAR / "schedule")]


def _known(queues: str) -> list[str]:
    names = [name.strip() for name in queues.split(",")]
    for name in names:
        if name not in settings.JOB_QUEUES:
            raise CommandError(f"--queues: there is no queue {name!r}: {', '.join(settings.JOB_QUEUES)}.")
    return names
