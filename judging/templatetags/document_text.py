"""The tag that shows the text of a document."""

from django import template

from judging.protocol.layout import Layout, paragraphs_of

register = template.Library()


@register.inclusion_tag("core/_document_text.html")
def document_text(text: str, layout: str, language: str = "") -> dict[str, object]:
    """Show text in its layout. `language` is the text's language tag, or "" if it is unknown."""
    used_layout = Layout(layout or Layout.PARAGRAPHS)
    return {
        "language": language,
        "text": text,
        "layout": used_layout.value,
        "paragraphs": paragraphs_of(text, used_layout),
    }
