"""People who set studies up, a folder for their drafts, and the files of the sample."""

from pathlib import Path

import pytest
from django.contrib.auth import get_user_model
from django.contrib.auth.base_user import AbstractBaseUser
from django.test import Client
from pytest_django import Settings

from tests.console.conftest import PASSWORD
from tests.intake.folder import StudyFolder

SAMPLE = Path(__file__).resolve().parents[2] / "judging" / "sample"


@pytest.fixture(autouse=True)
def drafts_folder(tmp_path: Path, settings: Settings) -> Path:
    """Where the drafts of the test lie."""
    settings.DRAFTS_FOLDER = tmp_path / "drafts"
    settings.EXPORTS_FOLDER = tmp_path / "exports"
    return settings.DRAFTS_FOLDER


@pytest.fixture
def researcher(db: None) -> AbstractBaseUser:
    return get_user_model().objects.create_user("ada", password=PASSWORD, is_staff=True)


@pytest.fixture
def outsider(db: None) -> AbstractBaseUser:
    return get_user_model().objects.create_user("eve", password=PASSWORD)


@pytest.fixture
def console(researcher: AbstractBaseUser) -> Client:
    """A browser logged in as a researcher."""
    client = Client()
    client.force_login(researcher)
    return client


@pytest.fixture
def folder(tmp_path: Path) -> StudyFolder:
    return StudyFolder(tmp_path / "small")
