"""TREC's topic files: SGML in which most tags are not closed, and fields begin with a label."""

import re
from collections.abc import Iterator
from typing import Final

from judging.core.intake.content import TopicContent
from judging.core.intake.files import SourceFile
from judging.core.intake.readers.sgml import LONGEST_NUMBER, id_fault, unwrapped, without_tags
from judging.protocol.words import gettext_noop as _

_TAG: Final = re.compile(r"<(num|title|desc|narr|head|dom|smry|con|fac|def|nat|time)\b[^<>]*>", re.IGNORECASE)
"""A field ends where any of these tags begins. Some tags occur only in early TRECs. Their text is ignored."""
_LABELS: Final = {
    "num": re.compile(r"\s*(?:Number|Topic)\s*:", re.IGNORECASE),
    "title": re.compile(r"\s*(?:Topic|Title)\s*:", re.IGNORECASE),
    "desc": re.compile(r"\s*Description\s*:", re.IGNORECASE),
    "narr": re.compile(r"\s*Narrative\s*:", re.IGNORECASE),
}


def read_trec_topics(source: SourceFile) -> Iterator[TopicContent]:
    """Yield the topics of a file. A topic that is not closed by `</top>` ends at the next `<top>`."""
    top: list[str] = []
    start: int | None = None
    for number, line in source.lines():
        for piece in re.split(r"(</?top>)", line, flags=re.IGNORECASE):
            if piece.lower() in ("<top>", "</top>"):
                if start is not None:
                    yield from _topic(source, "\n".join(top), start)
                start, top = (number, []) if piece.lower() == "<top>" else (None, [])
            elif start is not None:
                top.append(piece)
    if start is not None:
        yield from _topic(source, "\n".join(top), start)


def _topic(source: SourceFile, text: str, start: int) -> Iterator[TopicContent]:
    fields, lines = _fields(text)
    where = source.at(start + lines.get("num", 0))
    number = " ".join(fields.get("num", "").split())
    if "num" not in fields:
        source.fault(start, "num", _("The topic has no number. Add a <num> line after <top>."))
    elif fault := id_fault(number, LONGEST_NUMBER):
        source.faults.add(where, "num", fault)
    else:
        yield TopicContent(
            number=number,
            title=" ".join(fields.get("title", "").split()),
            description=unwrapped(fields.get("desc", "")),
            narrative=unwrapped(fields.get("narr", "")),
            where=where,
        )


def _fields(text: str) -> tuple[dict[str, str], dict[str, int]]:
    """Return the text and the line number of each field. The line of `<top>` has the number 0."""
    fields: dict[str, str] = {}
    lines: dict[str, int] = {}
    tags = list(_TAG.finditer(text))
    ends = [*(tag.start() for tag in tags[1:]), len(text)]
    for tag, end in zip(tags, ends, strict=False):  # not strict: a topic without tags has one end
        name = tag[1].lower()
        body = text[tag.end() : end]
        if name in _LABELS and name not in fields:
            label = _LABELS[name].match(body)
            fields[name] = without_tags(body[label.end() :] if label else body)
            lines[name] = text.count("\n", 0, tag.start())
    return fields, lines
