"""The Cranfield collection's files: `.I` begins an entry, `.T .A .B .W` its title, author, source, text."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from judging.core.intake.content import DocumentContent, TopicContent
from judging.core.intake.files import SourceFile
from judging.core.intake.readers.sgml import id_fault, unwrapped

_SECTIONS: Final = (".T", ".A", ".B", ".W")
_TITLE_WORDS: Final = 8


@dataclass
class _Entry:
    id: str
    line: int
    sections: dict[str, list[str]] = field(default_factory=dict)
    again: int | None = None
    """The line on which its text begins a second time."""

    def section(self, mark: str) -> str:
        return unwrapped("\n".join(self.sections.get(mark, [])))


def _entries(source: SourceFile) -> Iterator[_Entry]:
    """The entries of a file; a mark that comes twice in an entry (576, for one) goes on with its section."""
    entry: _Entry | None = None
    section: list[str] | None = None
    for number, line in source.lines():
        if line.startswith(".I ") or line.rstrip() == ".I":
            if entry is not None:
                yield entry
            entry, section = _Entry(line[2:].strip(), number), None
        elif entry is not None and line.rstrip() in _SECTIONS:
            if line.rstrip() == ".W" and ".W" in entry.sections and entry.again is None:
                entry.again = number
            section = entry.sections.setdefault(line.rstrip(), [])
        elif section is not None:
            section.append(line)
        elif line.strip():
            source.fault(
                number, "", "does not belong to an entry; each begins with a line such as .I 1 and then .T"
            )
            return
    if entry is not None:
        yield entry


def read_cranfield_documents(source: SourceFile) -> Iterator[DocumentContent]:
    """The documents. A text begins with its title once more: that repetition is left out."""
    for entry in _entries(source):
        if fault := id_fault(entry.id):
            source.fault(entry.line, ".I", fault)
            continue
        title, text = entry.section(".T"), entry.section(".W")
        joined = " ".join(text.split())
        if title and joined.startswith(title) and len(joined) > len(title):
            text = _cut(text, title)
        yield DocumentContent(entry.id, title, text, source.at(entry.line))


def _cut(text: str, title: str) -> str:
    """The text without the title at its front, which may run over several paragraphs."""
    at = 0
    for character in title:
        if character == " ":
            continue
        while text[at].isspace():
            at += 1
        at += 1
    return text[at:].strip()


def read_cranfield_topics(source: SourceFile) -> Iterator[TopicContent]:
    """The queries, numbered from 1 in the order of the file: so the judgments count them, not by `.I`.

    A second `.W` in a query is a fault: a line `.I` that is spelt wrongly would shift the numbers of all
    queries after it.
    """
    for number, entry in enumerate(_entries(source), start=1):
        if entry.again is not None:
            what = f"topic {number} has a second .W here; is the line .I before it spelt wrongly?"
            source.fault(entry.again, ".W", what)
        query = " ".join(entry.section(".W").split())
        words = query.removesuffix(".").split()
        title = " ".join(words[:_TITLE_WORDS]) + (" …" if len(words) > _TITLE_WORDS else "")
        yield TopicContent(str(number), title, description=query, narrative="", where=source.at(entry.line))
