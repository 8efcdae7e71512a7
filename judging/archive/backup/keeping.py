"""A folder of backups, of which the newest are kept: a new one is whole before an old one goes."""

import re
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from judging.archive.backup.archive import BackupError
from judging.archive.backup.making import write_backup
from judging.archive.backup.manifest import Manifest
from judging.core.formats.packing import Tell

_NAME: Final = "plumbline-%Y%m%dT%H%M%SZ.backup"
_OURS: Final = re.compile(r"plumbline-\d{8}T\d{6}Z\.backup")
"""Names that sort by time. Whatever else is in the folder is left alone."""


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
