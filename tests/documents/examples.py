"""The fenced examples of the documents, and what is done with each kind.

| kind | what the suite does |
|---|---|
| `python` with `>>>` | runs it and compares what it prints: `tests/evaluation/test_docs.py` |
| `python` without | the test of the page in `RUN_BY` runs it |
| `console` | the test of the page in `RUN_BY` runs each command and compares its output |
| `sh` | parses each line: our commands take these arguments, others are in `OTHER_PROGRAMS` |
| `text`, `toml`, `json`, `yaml` | nothing: they are files and output |
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.support.tree import ROOT

SHOWN = {"text", "toml", "json", "yaml"}
"""Kinds that nobody types."""
RUN_BY = {
    "docs/guides/entry.md": "tests/worker/entry/test_signed.py",
    "docs/guides/extending.md": "tests/extension/test_package.py",
    "docs/guides/how-to-cranfield.md": "tests/main_job/test_how_to.py",
    "docs/guides/published-judgments.md": "tests/main_job/test_published.py",
    "docs/guides/worked-study.md": "tests/main_job/test_worked_study.py",
    "docs/reference/bundle.md": "tests/archive/bundles/test_round_trip.py",
    "docs/reference/command-line.md": "tests/evaluation/test_command_line_page.py",
    "docs/reference/compare/reliability.md": "tests/evaluation/test_reliability_page.py",
    "docs/reference/exports.md": "tests/archive/exports/test_parquet.py",
    "docs/reference/float-qrels.md": "tests/evaluation/conformance/test_command.py",
    "docs/start/first-study.md": "tests/main_job/test_first_study.py",
}
"""Page → the test that runs its scripts and its console."""
NOT_RUN = {
    "docs/reference/api.md": "its answers hold tokens and times; tests/api holds the addresses",
}
"""Page with a console that no test runs → why."""
OTHER_PROGRAMS = {
    ".": "enters the virtual environment",
    "{": "a group of shell commands",
    "apt-get": "needs root on a server",
    "cd": "of the shell",
    "certbot": "needs a host name that others can look up",
    "cmp": "compares two files",
    "cp": "copies a file",
    "deploy/release.sh": "needs releases on a server; tests/deploy/test_release.py runs it",
    "docker": "no container engine here; tests/deploy/test_containers.py reads the compose file",
    "export": "of the shell",
    "git": "clones from an address that the reader fills in",
    "install": "needs root on a server",
    "ir_datasets": "downloads a collection",
    "mkdir": "makes a folder",
    "nginx": "tests/deploy/test_nginx.py runs it",
    "npm": "installs packages of JavaScript for a library that is built seldom",
    "npx": "builds a library of JavaScript that is built seldom",
    "pin": "a function of the shell, defined above",
    "pin()": "defines a function of the shell",
    "sed": "changes a file on a server",
    "su": "needs root on a server",
    "systemctl": "needs systemd; tests/deploy/test_systemd.py looks at the units",
    "systemd-run": "needs systemd; tests/deploy/test_systemd.py looks at the units",
    "unzip": "unpacks a file",
    "useradd": "needs root on a server",
}
"""Programs that are not ours in blocks of `sh` → what they are, or why no test runs them."""
FENCE = re.compile(r"^( *)```(.*)\n((?:.*\n)*?)\1```$", re.MULTILINE)


@dataclass(frozen=True)
class Example:
    """A fenced block: its page, its first line there, its kind and its text."""

    page: str
    line: int
    kind: str
    text: str

    def __str__(self) -> str:
        return f"{self.page}:{self.line}"


def pages() -> list[Path]:
    """Return every document: those of the site, and those beside it."""
    return sorted([*(ROOT / "docs").rglob("*.md"), *ROOT.glob("*.md")])


def examples() -> Iterator[Example]:
    """Yield every fenced block of every document."""
    for path in pages():
        text = path.read_text()
        for found in FENCE.finditer(text):
            line = text.count("\n", 0, found.start()) + 1
            kind = found[2].partition(" ")[0]
            yield Example(str(path.relative_to(ROOT)), line, kind, found[3])
