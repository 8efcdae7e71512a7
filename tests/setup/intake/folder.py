"""A small study in a folder, whole and sound, for tests to break in one place."""

import json
from pathlib import Path
from typing import Any

from judging.core.faults import StudyRefusedError
from judging.core.study_imports import Imported
from judging.setup.study_files.importing import import_study
from tests.factories import NOW

TOPICS = ("007", "1e5")
"""Numbers that a reader who infers types would ruin."""
LETTERS = "HRMNABCD"
STUDY = """\
slug = "small"
title = "A small study"
requester = "A university"
contact = "study@example.org"
information = "What the study is."
consent = "I agree."
seed = 7

[units]
judgments_per_document = 3

[documents]
format = "jsonl"
path = "documents.jsonl"

[topics]
format = "trec"
path = "topics.txt"

[pool]
depth = 8

[[grades]]
name = "sormunen"
path = "qrels.txt"

[[run]]
path = "good.run"

[[run]]
path = "poor.run"
"""
QUESTION = """
[[question]]
topic = "{number}"
question = "What does topic {number} ask for?"
options = ["one", "two", "three", "four"]
answer = "three"
"""


class StudyFolder:
    """`study.toml` names `documents.jsonl`, `topics.txt`, `qrels.txt`, `good.run` and `poor.run`."""

    def __init__(self, path: Path) -> None:
        self.path = path
        path.mkdir(exist_ok=True)
        self.write("study.toml", STUDY + "".join(QUESTION.format(number=number) for number in TOPICS))
        self.write("topics.txt", "".join(topic_text(number) for number in TOPICS))
        self.write("documents.jsonl", "".join(document_line(item) for item in [*document_ids(), "unpooled"]))
        self.write("qrels.txt", "".join(grade_lines(number) for number in TOPICS))
        self.write("good.run", "".join(run_lines(number, LETTERS, "good") for number in TOPICS))
        self.write("poor.run", "".join(run_lines(number, LETTERS[::-1], "poor") for number in TOPICS))

    def write(self, name: str, text: str | bytes) -> None:
        (self.path / name).write_bytes(text.encode() if isinstance(text, str) else text)

    def read(self, name: str) -> str:
        return (self.path / name).read_text()

    def replace(self, name: str, old: str, new: str) -> int:
        """Put `new` for the first `old`, and return the line on which it stood."""
        text = self.read(name)
        assert old in text, f"{old!r} is not in {name}"
        self.write(name, text.replace(old, new, 1))
        return text[: text.index(old)].count("\n") + 1

    def append(self, name: str, text: str) -> int:
        """Add `text`, and return the line on which it begins."""
        before = self.read(name)
        self.write(name, before + text)
        return before.count("\n") + 1

    def add_topic(self, number: str) -> None:
        """A topic with all that belongs to it, in every file."""
        self.append("topics.txt", topic_text(number))
        self.append("study.toml", QUESTION.format(number=number))
        self.append("documents.jsonl", "".join(document_line(f"{number}-{letter}") for letter in LETTERS))
        self.append("qrels.txt", grade_lines(number))
        self.append("good.run", run_lines(number, LETTERS, "good"))
        self.append("poor.run", run_lines(number, LETTERS[::-1], "poor"))

    def imported(self, **options: Any) -> Imported:
        return import_study(self.path / "study.toml", now=NOW, **options)

    def faults(self, **options: Any) -> list[str]:
        """The lines that refuse the study, with the folder's path taken out."""
        try:
            self.imported(**options)
        except StudyRefusedError as refused:
            return [line.replace(f"{self.path}/", "") for line in refused.lines]
        return []


def document_ids() -> list[str]:
    return [f"{number}-{letter}" for number in TOPICS for letter in LETTERS]


def document_line(name: str) -> str:
    return json.dumps({"id": name, "title": f"Title {name}", "text": f"Text of {name}."}) + "\n"


def topic_text(number: str) -> str:
    return (
        f"<top>\n<num> Number: {number}\n<title> title of {number}\n\n"
        f"<desc> Description:\nWhat {number}\nis.\n\n"
        f"<narr> Narrative:\nWhat is relevant to {number}.\n</top>\n\n"
    )


def grade_lines(number: str) -> str:
    """The first four letters have the grade they are named for."""
    return "".join(f"{number} 0 {number}-{letter} {'NMRH'.index(letter)}\n" for letter in "HRMN")


def run_lines(number: str, letters: str, tag: str) -> str:
    return "".join(
        f"{number} Q0 {number}-{letter} {rank} {100 - rank} {tag}\n"
        for rank, letter in enumerate(letters, start=1)
    )
