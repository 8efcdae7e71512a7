"""Making a backup while the site goes on: everything is read from one state of the database."""

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
from judging.archive.backup.tables import LEFT_OUT, Schema, last_keys
from judging.archive.backup.values import fields_of, lines_of
from judging.core.formats.packing import Packed, Tell, chunks_of, pack
from judging.core.formats.snapshot import one_snapshot
from judging.core.formats.software import versions
from judging.models.fields import column_of

_LEVEL: Final = 3
"""Of compression: twice as fast as the usual one, for a file a tenth larger."""
_NAME: Final = "plumbline-%Y%m%dT%H%M%SZ.backup"
_OURS: Final = re.compile(r"plumbline-\d{8}T\d{6}Z\.backup")
"""Names that sort by time. Whatever else is in the folder is left alone."""


def write_backup(path: Path, *, now: datetime, with_key: bool = False, tell: Tell | None = None) -> Manifest:
    """Write the site into a new file that its owner alone may read; it is there whole or not at all.

    Nobody waits for it. Tables are as of one moment; files as they are found right after it. Raises
    BackupError where the file is there already, or cannot be written.
    """
    if path.exists():
        raise BackupError(f"{path}: there is such a file already; name another, or move it away.")
    if not path.parent.is_dir():
        raise BackupError(f"{path}: there is no folder {path.parent}; make it first.")
    try:
        return _write(path.resolve(), now, with_key, tell or (lambda size: None))
    except FileExistsError as error:
        raise BackupError(f"{path}: somebody else has made such a file meanwhile; name another.") from error
    except OSError as error:
        raise BackupError(f"{path}: cannot be written: {error.strerror}.") from error


def write_newest(
    folder: Path, *, keep: int, now: datetime, with_key: bool = False, tell: Tell | None = None
) -> tuple[Path, Manifest]:
    """Write a backup into the folder, then delete the oldest until `keep` are left; returns the new file.

    The folder is made, for its owner alone, where it is missing. Raises BackupError as `write_backup` does;
    then every older backup is still there.
    """
    try:
        folder.mkdir(mode=0o700, exist_ok=True)
    except FileExistsError:
        raise BackupError(f"{folder}: is a file; with --keep name the folder for the backups.") from None
    except OSError as error:
        raise BackupError(f"{folder}: the folder cannot be made: {error.strerror}.") from error
    path = folder / now.astimezone(UTC).strftime(_NAME)
    manifest = write_backup(path, now=now, with_key=with_key, tell=tell)
    ours = sorted(one for one in folder.iterdir() if _OURS.fullmatch(one.name))
    for old in ours[:-keep]:
        old.unlink(missing_ok=True)
    return path, manifest


def _write(path: Path, now: datetime, with_key: bool, tell: Tell) -> Manifest:
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")  # for its owner alone
    made = Path(name)
    try:
        with os.fdopen(handle, "w+b") as file:
            with ZipFile(file, "w", ZIP_DEFLATED, compresslevel=_LEVEL) as archive, one_snapshot():
                manifest = _fill(archive, now, with_key, tell)
                archive.writestr(NAME, manifest.to_json())
            file.flush()
            os.fsync(file.fileno())
        _name(made, path)
    finally:
        made.unlink(missing_ok=True)
    return manifest


def _name(made: Path, path: Path) -> None:
    """Give the file its name, if nobody else has, and have the disk keep that too."""
    try:
        path.hardlink_to(made)
    except FileExistsError:
        raise
    except OSError:  # a file system that knows no second names
        made.replace(path)
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


def _fill(archive: ZipFile, now: datetime, with_key: bool, tell: Tell) -> Manifest:
    schema = Schema()  # the first question: it begins the snapshot
    if unknown := schema.applied - schema.known:
        raise BackupError(
            f"The database has migrations that this version does not know, such as {min(unknown)[1]}: "
            "back it up with the version that made them."
        )
    keys = last_keys(schema.models)
    files = [_add_file(archive, f"files/{name}", source, tell) for name, source in site_files()]
    tables = [_add_table(archive, model, keys, tell) for model in schema.models]
    key = pack(archive, KEY, [settings.SECRET_KEY.encode()], tell=tell) if with_key else None
    return Manifest(
        created=now.isoformat(timespec="seconds"),
        versions=versions(),
        database=connection.vendor,
        migrations=[list(one) for one in sorted(schema.applied)],
        tables=tables,
        files=[member for member in files if member],
        key=_member(key) if key else None,
    )


def _add_table(archive: ZipFile, model: type[Model], last_keys: dict[str, int], tell: Tell) -> Table:
    name = model._meta.db_table
    lines = () if name in LEFT_OUT else lines_of(model)
    packed = pack(archive, f"tables/{name}.jsonl", lines, tell=tell)
    columns = [column_of(field) for field in fields_of(model)]
    return Table(
        packed.name, packed.bytes, packed.sha256, name, columns, packed.rows, last_key=last_keys.get(name)
    )


def _add_file(archive: ZipFile, name: str, path: Path, tell: Tell) -> Member | None:
    """Add a file of the site; None for one that was tidied away meanwhile."""
    try:
        file = path.open("rb")
    except FileNotFoundError:
        return None
    with file:
        return _member(pack(archive, name, chunks_of(file), tell=tell))


def _member(packed: Packed) -> Member:
    return Member(packed.name, packed.bytes, packed.sha256)
