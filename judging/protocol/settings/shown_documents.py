"""The settings for showing documents."""

from typing import Final

from judging.protocol.layout import Layout
from judging.protocol.settings import groups
from judging.protocol.settings.setting import Kind, Setting
from judging.protocol.words import gettext_noop as _

DOCUMENTS: Final = (
    Setting(
        "layout",
        _("Line breaks in documents"),
        _(
            "paragraphs: only blank lines start a new paragraph. lines: every line break is kept, for poems"
            " and lists. preformatted: spaces are kept too, for code and tables."
        ),
        Kind.CHOICE,
        "documents",
        default=Layout.PARAGRAPHS.value,
        options=tuple(layout.value for layout in Layout),
        later=True,
        more="A document can have its own; see below.",
        group=groups.DOCUMENTS,
    ),
)
