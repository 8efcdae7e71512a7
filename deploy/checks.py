"""System checks of how a site is set up; `manage.py check` and every command that starts it tell of them."""

from pathlib import Path

from django.conf import settings
from django.core.checks import CheckMessage, Warning, register

from deploy.private import open_to_others


@register("site")
def data_is_private(**options: object) -> list[CheckMessage]:
    """Warn of data that other accounts can reach and that the start of the site could not mend."""
    return [
        Warning(
            f"{path}: other accounts of this machine have rights to it, and it holds the data of the site.",
            hint=f"Run: chmod go= {path}",
            id="plumbline.W001",
        )
        for path in map(Path, settings.PRIVATE_PATHS)
        if open_to_others(path)
    ]
