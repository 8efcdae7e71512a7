"""Which software made a file: what one needs to know to make it again."""

import platform
import tomllib
from functools import cache
from importlib.metadata import version
from typing import Final

from django.conf import settings

_LIBRARIES: Final = ("django", "numpy", "polars")


@cache
def plumbline_version() -> str:
    """The version that pyproject.toml of this checkout states."""
    with (settings.BASE_DIR / "pyproject.toml").open("rb") as file:
        return str(tomllib.load(file)["project"]["version"])


def versions() -> dict[str, str]:
    """Name → version of what the numbers of an export depend on."""
    return {
        "plumbline": plumbline_version(),
        "python": platform.python_version(),
        **{name: version(name) for name in _LIBRARIES},
    }
