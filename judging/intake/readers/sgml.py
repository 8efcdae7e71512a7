"""What the readers of TREC's and Cranfield's texts share: ids of a storable form, and unwrapped lines."""

import html
import re
from typing import Final

LONGEST_ID: Final = 200
_TAG: Final = re.compile(r"</?[A-Za-z][^<>]*>|<!--.*?-->", re.DOTALL)
_P: Final = re.compile(r"</?P>", re.IGNORECASE)
_PARAGRAPH: Final = re.compile(r"\n\s*\n|\n(?=[ \t]{2,}\S)")


def without_tags(text: str) -> str:
    """The text between the tags, with `&amp;` and its like resolved; a tag parts words, `<P>` paragraphs."""
    return html.unescape(_TAG.sub(" ", _P.sub("\n\n", text)))


def unwrapped(text: str) -> str:
    """Hard-wrapped lines joined to paragraphs, which end at an empty line or before an indented one."""
    paragraphs = (" ".join(paragraph.split()) for paragraph in _PARAGRAPH.split(text))
    return "\n\n".join(paragraph for paragraph in paragraphs if paragraph)


def id_fault(text: str, longest: int = LONGEST_ID) -> str | None:
    """What is wrong with an id, or None. Files in TREC's layouts part their columns by blanks."""
    if not text:
        return "is empty; give an id"
    if len(text) > longest:
        return f"has {len(text)} characters; at most {longest} can be stored"
    if "\0" in text or text.split() != [text]:
        return "holds white space, which ids cannot; take it out"
    return None
