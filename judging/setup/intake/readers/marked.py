"""Find topics and their fields in SGML or XML, whatever names and forms a track gives to its tags."""

import html
import re
from bisect import bisect
from collections.abc import Iterator
from dataclasses import dataclass, field
from inspect import cleandoc
from pathlib import Path
from typing import Final, NamedTuple

from judging.setup.intake.readers.sgml import without_tags

_OPENERS: Final = ("top", "topic", "inex_topic", "query", "doc", "case")
"""The elements that hold a topic. The first of them in a file is the one that the file uses."""
_KEYS: Final = {
    "num": (
        *(
            "num",
            "number",
            "id",
            "qid",
            "docno",
            "identifier",
            "topic_id",
            "topicid",
            "topic_number",
            "topicno",
        ),
        *("query_id", "queryid", "query_number", "topic_num"),
    ),
    "title": ("title", "query", "content", "text", "querytext", "query_text", "keywords", "short_title"),
    "desc": ("desc", "description", "question", "need", "information_need", "summary"),
    "narr": ("narr", "narrative", "back", "background", "rel", "relevance", "context"),
}
_KEY_OF: Final = {name: key for key, names in _KEYS.items() for name in names}
_PREFIX: Final = re.compile(r"[a-z]{1,3}[-_](?=(?:title|desc|description|narr|narrative|num)$)")
"""The language of a field, as in `<EN-title>`."""
_WORDS: Final = frozenset(
    (
        *("a", "abbr", "b", "big", "cite", "code", "em", "font", "i", "q", "s", "small", "span", "strong"),
        *("sub", "sup", "tt", "u"),
    )
)
"""Elements that mark words inside a text. Their text stays as if they were not there."""
_INLINE: Final = _WORDS.union(["br", "h1", "h2", "h3", "h4", "hr", "li", "ol", "p", "ul"])
"""All elements that can be inside a text."""
_TAG: Final = re.compile(r"<(?P<close>/?)(?P<name>[A-Za-z][\w.:-]*)(?P<attributes>\s[^<>]*)?(?P<empty>/?)>")
_ATTRIBUTE: Final = re.compile(r"""([\w.:-]+)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'<>]+))""")
_PROLOG: Final = re.compile(
    r"<\?[^<>]*>|<!--(?:(?!-->|<!--).)*-->|<!DOCTYPE[^\[<>]*(?:\[(?:(?!<!DOCTYPE)[^\]])*\]\s*)?>", re.DOTALL
)
"""Declarations and comments. No match contains the start of another, so that matching takes linear time."""
_CDATA: Final = re.compile(r"<!\[CDATA\[((?:(?!\]\]>|<!\[CDATA\[).)*)\]\]>", re.DOTALL)
_DECLARED: Final = re.compile(rb"""\s*<\?xml[^<>]*?\sencoding\s*=\s*["']([\w.-]+)["']""")
_HEAD: Final = 1024


class Part(NamedTuple):
    """An element that is not one of a topic's usual fields. `label` is its name for people."""

    name: str
    label: str
    line: int
    text: str


@dataclass
class Marked:
    """A topic as it is marked in a file. `fields` has the texts of `num`, `title`, `desc` and `narr`.

    `plain` is the text outside all elements, and `others` has the elements that have no place in a topic.
    """

    name: str
    line: int
    number_line: int
    fields: dict[str, str] = field(default_factory=dict)
    plain: str = ""
    others: list[Part] = field(default_factory=list)


class LeftOut:
    """The elements whose text is left out: the line of the first one, and how many there are."""

    def __init__(self) -> None:
        self.places: dict[str, tuple[int, int]] = {}

    def add(self, name: str, line: int) -> None:
        first, number = self.places.get(name, (line, 0))
        self.places[name] = (first, number + 1)


def declared_encoding(path: Path) -> str:
    """Return the encoding that an XML declaration names, or ""."""
    if not path.is_file():
        return ""
    with path.open("rb") as file:
        declared = _DECLARED.match(file.read(_HEAD).removeprefix(b"\xef\xbb\xbf"))
    return declared[1].decode("ascii", errors="replace") if declared else ""


def marked_topics(text: str, left_out: LeftOut) -> Iterator[Marked]:
    """Yield the topics of a file. A topic that is not closed ends where the next one begins."""
    text = _CDATA.sub(lambda part: html.escape(part[1], quote=False), _PROLOG.sub(_blank, text))
    breaks = [place.start() for place in re.finditer("\n", text)]
    opener = ""
    start: re.Match[str] | None = None
    inner: list[re.Match[str]] = []
    for tag in _TAG.finditer(text):
        name = tag["name"].lower()
        opener = opener or (name if name in _OPENERS and not tag["close"] else "")
        if name != opener or not opener:
            inner.append(tag)
            continue
        if start is not None:
            yield _Reader(text, breaks, start, inner, tag.start(), left_out).read()
        start, inner = None if tag["close"] else tag, []
    if start is not None:
        yield _Reader(text, breaks, start, inner, len(text), left_out).read()


def _blank(part: re.Match[str]) -> str:
    return "\n" * part[0].count("\n")


def _without_mark(tag: re.Match[str]) -> str:
    return "" if tag["name"].lower() in _WORDS else tag[0]


def _attributes(tag: re.Match[str]) -> dict[str, str]:
    pairs = _ATTRIBUTE.findall(tag["attributes"] or "")
    return {name.lower(): without_tags(double or single or bare) for name, double, single, bare in pairs}


def _key(tag: re.Match[str]) -> str:
    """Return the field that an element holds, or ""."""
    name = tag["name"].lower()
    return _KEY_OF.get(_PREFIX.sub("", name).replace("-", "_"), "")


class _Reader:
    """Reads one topic: the tags between its opening tag and its end."""

    def __init__(
        self,
        text: str,
        breaks: list[int],
        start: re.Match[str],
        tags: list[re.Match[str]],
        end: int,
        left_out: LeftOut,
    ) -> None:
        self._text, self._breaks, self._end, self._left_out = text, breaks, end, left_out
        self._start = start
        self._tags = [tag for tag in tags if tag["name"].lower() not in _INLINE]
        line = self._line(start)
        self._topic = Marked(start["name"], line, line)
        self._names: dict[str, str] = {}

    def _line(self, tag: re.Match[str]) -> int:
        return bisect(self._breaks, tag.start()) + 1

    def read(self) -> Marked:
        """Return the topic."""
        for name, value in _attributes(self._start).items():
            if _KEY_OF.get(name.replace("-", "_")) == "num" and value.strip():
                self._topic.fields.setdefault("num", value)
        closing = self._closing()
        at, place = self._start.end(), 0
        element: re.Match[str] | None = None
        parts: list[str] = []
        while place < len(self._tags):
            tag = self._tags[place]
            parts.append(self._text[at : tag.start()])
            at = tag.end()
            key = _key(tag)
            if tag["close"]:
                if element is not None and tag["name"].lower() == element["name"].lower():
                    self._keep(element, "".join(parts))
                    element, parts = None, []
            elif not key and (end := closing.get(place)):
                self._keep(tag, self._text[tag.end() : self._tags[end].start()])
                place, at = end, self._tags[end].end()
            else:
                self._keep(element, "".join(parts))
                element, parts = tag, []
                if self._is_empty(tag):
                    element = None
            place += 1
        self._keep(element, "".join([*parts, self._text[at : self._end]]))
        return self._topic

    def _closing(self) -> dict[int, int]:
        """Return the place of the closing tag of each element that is closed."""
        opened: dict[str, list[int]] = {}
        closing: dict[int, int] = {}
        for place, tag in enumerate(self._tags):
            waiting = opened.setdefault(tag["name"].lower(), [])
            if not tag["close"] and not self._is_empty(tag):
                waiting.append(place)
            elif tag["close"] and waiting:
                closing[waiting.pop()] = place
        return closing

    @staticmethod
    def _is_empty(tag: re.Match[str]) -> bool:
        return bool(tag["empty"]) or (tag["attributes"] or "").endswith("/")

    def _keep(self, element: re.Match[str] | None, raw: str) -> None:
        """Add a text to the field of its element. Only the first element with a text fills a field.

        The narrative can have several elements with different names, as in NTCIR's topics.
        """
        text = without_tags(_TAG.sub(_without_mark, cleandoc(raw)))
        if element is None:
            self._topic.plain += f"\n{text}"
            return
        key, fields, name = _key(element), self._topic.fields, element["name"].lower()
        line = self._line(element)
        if not key:
            label = _attributes(element).get("name") or element["name"]
            self._topic.others.append(Part(element["name"], label, line, text))
        elif key not in fields or not fields[key].strip():
            fields[key], self._names[key] = text, name
            if key == "num":
                self._topic.number_line = line
        elif key == "narr" and not _PREFIX.match(name) and name != self._names[key] and text.strip():
            fields[key], self._names[key] = f"{fields[key]}\n\n{text}", name
        elif text.strip() and text.split() != fields[key].split():
            self._left_out.add(element["name"], line)
