"""Make a backup while the site is in use. All rows come from one snapshot of the database."""

import os
import re
import tempfile
from datetime import UTC, datetime
from pathlib import Path
from typing import Final
from zipfile import ZIP_DEFLATED, ZipFile

from django.conf import settings
from django.db import connection
from django.db.models import Model

from judging.archive.backup.archive import BackupError
from judging.archive.backup.files import site_files
from judging.archive.backup.manifest import KEY, NAME, Manifest, Member, Table
from judging.archive.backup.schema import LEFT_OUT, Schema, last_keys
from judging.archive.backup.values import fields_of, lines_of
from judging.core.formats.packing import OnBytes, Packed, chunks_of, pack
from judging.core.formats.snapshot import one_snapshot
from judging.core.formats.software import versions
from judging.models.fields import column_of

_LEVEL: Final = 3
"""The compression level, which is faster than the default but makes slightly larger files."""
_NAME: Final = "plumbline-%Y%m%dT%H%M%SZ.backup"
_BACKUP_NAME: Final = re.compile(r"plumbline-\d{8}T\d{6}Z\.backup")
"""Matches the names of backups, which sort by time. Other files in the folder are never deleted."""


def write_backup(
    path: Path, *, now: datetime, with_key: bool = False, on_bytes: OnBytes | None = None
) -> Manifest:
    """Write a backup of the site to a new file. Leave no incomplete file behind.

    Only the file's owner can read it. The site can stay in use. All rows come from one snapshot of the
    database, taken right before the files are copied. Raise BackupError if the file already exists or cannot
    be written.
    """
    if path.exists():
        raise BackupError(f"{path}: This file exists already. Choose another name, or move the file.")
    if not path.parent.is_dir():
        raise BackupError(f"{path}: There is no folder {path.parent}. Create it first.")
    try:
        return _write(path.resolve(), now, with_key, on_bytes or (lambda size: None))
    except FileExistsError as error:
        raise BackupError(f"{path}: Another process has created this file. Choose another name.") from error
    except OSError as error:
        raise BackupError(f"{path}: The file cannot be written: {error.strerror}.") from error


def write_newest(
    folder: Path, *, keep: int, now: datetime, with_key: bool = False, on_bytes: OnBytes | None = None
) -> tuple[Path, Manifest]:
    """Write a backup into a folder, then delete the oldest backups until `keep` are left.

    Return the new file and its manifest. If the folder is missing, create one that only its owner can open.
    Raise BackupError as `write_backup` does, before any older backup is deleted.
    """
    try:
        folder.mkdir(mode=0o700, exist_ok=True)
    except FileExistsError:
        raise BackupError(f"{folder}: This is a file. With --keep, give a folder for the backups.") from None
    except OSError as error:
        raise BackupError(f"{folder}: The folder cannot be created: {error.strerror}.") from error
    path = folder / now.astimezone(UTC).strftime(_NAME)
    manifest = write_backup(path, now=now, with_key=with_key, on_bytes=on_bytes)
    backups = sorted(file for file in folder.iterdir() if _BACKUP_NAME.fullmatch(file.name))
    for old in backups[:-keep]:
        old.unlink(missing_ok=True)
    return path, manifest


def _write(path: Path, now: datetime, with_key: bool, on_bytes: OnBytes) -> Manifest:
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")  # readable by its owner only
    temporary = Path(name)
    try:
        with os.fdopen(handle, "w+b") as file:
            with ZipFile(file, "w", ZIP_DEFLATED, compresslevel=_LEVEL) as archive, one_snapshot():
                manifest = _fill(archive, now, with_key, on_bytes)
                archive.writestr(NAME, manifest.to_json())
            file.flush()
            os.fsync(file.fileno())
        _name(temporary, path)
    finally:
        temporary.unlink(missing_ok=True)
    return manifest


def _name(temporary: Path, path: Path) -> None:
    """Rename the file, and make sure that the new name is stored on the disk.

    Raise FileExistsError if a file already has the new name. On a file system without hard links, replace
    that file instead.
    """
    try:
        path.hardlink_to(temporary)
    except FileExistsError:
        raise
    except OSError:  # the file system has no hard links
        temporary.replace(path)
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


def _fill(archive: ZipFile, now: datetime, with_key: bool, on_bytes: OnBytes) -> Manifest:
    schema = Schema()  # the first query, which begins the snapshot
    if unknown := schema.applied - schema.known:
        raise BackupError(
            f"The database has migrations of another version, such as {min(unknown)[1]}. "
            "Back it up with that version of Plumbline."
        )
    keys = last_keys(schema.models)
    files = [_add_file(archive, f"files/{name}", source, on_bytes) for name, source in site_files()]
    tables = [_add_table(archive, model, keys, on_bytes) for model in schema.models]
    key = pack(archive, KEY, [settings.SECRET_KEY.encode()], on_bytes=on_bytes) if with_key else None
    return Manifest(
        created=now.isoformat(timespec="seconds"),
        versions=versions(),
        database=connection.vendor,
        migrations=[list(migration) for migration in sorted(schema.applied)],
        tables=tables,
        files=[member for member in files if member],
        key=_member(key) if key else None,
    )


def _add_table(archive: ZipFile, model: type[Model], last_keys: dict[str, int], on_bytes: OnBytes) -> Table:
    name = model._meta.db_table
    lines = () if name in LEFT_OUT else lines_of(model)
    packed = pack(archive, f"tables/{name}.jsonl", lines, on_bytes=on_bytes)
    columns = [column_of(field) for field in fields_of(model)]
    return Table(
        packed.name, packed.bytes, packed.sha256, name, columns, packed.rows, last_key=last_keys.get(name)
    )


def _add_file(archive: ZipFile, name: str, path: Path, on_bytes: OnBytes) -> Member | None:
    """Add a file of the site to the archive. Return None if the file no longer exists."""
    try:
        file = path.open("rb")
    except FileNotFoundError:
        return None
    with file:
        return _member(pack(archive, name, chunks_of(file), on_bytes=on_bytes))


def _member(packed: Packed) -> Member:
    return Member(packed.name, packed.bytes, packed.sha256)
