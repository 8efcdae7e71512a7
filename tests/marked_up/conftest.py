"""A small study with markup, pictures, and answers with sources."""

from pathlib import Path
from shutil import copytree

import pytest
from pytest_django import Settings

from judging.core.services.studies import open_study
from judging.models import Study
from judging.setup.study_files.importing import import_study
from tests.factories import NOW
from tests.marked_up.drawing import bulges
from tests.worker.pages.conftest import clock, enter, goto

__all__ = ["clock", "enter", "goto"]

TIDES = Path(__file__).with_name("tides")


@pytest.fixture(autouse=True)
def folders(tmp_path: Path, settings: Settings) -> None:
    settings.DRAFTS_FOLDER = tmp_path / "drafts"
    settings.EXPORTS_FOLDER = tmp_path / "exports"


@pytest.fixture
def tides_folder(tmp_path: Path) -> Path:
    """A copy of the study's folder, with its picture."""
    folder = Path(copytree(TIDES, tmp_path / "tides"))
    (folder / "pictures").mkdir()
    (folder / "pictures" / "bulges.png").write_bytes(bulges())
    return folder


@pytest.fixture
def tides(db: None, tides_folder: Path) -> Study:
    """The study, open for workers."""
    study = import_study(tides_folder, now=NOW).study
    open_study(study=study, now=NOW)
    study.refresh_from_db()
    return study
