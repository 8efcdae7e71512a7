"""How large the directory of a zip is, told before it is read: each of its entries takes memory."""

import os
import re
import struct
from typing import IO, Final

MOST_ENTRIES: Final = 5000
_BYTES_AN_ENTRY: Final = 512
"""46 of the entry itself, a name of 200, and what packers note beside it."""
_TAIL: Final = (1 << 16) + 22 + 20 + 56
"""The longest comment, and the three records that may stand before it."""
_ENDS: Final = ((rb"PK\x05\x06", "<L", 12), (rb"PK\x06\x06", "<Q", 40))
"""Mark of the record at the end, and of the one for large files; how and where it holds the size."""


def too_many_entries(file: IO[bytes]) -> bool:
    """Whether a zip says that its directory is larger than MOST_ENTRIES have need of.

    Of several records that could be the last one, all are asked: readers differ in which they believe. The
    file is left at its beginning.
    """
    end = file.seek(0, os.SEEK_END)
    file.seek(max(0, end - _TAIL))
    tail = file.read(_TAIL)
    file.seek(0)
    sizes = [
        struct.unpack_from(form, tail, found.start() + at)[0]
        for mark, form, at in _ENDS
        for found in re.finditer(mark, tail)
        if found.start() + at + struct.calcsize(form) <= len(tail)
    ]
    small = [size for size in sizes if size != 0xFFFFFFFF]  # which stands for: see the record for large files
    return max(small, default=0) > MOST_ENTRIES * _BYTES_AN_ENTRY
