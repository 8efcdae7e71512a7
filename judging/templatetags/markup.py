"""Texts of a study file, which are Markdown, on a page."""

from django import template
from django.utils.safestring import SafeString, mark_safe
from markdown_it import MarkdownIt

register = template.Library()

# HTML in a text is shown as text, and only harmless addresses become links: a study file may be anybody's.
_markdown = MarkdownIt("commonmark", {"html": False}).enable("table")


@register.filter
def markdown(text: str) -> SafeString:
    html: str = _markdown.render(text)
    return mark_safe(html)  # noqa: S308 - rendered with HTML off
