"""Where a command's results go: a file that is there whole or not at all, or standard output."""

import io
import os
import sys
from collections.abc import Iterable
from pathlib import Path

from django.core.management.base import CommandError, OutputWrapper
from tqdm import tqdm

from judging.exports.writing import CannotWriteError, write_file


def emit(lines: Iterable[str], stdout: OutputWrapper, path: str | None) -> None:
    """Write `lines` to the file `path`, showing how far it is, or to `stdout` as UTF-8 with line feeds.

    A reader that goes away early, as `head` does, ends the command quietly. Raises CommandError where the
    file cannot be written.
    """
    if path is not None:
        try:
            write_file(Path(path), tqdm(lines, unit=" lines", leave=False, disable=None))
        except CannotWriteError as error:
            raise CommandError(str(error)) from error
        return
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8", newline="\n")
    try:
        for line in lines:
            stdout.write(line, ending="")
        stdout.flush()
    except BrokenPipeError:
        # Nothing is left to say, not even when Python empties its buffers on exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
