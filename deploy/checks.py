"""System checks of a site's set-up, reported by `manage.py check` and by commands that start the site."""

from pathlib import Path

from django.conf import settings
from django.core.checks import CheckMessage, Warning, register

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
