"""Write the results of a command to a file, completely or not at all, or to standard output."""

import os
import sys
from codecs import getincrementaldecoder
from collections.abc import Iterable
from pathlib import Path

from django.conf import settings
from django.core.management.base import CommandError, OutputWrapper
from tqdm import tqdm

from judging.core.formats.writing import CannotWriteError, write_file


def emit(chunks: Iterable[bytes], stdout: OutputWrapper, path: str | None) -> None:
    """Write `chunks` to the file `path` with a progress bar, or to `stdout` if `path` is None.

    If the reader closes the pipe early, as `head` does, end without an error. Raise CommandError if the file
    cannot be written.
    """
    if path is not None:
        try:
            write_file(Path(path), _shown(chunks), mode=settings.OUTPUT_MODE)
        except CannotWriteError as error:
            raise CommandError(str(error)) from error
        return
    try:
        _write(chunks, stdout)
    except BrokenPipeError:
        # Without this line, Python would fail when it flushes its buffers on exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _write(chunks: Iterable[bytes], stdout: OutputWrapper) -> None:
    stdout.flush()
    if (binary := getattr(stdout, "buffer", None)) is not None:
        for chunk in chunks:
            binary.write(chunk)
        binary.flush()
        return
    decoder = getincrementaldecoder("utf-8")()  # this stream accepts only text
    for chunk in chunks:
        stdout.write(decoder.decode(chunk), ending="")


def _shown(chunks: Iterable[bytes]) -> Iterable[bytes]:
    with tqdm(unit="B", unit_scale=True, leave=False, disable=None) as bar:
        for chunk in chunks:
            yield chunk
            bar.update(len(chunk))
