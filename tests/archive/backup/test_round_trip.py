"""From SQLite to PostgreSQL and back: each table is what it was, and the site goes on where it stood."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest
from django.contrib.sessions.models import Session
from django.db import IntegrityError, connection, transaction
from pytest_django import Settings
from rest_framework.authtoken.models import Token

from judging.archive.backup import Manifest, open_backup, restore_site, write_backup
from judging.core.clock import now
from judging.core.documents.citations import SourceText
from judging.core.services.pictures import store_picture
from judging.models import AuditEntry, Picture, Report, Study
from tests.archive.backup.conftest import use_folders
from tests.factories import NOW, judge_unit, make_study, make_worker
from tests.house.walk import World
from tests.marked_up.drawing import square
from tests.support.databases import as_default
from tests.support.empty_database import empty_tables

ODD = {
    "large": 1e22,
    "small": 5e-324,
    "whole": 1.0,
    "below": -0.0,
    "text": "é\u2028\n\"'\\ 日本",
    "none": None,
}

PICTURE = square(7)
SOURCES = [SourceText("s", "A source", "Its text.")._asdict()]
MIGRATIONS = "django_migrations"
"""What it holds stands in the manifest."""


def made(folder: Path, name: str) -> tuple[Path, Manifest]:
    path = folder / name
    return path, write_backup(path, now=now())


def restored(path: Path) -> None:
    with open_backup(path) as backup:
        restore_site(backup)


def tables(manifest: Manifest) -> dict[str, tuple[int, str, int | None]]:
    return {table.table: (table.rows, table.sha256, table.last_key) for table in manifest.tables}


@contextmanager
def emptied_after(settings: dict[str, Any]) -> Iterator[None]:
    with as_default(settings):
        try:
            yield
        finally:
            empty_tables()


def a_rich_site() -> None:
    """Something in most tables, odd values, and a gap behind the newest key."""
    world = World()
    Token.objects.create(user=world.people["owner"])
    world.browser("owner").get("/console/")
    Report.objects.filter(kind="figure").update(content=ODD)
    study = Study.objects.get(slug="study")
    study.documents.filter(document_id="D401-H").update(markup="html", sources=SOURCES)
    store_picture(study, "pictures/shade.png", PICTURE)
    gone = make_study(slug="gone", opened=False)
    AuditEntry.objects.create(study=gone, study_slug=gone.slug, at=NOW, verb="delete")
    gone.delete()


@pytest.mark.parametrize("database", ["sqlite"], indirect=True)
def test_each_table_is_the_same_on_either_database(
    database: str,
    folder: Path,
    tmp_path: Path,
    settings: Settings,
    request: pytest.FixtureRequest,
) -> None:
    elsewhere = request.getfixturevalue("postgresql_settings")
    a_rich_site()
    newest = Study.with_hidden.exclude(slug="gone").order_by("pk").last()
    assert newest is not None
    first, was = made(tmp_path, "sqlite.backup")
    assert {one.table for one in was.tables} == {*connection.introspection.table_names()} - {MIGRATIONS}
    filled = {one.table for one in was.tables if one.rows}
    assert {"judging_judgment", "judging_auditentry", "judging_setup", "auth_user"} <= filled
    assert Session.objects.exists()
    assert Token.objects.exists()
    assert not {"django_session", "authtoken_token"} & filled
    assert {one.name for one in was.files} >= {"files/reports/drawn/magnitudes-by-grade.svg"}
    empty_tables()
    restored_to(first, use_folders(settings, tmp_path / "again"))
    assert tables(made(tmp_path, "again.backup")[1]) == tables(was)
    assert bytes(Picture.objects.get(name="pictures/shade.png").content) == PICTURE
    with emptied_after(elsewhere):
        restored_to(first, use_folders(settings, tmp_path / "moved"))
        assert Report.objects.get(kind="figure").content == ODD
        assert bytes(Picture.objects.get(name="pictures/shade.png").content) == PICTURE
        second, moved = made(tmp_path, "postgresql.backup")
        theirs, ours = tables(moved), tables(was)
        assert theirs.pop("judging_report")[0] == ours.pop("judging_report")[0]  # 1e22 is written otherwise
        assert theirs == ours
        assert moved.files == was.files
        goes_on(newest)
        empty_tables()
        restored_to(second, use_folders(settings, tmp_path / "within"))
        assert tables(made(tmp_path, "within.backup")[1]) == tables(moved)
    empty_tables()
    restored_to(second, use_folders(settings, tmp_path / "back"))
    assert tables(made(tmp_path, "back.backup")[1]) == tables(moved)
    goes_on(newest)


def restored_to(path: Path, folder: Path) -> None:
    assert not list((folder / "reports").iterdir())
    restored(path)
    assert (folder / "reports" / "drawn" / "magnitudes-by-grade.svg").read_text() == "<svg/>"
    assert not list(folder.glob(".restore-*"))


def goes_on(newest: Study) -> None:
    """New rows get keys that nothing had before, the deleted study neither; the audit log is kept."""
    judge_unit(make_worker(Study.objects.get(slug="study")))
    later = make_study(slug="later", opened=False)
    assert later.pk == newest.pk + 2  # the one between was deleted, and stands in the audit log
    for statement in ("UPDATE judging_auditentry SET verb = 'x'", "DELETE FROM judging_auditentry"):
        kept = pytest.raises(IntegrityError)
        with kept, transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(statement)
    later.delete()


def test_a_backup_is_a_zip_archive_that_its_owner_alone_reads(db: None, folder: Path, tmp_path: Path) -> None:
    (folder / "exports" / "1.csv").write_text("a,b\n")
    (folder / "exports" / ".2.csv.half").write_text("a,")
    path, manifest = made(tmp_path, "site.backup")
    assert path.stat().st_mode & 0o777 == 0o600
    assert [path.name for path in tmp_path.glob("*.backup*")] == ["site.backup"]
    assert [file.name for file in manifest.files] == ["files/exports/1.csv"]
    with ZipFile(path) as archive:
        assert json.loads(archive.read("manifest.json"))["format"] == "plumbline-backup"
        assert "secret_key" not in archive.namelist()
        assert archive.read("files/exports/1.csv") == b"a,b\n"
