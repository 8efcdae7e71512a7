"""The folders of a site of the test's own, and a backup of a small one."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest
from django.conf import settings as site
from django.db import transaction
from pytest_django import DjangoDbBlocker, Settings

from judging.archive.backup import write_backup
from judging.archive.backup.files import FOLDERS
from tests.factories import NOW, judge_unit, make_study, make_worker


def use_folders(settings: Any, folder: Path) -> Path:
    """Let the site have its data below `folder`."""
    settings.VAR = folder
    for name, setting in FOLDERS.items():
        (folder / name).mkdir(parents=True, exist_ok=True)
        setattr(settings, setting, folder / name)
    return folder


@pytest.fixture
def folder(tmp_path: Path, settings: Settings) -> Path:
    """An empty PLUMBLINE_VAR."""
    return use_folders(settings, tmp_path / "var")


@pytest.fixture(scope="module")
def backup(
    django_db_setup: None, django_db_blocker: DjangoDbBlocker, tmp_path_factory: pytest.TempPathFactory
) -> Path:
    """The backup of a site that is gone: a study, a worker's unit, a file of a report, the key."""
    result = tmp_path_factory.mktemp("backup")
    with pytest.MonkeyPatch.context() as patch, django_db_blocker.unblock(), transaction.atomic():
        for name, setting in FOLDERS.items():
            (result / name).mkdir()
            patch.setattr(site, setting, result / name, raising=False)
        (result / "reports" / "7").mkdir()
        (result / "reports" / "7" / "figure.svg").write_text("<svg/>")
        judge_unit(make_worker(make_study()))
        write_backup(result / "site.backup", now=NOW, with_key=True)
        transaction.set_rollback(True)
    return result / "site.backup"


Change = Callable[[dict[str, bytes]], None]


def changed(backup: Path, to: Path, change: Change) -> Path:
    """A copy of a backup whose members `change` has changed."""
    with ZipFile(backup) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    change(members)
    with ZipFile(to, "w") as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return to


def in_manifest(change: Callable[[dict[str, Any]], object]) -> Change:
    """Changes what the manifest says."""

    def rewrite(members: dict[str, bytes]) -> None:
        manifest = json.loads(members["manifest.json"])
        change(manifest)
        members["manifest.json"] = json.dumps(manifest).encode()

    return rewrite
