"""Check the size of a zip's directory before reading it, because each entry takes memory."""

import os
import re
import struct
from typing import IO, Final

MOST_ENTRIES: Final = 5000
_BYTES_AN_ENTRY: Final = 512
"""The number of bytes allowed for each entry: 46, plus 200 for the name, plus 266 for extra fields."""
_TAIL: Final = (1 << 16) + 22 + 20 + 56
"""The number of bytes to search at the end of a zip: the longest comment, and three records before it."""
_ENDS: Final = ((rb"PK\x05\x06", "<L", 12), (rb"PK\x06\x06", "<Q", 40))
"""The two kinds of end record: the usual one, and the one for large files.

Each tuple holds the mark of the record, and the format and offset of the field with the directory's size.
"""


def too_many_entries(file: IO[bytes]) -> bool:
    """Return whether the directory of a zip takes more space than is allowed for MOST_ENTRIES entries.

    Check every possible end record, because programs disagree about which end record is valid. Finally,
    move back to the beginning of the file.
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
    small = [size for size in sizes if size != 0xFFFFFFFF]  # in a large zip, the other record has the size
    return max(small, default=0) > MOST_ENTRIES * _BYTES_AN_ENTRY
