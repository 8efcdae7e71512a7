"""Databases without a table, and one that went through every migration."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings as site
from django.core.management import call_command
from pytest_django import DjangoDbBlocker

from judging.archive.backup import write_backup
from judging.archive.backup.files import FOLDERS
from tests.factories import NOW
from tests.migrations.steps import MOVES, left_to_apply, walk
from tests.support.databases import as_default, configured, unmigrated

LAST = max(MOVES)


@pytest.fixture(params=["sqlite", "postgresql"])
def new_database(
    request: pytest.FixtureRequest,
    django_db_setup: None,
    django_db_blocker: DjangoDbBlocker,
    tmp_path: Path,
    worker_id: str,
) -> Iterator[str]:
    """The name of a database without tables, which is Django's default in this test."""
    url = request.getfixturevalue("postgresql_server") if request.param == "postgresql" else ""
    with (
        django_db_blocker.unblock(),
        unmigrated(configured(url), f"new_plumbline_{worker_id}", tmp_path) as settings,
        as_default(settings),
    ):
        yield request.param


@dataclass(frozen=True)
class Walked:
    """A site on SQLite that took every migration in turn, and its backup before the last that moves rows."""

    folder: Path
    database: dict[str, Any]
    backup: Path


@pytest.fixture(scope="package")
def walked(
    django_db_setup: None, django_db_blocker: DjangoDbBlocker, tmp_path_factory: pytest.TempPathFactory
) -> Walked:
    folder = tmp_path_factory.mktemp("walked")
    database, backup = configured("") | {"NAME": str(folder / "site.sqlite3")}, folder / "earlier.backup"
    with pytest.MonkeyPatch.context() as patch, django_db_blocker.unblock(), as_default(database):
        for name, setting in FOLDERS.items():
            (folder / name).mkdir()
            patch.setattr(site, setting, folder / name, raising=False)
        (folder / "reports" / "figure.svg").write_text("<svg/>")
        go_every_step(backup)
    return Walked(folder, database, backup)


def go_every_step(backup: Path | None = None) -> None:
    """Apply all migrations to a database without tables. Write a backup before the last that moves rows."""
    for to_come in walk():
        assert left_to_apply() == to_come
        if backup and to_come[:1] == [LAST]:
            write_backup(backup, now=NOW)
    call_command("migrate", verbosity=0)
