"""Zips of members with checksums: how bundles, backups and study folders are packed, and found to be whole.

The scope decides what the members are: a study, by names that hold on every site, or a site, by the keys of
its tables. What is the same for both is here: members, what a manifest says of each, and damage.
"""

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
"""What Python's zipfile and its decompressors raise, one way or another, where a zip is damaged."""

Tell = Callable[[int], object]
"""Is told how many more bytes have passed."""


class Measure:
    """The size in bytes, the lines and the checksum of what has passed so far."""

    def __init__(self, tell: Tell = lambda size: None) -> None:
        self.bytes = 0
        self.rows = 0
        self._digest, self._tell = sha256(), tell

    @property
    def sha256(self) -> str:
        return self._digest.hexdigest()

    def watch(self, chunks: Iterable[bytes]) -> Iterator[bytes]:
        """Yield the same bytes."""
        for chunk in chunks:
            self._digest.update(chunk)
            self.bytes += len(chunk)
            self.rows += chunk.count(b"\n")
            self._tell(len(chunk))
            yield chunk


@dataclass(frozen=True)
class Packed:
    """What a manifest says of a member: `bytes`, `rows` (lines) and `sha256` are of it, unpacked."""

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
    tell: Tell = lambda _: None,
) -> Packed:
    """Write a member, which has no time of its own, so that the same parts make the same bytes.

    `size` is that of all parts, where it is known beforehand.
    """
    entry = ZipInfo(name)  # at its default time, the first that a zip knows
    entry.compress_type = ZIP_DEFLATED
    entry.external_attr = 0o644 << 16
    entry.create_system = 3
    entry.file_size = size or 0
    entry._compresslevel = archive.compresslevel  # type: ignore[attr-defined]  # public from Python 3.13 on
    measure = Measure(tell)
    with archive.open(entry, "w", force_zip64=size is None) as member:
        for chunk in measure.watch(_in_chunks(parts)):
            member.write(chunk)
    return Packed(name, measure.bytes, measure.rows, measure.sha256)


def _in_chunks(parts: Iterable[bytes]) -> Iterator[bytes]:
    """Join small parts, such as lines, or the zip would be asked for each."""
    buffer = bytearray()
    for part in parts:
        buffer += part
        if len(buffer) >= CHUNK:
            yield bytes(buffer)
            buffer.clear()
    if buffer:
        yield bytes(buffer)


def measured(archive: ZipFile, name: str, tell: Tell = lambda _: None) -> Packed:
    """Return what a member holds. Raises one of `UNREADABLE` if it is damaged."""
    measure = Measure(tell)
    with archive.open(name) as file:
        for _ in measure.watch(chunks_of(file)):
            pass
    return Packed(name, measure.bytes, measure.rows, measure.sha256)
