"""File modes: only the site's own account can read what the site writes (files 0600, folders 0700).

Static files are the exception, because the web server that reads them can run under another account. Files
that a command writes to a place of the user's choice, such as exports, follow the user's umask.
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
    """Keep other accounts out of all files that this process and its children write.

    Call this before Django reads the settings.
    """
    global _users_mask
    _users_mask = os.umask(_PRIVATE_MASK)


def output_mode() -> int:
    """Return the mode for files that a command writes to a place of the user's choice."""
    if _users_mask is None:
        mask = os.umask(_PRIVATE_MASK)
        os.umask(mask)
        return 0o666 & ~mask
    return 0o666 & ~_users_mask


def share_new_files() -> int:
    """Let every account read the files that this process writes from now on. Return the previous umask."""
    return os.umask(_STATIC_MASK)


def repair(path: Path, mode: int) -> None:
    """Set the mode of a file or folder if this account owns it and other accounts can access it.

    Earlier versions created files that others could read. Sticky folders, such as /tmp, stay unchanged.
    """
    try:
        status = path.stat()
        is_shared_folder = stat.S_ISDIR(status.st_mode) and status.st_mode & stat.S_ISVTX
        if status.st_uid == os.geteuid() and not is_shared_folder and status.st_mode & _PRIVATE_MASK:
            path.chmod(mode)
    except OSError:
        return  # The path is missing, or its disk has no modes. `manage.py check` reports open paths.


def is_open_to_others(path: Path) -> bool:
    """Return whether other accounts have any access to the file or folder."""
    try:
        return bool(path.stat().st_mode & _PRIVATE_MASK)
    except OSError:
        return False
