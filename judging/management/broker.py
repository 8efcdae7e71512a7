"""What the commands that live by the broker of REDIS_URL have in common."""

import redis
from django.conf import settings
from django.core.management.base import CommandError


def refuse_without_broker(url: str) -> None:
    """Raise CommandError where there is none, or none that answers."""
    if not url:
        raise CommandError(
            "REDIS_URL is not set: jobs are done at once where they are asked for, by no worker."
        )
    try:
        redis.Redis.from_url(url, socket_connect_timeout=5).ping()
    except (redis.RedisError, ValueError) as error:
        raise CommandError(f"REDIS_URL: the server cannot be used: {error}") from None


def beat_words() -> list[str]:
    """The words that tell Celery's clock where it notes when it last rang."""
    return ["--schedule", str(settings.VAR / "schedule")]
