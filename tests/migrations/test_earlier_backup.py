"""The backup of a site with the migrations before 0.1.0 becomes a site of this version, with its exports."""

from dataclasses import replace
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import call_command
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from pytest_django import Settings

from judging.archive.backup import BackupError, open_backup, restore_site
from judging.models import Study
from tests.archive.backup.conftest import use_folders
from tests.migrations.exported import BACKUP, exported, kept
from tests.support.integrity import broken_invariants
from tests.support.named import assert_names

pytestmark = pytest.mark.slow


@pytest.fixture(autouse=True)
def folders(tmp_path: Path, settings: Settings) -> None:
    use_folders(settings, tmp_path / "var")


def test_its_exports_are_those_of_its_day(new_database: str, tmp_path: Path) -> None:
    call_command("restore", str(BACKUP), stdout=StringIO())
    executor = MigrationExecutor(connection)
    assert executor.migration_plan(executor.loader.graph.leaf_nodes()) == []
    now, then = exported(tmp_path), kept()
    assert sorted(now) == sorted(then)
    assert [name for name in then if now[name] != then[name]] == []
    for study in Study.with_hidden.all():
        assert broken_invariants(study) == []


@pytest.mark.parametrize("new_database", ["sqlite"], indirect=True)
def test_a_backup_with_only_some_of_the_earlier_migrations_is_refused(new_database: str) -> None:
    with open_backup(BACKUP) as backup:
        some = [pair for pair in backup.manifest.migrations if pair[1] != "0050_topic_files"]
        older = replace(backup, manifest=replace(backup.manifest, migrations=some))
        with pytest.raises(BackupError) as refused:
            restore_site(older)
    assert_names(str(refused.value), "0001_version_0_1_0")
