"""A sound study folder for every test of this package."""

from pathlib import Path

import pytest

from tests.core.intake.folder import StudyFolder


@pytest.fixture
def folder(tmp_path: Path) -> StudyFolder:
    return StudyFolder(tmp_path / "small")
