"""`backup` and `restore` as an operator types them."""

import hashlib
import os
import re
from datetime import timedelta
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError
from pytest_django import Settings

from judging.archive.backup import BackupError, write_backup
from judging.core.clock import now
from judging.core.formats.software import plumbline_version
from judging.integrity import INVARIANTS
from judging.models import Judgment, Study, Unit
from tests.factories import NOW, judge_unit, make_study, make_worker
from tests.support.empty_database import empty_tables
from tests.support.named import assert_names


def said(*words: str) -> list[str]:
    out = StringIO()
    call_command(*words, stdout=out)
    return out.getvalue().splitlines()


def test_a_backup_is_told_with_its_checksum(db: None, folder: Path, tmp_path: Path) -> None:
    path = tmp_path / "site.backup"
    judge_unit(make_worker(make_study()))
    first, second = said("backup", str(path))
    assert_names(first, f"{path.stat().st_size:,}")
    assert_names(second, hashlib.sha256(path.read_bytes()).hexdigest())


def test_a_backup_never_replaces_a_file(db: None, folder: Path, tmp_path: Path) -> None:
    path = tmp_path / "site.backup"
    path.write_text("last night's")
    with pytest.raises(CommandError) as refused:
        said("backup", str(path))
    assert_names(str(refused.value), str(path))
    with pytest.raises(CommandError) as refused:
        said("backup", str(tmp_path / "none" / "site.backup"))
    assert_names(str(refused.value), str(tmp_path / "none"))
    assert backups_in(tmp_path) == ["site.backup", "var"]
    assert path.read_text() == "last night's"


def backups_in(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_the_newest_backups_are_kept(
    db: None, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept, moments = tmp_path / "kept", [NOW + timedelta(days=day) for day in range(4)]
    for moment in moments:
        monkeypatch.setattr("judging.management.commands.backup.now", lambda at=moment: at)
        said("backup", str(kept), "--keep", "2")
        (kept / "site.backup").touch()  # somebody else's
    names = [f"plumbline-{moment:%Y%m%dT%H%M%SZ}.backup" for moment in moments[2:]]
    assert backups_in(kept) == [*names, "site.backup"]
    assert kept.stat().st_mode & 0o777 == 0o700
    assert {(kept / name).stat().st_mode & 0o777 for name in names} == {0o600}
    said("restore", "--check", str(kept / names[0]))


def test_old_backups_stay_where_no_new_one_can_be_made(
    db: None, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("judging.management.commands.backup.now", lambda: NOW)
    said("backup", str(tmp_path / "kept"), "--keep", "1")
    before = backups_in(tmp_path / "kept")
    monkeypatch.setattr("judging.management.commands.backup.now", lambda: NOW + timedelta(days=1))

    def full(*arguments: Any) -> None:
        raise OSError(28, os.strerror(28))

    monkeypatch.setattr("judging.archive.backup.making._fill", full)
    with pytest.raises(CommandError, match=os.strerror(28)):
        said("backup", str(tmp_path / "kept"), "--keep", "1")
    assert backups_in(tmp_path / "kept") == before


@pytest.mark.parametrize(("name", "keep"), [("file", "1"), ("none/kept", "1"), ("kept", "0")])
def test_a_folder_of_backups_that_cannot_be(name: str, keep: str, db: None, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("there")
    with pytest.raises(CommandError):
        said("backup", str(tmp_path / name), "--keep", keep)
    assert backups_in(tmp_path) == ["file"]


def test_a_file_that_comes_while_the_backup_is_written_stays(db: None, folder: Path, tmp_path: Path) -> None:
    path = tmp_path / "site.backup"
    with pytest.raises(BackupError, match=re.escape(str(path))):
        write_backup(path, now=now(), on_bytes=lambda size: path.write_text("somebody else's") and None)
    assert path.read_text() == "somebody else's"
    assert list(tmp_path.glob(".site.backup*")) == []


def test_a_restore_says_what_it_restored_and_that_nothing_is_broken(
    backup: Path, db: None, folder: Path, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("PLUMBLINE_SECRET_KEY", raising=False)
    assert said("restore", "--check", str(backup))
    assert not Study.objects.exists()
    first, second = said("restore", str(backup))
    assert_names(first, plumbline_version())
    assert_names(second, str(len(INVARIANTS)))
    assert Judgment.objects.count() == 8
    assert (folder / "reports" / "7" / "figure.svg").read_text() == "<svg/>"
    key = folder / "secret_key"
    assert key.read_text() == settings.SECRET_KEY
    assert key.stat().st_mode & 0o777 == 0o600


def test_a_key_of_the_environment_stays(
    backup: Path, db: None, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PLUMBLINE_SECRET_KEY", "k" * 50)
    assert any("PLUMBLINE_SECRET_KEY" in line for line in said("restore", str(backup)))
    assert not (folder / "secret_key").exists()


@pytest.mark.parametrize("database", ["sqlite"], indirect=True)
def test_what_was_broken_before_is_restored_and_told(database: str, folder: Path, tmp_path: Path) -> None:
    path = tmp_path / "site.backup"
    assignment = judge_unit(make_worker(make_study()))
    Unit.objects.filter(pk=assignment.unit_id).update(state="open")
    said("backup", str(path))
    empty_tables()
    with pytest.raises(CommandError) as caught:
        said("restore", str(path))
    _, broken = str(caught.value).splitlines()
    assert_names(broken, "study")
    assert Judgment.objects.count() == 8
