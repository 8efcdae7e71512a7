"""What the site writes is for its own account alone: files of mode 0600 in folders of mode 0700.

Static files are the exception: a web server of another account reads them. What a command writes where its
user says, such as an export, has the mode that the user's umask gives.
"""

import os
import stat
from pathlib import Path
from typing import Final

PRIVATE_FOLDER: Final = 0o700
PRIVATE_FILE: Final = 0o600
STATIC_FOLDER: Final = 0o755
STATIC_FILE: Final = 0o644
_PRIVATE_MASK: Final = 0o077
_STATIC_MASK: Final = 0o022
_users_mask: int | None = None


def keep_files_private() -> None:
    """Give what this process and its children write no right for others. Called before settings are read."""
    global _users_mask
    _users_mask = os.umask(_PRIVATE_MASK)


def output_mode() -> int:
    """Return the mode of a file that a command writes for its user."""
    if _users_mask is None:
        mask = os.umask(_PRIVATE_MASK)
        os.umask(mask)
        return 0o666 & ~mask
    return 0o666 & ~_users_mask


def share_new_files() -> int:
    """Let everybody read what is written from now on; returns what `os.umask` takes to end that."""
    return os.umask(_STATIC_MASK)


def repair(path: Path, mode: int) -> None:
    """Take the rights of others away from what an earlier version has left, where that is ours to change.

    A folder that everybody may write to, such as /tmp, is left alone.
    """
    try:
        found = path.stat()
        shared = stat.S_ISDIR(found.st_mode) and found.st_mode & stat.S_ISVTX
        if found.st_uid == os.geteuid() and not shared and found.st_mode & _PRIVATE_MASK:
            path.chmod(mode)
    except OSError:
        return  # not there yet, or on a disk that knows no modes: `check` tells of what stays open


def open_to_others(path: Path) -> bool:
    """Return whether other accounts have any right to the file or folder."""
    try:
        return bool(path.stat().st_mode & _PRIVATE_MASK)
    except OSError:
        return False
