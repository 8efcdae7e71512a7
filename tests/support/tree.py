"""The files of the project that are or would be committed, with git or without."""

import os
from collections.abc import Iterator
from fnmatch import fnmatch
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
IGNORED = [".git", *(line.strip().rstrip("/") for line in (ROOT / ".gitignore").read_text().splitlines())]


def tree() -> Iterator[Path]:
    """Yield every file that is or would be committed."""
    for folder, folders, names in os.walk(ROOT):
        folders[:] = [name for name in folders if not is_ignored(name)]
        yield from (Path(folder, name) for name in names if not is_ignored(name))


def is_ignored(name: str) -> bool:
    return any(fnmatch(name, pattern) for pattern in IGNORED)
