"""Write a file completely, or leave the old file unchanged."""

import os
import tempfile
from collections.abc import Iterable
from pathlib import Path


class CannotWriteError(Exception):
    """A file cannot be written. The message says where the problem is and, if possible, how to fix it."""


def write_file(path: Path, chunks: Iterable[bytes], *, mode: int = 0o600) -> None:
    """Write a file. If there is an old file, replace it only when the new file is complete.

    If the path is a device or a pipe, write to it directly. Raise CannotWriteError if the folder is missing,
    or if the file cannot be written.
    """
    if not path.parent.is_dir():
        raise CannotWriteError(f"{path}: The folder {path.parent} does not exist. Create it first.")
    if path.is_dir():
        raise CannotWriteError(f"{path}: This is a folder. Give the name of a file in it.")
    try:
        if path.exists() and not path.is_file():
            with path.open("wb") as device:
                device.writelines(chunks)
        else:
            _replace(path.resolve(), chunks, mode)
    except OSError as error:
        raise CannotWriteError(f"{path}: The file cannot be written: {error.strerror}.") from None


def _replace(path: Path, chunks: Iterable[bytes], mode: int) -> None:
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    temporary = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            file.writelines(chunks)
        temporary.chmod(mode)
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)
