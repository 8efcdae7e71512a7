"""How documents are shown."""

from typing import Final

from judging.protocol.layout import Layout
from judging.protocol.settings.base import Kind, Setting

DOCUMENTS: Final = (
    Setting(
        "layout",
        "Line breaks in documents",
        "paragraphs: only blank lines count. lines: every line break is kept, for poems and lists."
        " preformatted: every space too, for code and tables.",
        Kind.CHOICE,
        "documents",
        default=Layout.PARAGRAPHS.value,
        options=tuple(layout.value for layout in Layout),
        later=True,
        more="A document can have its own; see below.",
    ),
)
