"""From a path to text: compression, byte-order marks and encodings are dealt with here, once."""

import gzip
import io
import zlib
from pathlib import Path

from evaluation.errors import InputError

BYTE_ORDER_MARK = b"\xef\xbb\xbf"
GZIP_MAGIC = b"\x1f\x8b"
MOST_RATIO = 50
UTF_16 = "is UTF-16 text; save it as UTF-8, for instance with iconv -f UTF-16 -t UTF-8"
HEAD = 64
"""Bytes at the front of a file that show whether it is UTF-16."""
_UTF_16_MARKS = (b"\xff\xfe", b"\xfe\xff")
UNPACKED_FREELY = 64 << 20
"""What grows more than 50-fold, beyond these bytes, is no data: text packs to a tenth or so."""
_AT_ONCE = 1 << 20


def read_bytes(path: str | Path) -> bytes:
    """The file's bytes, unpacked where they are gzip's (whatever the file's name), without a byte-order mark.

    Raises `InputError` when the file cannot be read.
    """
    try:
        data = Path(path).read_bytes()
        if data.startswith(GZIP_MAGIC):
            data = _unpacked(data, path)
    except FileNotFoundError:
        raise InputError("there is no such file", str(path)) from None
    except (EOFError, zlib.error, gzip.BadGzipFile):
        raise InputError("the compressed file is broken or cut short; copy it again", f"{path}:1") from None
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror or error}", str(path)) from None
    if is_utf_16(data[:HEAD]):
        raise InputError(UTF_16, f"{path}:1")
    return data.removeprefix(BYTE_ORDER_MARK)


def is_utf_16(head: bytes) -> bool:
    """Return whether a file begins like UTF-16: with its mark, or with Latin text in which half is zeros."""
    return head.startswith(_UTF_16_MARKS) or head.count(0) * 3 > len(head)


def _unpacked(data: bytes, path: str | Path) -> bytes:
    packed, found = io.BytesIO(data), bytearray()
    with gzip.GzipFile(fileobj=packed) as file:
        while chunk := file.read(_AT_ONCE):
            found += chunk
            if len(found) > max(UNPACKED_FREELY, MOST_RATIO * packed.tell()):
                what = f"the file grows more than {MOST_RATIO}-fold when unpacked; pack it anew"
                raise InputError(what, f"{path}:1")
    return bytes(found)


def decode(data: bytes, path: str | Path) -> str:
    """The text of UTF-8 `data`; `InputError` names the first line that is something else."""
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise InputError("is not UTF-8 text; convert the file to UTF-8", f"{path}:{line}") from None


def read_text(path: str | Path) -> str:
    """The file's text, line ends as they stand."""
    return decode(read_bytes(path), path)
