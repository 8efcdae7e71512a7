"""HTML as a browser shows it, whichever way its template breaks lines."""

import re

KEPT = re.compile(r"(<(?:pre|textarea|script)\b.*?</(?:pre|textarea|script)>)", re.DOTALL)
TAG = re.compile(r"<[a-z!/][^<>]*>", re.IGNORECASE)
ATTRIBUTE = re.compile(r'\s+((?:[^\s="]+="[^"]*")|[^\s="]+)')
HEADING = re.compile(r' data-heading="[^"]*"')
BLOCK = (
    "article|body|button|caption|col|colgroup|dd|details|div|dl|dt|fieldset|footer|form|h[1-6]|head|header|html|"
    "label|legend|li|link|main|meta|nav|ol|option|p|section|select|summary|table|tbody|td|tfoot|th|thead|title|tr|ul"
)
AROUND_BLOCKS = re.compile(rf" ?(</?(?:{BLOCK})\b[^<>]*>) ?", re.IGNORECASE)
INSIDE_BUTTONS = re.compile(r"(<button\b[^<>]*>) | (?=</button>)", re.IGNORECASE)


def compact(html: str) -> str:
    """Return HTML without the white space that a browser does not show."""
    parts = KEPT.split(html)
    return "".join(part if place % 2 else _compact(part) for place, part in enumerate(parts))


def _compact(html: str) -> str:
    html = TAG.sub(lambda tag: _tag(tag[0]), re.sub(r"[ \t\r\n\f]+", " ", html))
    return INSIDE_BUTTONS.sub(r"\1", AROUND_BLOCKS.sub(r"\1", html))


def _tag(tag: str) -> str:
    """Return a tag with one space before each attribute and none at its end.

    Leave out the headings that phones show beside the cells of a list: they stand above the column, too.
    """
    return re.sub(r"\s+>$", ">", HEADING.sub("", ATTRIBUTE.sub(r" \1", tag)))
