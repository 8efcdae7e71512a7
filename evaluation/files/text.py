"""From a path to text: compression, byte-order marks and encodings are dealt with here, once."""

import gzip
import zlib
from pathlib import Path

from evaluation.errors import InputError

BYTE_ORDER_MARK = b"\xef\xbb\xbf"
GZIP_MAGIC = b"\x1f\x8b"


def read_bytes(path: str | Path) -> bytes:
    """The file's bytes, unpacked where they are gzip's (whatever the file's name), without a byte-order mark.

    Raises `InputError` when the file cannot be read.
    """
    try:
        data = Path(path).read_bytes()
        if data.startswith(GZIP_MAGIC):
            data = gzip.decompress(data)
    except FileNotFoundError:
        raise InputError("there is no such file", str(path)) from None
    except (EOFError, zlib.error, gzip.BadGzipFile):
        raise InputError("the compressed file is broken or cut short; copy it again", f"{path}:1") from None
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror or error}", str(path)) from None
    return data.removeprefix(BYTE_ORDER_MARK)


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
