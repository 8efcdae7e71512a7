"""Real test collections, which are not part of the repository."""

import os
from pathlib import Path

import pytest

VARIABLE = "PLUMBLINE_COLLECTIONS"


@pytest.fixture(scope="session")
def collections() -> Path:
    """The folder that PLUMBLINE_COLLECTIONS names; without one the test skips, saying so."""
    folder = Path(os.environ.get(VARIABLE) or "/nonexistent")
    if not folder.is_dir():
        pytest.skip(f"{VARIABLE} names no folder with the real collections")
    return folder.resolve()
