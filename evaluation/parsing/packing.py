"""Unpack compressed files as streams. The format is recognised by the content of a file, not by its name.

All formats can have several members one after the other, which are read as one text.
"""

import bz2
import io
import lzma
import os
import re
import sys
import zlib
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from importlib import import_module
from typing import IO, Any, Final, Protocol

from ..errors import InputError

zstd: Any
try:
    zstd = import_module("compression.zstd" if sys.version_info >= (3, 14) else "backports.zstd")
except ImportError:
    zstd = None  # the extra `files` is not installed

MOST_MEMORY: Final = 128 << 20
"""The memory, in bytes, that unpacking a file may need for what the file refers back to."""
MOST_RATIO: Final = 50
UNPACKED_FREELY = 64 << 20
"""A file may unpack to this number of bytes, or to 50 times its compressed size if that is more.

Real text becomes only about 10 times as large when it is unpacked.
"""
_LONGEST_MAGIC: Final = 16
_CHUNK: Final = 1 << 20
_GZIP_WINDOW: Final = 31
"""The parameter with which zlib reads the format of gzip."""


class Decompressor(Protocol):
    """What unpacks one member of a file: the classes of `zlib`, `bz2`, `lzma` and `zstd`."""

    @property
    def eof(self) -> bool:
        """Whether the member has ended."""

    @property
    def unused_data(self) -> bytes:
        """What follows the member."""

    def decompress(self, data: bytes, max_length: int = ..., /) -> bytes:
        """Return at most `max_length` unpacked bytes."""


@dataclass(frozen=True)
class Packing:
    """A format of compressed files.

    `begins` matches the first bytes of a member. `start` returns what unpacks a member, or is None if a
    package is missing.
    """

    name: str
    begins: re.Pattern[bytes]
    start: Callable[[], Decompressor] | None


PACKINGS: Final = (
    Packing("gzip", re.compile(rb"\x1f\x8b"), lambda: zlib.decompressobj(_GZIP_WINDOW)),
    Packing("bzip2", re.compile(rb"BZh[1-9](?:1AY&SY|\x17\x72\x45\x38\x50\x90)"), bz2.BZ2Decompressor),
    Packing("xz", re.compile(rb"\xfd7zXZ\0"), lambda: lzma.LZMADecompressor(memlimit=MOST_MEMORY)),
    Packing(
        "Zstandard",
        re.compile(rb"\x28\xb5\x2f\xfd|[\x50-\x5f]\x2a\x4d\x18"),
        zstd and zstd.ZstdDecompressor,
    ),
)
_FAULTS: Final[tuple[type[Exception], ...]] = (
    EOFError,
    zlib.error,
    lzma.LZMAError,
    zstd.ZstdError if zstd else EOFError,
)


class PackedFileError(Exception):
    """A compressed file that cannot be unpacked. `error` says why, without the place."""

    def __init__(self, error: InputError) -> None:
        self.error = error
        super().__init__(error)


class _Unpacked(io.RawIOBase):
    """The text of a compressed file, whose members follow one another, perhaps with zero bytes between them.

    Unlike the classes of Python, it lets nothing else follow a member, because a damaged member would then be
    left out without a word.
    """

    def __init__(self, raw: IO[bytes], packing: Packing, start: Callable[[], Decompressor]) -> None:
        self._raw = raw
        self._packing = packing
        self._start = start
        self._member = start()
        self._packed = b""
        self._size = 0

    def readable(self) -> bool:
        """Return True."""
        return True

    def readinto(self, buffer: Any, /) -> int:
        """Write the next bytes into a buffer, and return their number. Raise `PackedFileError`."""
        try:
            unpacked = self._next(len(buffer))
        except _FAULTS as error:
            raise _fault_of(error) from None
        except OSError as error:
            if error.errno is not None:
                raise  # the disk, and not the file's content
            raise _fault_of(error) from None
        buffer[: len(unpacked)] = unpacked
        self._size += len(unpacked)
        if not could_exceed(self._raw.tell(), self._size - 1):
            raise PackedFileError(
                InputError(
                    "compressed-file-too-large",
                    "the file becomes more than {ratio} times larger when unpacked; text never compresses "
                    "that well, so check that this is the right file",
                    ratio=MOST_RATIO,
                )
            )
        return len(unpacked)

    def _next(self, most: int) -> bytes:
        while True:
            if self._member.eof and not self._begin_member():
                return b""
            if not self._packed and getattr(self._member, "needs_input", True):
                self._packed = self._raw.read(_CHUNK)
                if not self._packed:
                    raise EOFError
            unpacked = self._member.decompress(self._packed, most)
            # zlib leaves what it has not used yet; the others keep it.
            self._packed = getattr(self._member, "unconsumed_tail", b"")
            if unpacked:
                return unpacked

    def _begin_member(self) -> bool:
        """Return whether another member follows. Raise EOFError if something else does."""
        following = self._member.unused_data.lstrip(b"\0")
        while len(following) < _LONGEST_MAGIC and (chunk := self._raw.read(_CHUNK)):
            following = (following + chunk).lstrip(b"\0")
        if not following:
            return False
        if not self._packing.begins.match(following):
            raise EOFError
        self._member, self._packed = self._start(), following
        return True


def _fault_of(error: Exception) -> PackedFileError:
    if isinstance(error, lzma.LZMAError) and "limit" in str(error):
        return PackedFileError(
            InputError(
                "packing-needs-memory",
                "unpacking the file needs more than {megabytes} MB of memory; pack it with a smaller "
                "dictionary, or unpack it first",
                megabytes=MOST_MEMORY >> 20,
            )
        )
    return PackedFileError(
        InputError(
            "compressed-file-broken",
            "the compressed file is damaged or incomplete; download or copy it again",
        )
    )


def packing_of(head: bytes) -> Packing | None:
    """Return the format of a compressed file that begins with these bytes, or None for other files."""
    return next((packing for packing in PACKINGS if packing.begins.match(head)), None)


def unpacked_head(head: bytes, most: int) -> bytes:
    """Return the first unpacked bytes of a file that begins with `head`, at most `most`.

    Return `head` itself if the file is not compressed, or cannot be unpacked.
    """
    packing = packing_of(head)
    if packing is None or packing.start is None:
        return head
    try:
        return packing.start().decompress(head, most)
    except _FAULTS:
        return head
    except OSError:  # what bz2 raises
        return head


def unpacking(raw: IO[bytes], head: bytes) -> IO[bytes]:
    """Return a stream of the unpacked bytes of a file, or the file itself if it is not compressed.

    `raw` stands at its start, and `head` holds its first bytes. Raise `PackedFileError` if a package is
    missing. Reading the stream raises it if the file is damaged, needs more than `MOST_MEMORY` to unpack, or
    becomes too large: see `UNPACKED_FREELY`.
    """
    packing = packing_of(head)
    if packing is None:
        return raw
    if packing.start is None:
        raise PackedFileError(
            InputError(
                "packing-without-package",
                "the file is compressed in the format {packing}, which needs a further package; install it "
                "with pip install 'plumbline-ir[files]', or unpack the file first",
                packing=packing.name,
            )
        )
    return io.BufferedReader(_Unpacked(raw, packing, packing.start), _CHUNK)


def could_exceed(packed: int, limit: int) -> bool:
    """Return whether a file of `packed` compressed bytes may unpack to more than `limit` bytes."""
    return max(UNPACKED_FREELY, MOST_RATIO * packed) > limit


def unpacks_beyond(raw: IO[bytes], limit: int) -> bool:
    """Return whether a seekable file is compressed and has more than `limit` bytes when unpacked.

    A damaged file counts as far as it can be unpacked. The bytes are counted, and never held in memory.
    """
    head = raw.read(_LONGEST_MAGIC)
    packed = raw.seek(0, os.SEEK_END)
    raw.seek(0)
    if packing_of(head) is None or not could_exceed(packed, limit):
        return False
    size = 0
    with suppress(PackedFileError):  # what cannot be unpacked has no further bytes
        file = unpacking(raw, head)
        while size <= limit and (chunk := file.read(_CHUNK)):
            size += len(chunk)
    return size > limit
