"""The promised limits on a page."""

from django import template

from judging import limits

register = template.Library()


@register.simple_tag
def span_of(name: str) -> str:
    """Return the limit of this name, a span of time, in words: `{% span_of "RESET_LINK" %}`."""
    return limits.span(getattr(limits, name))
