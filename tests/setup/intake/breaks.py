"""The ways to break a study file; each gives the line of the fault."""

import gzip
from collections.abc import Callable

from tests.setup.intake.folder import StudyFolder

Break = Callable[[StudyFolder], int]
FULL_QUESTION = 'question = "Which?"\noptions = ["a", "b", "c", "d"]\nanswer = "a"\n'


def replaced(name: str, old: str, new: str) -> Break:
    return lambda folder: folder.replace(name, old, new)


def appended(name: str, text: str, down: int = 0) -> Break:
    """Add `text`; the fault lies `down` lines below its beginning."""
    return lambda folder: folder.append(name, text) + down


def setting(table: str, line: str) -> Break:
    return appended("study.toml", f"[{table}]\n{line}\n", 1)


def without_a_grade(folder: StudyFolder) -> int:
    folder.replace("qrels.txt", "007 0 007-H 3\n", "")
    return 2


def without_a_question(folder: StudyFolder) -> int:
    text = folder.read("study.toml")
    folder.write("study.toml", text[: text.rindex("[[question]]")])
    return folder.replace("topics.txt", "Number: 1e5", "Number: 1e5")


def in_latin_1(folder: StudyFolder) -> int:
    line = folder.append("documents.jsonl", '{"id": "latin", "text": "XX"}\n')
    folder.write("documents.jsonl", (folder.path / "documents.jsonl").read_bytes().replace(b"XX", b"caf\xe9"))
    return line


def in_another_encoding(folder: StudyFolder) -> int:
    folder.replace("study.toml", 'path = "documents.jsonl"', 'path = "documents.jsonl"\nencoding = "cp1252"')
    line = folder.append("documents.jsonl", '{"id": "odd", "text": "XX"}\n')
    folder.write("documents.jsonl", (folder.path / "documents.jsonl").read_bytes().replace(b"XX", b"\x81"))
    return line


def marked_as_utf_8(folder: StudyFolder) -> int:
    folder.replace("study.toml", 'path = "good.run"', 'path = "good.run"\nencoding = "latin-1"')
    folder.write("good.run", b"\xef\xbb\xbf" + folder.read("good.run").encode())
    return 1


def in_utf_16(encoding: str) -> Break:
    """A file as Windows writes it; latin-1, which reads every byte, does not help."""

    def break_it(folder: StudyFolder) -> int:
        folder.write("qrels.txt", folder.read("qrels.txt").encode(encoding))
        folder.replace("study.toml", 'path = "qrels.txt"', 'encoding = "latin-1"\npath = "qrels.txt"')
        return 1

    return break_it


def packed_by_compress(folder: StudyFolder) -> int:
    folder.write("qrels.txt", b"\x1f\x9d\x90" + folder.read("qrels.txt").encode())
    return 1


def cut_gzip(folder: StudyFolder) -> int:
    lines = folder.read("qrels.txt")
    folder.write("qrels.txt", gzip.compress(lines.encode())[:-9])
    return lines.count("\n") + 1


def second_tag(folder: StudyFolder) -> int:
    folder.write("poor.run", folder.read("poor.run").replace("poor", "good"))
    return 1
