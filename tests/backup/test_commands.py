"""`backup` and `restore` as an operator types them."""

import hashlib
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError
from pytest_django import Settings

from judging.backup import BackupError, write_backup
from judging.integrity import INVARIANTS
from judging.models import Judgment, Study, Unit
from judging.selectors.clock import now
from tests.backup.conftest import emptied
from tests.factories import judge_unit, make_study, make_worker


def said(*words: str) -> list[str]:
    out = StringIO()
    call_command(*words, stdout=out)
    return out.getvalue().splitlines()


def test_a_backup_is_told_with_its_checksum(db: None, folder: Path, tmp_path: Path) -> None:
    path = tmp_path / "site.backup"
    judge_unit(make_worker(make_study()))
    first, second = said("backup", str(path))
    assert " rows of " in first
    assert f"{path.stat().st_size:,} bytes" in first
    assert second == f"SHA-256 {hashlib.sha256(path.read_bytes()).hexdigest()}"


def test_a_backup_never_replaces_a_file(db: None, folder: Path, tmp_path: Path) -> None:
    path = tmp_path / "site.backup"
    path.write_text("last night's")
    with pytest.raises(CommandError, match="there is such a file already"):
        said("backup", str(path))
    with pytest.raises(CommandError, match="there is no folder"):
        said("backup", str(tmp_path / "none" / "site.backup"))
    assert path.read_text() == "last night's"


def test_a_file_that_comes_while_the_backup_is_written_stays(db: None, folder: Path, tmp_path: Path) -> None:
    path = tmp_path / "site.backup"
    with pytest.raises(BackupError, match="has made such a file meanwhile"):
        write_backup(path, now=now(), tell=lambda size: path.write_text("somebody else's") and None)
    assert path.read_text() == "somebody else's"
    assert list(tmp_path.glob(".site.backup*")) == []


def test_a_restore_says_what_it_restored_and_that_nothing_is_broken(
    backup: Path, db: None, folder: Path, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("PLUMBLINE_SECRET_KEY", raising=False)
    assert said("restore", "--check", str(backup))[0].startswith("Whole: ")
    assert not Study.objects.exists()
    first, second = said("restore", str(backup))
    assert first.startswith("Restored: ")
    assert "made by version" in first
    assert second == f"Nothing is broken: {len(INVARIANTS)} rules hold."
    assert Judgment.objects.count() == 8
    assert (folder / "reports" / "7" / "figure.svg").read_text() == "<svg/>"
    key = folder / "secret_key"
    assert key.read_text() == settings.SECRET_KEY
    assert key.stat().st_mode & 0o777 == 0o600


def test_a_key_of_the_environment_stays(
    backup: Path, db: None, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PLUMBLINE_SECRET_KEY", "k" * 50)
    assert "The key of the backup was left in it: PLUMBLINE_SECRET_KEY is set." in said(
        "restore", str(backup)
    )
    assert not (folder / "secret_key").exists()


@pytest.mark.parametrize("database", ["sqlite"], indirect=True)
def test_what_was_broken_before_is_restored_and_told(database: str, folder: Path, tmp_path: Path) -> None:
    path = tmp_path / "site.backup"
    assignment = judge_unit(make_worker(make_study()))
    Unit.objects.filter(pk=assignment.unit_id).update(state="open")
    said("backup", str(path))
    emptied()
    with pytest.raises(CommandError) as caught:
        said("restore", str(path))
    first, second = str(caught.value).splitlines()
    assert first == "Everything is restored as it was; broken in the backup already:"
    assert "study: " in second
    assert Judgment.objects.count() == 8
