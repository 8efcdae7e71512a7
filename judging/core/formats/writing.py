"""Writing a file completely or not at all."""

import os
import tempfile
from collections.abc import Iterable
from pathlib import Path


class CannotWriteError(Exception):
    """A file that cannot be written. The message says how to fix it."""


def write_file(path: Path, chunks: Iterable[bytes], *, mode: int = 0o600) -> None:
    """Write a new file, and replace the old one only when the new one is complete.

    Write directly to a device or a pipe. Raise CannotWriteError if the folder is missing, or if the file
    cannot be written.
    """
    if not path.parent.is_dir():
        raise CannotWriteError(f"{path}: There is no folder {path.parent}. Create it first.")
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
