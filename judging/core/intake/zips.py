"""The size of a zip's directory, checked before the directory is read, because each entry takes memory."""

import os
import re
import struct
from typing import IO, Final

MOST_ENTRIES: Final = 5000
_BYTES_AN_ENTRY: Final = 512
"""46 bytes for the entry, 200 for its name, and the rest for extra fields."""
_TAIL: Final = (1 << 16) + 22 + 20 + 56
"""The longest comment, and the three records that can precede it."""
_ENDS: Final = ((rb"PK\x05\x06", "<L", 12), (rb"PK\x06\x06", "<Q", 40))
"""Mark, format and offset of the size in the end record, and in the one for large files."""


def too_many_entries(file: IO[bytes]) -> bool:
    """Return whether the directory of a zip is larger than MOST_ENTRIES entries need.

    Every record that could be the end record counts, because readers differ in which one they use. Leave the
    file at its beginning.
    """
    end = file.seek(0, os.SEEK_END)
    file.seek(max(0, end - _TAIL))
    tail = file.read(_TAIL)
    file.seek(0)
    sizes = [
        struct.unpack_from(form, tail, record.start() + at)[0]
        for mark, form, at in _ENDS
        for record in re.finditer(mark, tail)
        if record.start() + at + struct.calcsize(form) <= len(tail)
    ]
    small = [size for size in sizes if size != 0xFFFFFFFF]  # this value refers to the record for large files
    return max(small, default=0) > MOST_ENTRIES * _BYTES_AN_ENTRY
