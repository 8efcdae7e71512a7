"""Check a backup file before any of its contents are restored."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from zipfile import ZipFile

from judging.archive.backup.files import is_site_file
from judging.archive.backup.manifest import KEY, NAME, VERSION, Manifest, Member, read_manifest
from judging.core.formats.packing import UNREADABLE, OnBytes, measured
from judging.core.services.errors import RefusedError


class BackupError(RefusedError):
    """A backup that cannot be made or restored. The message says why, and how to fix it."""


@dataclass(frozen=True)
class CheckedBackup:
    """An archive whose members match its manifest."""

    archive: ZipFile
    manifest: Manifest

    def lines(self, member: Member) -> Iterator[bytes]:
        with self.archive.open(member.name) as file:
            yield from file


@contextmanager
def open_backup(path: Path, on_bytes: OnBytes | None = None) -> Iterator[CheckedBackup]:
    """Open a backup, and yield it after comparing all members with their checksums.

    Raise BackupError if the file is not a backup, is incomplete, was changed, or has a newer format. Call
    `on_bytes` with the size of each chunk that is read, in bytes.
    """
    if not path.is_file():
        raise BackupError(f"{path}: There is no such file. Correct the path.")
    try:
        archive = ZipFile(path)
    except PermissionError as error:
        raise BackupError(f"{path}: The file cannot be read: {error.strerror}.") from None
    except UNREADABLE:
        raise BackupError(
            f"{path}: The file is not a backup, or is incomplete. Copy it again from the site that made it."
        ) from None
    with archive:
        manifest = _manifest(path, archive)
        _compare(path, archive, manifest, on_bytes or (lambda size: None))
        yield CheckedBackup(archive, manifest)


def _manifest(path: Path, archive: ZipFile) -> Manifest:
    try:
        manifest = read_manifest(archive.read(NAME))
    except (*UNREADABLE, KeyError, TypeError, AttributeError):
        raise BackupError(f"{path}: The manifest cannot be read. Use another copy of the backup.") from None
    if manifest.version > VERSION:
        made_by = manifest.versions.get("plumbline", "?")
        raise BackupError(
            f"{path}: A newer version of Plumbline, {made_by}, made this backup. Restore it"
            " with that version."
        )
    return manifest


def _compare(path: Path, archive: ZipFile, manifest: Manifest, on_bytes: OnBytes) -> None:
    expected, names = sorted(member.name for member in manifest.members), archive.namelist()
    if sorted([*expected, NAME]) != sorted(names):
        different = min({*expected, NAME} ^ set(names), default="it contains a file twice")
        raise BackupError(
            f"{path}: The backup does not match its manifest ({_in_one_line(different)}). Use another copy."
        )
    strange = [file.name for file in manifest.files if not is_site_file(file.name.removeprefix("files/"))]
    strange += [table.name for table in manifest.tables if table.name != f"tables/{table.table}.jsonl"]
    strange += [manifest.key.name] if manifest.key and manifest.key.name != KEY else []
    if strange:
        raise BackupError(
            f"{path}: The file {_in_one_line(strange[0])} does not belong in a backup. Use another copy."
        )
    for member in manifest.members:
        _compare_member(path, archive, member, on_bytes)


def _in_one_line(name: str) -> str:
    return name if name.isprintable() else ascii(name)


def _compare_member(path: Path, archive: ZipFile, member: Member, on_bytes: OnBytes) -> None:
    try:
        packed = measured(archive, member.name, on_bytes)
    except UNREADABLE:
        raise BackupError(f"{path}: {member.name} is damaged. Use another copy of the backup.") from None
    if packed.sha256 != member.sha256 or packed.rows != getattr(member, "rows", packed.rows):
        raise BackupError(
            f"{path}: {member.name} was changed after the backup was made. Use another copy of the backup."
        )
