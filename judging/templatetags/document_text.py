"""The tag that shows the text of a document on pages of the console."""

from django import template

from judging.core.pages.shown_documents import DocumentLike, ShownDocument, show_document
from judging.models import Study

register = template.Library()


@register.inclusion_tag("core/_document_text.html")
def document_text(
    document: DocumentLike, study: Study, prefix: str = "document-", language: str = "", level: int = 2
) -> dict[str, ShownDocument]:
    """Show the text of a document, and its sources. `language` is its language tag, or "" if unknown.

    The headings of the text come below `level`, which is that of the document's title.
    """
    shown = show_document(document, study, prefix=prefix, level=level, language=language, in_console=True)
    return {"document": shown}
