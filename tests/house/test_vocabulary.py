"""Phrases that no native writer uses, and that this tree used to be full of, stay out of it."""

import re
from typing import Final

import pytest

from tests.support.tree import ROOT

PHRASES: Final = (
    r"\bin how far (?!apart)",
    r"\bin the place of\b",
    r"\bparted by\b",
    r"\bof one's own\b",
    r"\bonly who\b",
    r"\bwho may not\b",
    r"\bare passed over\b",
    r"\bis passed over\b",
    r"\bof which there\b",
    r"\bwhat becomes of\b",
    r"\bnobody hears\b",
    r"\btake it over\b",
    r"\bis none of\b",
    r"\bas soon as a topic was\b",
)
FOLDERS: Final = ("judging", "evaluation", "deploy", "templates", "docs")
KINDS: Final = {".py", ".html", ".txt", ".md", ".js"}
QUOTED: Final = {"docs/understanding/protocol.md"}
"""Pages that quote the original study word for word."""


@pytest.mark.parametrize("phrase", PHRASES)
def test_nobody_writes(phrase: str) -> None:
    pattern = re.compile(phrase.replace(" ", r"\s+"), re.IGNORECASE)
    places = [
        f"{path.relative_to(ROOT)}: {match[0]}"
        for folder in FOLDERS
        for path in sorted((ROOT / folder).rglob("*"))
        if path.suffix in KINDS
        and "migrations" not in path.parts
        and str(path.relative_to(ROOT)) not in QUOTED
        for match in pattern.finditer(path.read_text())
    ]
    assert places == []
