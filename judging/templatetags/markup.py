"""The filter that shows the texts of a study: Markdown with fields."""

from collections.abc import Sequence

from django import template
from django.utils.safestring import SafeString, mark_safe
from markdown_it import MarkdownIt

from judging.core.selectors.texts import fill_fields
from judging.models import Study

register = template.Library()

# Anyone may have written a study file, so HTML is shown as text, and only harmless addresses become links.
_markdown = MarkdownIt("commonmark", {"html": False}).enable("table")


@register.filter
def worker_text(text: str, study: Study | Sequence[Study]) -> SafeString:
    """Return a text of a study as HTML, with its fields filled in.

    If several arms show the text, the fields show the range of their values. This is the only filter for
    Markdown, so no page can show a text with its fields still in it.
    """
    return markdown(fill_fields(text, *([study] if isinstance(study, Study) else study)))


def markdown(text: str) -> SafeString:
    """Return Markdown as HTML."""
    html: str = _markdown.render(text)
    return mark_safe(html)  # noqa: S308 - rendered with HTML off
