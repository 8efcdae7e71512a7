"""System checks of a site's set-up, reported by `manage.py check` and by commands that start the site."""

from pathlib import Path

from django.conf import settings
from django.core.checks import CheckMessage, Error, Warning, register

from deploy.environment import is_open_to_all
from deploy.private import is_open_to_others


@register("site")
def data_is_private(**options: object) -> list[CheckMessage]:
    """Warn about files and folders that other accounts can access.

    The site removes this access when it starts. It cannot do so if, for example, another account owns the
    file.
    """
    return [
        Warning(
            f"Other accounts on this machine can access {path}, which holds the site's data.",
            hint=f"Remove their access: chmod go= {path}",
            id="plumbline.W001",
        )
        for path in map(Path, settings.PRIVATE_PATHS)
        if is_open_to_others(path)
    ]


@register("site", deploy=True)
def redis_is_closed_to_others(**options: object) -> list[CheckMessage]:
    """Require a password for a Redis or Valkey server that programs reach over the network."""
    if not settings.REDIS_URL or not is_open_to_all(settings.REDIS_URL):
        return []
    return [
        Error(
            "REDIS_URL has no password, so every program that reaches this server can read sessions and"
            " change jobs and limits.",
            hint="Let the server listen on a socket only, as plumbline-valkey.service does, and set REDIS_URL"
            " to unix:///path/of/socket. Or set a password, such as redis://:password@host:6379/0.",
            id="plumbline.E001",
        )
    ]
