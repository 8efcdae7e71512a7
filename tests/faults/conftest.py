"""A study to be judged while things go wrong, and the site's database as its processes are told of it."""

from pathlib import Path

import pytest

from judging.models import Study
from tests.support.quick_sample import open_sample


@pytest.fixture
def study(database: str, tmp_path: Path) -> Study:
    """The sample, open, with one judgment of each document."""
    return open_sample(tmp_path, "faults", judgments=1)
