"""The format of TREC's `<DOC>` collections, in which every publisher uses different tags."""

import re
from collections.abc import Iterator
from typing import Final

from judging.core.storable import unstorable
from judging.protocol.words import gettext_noop as _
from judging.setup.intake.content import DocumentContent
from judging.setup.intake.files import SourceFile
from judging.setup.intake.readers.layouts import without_blank_ends
from judging.setup.intake.readers.sgml import id_fault, unwrapped, without_tags

_DOC: Final = re.compile(r"(</?DOC(?:\s[^<>]*)?>)", re.IGNORECASE)
_DOCNO: Final = re.compile(r"<DOCNO>([^<]*)</DOCNO>", re.IGNORECASE)
_TITLES: Final = ("TITLE", "HEADLINE", "HEAD", "HL", "TTL", "TI")
_TITLE: Final = re.compile(rf"<({'|'.join(_TITLES)})\b[^<>]*>", re.IGNORECASE)
_TITLE_END: Final = {name: re.compile(rf"</{name}\s*>", re.IGNORECASE) for name in _TITLES}
_BODY: Final = re.compile(r"<(/?)(TEXT|LP|LEADPARA|SUMMARY|ABSTRACT|GRAPHIC|CAPTION)\b[^<>]*>", re.IGNORECASE)
_PARAGRAPH: Final = re.compile(r"<(/?)(P)>", re.IGNORECASE)
"""Matches the tags of paragraphs. They are used only if the tags that `_BODY` matches contain no text."""

_NOT_CLOSED: Final = _("The document is not closed. End it with a </DOC> line.")


def read_trec_documents(source: SourceFile, *, keeps_lines: bool = False) -> Iterator[DocumentContent]:
    """Yield a document for each `<DOC>` … `</DOC>`, with its id from `<DOCNO>`.

    The title comes from the first title tag that is closed. The text comes from all text tags or, if they
    contain no text, from all `<P>` tags. An unclosed text tag extends to the end of the document. Wrapped
    lines are joined unless `keeps_lines` is true.
    """
    document: list[str] = []
    start: int | None = None
    for number, line in source.lines():
        for piece in _DOC.split(line) if "<" in line else (line,):
            mark = piece[:5].upper()
            if mark[:4] == "<DOC" and _DOC.fullmatch(piece):
                if start is not None:
                    source.fault(start, "DOC", _NOT_CLOSED)
                start, document = number, []
            elif mark == "</DOC" and start is not None and _DOC.fullmatch(piece):
                yield from _document(source, "\n".join(document), start, keeps_lines)
                start = None
            elif start is not None:
                document.append(piece)
    if start is not None:
        source.fault(start, "DOC", _NOT_CLOSED)


def _document(source: SourceFile, raw: str, start: int, keeps_lines: bool) -> Iterator[DocumentContent]:
    docno = _DOCNO.search(raw)
    name = docno[1].strip() if docno else ""
    if fault := id_fault(name):
        source.fault(start, "DOCNO", fault)
        return
    title, body = _title(raw)
    plain = without_tags(_inside(body, _BODY) or _inside(body, _PARAGRAPH))
    text = without_blank_ends(plain) if keeps_lines else unwrapped(plain)
    if fault := unstorable(title + text):
        source.fault(start, "TEXT", fault)
        return
    yield DocumentContent(name, title, text, source.at(start))


def _title(raw: str) -> tuple[str, str]:
    """Return the text of the first closed title element, and the document without that element."""
    open_ended: set[str] = set()
    for tag in _TITLE.finditer(raw):
        name = tag[1].upper()
        if name in open_ended:
            continue
        if end := _TITLE_END[name].search(raw, tag.end()):
            title = " ".join(without_tags(raw[tag.end() : end.start()]).split())
            return title, raw[: tag.start()] + raw[end.end() :]
        open_ended.add(name)  # search for each closing tag only once
    return "", raw


def _inside(raw: str, tags: re.Pattern[str]) -> str:
    """Return the texts inside the tags, joined by empty lines. Tags can be nested or unclosed."""
    parts: list[str] = []
    open_tags: set[str] = set()
    at = 0
    for tag in tags.finditer(raw):
        if open_tags:
            parts.append(raw[at : tag.start()])
        if tag[1]:
            open_tags.discard(tag[2].upper())
        else:
            open_tags.add(tag[2].upper())
        at = tag.end()
    if open_tags:
        parts.append(raw[at:])
    return "\n\n".join(part for part in parts if part.strip())
