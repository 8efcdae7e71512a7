"""The backup of an earlier version becomes a site of this one, with the exports that it had."""

from io import StringIO
from pathlib import Path

import pytest
from django.core.management import call_command
from pytest_django import DjangoDbBlocker, Settings

from judging.archive.backup import BackupError, open_backup, restore_site, write_backup
from judging.archive.backup.files import site_files
from judging.models import Setup
from tests.archive.backup.conftest import use_folders
from tests.factories import NOW
from tests.migrations.conftest import LAST, Walked
from tests.migrations.exported import BACKUP, exported, kept
from tests.migrations.steps import check_rows_of_every_age, left_to_apply, walk
from tests.support.databases import as_default, configured, migrated
from tests.support.named import assert_names

pytestmark = pytest.mark.slow
ON_SQLITE = pytest.mark.parametrize("new_database", ["sqlite"], indirect=True)


def restore(path: Path) -> None:
    """As the command does; the rules that hold for a whole study are not looked through."""
    with open_backup(path) as backup:
        restore_site(backup)


@pytest.fixture(autouse=True)
def folders(tmp_path: Path, settings: Settings) -> None:
    use_folders(settings, tmp_path / "var")


def test_its_exports_are_those_of_its_day_and_its_set_ups_become_drafts(
    new_database: str, tmp_path: Path
) -> None:
    call_command("restore", str(BACKUP), stdout=StringIO())
    assert left_to_apply() == []
    now, then = exported(tmp_path), kept()
    assert sorted(now) == sorted(then)
    assert [name for name in then if now[name] != then[name]] == []
    check_drafts()


DRAFTS = [
    ("fine", "olga", 2, 5),
    ("made", "olga", 2, 5),
    ("edited", "edi", 2, 5),
    ("begun", "olga", 0, 0),
    ("judged-2", "edi", 2, 5),  # another study had its name
    ("fine-2", "edi", 0, 0),
    ("set-up-7", "olga", 0, 0),  # faults in its study file
    ("set-up-8", "olga", 0, 0),  # no TOML
    ("set-up-9", "ada", 0, 0),  # an invalid name, and no owner: an admin has it
    ("set-up-10", "olga", 0, 0),
    ("lost", "vera", 0, 0),  # its folder was gone
]
"""Name, owner, number of topics and of files that the study is read from."""


def check_drafts() -> None:
    result = Setup.objects.select_related("study").order_by("pk")
    assert [
        (
            setup.study.slug,
            setup.study.memberships.get().user.get_username(),
            setup.study.topics.count(),
            setup.files.count(),
        )
        for setup in result
    ] == DRAFTS
    assert all(setup.study.state == "draft" and not setup.is_read for setup in result)
    kept = [setup.study.slug for setup in result if (setup.folder / "unreadable-study.toml").exists()]
    assert kept == ["set-up-7", "set-up-8", "set-up-9", "set-up-10"]
    assert Setup.objects.get(study__slug="edited").study.title == "Another title, not in the study yet"
    sizes = {name: path.stat().st_size for name, path in site_files() if name.startswith("drafts/")}
    assert sizes["drafts/setup-7/notes.run"] > 0


@ON_SQLITE
def test_a_backup_of_older_migrations_is_migrated(
    new_database: str,
    walked: Walked,
    tmp_path: Path,
    settings: Settings,
    run_folder: Path,
    django_db_blocker: DjangoDbBlocker,
) -> None:
    """Its own backup then goes into a site whose migrations were squashed."""
    restore(walked.backup)
    assert left_to_apply() == []
    check_rows_of_every_age(upto=LAST)
    assert "reports/figure.svg" in dict(site_files())
    again = tmp_path / "again.backup"
    assert ["judging", "0001_squashed_0027_preview"] in write_backup(again, now=NOW).migrations
    use_folders(settings, tmp_path / "new")
    with migrated(configured(""), "again", run_folder, django_db_blocker) as new, as_default(new):
        restore(again)
        check_rows_of_every_age(upto=LAST)


@ON_SQLITE
def test_an_older_site_with_something_in_it_stays_as_it_is(new_database: str, walked: Walked) -> None:
    list(walk(upto="0002_job"))
    before = left_to_apply()
    with pytest.raises(BackupError) as refused:
        restore(walked.backup)
    assert_names(str(refused.value), "judging_")
    assert left_to_apply() == before
