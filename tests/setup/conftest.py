"""A folder for drafts, and the files of the sample."""

from pathlib import Path

import pytest
from django.test import Client
from pytest_django import Settings

from judging.models import Setup
from tests.setup.driving import Driver, zipped
from tests.setup.intake.folder import StudyFolder

SAMPLE = Path(__file__).resolve().parents[2] / "judging" / "sample"


@pytest.fixture(autouse=True)
def drafts_folder(tmp_path: Path, settings: Settings) -> Path:
    """Where the drafts of the test lie."""
    settings.DRAFTS_FOLDER = tmp_path / "drafts"
    settings.EXPORTS_FOLDER = tmp_path / "exports"
    return settings.DRAFTS_FOLDER


@pytest.fixture
def folder(tmp_path: Path) -> StudyFolder:
    return StudyFolder(tmp_path / "small")


@pytest.fixture
def driver(console: Client) -> Driver:
    return Driver(console)


@pytest.fixture
def setup(driver: Driver, folder: StudyFolder) -> Setup:
    """A set-up of a sound small study."""
    result = driver.upload_study("small.zip", zipped(folder.path))
    assert result is not None
    assert driver.check == "sound"
    return result
