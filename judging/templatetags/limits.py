"""The tag that shows a limit on a page."""

from django import template

from judging import limits

register = template.Library()


@register.simple_tag
def span_of(name: str) -> str:
    """Return a time limit as text: `{% span_of "RESET_LINK" %}` shows "4 hours"."""
    return limits.span(getattr(limits, name))
