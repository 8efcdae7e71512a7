"""Read files as text: compression, byte-order marks, encodings and limits are handled only here."""

import io
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import IO, Any, NoReturn, Protocol, TypeGuard

from ..errors import InputError
from .detect import (
    BYTE_ORDER_MARK,
    COMPRESS_MAGIC,
    HEAD,
    is_utf_16,
    refuse_without_text,
)
from .packing import PackedFileError, unpacking

LONGEST_LINE = 16 << 20
"""The longest line allowed, in bytes: far longer than any document, but short enough to hold in memory."""
_HEAD = 64
"""The number of bytes at the start of a file that are checked for UTF-16."""
_CHUNK_SIZE = 1 << 20


class TextFaultError(Exception):
    """A fault in a file, with the number of the line, counted from 1.

    `undecodable` is true if the line is not in the expected encoding. `error` is an `InputError` that
    describes the fault, with an empty `where`.
    """

    def __init__(
        self, code: str, text: str, line: int, *, undecodable: bool = False, **values: object
    ) -> None:
        self.error = InputError(code, text, "", **values)
        self.line = line
        self.what = self.error.what
        self.undecodable = undecodable
        super().__init__(self.what)

    def __reduce__(self) -> tuple[Any, ...]:
        """Return what pickle needs to restore the error."""
        return _restored, (self.error, self.line, self.undecodable)


def _restored(error: InputError, line: int, undecodable: bool = False) -> TextFaultError:
    return TextFaultError(error.code, error.text, line, undecodable=undecodable, **error.values)


def text_lines(
    raw: IO[bytes], *, encoding: str = "utf-8", longest: int = LONGEST_LINE
) -> Iterator[tuple[int, str]]:
    """For each line of a seekable file, yield its number, counted from 1, and its text with the line ending.

    Compressed files are unpacked (see `packing`), and a byte-order mark is removed. `longest` is the length
    of the longest line allowed, in bytes. Raise `TextFaultError` at the first line that is too long or is not
    in the encoding. Also raise it if the first line shows that the file has another encoding or is a .Z file,
    and if a compressed file is damaged, or is too large when unpacked.
    """
    number = 1
    try:
        file = unpacking(raw, _head(raw))
        while line := file.readline(longest + 1):
            if len(line) > longest:
                raise TextFaultError(
                    "line-too-long",
                    "the line is longer than {megabytes} MB; check that this is the right file",
                    number,
                    megabytes=longest >> 20,
                )
            if number == 1:
                line = _checked_start(line, encoding)
            try:
                yield number, line.decode(encoding)
            except UnicodeDecodeError:
                raise TextFaultError(
                    "text-in-another-encoding",
                    "the line is not {encoding} text; save the file in that encoding",
                    number,
                    undecodable=True,
                    encoding=encoding.upper(),
                ) from None
            number += 1
    except PackedFileError as fault:
        raise _restored(fault.error, number) from None


def _head(raw: IO[bytes]) -> bytes:
    """Return the first bytes of a seekable file, and go back to its start."""
    head = raw.read(HEAD)
    raw.seek(0)
    return head


def _checked_start(line: bytes, encoding: str) -> bytes:
    """Return the first line without a byte-order mark.

    Raise `TextFaultError` if the line shows that the file has another encoding or is a .Z file.
    """
    if line.startswith(COMPRESS_MAGIC):
        raise TextFaultError(
            "packed-by-compress",
            "the file is in the .Z format of the program compress, which cannot be read directly; unpack it "
            "first with gzip -d",
            1,
        )
    if is_utf_16(line[:_HEAD]):
        raise TextFaultError(
            "utf-16-text",
            "the file is UTF-16 text; save it as UTF-8, for instance with iconv -f UTF-16 -t UTF-8",
            1,
        )
    if line.startswith(BYTE_ORDER_MARK) and encoding != "utf-8":
        raise TextFaultError(
            "utf-8-mark-in-another-encoding",
            "the file begins with a UTF-8 byte-order mark, so its encoding is not {encoding}; remove the "
            "encoding setting",
            1,
            encoding=encoding,
        )
    return line.removeprefix(BYTE_ORDER_MARK)


class Readable(Protocol):
    """A file that Python has opened, in binary or text mode, or anything else with a method `read`."""

    def read(self) -> bytes | str:
        """Return all that is left to read."""


File = str | os.PathLike[str] | Readable
"""A path, "-" for standard input, or a file that is open."""
STANDARD_INPUT = "-"


def is_file(source: object) -> TypeGuard[File]:
    """Return whether a source is a path or an open file."""
    return isinstance(source, str | os.PathLike) or callable(attribute(source, "read"))


def attribute(value: object, name: str) -> Any:
    """Return an attribute of an object of somebody else's, or None if it has none or refuses."""
    try:
        return getattr(value, name, None)
    except Exception:  # an object of somebody else's can raise anything
        return None


def name_of(source: File) -> str:
    """Return how errors name a file: its path, or what an open file says of itself."""
    if isinstance(source, str | os.PathLike):
        return "standard input" if source == STANDARD_INPUT else os.fspath(source)
    name = attribute(source, "name")
    return name if isinstance(name, str) else f"<{type(source).__name__}>"


def read_bytes(source: File) -> bytes:
    """Return the bytes of a file without a byte-order mark. The library opens all its files here.

    A path can lead to a pipe. Compressed files are recognised by their content and unpacked: see `packing`.
    Raise `InputError` if the file cannot be read, or is of a kind without readable text, such as a PDF or a
    workbook.
    """
    name = name_of(source)
    try:
        with _opened(source) as raw:
            file = unpacking(raw, _head(raw))
            data = raw.read() if file is raw else b"".join(iter(lambda: file.read(_CHUNK_SIZE), b""))
    except PackedFileError as fault:
        raise fault.error.at(f"{name}:1") from None
    except FileNotFoundError:
        raise InputError("no-such-file", "there is no such file; check the path", name) from None
    except (OSError, ValueError) as error:
        raise InputError(
            "file-unreadable",
            "the file cannot be read ({reason}); check its path and permissions",
            name,
            reason=getattr(error, "strerror", None) or str(error),
        ) from None
    refuse_without_text(data, name)
    head = data[:_HEAD]
    try:
        start = _checked_start(head, "utf-8")
    except TextFaultError as fault:
        raise fault.error.at(f"{name}:{fault.line}") from None
    return data if len(start) == len(head) else start + data[_HEAD:]  # most files need no copy


@contextmanager
def _opened(source: File) -> Iterator[IO[bytes]]:
    """Open a file for reading bytes, such that it can be read twice. A pipe is read into memory."""
    if isinstance(source, str | os.PathLike):
        is_input = source == STANDARD_INPUT
        with nullcontext(sys.stdin.buffer) if is_input else Path(source).open("rb") as raw:
            yield io.BytesIO(raw.read()) if is_input or not raw.seekable() else raw
        return
    try:
        content: object = source.read()
    except (MemoryError, OSError, ValueError):
        raise
    except Exception as error:  # an object of somebody else's can raise anything
        raise ValueError(f"read() raises {type(error).__name__}: {error}") from error
    if isinstance(content, str):
        content = content.encode("utf-8", "surrogateescape")
    if not isinstance(content, bytes | bytearray):
        raise ValueError(f"read() gives {type(content).__name__} instead of bytes or text")
    yield io.BytesIO(content)


def decode(data: bytes, name: str) -> str:
    """Return the text of UTF-8 `data`. Raise `InputError` for the first line that is not UTF-8."""
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise InputError(
            "not-utf-8", "the line is not UTF-8 text; convert the file to UTF-8", f"{name}:{line}"
        ) from None


def read_text(path: File) -> str:
    """Return the file's text with its line endings unchanged.

    Raise `InputError` if the file cannot be read or is not UTF-8.
    """
    return decode(read_bytes(path), name_of(path))


def refuse_empty(name: str) -> NoReturn:
    """Raise `InputError`, because a file holds nothing."""
    raise InputError("empty-file", "the file is empty; check that it is the right one", f"{name}:1")
