"""No file names the machine that it was written on, a registry or the number of an issue."""

import re
from pathlib import Path

from tests.support.tree import ROOT, tree

# Each is written so that this file does not break its own rule.
FORBIDDEN = {
    "the number of an issue": re.compile(r"\bissues? " + r"#?\d+", re.IGNORECASE),
    "a path of one machine": re.compile(r"/(work/(main|shared)|root)" + r"/"),
    "the host of a registry": re.compile(
        r"pypi\." + r"org|python" + r"hosted|registry\." + r"npmjs|crates\." + r"io", re.IGNORECASE
    ),
}


def text_of(path: Path) -> str:
    """Return the text of a file; "" for one that is not text."""
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        return ""


def test_no_file_names_what_is_forbidden() -> None:
    results = [
        f"{path.relative_to(ROOT)}:{number}: {what}: {line.strip()[:100]}"
        for path in tree()
        for text in [text_of(path)]
        for what, pattern in FORBIDDEN.items()
        if pattern.search(text)
        for number, line in enumerate(text.splitlines(), start=1)
        if pattern.search(line)
    ]
    assert not results, "\n".join(results)


def test_the_forbidden_is_recognised() -> None:
    examples = {
        "the number of an issue": "see " + "issue" + " 12",
        "a path of one machine": "cat /work" + "/shared/data",
        "the host of a registry": "from https://pypi" + ".org/simple",
    }
    assert all(FORBIDDEN[what].search(example) for what, example in examples.items())
