"""A backup's file, looked through before anything is written: whole, unchanged, and ours."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from zipfile import ZipFile

from judging.archive.backup.files import is_ours
from judging.archive.backup.manifest import KEY, NAME, VERSION, Manifest, Member, read_manifest
from judging.core.formats.packing import UNREADABLE, Tell, measured
from judging.core.services.errors import RefusedError


class BackupError(RefusedError):
    """A backup that cannot be made or restored; one sentence says why, and how to mend it."""


@dataclass(frozen=True)
class Checked:
    """An archive whose members are what its manifest says."""

    archive: ZipFile
    manifest: Manifest

    def lines(self, member: Member) -> Iterator[bytes]:
        with self.archive.open(member.name) as file:
            yield from file


@contextmanager
def checked(path: Path, tell: Tell | None = None) -> Iterator[Checked]:
    """The backup in that file, every byte of it compared with its checksum.

    Raises BackupError for a file that is none, was cut off or changed, or is of a newer format.
    """
    if not path.is_file():
        raise BackupError(f"{path}: there is no such file.")
    try:
        archive = ZipFile(path)
    except PermissionError as error:
        raise BackupError(f"{path}: cannot be read: {error.strerror}.") from None
    except UNREADABLE:
        raise BackupError(
            f"{path}: is no backup, or was cut off: copy it again from where it was made."
        ) from None
    with archive:
        manifest = _manifest(path, archive)
        _compare(path, archive, manifest, tell or (lambda size: None))
        yield Checked(archive, manifest)


def _manifest(path: Path, archive: ZipFile) -> Manifest:
    try:
        manifest = read_manifest(archive.read(NAME))
    except (*UNREADABLE, KeyError, TypeError, AttributeError):
        raise BackupError(f"{path}: has no manifest of a backup that can be read.") from None
    if manifest.version > VERSION:
        made_by = manifest.versions.get("plumbline", "?")
        raise BackupError(
            f"{path}: was made by a newer version of Plumbline, {made_by}: restore it with that version."
        )
    return manifest


def _compare(path: Path, archive: ZipFile, manifest: Manifest, tell: Tell) -> None:
    expected, there = sorted(one.name for one in manifest.members), archive.namelist()
    if sorted([*expected, NAME]) != sorted(there):
        odd = min({*expected, NAME} ^ set(there), default="a member twice")
        raise BackupError(f"{path}: does not hold what its manifest says: {_in_one_line(odd)}.")
    strange = [one.name for one in manifest.files if not is_ours(one.name.removeprefix("files/"))]
    strange += [one.name for one in manifest.tables if one.name != f"tables/{one.table}.jsonl"]
    strange += [manifest.key.name] if manifest.key and manifest.key.name != KEY else []
    if strange:
        raise BackupError(f"{path}: {_in_one_line(strange[0])} has no place in a backup.")
    for member in manifest.members:
        _compare_member(path, archive, member, tell)


def _in_one_line(name: str) -> str:
    return name if name.isprintable() else ascii(name)


def _compare_member(path: Path, archive: ZipFile, member: Member, tell: Tell) -> None:
    try:
        found = measured(archive, member.name, tell)
    except UNREADABLE:
        raise BackupError(f"{path}: {member.name} is damaged; take another copy of the backup.") from None
    if found.sha256 != member.sha256 or found.rows != getattr(member, "rows", found.rows):
        raise BackupError(
            f"{path}: {member.name} is not what it was when the backup was made; take another copy of it."
        )
