"""The versions of the software that numbers come from."""

import platform
from importlib.metadata import PackageNotFoundError, version
from typing import Final

LIBRARY: Final = "plumbline-ir"
PACKAGES: Final = (LIBRARY, "numpy", "polars", "scipy", "krippendorff", "matplotlib")


def versions() -> dict[str, str]:
    """Return the versions of Python and of the packages that compute and draw, without absent packages.

    In a checkout, the library itself is not installed; its version is then `from its source`.
    """
    found = {"Python": platform.python_version()}
    for package in PACKAGES:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            if package == LIBRARY:
                found[package] = "from its source"
    return found
