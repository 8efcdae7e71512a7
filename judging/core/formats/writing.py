"""Writing bytes to a file all at once or not at all."""

import os
import tempfile
from collections.abc import Iterable
from pathlib import Path


class CannotWriteError(Exception):
    """The file cannot be written; the message says in one sentence what to mend."""


def write_file(path: Path, chunks: Iterable[bytes], *, mode: int = 0o600) -> None:
    """Write a new file beside `path` and put it in its place when it is whole; until then the old one stays.

    A device or a pipe is written to as it is. Raises CannotWriteError where the folder is missing, or the
    file cannot be written.
    """
    if not path.parent.is_dir():
        raise CannotWriteError(f"{path}: there is no folder {path.parent}; make it first.")
    if path.is_dir():
        raise CannotWriteError(f"{path}: is a folder; name a file in it.")
    try:
        if path.exists() and not path.is_file():
            with path.open("wb") as device:
                device.writelines(chunks)
        else:
            _replace(path.resolve(), chunks, mode)
    except OSError as error:
        raise CannotWriteError(f"{path}: cannot be written: {error.strerror}.") from None


def _replace(path: Path, chunks: Iterable[bytes], mode: int) -> None:
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    made = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            file.writelines(chunks)
        made.chmod(mode)
        made.replace(path)
    finally:
        made.unlink(missing_ok=True)
