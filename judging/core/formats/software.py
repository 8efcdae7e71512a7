"""The versions of the software that made an export. People need them to reproduce the export."""

import platform
import tomllib
from functools import cache
from importlib.metadata import version
from typing import Final

from django.conf import settings

_LIBRARIES: Final = ("django", "numpy", "polars")


@cache
def plumbline_version() -> str:
    """Return the version in pyproject.toml."""
    with (settings.BASE_DIR / "pyproject.toml").open("rb") as file:
        return str(tomllib.load(file)["project"]["version"])


def versions() -> dict[str, str]:
    """Return a dict from name to version for Plumbline, Python and libraries that affect exported numbers."""
    return {
        "plumbline": plumbline_version(),
        "python": platform.python_version(),
        **{name: version(name) for name in _LIBRARIES},
    }
