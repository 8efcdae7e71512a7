"""Zips with checksums, for bundles, backups and study folders."""

import lzma
import struct
import zlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from hashlib import sha256
from typing import IO, Final
from zipfile import ZIP_DEFLATED, BadZipFile, ZipFile, ZipInfo

CHUNK: Final = 1 << 20
UNREADABLE: Final = (
    BadZipFile,
    zlib.error,
    lzma.LZMAError,
    struct.error,
    EOFError,
    OSError,
    ArithmeticError,
    LookupError,
    NotImplementedError,
    RuntimeError,
    ValueError,
)
"""All exceptions that Python's zipfile and its decompressors raise for a damaged zip."""

OnBytes = Callable[[int], object]
"""A function that reports progress: it is called with the number of bytes just read or written."""


class Measure:
    """Measures the size, number of lines (`rows`) and checksum of the bytes that pass through `watch`."""

    def __init__(self, on_bytes: OnBytes = lambda size: None) -> None:
        self.bytes = 0
        self.rows = 0
        self._digest, self._on_bytes = sha256(), on_bytes

    @property
    def sha256(self) -> str:
        return self._digest.hexdigest()

    def watch(self, chunks: Iterable[bytes]) -> Iterator[bytes]:
        """Yield the chunks unchanged, and update the size, the number of lines and the checksum."""
        for chunk in chunks:
            self._digest.update(chunk)
            self.bytes += len(chunk)
            self.rows += chunk.count(b"\n")
            self._on_bytes(len(chunk))
            yield chunk


@dataclass(frozen=True)
class Packed:
    """The name, unpacked size, number of lines (`rows`) and checksum of a file in a zip."""

    name: str
    bytes: int
    rows: int
    sha256: str


def chunks_of(file: IO[bytes]) -> Iterator[bytes]:
    while chunk := file.read(CHUNK):
        yield chunk


def pack(
    archive: ZipFile,
    name: str,
    parts: Iterable[bytes],
    *,
    size: int | None = None,
    on_bytes: OnBytes = lambda size: None,
) -> Packed:
    """Add a file to a zip and return the file's size and checksum. The same parts always give the same bytes.

    `size` is the total size of the parts, or None if it is unknown.
    """
    entry = ZipInfo(name)  # its default time is always the same
    entry.compress_type = ZIP_DEFLATED
    entry.external_attr = 0o644 << 16
    entry.create_system = 3
    entry.file_size = size or 0
    entry._compresslevel = archive.compresslevel  # type: ignore[attr-defined]  # public since Python 3.13
    measure = Measure(on_bytes)
    with archive.open(entry, "w", force_zip64=size is None) as member:
        for chunk in measure.watch(_in_chunks(parts)):
            member.write(chunk)
    return Packed(name, measure.bytes, measure.rows, measure.sha256)


def _in_chunks(parts: Iterable[bytes]) -> Iterator[bytes]:
    """Join small parts, such as lines, into larger chunks, to reduce the number of writes to the zip."""
    buffer = bytearray()
    for part in parts:
        buffer += part
        if len(buffer) >= CHUNK:
            yield bytes(buffer)
            buffer.clear()
    if buffer:
        yield bytes(buffer)


def measured(archive: ZipFile, name: str, on_bytes: OnBytes = lambda size: None) -> Packed:
    """Read a file in a zip and return the file's size and checksum.

    Raise one of the errors in `UNREADABLE` if the file is damaged.
    """
    measure = Measure(on_bytes)
    with archive.open(name) as file:
        for _ in measure.watch(chunks_of(file)):
            pass
    return Packed(name, measure.bytes, measure.rows, measure.sha256)
