"""The names of uploaded files."""

import re
from typing import Final

_LONGEST_NAME: Final = 80


def plain_name(name: str) -> str:
    """Return a safe version of the file name that a browser sent, or of the last part of a path.

    The safe version contains only letters of the English alphabet, digits, `.`, `_` and `-`.
    """
    last = re.split(r"[/\\]", name)[-1]
    plain = re.sub(r"[^A-Za-z0-9._-]+", "-", last).strip(".-_") or "file"
    return plain if len(plain) <= _LONGEST_NAME else plain[-_LONGEST_NAME:].strip(".-_")
