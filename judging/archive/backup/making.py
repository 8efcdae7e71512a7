"""Making a backup while the site goes on: everything is read from one state of the database."""

import os
import tempfile
from collections.abc import Iterable, Iterator
from datetime import datetime
from itertools import chain
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
from judging.core.formats.packing import Tell, chunks_of, pack
from judging.core.formats.snapshot import one_snapshot
from judging.core.formats.software import versions
from judging.models.fields import column_of

_LEVEL: Final = 3
"""Of compression: twice as fast as the usual one, for a file a tenth larger."""


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
    files = [
        member
        for name, source in site_files()
        if (member := _add(archive, f"files/{name}", _parts_of(source), tell))
    ]
    tables = [_table(archive, model, tell) for model in schema.models]
    keys = last_keys(schema.models)
    return Manifest(
        created=now.isoformat(timespec="seconds"),
        versions=versions(),
        database=connection.vendor,
        migrations=[list(one) for one in sorted(schema.applied)],
        tables=[Table(**(vars(table) | {"last_key": keys.get(table.table)})) for table in tables],
        files=files,
        key=_add(archive, KEY, iter([settings.SECRET_KEY.encode()]), tell) if with_key else None,
    )


def _table(archive: ZipFile, model: type[Model], tell: Tell) -> Table:
    name, rows = model._meta.db_table, 0

    def counted() -> Iterator[bytes]:
        nonlocal rows
        for line in () if name in LEFT_OUT else lines_of(model):
            rows += 1
            yield line

    member = _add(archive, f"tables/{name}.jsonl", counted(), tell)
    assert member is not None  # only files can vanish
    columns = [column_of(field) for field in fields_of(model)]
    return Table(member.name, member.bytes, member.sha256, name, columns, rows)


def _add(archive: ZipFile, name: str, parts: Iterable[bytes], tell: Tell) -> Member | None:
    """Write a member; None where there is nothing to read, as of a file that was tidied away meanwhile."""
    parts = iter(parts)
    try:
        first = next(parts, b"")
    except FileNotFoundError:
        return None
    packed = pack(archive, name, chain([first], parts), tell=tell)
    return Member(packed.name, packed.bytes, packed.sha256)


def _parts_of(path: Path) -> Iterator[bytes]:
    with path.open("rb") as file:
        yield from chunks_of(file)
