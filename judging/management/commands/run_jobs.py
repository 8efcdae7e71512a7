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
        "the site. Run as many as there is work for, one of them with --beat."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--concurrency", type=int, default=1, metavar="N", help="jobs done at once (default: 1)"
        )
        parser.add_argument(
            "--beat", action="store_true", help="also look every 5 minutes for what has lapsed and lost jobs"
        )
        parser.add_argument(
            "--log-level", choices=["info", "warning"], default="info", help="(default: info)"
        )

    def handle(self, *, concurrency: int, beat: bool, log_level: str, **options: Any) -> None:
        if concurrency < 1:
            raise CommandError("--concurrency must be 1 or more.")
        _refuse_without_broker(settings.REDIS_URL)
        schedule = settings.VAR / "schedule"
        beating = ["--beat", "--schedule", str(schedule)] if beat else []
        import_string(settings.JOBS_APP).worker_main(
            ["worker", "--concurrency", str(concurrency), "--loglevel", log_level, *_ALONE, *beating]
        )


def _refuse_without_broker(url: str) -> None:
    if not url:
        raise CommandError(
            "REDIS_URL is not set: jobs are done at once where they are asked for, by no worker."
        )
    try:
        redis.Redis.from_url(url, socket_connect_timeout=5).ping()
    except (redis.RedisError, ValueError) as error:
        raise CommandError(f"REDIS_URL: the server cannot be used: {error}") from None
