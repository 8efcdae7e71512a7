"""The filter that shows the Markdown texts of a study."""

from django import template
from django.utils.safestring import SafeString, mark_safe
from markdown_it import MarkdownIt

register = template.Library()

# Anyone may have written a study file, so HTML is shown as text, and only harmless addresses become links.
_markdown = MarkdownIt("commonmark", {"html": False}).enable("table")


@register.filter
def markdown(text: str) -> SafeString:
    """Return Markdown as HTML."""
    html: str = _markdown.render(text)
    return mark_safe(html)  # noqa: S308 - rendered with HTML off
