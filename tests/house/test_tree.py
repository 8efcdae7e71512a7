"""Rules for every file: files that read well, and nothing in them of the machine they were written on."""

import os
import re
from collections.abc import Iterator
from fnmatch import fnmatch
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
IGNORED = [".git", *(line.strip().rstrip("/") for line in (ROOT / ".gitignore").read_text().splitlines())]
LONGEST = {".py": 350, ".html": 100}

# Each is written so that this file does not break its own rule.
FORBIDDEN = {
    "the number of an issue": re.compile(r"\bissues? " + r"#?\d+", re.IGNORECASE),
    "a path of one machine": re.compile(r"/(work/(main|shared)|root)" + r"/"),
    "the host of a registry": re.compile(
        r"pypi\." + r"org|python" + r"hosted|registry\." + r"npmjs|crates\." + r"io", re.IGNORECASE
    ),
}


def tree() -> Iterator[Path]:
    """Yield every file that is or would be committed."""
    for folder, folders, names in os.walk(ROOT):
        folders[:] = [name for name in folders if not is_ignored(name)]
        yield from (Path(folder, name) for name in names if not is_ignored(name))


def is_ignored(name: str) -> bool:
    return any(fnmatch(name, pattern) for pattern in IGNORED)


def text_of(path: Path) -> str:
    """Return the text of a file; "" for one that is not text."""
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        return ""


@pytest.mark.parametrize("what", FORBIDDEN)
def test_no_file_names(what: str) -> None:
    found = [
        f"{path.relative_to(ROOT)}:{number}: {line.strip()[:100]}"
        for path in tree()
        for number, line in enumerate(text_of(path).splitlines(), start=1)
        if FORBIDDEN[what].search(line)
    ]
    assert not found, "\n".join(found)


@pytest.mark.parametrize("suffix", LONGEST)
def test_files_are_short_enough_to_read(suffix: str) -> None:
    lengths = {
        path.relative_to(ROOT): len(text_of(path).splitlines())
        for path in tree()
        if path.suffix == suffix and "migrations" not in path.parts
    }
    too_long = [f"{path}: {length}" for path, length in lengths.items() if length >= LONGEST[suffix]]
    assert not too_long, "\n".join(too_long)


def test_the_forbidden_is_recognised() -> None:
    examples = {
        "the number of an issue": "see " + "issue" + " 12",
        "a path of one machine": "cat /work" + "/shared/data",
        "the host of a registry": "from https://pypi" + ".org/simple",
    }
    assert all(FORBIDDEN[what].search(example) for what, example in examples.items())
