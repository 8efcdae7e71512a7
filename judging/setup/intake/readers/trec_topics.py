"""Topics in tags: TREC's SGML, and the XML of TREC, CLEF, NTCIR and FIRE.

In SGML, most tags are not closed, and fields begin with a label. Some tracks have no tags at all, but a
number and a query on each line.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from judging.core.faults import Faults
from judging.protocol.words import gettext_noop as _
from judging.setup.intake.content import TopicContent
from judging.setup.intake.files import SourceFile
from judging.setup.intake.readers.marked import LeftOut, Marked, declared_encoding, marked_topics
from judging.setup.intake.readers.sgml import LONGEST_NUMBER, first_words, id_fault, unwrapped

_LABELS: Final = {
    "num": re.compile(r"\s*(?:Number|Num|Topic|Query)\s*:", re.IGNORECASE),
    "title": re.compile(r"\s*(?:Topic|Title|Query)\s*:", re.IGNORECASE),
    "desc": re.compile(r"\s*Description\s*:", re.IGNORECASE),
    "narr": re.compile(r"\s*Narrative\s*:", re.IGNORECASE),
}
_LINE: Final = re.compile(r"\s*(?:<(?P<tag>\d+)>|(?P<number>[A-Za-z]{0,4}\d+)\s*:)\s*(?P<text>.*\S)")
"""A topic of the Million Query track, such as `20001:1:a query`, or of the Genomics track: `<160>Why?`."""
_PRIORITY: Final = re.compile(r"\d{1,2}\s*:\s*(?=\S)")
"""What the Million Query track of 2008 and 2009 writes between the number and the query."""
_REFERENCES: Final = ("docid", "docno", "url", "uri", "link")
"""Elements that point to a document. Their text does not say what the topic is about."""


def read_trec_topics(source: SourceFile) -> Iterator[TopicContent]:
    """Yield the topics of a file. Give a notice for each element whose text is left out."""
    if not source.is_text_of("trec"):
        return
    source = _in_declared_encoding(source)
    text = source.text()
    left_out = LeftOut()
    topics = list(marked_topics(text, left_out))
    if not topics:
        yield from _lines(source, text)
        return
    has_titles = any(marked.fields.get("title", "").strip() for marked in topics)
    for marked in topics:
        yield from _topic(source, marked, left_out, has_titles=has_titles)
    _notice(source, left_out)
    if not has_titles:
        no_titles = _("{file}: the topics have no titles. The first words of their texts become the titles.")
        source.notice(no_titles, file=source.path)


def _in_declared_encoding(source: SourceFile) -> SourceFile:
    """Return the file in the encoding that its XML declaration names, unless the text is in UTF-8."""
    declared = declared_encoding(source.path) if source.is_utf_8 else ""
    if not declared:
        return source
    silent = source.sibling(source.path, Faults())
    silent.text()
    return source.in_encoding(declared) if silent.faults.count else source


def _topic(
    source: SourceFile, marked: Marked, left_out: LeftOut, *, has_titles: bool
) -> Iterator[TopicContent]:
    fields = {key: _without_label(key, text) for key, text in marked.fields.items()}
    where = source.at(marked.number_line)
    number = " ".join(fields.get("num", "").split())
    if "num" not in fields:
        missing = _("The topic has no number. Add a <num> line after <top>.")
        source.fault(marked.line, "num", missing)
        return
    if fault := id_fault(number, LONGEST_NUMBER):
        source.faults.add(where, "num", fault)
        return
    texts = _texts(marked, fields, left_out)
    title = texts.title or ("" if has_titles else first_words(texts.description or texts.narrative))
    yield TopicContent(number, title, texts.description, texts.narrative, where)


@dataclass(frozen=True)
class _Texts:
    title: str
    description: str
    narrative: str


def _texts(marked: Marked, fields: dict[str, str], left_out: LeftOut) -> _Texts:
    """Return the texts of a topic. Report the elements that are not part of them.

    A topic without any of the usual elements consists of its plain text or, as in the Precision Medicine
    track, of all its elements.
    """
    title = " ".join(fields.get("title", "").split())
    description, narrative = unwrapped(fields.get("desc", "")), unwrapped(fields.get("narr", ""))
    others = marked.others
    if title or description or narrative:
        if marked.plain.strip():
            left_out.add(marked.name, marked.line)
    elif plain := unwrapped(marked.plain):
        description = plain
    else:
        parts = [part for part in others if part.name.lower() not in _REFERENCES and part.text.strip()]
        title = ", ".join(" ".join(part.text.split()) for part in parts)
        description = "\n".join(f"{part.label}: {' '.join(part.text.split())}" for part in parts)
        others = [part for part in others if part not in parts]
    for part in others:
        left_out.add(part.name, part.line)
    return _Texts(title, description, narrative)


def _without_label(key: str, text: str) -> str:
    label = _LABELS[key].match(text)
    return text[label.end() :] if label else text


def _notice(source: SourceFile, left_out: LeftOut) -> None:
    for name, (line, number) in left_out.places.items():
        text = _(
            "{place}: the text of <{element}> is left out of the topics ({number} times). Plumbline reads a"
            " number, a title, a description and a narrative."
        )
        source.notice(text, place=source.at(line), element=name, number=number)


def is_list_of_queries(source: SourceFile) -> bool:
    """Return whether the first line of a file has a number and a query."""
    lines = source.sibling(source.path, Faults()).lines()
    first = next((line for _number, line in lines if line.strip()), "")
    return _LINE.fullmatch(first.rstrip()) is not None


def _lines(source: SourceFile, text: str) -> Iterator[TopicContent]:
    """Yield the topics of a file that has a number and a query on each line."""
    lines = [(place, line) for place, line in enumerate(text.split("\n"), start=1) if line.strip()]
    matches = [(place, _LINE.fullmatch(line.rstrip())) for place, line in lines]
    if not matches or matches[0][1] is None:
        return
    has_priority = all(
        match and match["number"] and _PRIORITY.match(match["text"]) for _place, match in matches
    )
    for place, match in matches:
        if match is None:
            no_topic = _(
                "The line has no number and query. Write a line such as “1:query”, or remove the line."
            )
            source.fault(place, "", no_topic)
            continue
        query = _PRIORITY.sub("", match["text"], count=1) if has_priority else match["text"]
        yield TopicContent(match["tag"] or match["number"], " ".join(query.split()), "", "", source.at(place))
