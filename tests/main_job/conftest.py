"""A data folder for the commands that a page of the documentation shows."""

from pathlib import Path

import pytest
from pytest_django import DjangoDbBlocker

from tests.support.databases import configured, copy_sqlite_image


@pytest.fixture
def var(django_db_setup: None, django_db_blocker: DjangoDbBlocker, run_folder: Path, tmp_path: Path) -> Path:
    """Return a data folder whose database has all migrations."""
    folder = tmp_path / "var"
    folder.mkdir()
    with django_db_blocker.unblock():
        copy_sqlite_image(configured(""), folder / "plumbline.sqlite3", run_folder)
    return folder
