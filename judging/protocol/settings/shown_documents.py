"""The settings for showing documents."""

from typing import Final

from judging.protocol.layout import Layout
from judging.protocol.markup import Markup
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
    Setting(
        "markup",
        _("Markup of documents"),
        _(
            "text: plain text. html and markdown: headings, lists, tables and pictures. Scripts, styles and"
            " forms never reach a worker’s page."
        ),
        Kind.CHOICE,
        "documents",
        default=Markup.TEXT.value,
        options=tuple(markup.value for markup in Markup),
        later=True,
        more="A document can have its own; see below.",
        group=groups.DOCUMENTS,
    ),
)
