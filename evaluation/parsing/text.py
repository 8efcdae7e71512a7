"""Read files as text: compression, byte-order marks, encodings and limits are handled only here."""

import gzip
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any, cast

from ..errors import InputError
from .detect import (
    BYTE_ORDER_MARK,
    COMPRESS_MAGIC,
    GZIP_MAGIC,
    is_utf_16,
    refuse_without_text,
)

LONGEST_LINE = 16 << 20
"""The longest line allowed, in bytes: far longer than any document, but short enough to hold in memory."""
MOST_RATIO = 50
UNPACKED_FREELY = 64 << 20
"""A file may unpack to this number of bytes, or to 50 times its compressed size if that is more.

Real text becomes only about 10 times as large when it is unpacked.
"""
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


def _restored(error: InputError, line: int, undecodable: bool) -> TextFaultError:
    return TextFaultError(error.code, error.text, line, undecodable=undecodable, **error.values)


def text_lines(
    raw: IO[bytes], *, encoding: str = "utf-8", longest: int = LONGEST_LINE
) -> Iterator[tuple[int, str]]:
    """For each line of a seekable file, yield its number, counted from 1, and its text with the line ending.

    Gzip is recognised from the content, and a byte-order mark is removed. `longest` is the length of the
    longest line allowed, in bytes. Raise `TextFaultError` at the first line that is too long or is not in the
    encoding. Also raise it if the first line shows that the file has another encoding or is a .Z file. Also
    raise it if a compressed file is damaged, or is too large when unpacked.
    """
    file = _opened(raw)
    number = 0
    try:
        while line := file.readline(longest + 1):
            number += 1
            if len(line) > longest:
                raise TextFaultError(
                    "line-too-long",
                    "the line is longer than {megabytes} MB; check that this is the right file",
                    number,
                    megabytes=longest >> 20,
                )
            if file is not raw and _grows_too_much(file.tell(), raw.tell()):
                raise _file_too_large(number)
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
    except GZIP_ERRORS:
        raise _damaged_file(number + 1) from None


GZIP_ERRORS = (EOFError, zlib.error, gzip.BadGzipFile)


def _damaged_file(line: int) -> TextFaultError:
    return TextFaultError(
        "compressed-file-broken",
        "the compressed file is damaged or incomplete; download or copy it again",
        line,
    )


def _file_too_large(line: int) -> TextFaultError:
    return TextFaultError(
        "compressed-file-too-large",
        "the file becomes more than {ratio} times larger when unpacked; text never compresses that well, so "
        "check that this is the right file",
        line,
        ratio=MOST_RATIO,
    )


def _opened(raw: IO[bytes]) -> IO[bytes]:
    packed = raw.read(len(GZIP_MAGIC)) == GZIP_MAGIC
    raw.seek(0)
    return cast(IO[bytes], gzip.GzipFile(fileobj=raw)) if packed else raw


def could_exceed(packed: int, limit: int) -> bool:
    """Return whether a file of `packed` compressed bytes may unpack to more than `limit` bytes."""
    return max(UNPACKED_FREELY, MOST_RATIO * packed) > limit


def _grows_too_much(unpacked: int, packed: int) -> bool:
    return not could_exceed(packed, unpacked - 1)


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


def read_bytes(path: str | Path) -> bytes:
    """Return the file's bytes without a byte-order mark.

    Gzip is recognised from the content and unpacked. Raise `InputError` if the file cannot be read, or is of
    a kind without readable text, such as a PDF or a workbook.
    """
    try:
        with Path(path).open("rb") as raw:
            file = _opened(raw)
            data = raw.read() if file is raw else _unpacked(file, raw)
        refuse_without_text(data, path)
        head = data[:_HEAD]
        start = _checked_start(head, "utf-8")
        return data if len(start) == len(head) else start + data[_HEAD:]  # most files need no copy
    except TextFaultError as fault:
        raise fault.error.at(f"{path}:{fault.line}") from None
    except FileNotFoundError:
        raise InputError("no-such-file", "there is no such file; check the path", str(path)) from None
    except GZIP_ERRORS:
        raise _damaged_file(1).error.at(f"{path}:1") from None
    except OSError as error:
        raise InputError(
            "file-unreadable",
            "the file cannot be read ({reason}); check its path and permissions",
            str(path),
            reason=error.strerror or str(error),
        ) from None


def _unpacked(file: IO[bytes], raw: IO[bytes]) -> bytes:
    unpacked = bytearray()
    while chunk := file.read(_CHUNK_SIZE):
        unpacked += chunk
        if _grows_too_much(len(unpacked), raw.tell()):
            raise _file_too_large(1)
    return bytes(unpacked)


def decode(data: bytes, path: str | Path) -> str:
    """Return the text of UTF-8 `data`. Raise `InputError` for the first line that is not UTF-8."""
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise InputError(
            "not-utf-8", "the line is not UTF-8 text; convert the file to UTF-8", f"{path}:{line}"
        ) from None


def read_text(path: str | Path) -> str:
    """Return the file's text with its line endings unchanged.

    Raise `InputError` if the file cannot be read or is not UTF-8.
    """
    return decode(read_bytes(path), path)
