"""The format of the Cranfield collection.

`.I` begins an entry. `.T`, `.A`, `.B` and `.W` begin its title, author, source and text.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from judging.protocol.words import gettext_noop as _
from judging.setup.intake.content import DocumentContent, TopicContent
from judging.setup.intake.files import SourceFile
from judging.setup.intake.readers.sgml import first_words, id_fault, unwrapped

_SECTION: Final = re.compile(r"\.[A-Z]")
"""The line that begins a section. CACM and CISI have more sections than Cranfield; they are not read."""


@dataclass
class _Entry:
    id: str
    line: int
    sections: dict[str, list[str]] = field(default_factory=dict)
    again: int | None = None
    """The line of the second `.W` in the entry, or None."""

    def section(self, mark: str) -> str:
        return unwrapped("\n".join(self.sections.get(mark, [])))


def _entries(source: SourceFile) -> Iterator[_Entry]:
    """Yield the entries of a file.

    If a mark such as `.W` occurs again in an entry, the text after the second mark continues the section.
    """
    entry: _Entry | None = None
    section: list[str] | None = None
    for number, line in source.lines():
        if line.startswith(".I ") or line.rstrip() == ".I":
            if entry is not None:
                yield entry
            entry, section = _Entry(line[2:].strip(), number), None
        elif entry is not None and _SECTION.fullmatch(line.rstrip()):
            if line.rstrip() == ".W" and ".W" in entry.sections and entry.again is None:
                entry.again = number
            section = entry.sections.setdefault(line.rstrip(), [])
        elif section is not None:
            section.append(line)
        elif line.strip():
            outside = _("The line is not part of an entry. Begin each entry with a line such as “.I 1”.")
            source.fault(number, "", outside)
            return
    if entry is not None:
        yield entry


def read_cranfield_documents(source: SourceFile) -> Iterator[DocumentContent]:
    """Yield the documents. If a text begins with the title, remove the title from the text."""
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
    """Return the text without the title at its beginning.

    In the text, the title can be split into several paragraphs.
    """
    at = 0
    for character in title:
        if character == " ":
            continue
        while text[at].isspace():
            at += 1
        at += 1
    return text[at:].strip()


def read_cranfield_topics(source: SourceFile) -> Iterator[TopicContent]:
    """Yield the queries as topics. Their numbers are their positions in the file, counted from 1.

    The numbers after `.I` are ignored, because Cranfield's grades also refer to queries by their positions. A
    second `.W` in a query is a fault: the next query's `.I` is probably misspelt, so all later numbers would
    be wrong.
    """
    for number, entry in enumerate(_entries(source), start=1):
        if entry.again is not None:
            second = _(
                "Topic {topic} has a second .W here. The .I line of the next topic is probably missing or "
                "misspelt. Correct that line."
            )
            source.fault(entry.again, ".W", second, topic=str(number))
        query = " ".join(entry.section(".W").split())
        title = " ".join(entry.section(".T").split()) or first_words(query)
        yield TopicContent(str(number), title, description=query, narrative="", where=source.at(entry.line))
